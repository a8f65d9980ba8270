"""The ledger of deliveries, one rule after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from store.sender import GONE, KEY, NOW, TAKEN, Sender

from digest.errors import StoreError
from digest.model import (
    Claim,
    Delivery,
    IssueKey,
    Limits,
    Outcome,
    OutcomeState,
    ReaderState,
    Send,
    Settled,
    Stepped,
    Tally,
)
from digest.store import open_store

Behind = Callable[[str, str], list[tuple[object, ...]]]
HOUR = timedelta(hours=1)
LATER = Outcome(state="pending", code=450, enhanced="4.2.0", text="greylisted")
UNKNOWN = Outcome(state="unknown", text="no answer within 600 s")


def test_rows_are_claimed_marked_and_settled(enrolled: str) -> None:
    """Rows are claimed in batches; each step settles some, marks others and asks for others."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        claim = sender.claim(2)
        first, second = claim.rows
        assert first == Delivery(
            issue=KEY,
            position=1,
            address="ana@sea.example",
            name="Ana",
            state="claimed",
            attempts=1,
        )
        assert claim.wait_until is None
        assert store.deliveries.listed(KEY, states=("claimed",)) == (first, second)
        assert sender.step(ask=[1, 2]) == Stepped()
        assert sender.step(mark=[1], ask=[2]) == Stepped(wire=frozenset({1}))
        assert store.deliveries.tally(KEY) == Tally(audience=3, unknown=1, pending=2)
        assert sender.states() == ["wire", "claimed", "pending"]
        assert sender.step(sender.answer(1), mark=[2]) == Stepped(wire=frozenset({2}))
        assert sender.rows()[1] == replace(first, state="accepted", outcome=TAKEN)
        assert sender.step(sender.answer(2)) == Stepped()
        assert sender.claimed() == [3]
        assert sender.claim() == Claim(rows=())
        sender.step(mark=[3])
        sender.step(sender.answer(3))
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=3)
        assert store.deliveries.next_due(KEY) is None


@pytest.mark.parametrize("state", ["accepted", "refused", "unknown", "unsupported"])
@pytest.mark.parametrize("marked", [True, False])
def test_an_answer_is_kept(enrolled: str, state: OutcomeState, *, marked: bool) -> None:
    """The answer stands in the row as it was given, at the envelope or after the content."""
    outcome = Outcome(state=state, code=5, enhanced="5.7.1", text="wörd")
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim(1)
        sender.step(mark=[1] if marked else [])
        sender.step(sender.answer(1, outcome, due=NOW))
        (found,) = store.deliveries.listed(KEY, states=(state,))
        assert found.outcome == outcome
        assert found.due is None
        assert store.deliveries.tally(KEY) == Tally(audience=3, pending=2, **{state: 1})


def test_many_answers_are_one_step(enrolled: str) -> None:
    """Several rows are settled, each with its own answer, while as many are marked."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim()
        sender.step(mark=[1, 2])
        done = [sender.answer(1), sender.answer(2, replace(TAKEN, text="as 80"))]
        assert sender.step(*done, mark=[3]) == Stepped(wire=frozenset({3}))
        assert sender.states() == ["accepted", "accepted", "wire"]
        assert [row.outcome.text for row in sender.rows().values() if row.outcome] == [
            "taken as 7F",
            "as 80",
        ]


def test_the_same_step_again_changes_nothing(enrolled: str) -> None:
    """A step whose commit was not answered is made again, also one that closed and suppressed."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim()
        sender.step(mark=[1])
        store.readers.change("cid@sea.example", state="left", reason="asked", at=NOW)

        def step() -> Stepped:
            return sender.step(sender.answer(1, GONE), mark=[2], ask=[3])

        stepped = step()
        assert stepped == Stepped(wire=frozenset({2}), gone=frozenset({3}))
        rows, readers = sender.rows(), store.readers.all()
        sender.now = NOW + HOUR
        assert step() == stepped
        assert (sender.rows(), store.readers.all()) == (rows, readers)

        def back() -> Stepped:
            return sender.step(sender.answer(2, LATER))

        back()
        given = sender.rows()
        assert (given[2].state, given[2].attempts, given[2].outcome) == ("pending", 0, LATER)
        back()
        assert sender.rows() == given
        assert sender.claimed() == [2]


def test_what_is_not_under_way_is_not_settled(enrolled: str) -> None:
    """An answer for a row that was not claimed, was answered or is not there is passed over."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.hand_over(TAKEN)
        before = sender.rows()
        for position in (1, 2, 4):
            assert sender.step(sender.answer(position, GONE)) == Stepped()
            assert sender.step(mark=[position], ask=[position]) == Stepped(
                gone=frozenset({position})
            )
        assert sender.rows() == before
        assert store.readers.count("active") == 3


def test_not_now_waits_for_its_time(enrolled: str) -> None:
    """A 4xx is tried again from its moment on, behind those never tried, and not before."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim(1)
        sender.step(sender.answer(1, LATER, due=NOW + HOUR))
        assert sender.claimed(1) == [2]
        assert store.deliveries.next_due(KEY) == NOW
        waiting = sender.rows()[1]
        assert (waiting.due, waiting.outcome, waiting.attempts) == (NOW + HOUR, LATER, 1)
        sender.now = NOW + HOUR
        third, first = sender.claim().rows
        assert third.position == 3
        assert first == replace(waiting, state="claimed", attempts=2, due=None)


def test_the_earliest_moment_of_those_who_wait(enrolled: str) -> None:
    """When all wait nothing is claimed, and the ledger tells when it will be."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim()
        sender.step(
            *(
                sender.answer(p, LATER, due=NOW + hours * HOUR)
                for p, hours in enumerate((3, 1, 2), 1)
            )
        )
        sender.now = NOW + HOUR / 2
        assert sender.claim() == Claim(rows=())
        assert store.deliveries.next_due(KEY) == NOW + HOUR
        sender.now = NOW + 4 * HOUR
        assert sender.claimed() == [1, 2, 3]
        assert store.deliveries.next_due(KEY) == NOW


def test_what_is_given_back_is_as_if_never_claimed(enrolled: str) -> None:
    """Rows in hand go back into their place, also from the wire where none of it was taken."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        before = sender.rows()
        sender.claim()
        sender.step(mark=[2])
        sender.give_back(3, 1, 2)
        assert sender.rows() == before
        sender.give_back(1)
        sender.give_back()
        assert sender.claimed() == [1, 2, 3]


@pytest.mark.parametrize(
    ("state", "told"), [("left", "left"), ("suppressed", "suppressed"), ("pending", "left")]
)
def test_who_is_no_longer_active_is_not_claimed(
    enrolled: str, *, state: ReaderState, told: str
) -> None:
    """The reader's state is asked again in the claim."""
    with open_store(enrolled) as store:
        store.readers.change("ana@sea.example", state=state, reason="", at=NOW)
        sender = Sender(store)
        assert sender.claimed(1) == [2]
        assert store.deliveries.tally(KEY) == Tally(audience=3, pending=2, **{told: 1})
        closed = sender.rows()[1]
        assert (closed.state, closed.attempts, closed.outcome) == (told, 0, None)


@pytest.mark.parametrize("state", ["left", "suppressed"])
def test_who_left_meanwhile_is_not_mailed(enrolled: str, state: ReaderState) -> None:
    """The reader's state is asked again before an envelope goes out, and before the content."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim()
        for name in ("ana", "ben"):
            store.readers.change(f"{name}@sea.example", state=state, reason="", at=NOW)
        assert sender.step(mark=[1], ask=[2, 3]) == Stepped(gone=frozenset({1, 2}))
        assert sender.states() == [state, state, "claimed"]


def test_a_reader_who_is_not_there_has_left(enrolled: str, behind: Behind) -> None:
    """A row whose reader was taken out of the list is closed, wherever it is found."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim(1)
        behind(enrolled, "DELETE FROM consents")
        behind(enrolled, "DELETE FROM readers")
        assert sender.step(ask=[1]) == Stepped(gone=frozenset({1}))
        assert sender.claim() == Claim(rows=())
        assert store.deliveries.tally(KEY) == Tally(audience=3, left=3)


def test_a_dead_mailbox_suppresses_its_reader(enrolled: str) -> None:
    """No such mailbox: the reader gets no mail from then on, and the reason is the reply."""
    with open_store(enrolled) as store:
        Sender(store).hand_over(GONE)
        ana = store.readers.get("ana@sea.example")
        assert ana is not None
        assert (ana.state, ana.reason, ana.since) == (
            "suppressed",
            "550 5.1.1 no such person",
            NOW,
        )
        assert store.readers.count("active") == 2


def test_other_refusals_suppress_nobody(enrolled: str) -> None:
    """A refusal that may be our fault, and a dead mailbox "for now", leave the reader alone."""
    with open_store(enrolled) as store:
        Sender(store).hand_over(
            Outcome(state="refused", code=550, enhanced="5.7.1", text="spam"),
            Outcome(state="pending", code=450, enhanced="5.1.1", text="unsure"),
        )
        assert store.readers.count("active") == 3


def test_who_left_before_the_answer_stays_so(enrolled: str) -> None:
    """A reader who left while their message was on the wire is not called suppressed."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim(1)
        sender.step(mark=[1])
        store.readers.change("ana@sea.example", state="left", reason="asked", at=NOW)
        sender.step(sender.answer(1, GONE))
        ana = store.readers.get("ana@sea.example")
        assert ana is not None
        assert (ana.state, ana.reason) == ("left", "asked")


def test_a_send_is_finished_once(enrolled: str, send: Send) -> None:
    """A send with a row that waits, is claimed or on the wire is open; later its end stays."""
    with open_store(enrolled) as store:
        sender = Sender(store)

        def finish(after: timedelta = timedelta()) -> bool:
            return store.deliveries.finish(KEY, retry_unknown=True, now=NOW + after)

        assert not finish()
        sender.hand_over(TAKEN, GONE)
        sender.claim()
        assert not finish()
        sender.step(mark=[3])
        assert not finish()
        sender.step(sender.answer(3, Outcome(state="unsupported")))
        assert finish()
        assert finish(HOUR)
        assert store.deliveries.send(KEY) == replace(send, audience=3, finished=NOW)


def test_a_pause_is_kept_until_it_ends(enrolled: str) -> None:
    """Why the schedule must not go on is known of an open send, and of no other."""
    with open_store(enrolled) as store:
        assert store.deliveries.pause(KEY, "stopped by Ctrl-C")
        assert not store.deliveries.pause(KEY, "stopped by Ctrl-C")
        assert store.deliveries.sends()[0].paused == "stopped by Ctrl-C"
        assert store.deliveries.pause(KEY, "")
        Sender(store).hand_over(TAKEN, TAKEN, TAKEN)
        assert store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        assert not store.deliveries.pause(KEY, "too late")
        assert not store.deliveries.pause(IssueKey("2030-w01"), "no such send")


def test_waiting_counts_what_would_be_handed_over(enrolled: str) -> None:
    """A claimed row counts; a first unknown outcome where it is retried, and not otherwise."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.hand_over(TAKEN, UNKNOWN)
        sender.claim()
        assert store.deliveries.waiting(KEY, retry_unknown=True) == 2
        assert store.deliveries.waiting(KEY, retry_unknown=False) == 1


def test_one_issue_knows_nothing_of_another(enrolled: str, send: Send) -> None:
    """Two sends at once are handed out, cleared up and counted apart."""
    key = IssueKey("2026-w50")
    with open_store(enrolled) as store:
        store.deliveries.enroll(replace(send, issue=key))
        other = Sender(store, issue=key)
        other.claim(2)
        other.step(mark=[1])
        sender = Sender(store)
        sender.recover(retry_unknown=True)
        sender.hand_over(TAKEN, TAKEN, TAKEN)
        assert store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=3)
        assert other.states() == ["wire", "claimed", "pending"]
        assert len(store.deliveries.listed(key, states=("wire", "pending"))) == 2


def test_rows_that_do_not_add_up_are_damage(enrolled: str, behind: Behind) -> None:
    """A ledger that lost a row says so."""
    behind(enrolled, "DELETE FROM deliveries WHERE position = 2")
    complaint = "is damaged: 2 deliveries do not add up"
    with open_store(enrolled) as store, pytest.raises(StoreError, match=complaint):
        store.deliveries.tally(KEY)


def test_moments_have_a_zone(enrolled: str) -> None:
    """A moment without a zone is a mistake of the caller, and nothing happens."""
    naive = datetime(2026, 11, 30, 9)  # noqa: DTZ001 - the mistake
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim(1)
        before = sender.rows()
        ledger, fence = store.deliveries, sender.fence
        wrong: list[Callable[[], object]] = [
            lambda: ledger.claim(KEY, limit=1, limits=Limits(), fence=fence, now=naive),
            lambda: ledger.step(KEY, done=[], mark=[], ask=[], fence=fence, now=naive),
            lambda: ledger.give_back(KEY, [1], fence=fence, now=naive),
            lambda: ledger.recover(KEY, fence=fence, retry_unknown=True, now=naive),
            lambda: ledger.reopen(KEY, now=naive),
            lambda: ledger.allowance_from(KEY, Limits(), naive),
            lambda: ledger.finish(KEY, retry_unknown=True, now=naive),
            lambda: sender.step(Settled(position=1, outcome=TAKEN, at=naive)),
            lambda: sender.step(Settled(position=1, outcome=LATER, at=NOW, due=naive)),
        ]
        for mistake in wrong:
            with pytest.raises(ValueError, match="zone"):
                mistake()
        assert sender.rows() == before
