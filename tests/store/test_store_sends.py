"""How a send begins, and what the ledger knows of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from digest.errors import GuardError
from digest.model import Consent, Delivery, IssueKey, Reader, ReaderState, Send, Tally
from digest.store import open_store

KEY = IssueKey("2026-w49")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_enrolment_takes_the_active_readers(
    url: str, now: datetime, *, consent: Consent, send: Send
) -> None:
    """Each active reader has one row, in the order of their keys, with name and address."""
    people: list[tuple[str, ReaderState]] = [
        ("Cid@sea.example", "active"),
        ("ana@sea.example", "active"),
        ("ben@sea.example", "left"),
        ("dot@sea.example", "pending"),
        ("eve@sea.example", "suppressed"),
    ]
    with open_store(url, create=True) as store:
        store.readers.add(
            [Reader(address=a, name=a[:3], state=state, since=now) for a, state in people],
            consent=consent,
        )
        begun = store.deliveries.enroll(send)
        assert begun == replace(send, audience=2)
    with open_store(url, read_only=True) as store:
        assert store.deliveries.send(KEY) == begun
        assert store.deliveries.listed(KEY) == (
            Delivery(issue=KEY, position=1, address="ana@sea.example", name="ana"),
            Delivery(issue=KEY, position=2, address="Cid@sea.example", name="Cid"),
        )
        assert store.deliveries.tally(KEY) == Tally(audience=2, pending=2)


def test_a_send_begins_once(
    enrolled: str, consent: Consent, *, send: Send, tree: Callable[[], object]
) -> None:
    """Enrolling again gives the send that is there, and adds no row for new readers."""
    dot = Reader(address="dot@sea.example", since=NOW)
    with open_store(enrolled) as store:
        store.readers.add([dot], consent=consent)
        store.readers.change("ana@sea.example", state="active", reason="", name="Anna", at=NOW)
        before = tree()
        again = replace(send, edition="f" * 64, began=NOW + HOUR, by="schedule", finished=NOW)
        assert store.deliveries.enroll(again) == replace(send, audience=3)
        assert [one.name for one in store.deliveries.listed(KEY)] == ["Ana", "Ben", "Cid"]
    assert tree() == before


def test_a_new_send_is_not_finished(enrolled: str, send: Send) -> None:
    """What the caller says of audience and end is not believed."""
    odd = replace(send, issue=IssueKey("2026-w50"), audience=99, finished=NOW)
    with open_store(enrolled) as store:
        assert store.deliveries.enroll(odd) == replace(odd, audience=3, finished=None)
        assert store.deliveries.send(odd.issue) == replace(odd, audience=3, finished=None)


def test_nobody_active_begins_nothing(url: str, send: Send) -> None:
    """Without an active reader no send is written down."""
    left = Reader(address="ana@sea.example", state="left", since=NOW)
    with open_store(url, create=True) as store:
        store.readers.add([left], consent=None)
        with pytest.raises(GuardError, match="there is no active reader"):
            store.deliveries.enroll(send)
        assert store.deliveries.send(KEY) is None
        assert store.deliveries.sends() == ()


def test_an_issue_without_a_send(url: str) -> None:
    """Asked for an issue that was never sent, the ledger is empty, not broken."""
    with open_store(url, create=True) as store:
        assert store.deliveries.send(KEY) is None
        assert store.deliveries.listed(KEY) == ()
        assert store.deliveries.tally(KEY) == Tally(audience=0)
        assert store.deliveries.next_due(KEY) is None
        assert store.deliveries.step(KEY, done=None, now=NOW) is None
        assert not store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        store.deliveries.recover(KEY, retry_unknown=True, now=NOW)


def test_sends_come_back_oldest_first(enrolled: str, send: Send) -> None:
    """Sends are in the order in which they began; those of one moment in that of their keys."""
    with open_store(enrolled) as store:
        for week, hours in ((52, 0), (51, -1), (50, 0)):
            key = IssueKey(f"2026-w{week}")
            store.deliveries.enroll(replace(send, issue=key, began=NOW + hours * HOUR))
        found = [one.issue for one in store.deliveries.sends()]
    assert found == ["2026-w51", "2026-w49", "2026-w50", "2026-w52"]
