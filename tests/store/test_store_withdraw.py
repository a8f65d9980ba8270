"""Issues that were taken back after they were published."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from digest.errors import GuardError, StoreError
from digest.model import Consent, IssueKey, PastIssue, Reader, Send
from digest.store import open_store

Maker = Callable[..., PastIssue]
BACK = datetime(2026, 3, 2, 9, 30, 15, 5, tzinfo=timezone(timedelta(hours=5.75)))


@pytest.mark.parametrize("freed", [True, False])
def test_an_issue_is_taken_back_once(url: str, past: Maker, *, freed: bool) -> None:
    """The moment and whether the items are free stay as they were written first; no other row."""
    taken = replace(past(7), withdrawn=BACK, freed=freed)
    with open_store(url, create=True) as store:
        store.record(past(7))
        store.record(past(8))
        assert store.withdraw(past(7).key, at=BACK, freed=freed)
        assert not store.withdraw(past(7).key, at=BACK + timedelta(days=1), freed=not freed)
    with open_store(url, read_only=True) as store:
        assert store.history() == (taken, past(8))
        assert store.history()[0].withdrawn == BACK


def test_an_issue_taken_back_stays_recorded(url: str, past: Maker) -> None:
    """It keeps its number and its edition, and recording it again changes nothing."""
    with open_store(url, create=True) as store:
        store.record(past(7))
        store.withdraw(past(7).key, at=BACK, freed=True)
        assert not store.record(past(7))
        with pytest.raises(GuardError, match="2026-w07 is already published, as another edition"):
            store.record(past(7, edition="f" * 64))
        with pytest.raises(GuardError, match="number 7 belongs to another issue than 2026-w08"):
            store.record(replace(past(8), number=7))
        assert store.history() == (replace(past(7), withdrawn=BACK, freed=True),)


@pytest.mark.parametrize("begun", [False, True])
def test_a_withdrawn_issue_is_not_sent(
    url: str, past: Maker, consent: Consent, send: Send, *, begun: bool
) -> None:
    """No send of it begins, nor goes on; another issue is sent."""
    known = replace(past(7), key=send.issue)
    with open_store(url, create=True) as store:
        store.readers.add([Reader(address="ana@sea.example", since=BACK)], consent=consent)
        store.record(known)
        if begun:
            store.deliveries.enroll(send)
        store.withdraw(send.issue, at=BACK, freed=not begun)
        before = store.deliveries.sends()
        with pytest.raises(GuardError, match="was withdrawn, and does not come back"):
            store.deliveries.enroll(send)
        assert store.deliveries.sends() == before
        assert store.deliveries.enroll(replace(send, issue=past(8).key)).audience == 1


def test_a_restored_issue_may_have_been_taken_back(url: str, past: Maker) -> None:
    """An issue that the database lost comes back as withdrawn as it was."""
    taken = replace(past(7), withdrawn=BACK, freed=True)
    with open_store(url, create=True) as store:
        assert store.record(taken, restored=True)
        assert store.history() == (taken,)
        assert not store.withdraw(taken.key, at=BACK, freed=True)


def test_only_a_published_issue_can_be_taken_back(url: str, file: Path, past: Maker) -> None:
    """An unknown issue and one in another state are refused, and nothing changes."""
    with open_store(url, create=True) as store:
        store.record(past(7))
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute(
            "INSERT INTO issues (key, state, theme, edition) VALUES ('2026-w08', 'skipped', '', '')"
        )
    before = file.read_bytes()
    with open_store(url) as store:
        with pytest.raises(GuardError, match="2026-w08 is skipped"):
            store.withdraw(IssueKey("2026-w08"), at=BACK, freed=True)
        with pytest.raises(GuardError) as caught:
            store.withdraw(IssueKey("2026-w09"), at=BACK, freed=True)
        assert str(caught.value) == (
            "private/digest.db: 2026-w09 is not published\n  `digest status` lists the issues"
        )
    assert file.read_bytes() == before


def test_a_moment_without_a_zone_is_refused(url: str, past: Maker) -> None:
    """A moment that could be any of a day's is a mistake of the caller."""
    with open_store(url, create=True) as store:
        store.record(past(7))
        with pytest.raises(ValueError, match="zone"):
            store.withdraw(past(7).key, at=BACK.replace(tzinfo=None), freed=True)
        assert store.history() == (past(7),)


def test_a_database_for_readers_only_takes_nothing_back(url: str, past: Maker) -> None:
    """A database that was opened to be read refuses, and stays as it is."""
    with open_store(url, create=True) as store:
        store.record(past(7))
    with open_store(url, read_only=True) as store:
        with pytest.raises(StoreError, match=r"cannot be used|can only be read"):
            store.withdraw(past(7).key, at=BACK, freed=True)
        assert store.history() == (past(7),)


@pytest.mark.parametrize("text", ["'abc'", "'a*bc'", "'YWI=YWI='", "'Flöw'", "x'ff'", "7"])
def test_a_sketch_that_cannot_be_read_is_damage(
    url: str, file: Path, past: Maker, *, text: str
) -> None:
    """Octets that are no Base64 are not guessed at."""
    with open_store(url, create=True) as store:
        store.record(past(7))
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute(f"UPDATE issue_items SET sketch = {text}")  # noqa: S608 - ours
    with open_store(url) as store, pytest.raises(StoreError, match="octets that cannot be read"):
        store.history()
