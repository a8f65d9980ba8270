"""Moments and counts in words."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from digest.picking.health import Health
from digest.publish.wording import count_text, moment_text, queue_text, theme_text

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
    assert count_text(1, "summary", "summaries") == "1 summary"
    assert count_text(2, "summary", "summaries") == "2 summaries"


def test_fractions() -> None:
    """They have one decimal, and none where it is zero."""
    assert count_text(2.5, "week") == "2.5 weeks"
    assert count_text(1.0, "week") == "1 week"
    assert count_text(1200.0, "week") == "1,200 weeks"


def test_themes_of_issues() -> None:
    """Without one it is mixed; a skipped issue has none."""
    assert theme_text("locks") == "locks"
    assert theme_text("") == "mixed"
    assert theme_text("locks", skipped=True) == "no issue"


@pytest.mark.parametrize(
    ("waiting", "oldest", "stock", "told"),
    [
        (0, None, 0, "Nothing waits."),
        (1, 3, 1, "1 item waits for 3 weeks. Stock for 1 week."),
        (2, None, 0.4, "2 items wait. Stock for 0.4 weeks."),
        (1200, 1, 300.0, "1,200 items wait, the oldest for 1 week. Stock for 300 weeks."),
    ],
)
def test_the_queue(waiting: int, oldest: int | None, stock: float, told: str) -> None:
    """How much waits, since when, and for how long it lasts."""
    health = Health(waiting=waiting, oldest=oldest, weeks_of_stock=stock, themes=(), shortages=())

    assert queue_text(health) == told
