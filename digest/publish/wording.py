"""Moments and counts in words, the same for the terminal and for editors."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from digest.model import Tally
from digest.picking.health import Health

__all__ = ["count_text", "moment_text", "queue_text", "tally_text", "theme_text"]

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


def count_text(number: float, thing: str, things: str = "") -> str:
    """Write a number of things: `1 reader`, `1,284 readers`, `2.5 weeks`.

    `things` are several of them, where an `s` at the end does not make them. A fraction is told to
    one decimal.
    """
    told = f"{number:,.1f}".removesuffix(".0")
    return f"{told} {thing if number == 1 else things or f'{thing}s'}"


def theme_text(theme: str, *, skipped: bool = False) -> str:
    """Name the theme of an issue: `mixed` where it has none, `no issue` where it is skipped."""
    return "no issue" if skipped else theme or "mixed"


def queue_text(health: Health) -> str:
    """Say in a sentence or two how much waits, since when, and for how long it lasts."""
    if not health.waiting:
        return "Nothing waits."
    who = count_text(health.waiting, "item waits", "items wait")
    oldest = ", the oldest" if health.waiting > 1 else ""
    since = "" if health.oldest is None else f"{oldest} for {count_text(health.oldest, 'week')}"
    return f"{who}{since}. Stock for {count_text(health.weeks_of_stock, 'week')}."


def tally_text(tally: Tally) -> str:
    """Write what became of the messages of a send; states that no message is in are left out."""
    states = ("refused", "pending", "unknown", "left", "suppressed", "unsupported")
    others = [f"{count} {state}" for state in states if (count := getattr(tally, state))]
    return ", ".join([f"{tally.accepted} of {tally.audience} accepted", *others])
