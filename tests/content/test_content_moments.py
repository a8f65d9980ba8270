"""Days and moments as people type them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.content.moments import day_in_path, read_moment

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "utc", "day"),
    [
        ("2027-01-15", "2027-01-14T23:00:00", True),
        ("2027-1-5", "2027-01-04T23:00:00", True),
        ("2027-01-12 09:00:00", "2027-01-12T08:00:00", False),
        ("2027-01-12T09:00", "2027-01-12T08:00:00", False),
        ("2027-01-12t9:00", "2027-01-12T08:00:00", False),
        ("2027-01-12T09:00:00.999999", "2027-01-12T08:00:00", False),
        ("2027-01-12T09:00:00,5Z", "2027-01-12T09:00:00", False),
        ("2027-01-12  09:00 utc", "2027-01-12T09:00:00", False),
        ("2027-01-15 23:30:00 -0800", "2027-01-16T07:30:00", False),
        ("2027-01-16T08:00:00+01:00", "2027-01-16T07:00:00", False),
        ("2027-01-16T08:00+02", "2027-01-16T06:00:00", False),
        ("2028-02-29", "2028-02-28T23:00:00", True),
        # The clocks skip this hour, then one comes twice.
        ("2027-03-28 02:30", "2027-03-28T01:30:00", False),
        ("2027-10-31 02:30", "2027-10-31T00:30:00", False),
        ("2027-10-31 02:30+01:00", "2027-10-31T01:30:00", False),
    ],
)
def test_moment_is_read_in_the_zone(text: str, utc: str, *, day: bool) -> None:
    """A day, a moment of the zone, or one with an offset: all stand in the zone."""
    moment, day_only = read_moment(text, BERLIN)
    assert moment.astimezone(UTC).replace(tzinfo=None).isoformat() == utc
    assert moment.tzinfo is BERLIN
    assert day_only is day


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland", "Asia/Kolkata"])
def test_day_stays_the_day_in_every_zone(zone: str) -> None:
    """A bare day never moves by one."""
    moment, _ = read_moment("2027-01-15", ZoneInfo(zone))
    assert moment.date().isoformat() == "2027-01-15"


def test_day_whose_midnight_the_clocks_skip_stays_the_day() -> None:
    """Where a day begins at one o'clock it begins then."""
    moment, _ = read_moment("2018-11-04", ZoneInfo("America/Sao_Paulo"))
    assert moment.isoformat() == "2018-11-04T01:00:00-02:00"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2027-02-30", "does not exist"),
        ("2027-13-01", "does not exist"),
        ("2027-01-01 24:00", "does not exist"),
        ("2027-01-01 09:60", "does not exist"),
        ("2027-01-01 09:00+25:00", "does not exist"),
        ("0000-00-00", "has a year outside 1900 to 9998"),
        ("9999-12-31", "has a year outside 1900 to 9998"),
        ("0001-01-01T00:00:00Z", "has a year outside"),
        ("soon", "is no day and no moment"),
        ("12 January 2027", "is no day and no moment"),
        ("2027-01-01 09:00 +1", "is no day and no moment"),
        ("\u0662\u0660\u0662\u0667-01-01", "is no day and no moment"),
        ("2027-01-01\n", "is no day and no moment"),
    ],
)
def test_what_is_no_moment_is_refused_with_the_reason(text: str, reason: str) -> None:
    """The reason tells an impossible date from something else."""
    with pytest.raises(ValueError, match=reason):
        read_moment(text, BERLIN)


@pytest.mark.parametrize("year", ["1900-01-01", "9998-12-31"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_first_and_last_year_can_be_turned_into_any_zone(year: str, zone: str) -> None:
    """No moment that is read overflows later."""
    moment, _ = read_moment(year, ZoneInfo(zone))
    assert moment.astimezone(UTC).astimezone(ZoneInfo("Pacific/Kiritimati"))


def test_name_of_a_file_counts_before_its_folders() -> None:
    """A file that has both is dated by its name."""
    assert day_in_path("2026/11/30/2026-12-01-owls.md") == "2026-12-01"
    assert day_in_path("a/b.md") == ""


def test_words_for_a_date_are_set_aside(parse: Callable[..., Any]) -> None:
    """Other tools' words that name no day leave a summary without a date, and a note."""
    summary, notes = parse("---\ntitle: Owls\ndate: Last Modified\n---\nText.\n")

    assert summary.date is None
    assert [note.place for note in notes] == ["content/owls.md:3"]
    assert "Last Modified" in notes[0].text
