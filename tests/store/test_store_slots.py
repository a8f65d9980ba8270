"""What the schedule writes down."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from digest.model import IssueKey
from digest.model.slots import SlotNote, SlotState
from digest.store import open_store


def test_the_first_tick_is_written_once(url: str, now: datetime) -> None:
    """The first tick is the minute of the first call ever, in whatever zone; a later one stays."""
    first = (now + timedelta(seconds=59.9)).astimezone(timezone(timedelta(hours=5.75)))
    with open_store(url, create=True) as store:
        assert store.slots.known_first_tick() is None
        assert store.slots.first_tick(first) == now
    with open_store(url) as store:
        assert store.slots.first_tick(now + timedelta(days=7)) == now
        assert store.slots.known_first_tick() == now
        # The clock was ahead then.
        assert store.slots.first_tick(now - timedelta(days=7)) == now - timedelta(days=7)


def test_trouble_is_remembered_until_it_ends(url: str, now: datetime) -> None:
    """Since when the transport could not be used, and when it was tried last."""
    with open_store(url, create=True) as store:
        assert store.slots.trouble() is None
        store.slots.note_trouble(now)
        store.slots.note_trouble(now + timedelta(minutes=5))
        assert store.slots.trouble() == (now, now + timedelta(minutes=5))
        store.slots.end_trouble()
        assert store.slots.trouble() is None


def test_a_known_first_tick_changes_nothing(
    url: str, now: datetime, tree: Callable[[], object]
) -> None:
    """A tick after the first leaves the database as it was, byte for byte."""
    with open_store(url, create=True) as store:
        store.slots.first_tick(now)
    before = tree()
    with open_store(url) as store:
        store.slots.first_tick(now)
    assert tree() == before


def test_a_tick_has_a_zone(url: str) -> None:
    """A moment without a zone is a mistake of the caller."""
    with open_store(url, create=True) as store:
        with pytest.raises(ValueError, match="zone"):
            store.slots.first_tick(datetime(2026, 11, 30, 9))  # noqa: DTZ001 - the mistake
        assert store.slots.known_first_tick() is None


def test_notes_come_back_by_key(url: str) -> None:
    """The notes of all slots come back equal, the oldest key first."""
    states: list[tuple[int, SlotState]] = [
        (49, "drafted"),
        (47, "missed"),
        (48, "held"),
        (50, "nothing"),
    ]
    notes = [
        SlotNote(
            key=IssueKey(f"2026-w{week}"),
            state=state,
            at=datetime(2026, 11, 30, tzinfo=UTC),
            reason="Nüll\nzwei" if week == 48 else "",
            told=week == 47,
        )
        for week, state in states
    ]
    with open_store(url, create=True) as store:
        assert store.slots.all() == {}
        for note in notes:
            store.slots.note(note)
    with open_store(url, read_only=True) as store:
        found = store.slots.all()
    assert list(found) == [f"2026-w{week}" for week in (47, 48, 49, 50)]
    assert sorted(found.values(), key=lambda note: note.key) == sorted(
        notes, key=lambda note: note.key
    )
    assert found[IssueKey("2026-w47")].told is True


def test_a_later_note_takes_the_place_of_the_first(url: str, now: datetime) -> None:
    """A slot has one note: the last."""
    key = IssueKey("2026-w49")
    last = SlotNote(key=key, state="held", at=now, reason="no reader is active", told=True)
    with open_store(url, create=True) as store:
        store.slots.note(SlotNote(key=key, state="drafted", at=now - timedelta(days=3)))
        store.slots.note(last)
        assert store.slots.all() == {key: last}
