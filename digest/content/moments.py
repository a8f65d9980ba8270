"""Days and moments as people type them, read in the newsletter's zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Final
from zoneinfo import ZoneInfo

__all__ = ["FORMS", "day_in_path", "read_moment"]

FORMS: Final = "write it as 2027-01-15, 2027-01-15 09:00 or 2027-01-15T09:00:00+01:00"

# Mail and feeds take no year before 1900 (RFC 5322 §3.3); 9999 overflows in some zones.
_YEARS = range(1900, 9999)
_MOMENT = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:(?:T|[ \t]+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{0,9})?)?"
    r"[ \t]*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?\Z",
    re.ASCII | re.IGNORECASE,
)
_NAME = re.compile(r"(?:.*/)?(\d{4}-\d{2}-\d{2})(?![0-9])[^/]*\Z", re.ASCII | re.DOTALL)
_FOLDERS = re.compile(r"(?:\A|/)(\d{4})/(\d{2})/(\d{2})/", re.ASCII)


def read_moment(text: str, zone: ZoneInfo) -> tuple[datetime, bool]:
    """Read a day or a moment; tell whether it was a day, which means its begin in the zone.

    A moment without an offset is one of the zone; the hour that comes twice means its first
    coming, and one that the clocks skip means the moment as far after the skip (RFC 5545 §3.3.5).
    The result stands in the zone, cut to whole seconds. Raises ValueError with the reason.
    """
    match = _MOMENT.match(text)
    if match is None:
        raise ValueError("is no day and no moment")
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    if year not in _YEARS:
        raise ValueError(f"has a year outside {_YEARS[0]} to {_YEARS[-1]}")
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=_offset(match[7]) or zone)
    except ValueError:
        raise ValueError("does not exist") from None
    # There and back over UTC turns a time that does not exist into one that does.
    return moment.astimezone(UTC).astimezone(zone), match[4] is None


def day_in_path(path: str) -> str:
    """Find a day in `2026-11-30-name.md` or `2026/11/30/name.md`; empty where there is none."""
    match = _NAME.match(path)
    if match:
        return match[1]
    folders = _FOLDERS.search(path)
    return "-".join(folders.groups()) if folders else ""


def _offset(text: str | None) -> timezone | None:
    """Read an offset from UTC; raises ValueError from 24 hours on."""
    if text is None:
        return None
    if text[0] not in "+-":
        return UTC
    digits = text[1:].replace(":", "")
    size = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    return timezone(-size if text[0] == "-" else size)
