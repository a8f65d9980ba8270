"""Moments and counts in words, the same for the terminal and for editors."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from digest.model import Tally

__all__ = ["count_text", "moment_text", "tally_text"]

# Not by `strftime`, whose names follow the locale of the process.
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
# fmt: off
_MONTHS: Final = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)
# fmt: on


def moment_text(moment: datetime, zone: ZoneInfo) -> str:
    """Write a moment with its zone: `Mon 30 Nov 2026 09:00 Europe/Berlin (UTC+01:00)`."""
    at = moment.astimezone(zone)
    day = f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]} {at.year}"
    return f"{day} {at:%H:%M} {zone.key} (UTC{at.isoformat(timespec='minutes')[16:]})"


def count_text(number: int, thing: str) -> str:
    """Write a number of things: `1 reader`, `1,284 readers`."""
    return f"{number:,} {thing}" + "s" * (number != 1)


def tally_text(tally: Tally) -> str:
    """Write what became of the messages of a send; states that no message is in are left out."""
    states = ("refused", "pending", "unknown", "left", "suppressed", "unsupported")
    others = [f"{count} {state}" for state in states if (count := getattr(tally, state))]
    return ", ".join([f"{tally.accepted} of {tally.audience} accepted", *others])
