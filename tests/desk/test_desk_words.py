"""What the desk says: spans that really pass, moments with their zone, one catalogue."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.desk.words import WORDS, shortened, wait

_BERLIN = ZoneInfo("Europe/Berlin")
_AT = datetime(2026, 11, 30, 9, tzinfo=_BERLIN)


@pytest.mark.parametrize(
    ("before", "told"),
    [
        (timedelta(days=2, hours=4), "in 2 days 4 h"),
        (timedelta(days=2, hours=4, minutes=59), "in 2 days 4 h"),
        (timedelta(days=1), "in 1 day"),
        (timedelta(days=1, minutes=7), "in 1 day"),
        (timedelta(hours=4, minutes=10), "in 4 h 10 min"),
        (timedelta(hours=4), "in 4 h"),
        (timedelta(minutes=1, seconds=59), "in 1 min"),
        (timedelta(seconds=59), "now"),
        (timedelta(), "now"),
        (timedelta(minutes=-5), "5 min ago"),
        (timedelta(days=-400, hours=-1), "400 days 1 h ago"),
    ],
)
def test_how_far_off_a_moment_is(before: timedelta, told: str) -> None:
    """Two units at most, nothing rounded up."""
    assert wait(_AT, _AT - before) == told


@pytest.mark.parametrize(
    ("now", "at", "told"),
    [
        # The night of 29 March 2026 lacks an hour in Berlin, that of 25 October has one more.
        ("2026-03-28T09:00", "2026-03-29T09:00", "in 23 h"),
        ("2026-10-24T09:00", "2026-10-25T09:00", "in 1 day 1 h"),
    ],
)
def test_hours_are_those_that_pass(now: str, at: str, told: str) -> None:
    """Where the clocks change in between, the wall clock's difference is not what is told."""
    first, last = (datetime.fromisoformat(text).replace(tzinfo=_BERLIN) for text in (now, at))

    assert wait(last, first) == told
    assert wait(last.astimezone(UTC), first.astimezone(ZoneInfo("Asia/Tokyo"))) == told


@given(st.text(max_size=120), st.integers(2, 100))
@settings(deadline=None, max_examples=100)
def test_a_cut_line_fits(text: str, most: int) -> None:
    """A line is never longer than asked for, and a short one stays whole."""
    line = shortened(text, most)

    assert len(line) <= most
    assert line == text or (line[-1] == "…" and text.startswith(line[:-1]))
    assert (line == text) or len(text) > most


def test_the_catalogue_is_complete_and_used() -> None:
    """Pages and code name only what the catalogue has, and it has nothing that nobody says."""
    room = files("digest.desk")
    sources = [
        file.read_text("utf-8")
        for folder in (room, room / "pages")
        for file in folder.iterdir()
        if file.name.endswith((".j2", ".py")) and file.name != "words.py"
    ]
    text = "\n".join(sources)
    named = set(re.findall(r"words\.([a-z_]+)|say\(\"([a-z_]+)\"|WORDS\[\"([a-z_]+)\"", text))
    used = {name for names in named for name in names if name}
    made = {
        name
        for name in WORDS
        if name.startswith(("state_", "form_", "frame_", "colour_", "inbox_"))
        or name in {"error", "warning", "note"}
    }
    quoted = set(re.findall(r"\"([a-z_]+)\"", text))

    assert used <= set(WORDS)
    assert set(WORDS) - used - made - quoted - {"wait_ago", "wait_in", "wait_now"} == set()
