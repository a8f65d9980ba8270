"""Slots of a weekly time: over clock changes, turns of the year, and weeks 53."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import IssueKey, SlotNote, WeeklyTime, draft_at, next_slot, slots_between

_BERLIN = ZoneInfo("Europe/Berlin")
_ZONES = st.sampled_from(
    [
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/Sao_Paulo",  # its clocks used to change at midnight
        "Australia/Lord_Howe",  # by half an hour
        "Pacific/Apia",  # had no 30 December 2011
        "Pacific/Kiritimati",
    ]
).map(ZoneInfo)
_TIMES = st.builds(
    WeeklyTime,
    weekday=st.integers(0, 6),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
)
_MOMENTS = st.datetimes(datetime(1990, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - the zone is given beside


def _slots(send: WeeklyTime, after: str, until: str) -> list[str]:
    found = slots_between(
        send, _BERLIN, after=datetime.fromisoformat(after), until=datetime.fromisoformat(until)
    )
    return [f"{slot.issue} {slot.at.isoformat()}" for slot in found]


def test_slots_over_the_turn_of_a_year_with_week_53() -> None:
    """Each week has one slot under its ISO key, the one with number 53 too."""
    send = WeeklyTime(weekday=0, hour=9, minute=0)

    assert _slots(send, "2026-12-21T09:00:00+01:00", "2027-01-11T09:00:00+01:00") == [
        "2026-w53 2026-12-28T09:00:00+01:00",
        "2027-w01 2027-01-04T09:00:00+01:00",
        "2027-w02 2027-01-11T09:00:00+01:00",
    ]


def test_slot_in_the_hour_that_comes_twice_is_in_its_first_pass() -> None:
    """02:30 of the autumn night is the one in summer time, once."""
    send = WeeklyTime(weekday=6, hour=2, minute=30)

    assert _slots(send, "2027-10-25T00:00:00+02:00", "2027-11-08T00:00:00+01:00") == [
        "2027-w43 2027-10-31T02:30:00+02:00",
        "2027-w44 2027-11-07T02:30:00+01:00",
    ]


def test_slot_in_the_hour_that_is_skipped_comes_after_it() -> None:
    """02:30 of the spring night is half an hour after the clocks went on, 03:30."""
    send = WeeklyTime(weekday=6, hour=2, minute=30)

    assert _slots(send, "2027-03-22T00:00:00+01:00", "2027-03-28T23:00:00+02:00") == [
        "2027-w12 2027-03-28T03:30:00+02:00"
    ]


def test_beginning_of_a_span_is_no_part_of_it_and_its_end_is() -> None:
    """A slot at `after` is left out, one at `until` is there; an empty span holds nothing."""
    send = WeeklyTime(weekday=2, hour=12, minute=0)
    at = "2026-12-02T12:00:00+01:00"

    assert _slots(send, at, at) == []
    assert _slots(send, "2026-12-02T11:59:59+01:00", at) == [f"2026-w49 {at}"]
    assert _slots(send, at, "2026-12-01T00:00:00+01:00") == []


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (WeeklyTime(weekday=4, hour=15, minute=0), "2026-11-27T15:00:00+01:00"),
        (WeeklyTime(weekday=0, hour=8, minute=59), "2026-11-30T08:59:00+01:00"),
        (WeeklyTime(weekday=0, hour=9, minute=0), "2026-11-30T09:00:00+01:00"),
        (WeeklyTime(weekday=0, hour=9, minute=1), "2026-11-23T09:01:00+01:00"),
    ],
)
def test_draft_is_the_last_of_its_times_up_to_the_slot(draft: WeeklyTime, expected: str) -> None:
    """A draft time later in the week than the slot is that of the week before."""
    send = WeeklyTime(weekday=0, hour=9, minute=0)
    slot = next_slot(send, _BERLIN, datetime(2026, 11, 27, tzinfo=UTC))

    assert draft_at(draft, slot, _BERLIN).isoformat() == expected


@given(send=_TIMES, zone=_ZONES, start=_MOMENTS, spans=st.tuples(*[st.integers(0, 30_000)] * 2))
@settings(deadline=None)
def test_spans_add_up(
    send: WeeklyTime, zone: ZoneInfo, start: datetime, spans: tuple[int, int]
) -> None:
    """Two spans end to end have the slots of the whole, each week once and in order."""
    middle = start + timedelta(minutes=spans[0])
    end = middle + timedelta(minutes=spans[1])
    first = slots_between(send, zone, after=start, until=middle)
    second = slots_between(send, zone, after=middle, until=end)
    whole = slots_between(send, zone, after=start, until=end)
    keys = [slot.issue for slot in whole]

    assert first + second == whole
    assert keys == sorted(set(keys))
    assert all(send.slot(slot.issue, zone) == slot for slot in whole)
    assert abs(len(whole) - (end - start) / timedelta(days=7)) <= 1.02


@given(send=_TIMES, draft=_TIMES, zone=_ZONES, now=_MOMENTS)
@settings(deadline=None)
def test_next_slot_and_its_draft(
    send: WeeklyTime, draft: WeeklyTime, zone: ZoneInfo, now: datetime
) -> None:
    """The next slot is the first after now; its draft time comes at most eight days before it."""
    slot = next_slot(send, zone, now)
    at = draft_at(draft, slot, zone)

    assert slots_between(send, zone, after=now, until=slot.at) == (slot,)
    assert timedelta(0) <= slot.at - at <= timedelta(days=8)
    assert not slots_between(draft, zone, after=at, until=slot.at)


def test_second_pass_of_an_hour_is_after_the_first() -> None:
    """A moment of the second pass, in the newsletter's own zone, comes after a slot of the first.

    Two moments of one zone would compare by the wall clock.
    """
    send = WeeklyTime(weekday=6, hour=2, minute=30)
    second = datetime(2027, 10, 31, 2, 15, tzinfo=_BERLIN, fold=1)

    assert next_slot(send, _BERLIN, second).issue == "2027-w44"
    [slot] = slots_between(send, _BERLIN, after=second - timedelta(days=1), until=second)
    assert slot.issue == "2027-w43"


def test_note_needs_a_zone() -> None:
    """A note whose moment has no zone is refused."""
    naive = datetime(2026, 11, 30)  # noqa: DTZ001 - what is refused

    with pytest.raises(ValueError, match="has no zone"):
        SlotNote(key=IssueKey("2026-w49"), state="missed", at=naive)
