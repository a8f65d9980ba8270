"""How a send begins, and what the ledger knows of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from store.sender import KEY, NOW, TAKEN, Sender

from digest.errors import GuardError
from digest.model import (
    Claim,
    Consent,
    Delivery,
    IssueKey,
    Limits,
    Outcome,
    PastIssue,
    Reader,
    ReaderState,
    Send,
    Stepped,
    Tally,
)
from digest.store import open_store

REPLAY = IssueKey(f"{KEY}.outbox")
Behind = Callable[[str, str], list[tuple[object, ...]]]
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
        assert store.deliveries.allowance_from(KEY, Limits(), NOW) is None
        assert not store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.reopen(KEY, now=NOW) == 0
        assert list(store.deliveries.each(KEY)) == []
        sender = Sender(store)
        sender.recover(retry_unknown=True)
        assert sender.claim() == Claim(rows=())
        assert sender.step(mark=[1]) == Stepped(gone=frozenset({1}))


def test_sends_come_back_oldest_first(enrolled: str, send: Send) -> None:
    """Sends are in the order in which they began; those of one moment in that of their keys."""
    with open_store(enrolled) as store:
        for week, hours in ((52, 0), (51, -1), (50, 0)):
            key = IssueKey(f"2026-w{week}")
            store.deliveries.enroll(replace(send, issue=key, began=NOW + hours * HOUR))
        found = [one.issue for one in store.deliveries.sends()]
    assert found == ["2026-w51", "2026-w49", "2026-w50", "2026-w52"]


def test_a_send_keeps_its_key_and_what_it_replays(enrolled: str, send: Send) -> None:
    """The name of the key that signs is as it was when the send began."""
    signed = replace(send, issue=IssueKey("2026-w50"), dkim="a1b2", audience=3)
    with open_store(enrolled) as store:
        assert store.deliveries.enroll(signed) == signed
        assert store.deliveries.enroll(replace(signed, dkim="c3d4")) == signed
    with open_store(enrolled, read_only=True) as store:
        assert store.deliveries.send(signed.issue) == signed


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("ana@sea.example", "sea.example"),
        ("Ana@SEA.Example", "sea.example"),
        ('"a@b"@xn--ebb-hna.example', "xn--ebb-hna.example"),
        ("flöw@ebb.example", "ebb.example"),
    ],
)
def test_the_receiving_domain_is_written_down(
    url: str, consent: Consent, *, send: Send, behind: Behind, address: str, domain: str
) -> None:
    """It is what stands behind the last `@`, in small letters, of a first sending and a replay."""
    with open_store(url, create=True) as store:
        store.readers.add([Reader(address=address, since=NOW)], consent=consent)
        store.deliveries.enroll(send)
        rows = store.deliveries.listed(KEY)
        store.deliveries.enroll_replay(replace(send, issue=REPLAY, replays=KEY), rows)
    assert behind(url, "SELECT domain FROM deliveries") == [(domain,), (domain,)]


def test_a_replay_takes_the_rows_that_it_is_given(enrolled: str, send: Send) -> None:
    """Positions, addresses and names are those of the first sending; who left meanwhile is out."""
    rows = [
        Delivery(issue=KEY, position=7, address="Ben@sea.example", name="B", state="accepted"),
        Delivery(issue=KEY, position=2, address="ana@sea.example", name="A", attempts=3),
    ]
    replay = replace(send, issue=REPLAY, replays=KEY)
    with open_store(enrolled) as store:
        begun = store.deliveries.enroll_replay(replay, (row for row in rows))
        assert begun == replace(replay, audience=2)
        assert store.deliveries.enroll_replay(replay, []) == begun
        assert store.deliveries.send(REPLAY) == begun
        assert store.deliveries.listed(REPLAY) == (
            Delivery(issue=REPLAY, position=2, address="ana@sea.example", name="A"),
            Delivery(issue=REPLAY, position=7, address="Ben@sea.example", name="B"),
        )
        store.readers.change("ben@sea.example", state="left", reason="asked", at=NOW)
        assert Sender(store, issue=REPLAY).hand_over(TAKEN) == [2]
        assert Sender(store, issue=REPLAY).claim() == Claim(rows=())
        assert store.deliveries.tally(REPLAY) == Tally(audience=2, accepted=1, left=1)
        assert store.deliveries.tally(KEY) == Tally(audience=3, pending=3)
        assert store.deliveries.sends() == (replace(send, audience=3),)


def test_a_replay_of_nothing_does_not_begin(enrolled: str, send: Send) -> None:
    """Without a row, and for a send that replays no issue, nothing is written down."""
    with open_store(enrolled) as store:
        with pytest.raises(GuardError, match=f"the outbox of {KEY}: holds no message"):
            store.deliveries.enroll_replay(replace(send, issue=REPLAY, replays=KEY), [])
        with pytest.raises(ValueError, match="replays nothing"):
            store.deliveries.enroll_replay(replace(send, issue=REPLAY), [])
        assert store.deliveries.send(REPLAY) is None


def test_a_replay_that_breaks_off_leaves_nothing(enrolled: str, send: Send) -> None:
    """Where the rows cannot be read to their end, the replay did not begin."""

    def rows() -> Iterator[Delivery]:
        yield Delivery(issue=KEY, position=1, address="ana@sea.example")
        raise GuardError("the manifest ends early")

    with open_store(enrolled) as store:
        with pytest.raises(GuardError, match="ends early"):
            store.deliveries.enroll_replay(replace(send, issue=REPLAY, replays=KEY), rows())
        assert store.deliveries.send(REPLAY) is None
        assert store.deliveries.listed(REPLAY) == ()


def test_an_issue_that_was_withdrawn_is_not_replayed(
    enrolled: str, send: Send, *, past: Callable[..., PastIssue]
) -> None:
    """What was taken back does not go out of an outbox either."""
    row = Delivery(issue=KEY, position=1, address="ana@sea.example")
    with open_store(enrolled) as store:
        store.record(replace(past(49), key=KEY))
        store.withdraw(KEY, at=NOW, freed=False)
        with pytest.raises(GuardError, match="was withdrawn, and does not come back"):
            store.deliveries.enroll_replay(replace(send, issue=REPLAY, replays=KEY), [row])


@pytest.mark.parametrize("number", [0, 1, 499, 500, 501, 1000])
def test_rows_come_one_by_one(url: str, consent: Consent, *, send: Send, number: int) -> None:
    """However many there are, each comes once and in order, also while they change."""
    rows = [Delivery(issue=KEY, position=p, address=f"r{p}@sea.example") for p in range(1, 502)]
    rows += [Delivery(issue=KEY, position=p, address=f"r{p}@sea.example") for p in range(600, 1099)]
    with open_store(url, create=True) as store:
        store.readers.add([Reader(address="r1@sea.example", since=NOW)], consent=consent)
        if number:
            replay = replace(send, issue=REPLAY, replays=KEY)
            store.deliveries.enroll_replay(replay, rows[:number])
        found = []
        sender = Sender(store, issue=REPLAY)
        for row in store.deliveries.each(REPLAY):
            found.append(row.position)
            sender.step()
        assert found == [row.position for row in rows[:number]]
        assert [row.position for row in store.deliveries.each(REPLAY, states=("wire",))] == []


def test_rows_of_some_states_come_one_by_one(enrolled: str) -> None:
    """Those of other states are passed over."""
    with open_store(enrolled) as store:
        Sender(store).hand_over(TAKEN, Outcome(state="unknown"))
        found = store.deliveries.each(KEY, states=("unknown", "pending"))
        assert [row.position for row in found] == [2, 3]
