"""Moments and counts in words."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from digest.publish.wording import count_text, moment_text

_BERLIN = ZoneInfo("Europe/Berlin")
_AT = datetime(2026, 11, 30, 9, tzinfo=_BERLIN)


def test_a_moment_names_its_zone() -> None:
    """Day, date, time by the clock of the zone, its name, and how far it is from UTC."""
    far = ZoneInfo("Pacific/Kiritimati")

    assert moment_text(_AT, _BERLIN) == "Mon 30 Nov 2026 09:00 Europe/Berlin (UTC+01:00)"
    assert moment_text(_AT, far) == "Mon 30 Nov 2026 22:00 Pacific/Kiritimati (UTC+14:00)"


def test_numbers() -> None:
    """One is singular; thousands are set apart."""
    assert count_text(0, "reader") == "0 readers"
    assert count_text(1, "reader") == "1 reader"
    assert count_text(1284, "reader") == "1,284 readers"
