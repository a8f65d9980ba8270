"""The ledger of deliveries, one rule after the other."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from digest.errors import StoreError
from digest.model import (
    Delivery,
    IssueKey,
    Outcome,
    OutcomeState,
    ReaderState,
    Send,
    Settled,
    Tally,
)
from digest.store import open_store
from digest.store.ledger import Store

KEY = IssueKey("2026-w49")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
TAKEN = Outcome(state="accepted", code=250, enhanced="2.0.0", text="taken as 7F")
GONE = Outcome(state="refused", code=550, enhanced="5.1.1", text="no such person")


def settled(delivery: Delivery | None, outcome: Outcome = TAKEN, **more: datetime) -> Settled:
    """Say what became of a delivery that was handed out."""
    assert delivery is not None
    return Settled(position=delivery.position, outcome=outcome, at=NOW, **more)


def hand_out(store: Store, *outcomes: Outcome) -> list[str]:
    """Hand out and settle one after the other, and give the addresses."""
    found = []
    for outcome in outcomes:
        delivery = store.deliveries.step(KEY, done=None, now=NOW)
        store.deliveries.settle(KEY, settled(delivery, outcome))
        found.append(delivery.address if delivery else "")
    return found


def test_readers_are_handed_out_one_by_one(enrolled: str) -> None:
    """Each step settles the one before and gives the next, until none is left."""
    with open_store(enrolled) as store:
        first = store.deliveries.step(KEY, done=None, now=NOW)
        assert first == Delivery(
            issue=KEY, position=1, address="ana@sea.example", name="Ana", state="wire", attempts=1
        )
        assert store.deliveries.listed(KEY, states=("wire",)) == (first,)
        assert store.deliveries.tally(KEY) == Tally(audience=3, unknown=1, pending=2)
        second = store.deliveries.step(KEY, done=settled(first), now=NOW)
        assert second is not None
        assert second.address == "ben@sea.example"
        assert store.deliveries.listed(KEY, states=("accepted",)) == (
            replace(first, state="accepted", outcome=TAKEN),
        )
        third = store.deliveries.step(KEY, done=settled(second), now=NOW)
        assert store.deliveries.step(KEY, done=settled(third), now=NOW) is None
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=3)
        assert store.deliveries.next_due(KEY) is None


@pytest.mark.parametrize("state", ["accepted", "refused", "unknown", "unsupported"])
def test_an_answer_is_kept(enrolled: str, state: OutcomeState) -> None:
    """The answer stands in the row as it was given, without a time to try again."""
    outcome = Outcome(state=state, code=5, enhanced="5.7.1", text="wörd")
    with open_store(enrolled) as store:
        first = store.deliveries.step(KEY, done=None, now=NOW)
        store.deliveries.settle(KEY, settled(first, outcome, due=NOW))
        (found,) = store.deliveries.listed(KEY, states=(state,))
        assert found.outcome == outcome
        assert found.due is None
        assert store.deliveries.tally(KEY) == Tally(audience=3, pending=2, **{state: 1})


def test_only_what_is_under_way_is_settled(enrolled: str) -> None:
    """An answer for a row that was not handed out is refused, and the step does nothing."""
    with open_store(enrolled) as store:
        first = store.deliveries.step(KEY, done=None, now=NOW)
        store.deliveries.settle(KEY, settled(first))
        before = store.deliveries.listed(KEY)
        for position in (1, 2, 4):
            wrong = Settled(position=position, outcome=TAKEN, at=NOW)
            with pytest.raises(ValueError, match=f"delivery {position} of {KEY} was not handed"):
                store.deliveries.settle(KEY, wrong)
            with pytest.raises(ValueError, match="was not handed out"):
                store.deliveries.step(KEY, done=wrong, now=NOW)
        assert store.deliveries.listed(KEY) == before


def test_not_now_waits_for_its_time(enrolled: str) -> None:
    """A 4xx is tried again from its moment on, behind those never tried, and not before."""
    later = Outcome(state="pending", code=450, enhanced="4.2.0", text="greylisted")
    with open_store(enrolled) as store:
        first = store.deliveries.step(KEY, done=None, now=NOW)
        second = store.deliveries.step(KEY, done=settled(first, later, due=NOW + HOUR), now=NOW)
        assert second is not None
        assert second.position == 2
        assert store.deliveries.next_due(KEY) == NOW
        (waiting, _) = store.deliveries.listed(KEY, states=("pending",))
        assert waiting.due == NOW + HOUR
        assert waiting.outcome == later
        store.deliveries.settle(KEY, settled(second))
        third = store.deliveries.step(KEY, done=None, now=NOW + HOUR)
        assert third is not None
        assert third.position == 3
        again = store.deliveries.step(KEY, done=settled(third), now=NOW + HOUR)
        assert again == replace(waiting, state="wire", attempts=2, due=None)


def test_the_earliest_moment_of_those_who_wait(enrolled: str) -> None:
    """When all wait nothing is handed out, and the ledger tells when it will be."""
    with open_store(enrolled) as store:
        done = None
        for hours in (3, 1, 2):
            delivery = store.deliveries.step(KEY, done=done, now=NOW)
            later = Outcome(state="pending", code=451)
            done = settled(delivery, later, due=NOW + hours * HOUR)
        assert store.deliveries.step(KEY, done=done, now=NOW + HOUR / 2) is None
        assert store.deliveries.next_due(KEY) == NOW + HOUR
        taken = store.deliveries.step(KEY, done=None, now=NOW + 4 * HOUR)
        assert taken is not None
        assert taken.position == 1


@pytest.mark.parametrize(
    ("state", "told"), [("left", "left"), ("suppressed", "suppressed"), ("pending", "left")]
)
def test_who_is_no_longer_active_gets_nothing(
    enrolled: str, *, state: ReaderState, told: str
) -> None:
    """The reader's state is asked again right before the row is handed out."""
    with open_store(enrolled) as store:
        store.readers.change("ana@sea.example", state=state, reason="", at=NOW)
        delivery = store.deliveries.step(KEY, done=None, now=NOW)
        assert delivery is not None
        assert delivery.position == 2
        assert store.deliveries.tally(KEY) == Tally(audience=3, unknown=1, pending=1, **{told: 1})
        (closed, *_) = store.deliveries.listed(KEY)
        assert (closed.state, closed.attempts, closed.outcome) == (told, 0, None)


def test_a_reader_who_is_not_there_has_left(enrolled: str, file: Path) -> None:
    """A row whose reader was taken out of the list is closed, for all of them at once."""
    with open_store(enrolled) as store, store._engine.begin() as raw:  # noqa: SLF001 - no method erases
        raw.exec_driver_sql("DELETE FROM consents")
        raw.exec_driver_sql("DELETE FROM readers")
    with open_store(enrolled) as store:
        assert store.deliveries.step(KEY, done=None, now=NOW) is None
        assert store.deliveries.tally(KEY) == Tally(audience=3, left=3)
    assert file.exists()


def test_a_dead_mailbox_suppresses_its_reader(enrolled: str) -> None:
    """No such mailbox: the reader gets no mail from then on, and the reason is the reply."""
    with open_store(enrolled) as store:
        hand_out(store, GONE)
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
        hand_out(
            store,
            Outcome(state="refused", code=550, enhanced="5.7.1", text="spam"),
            Outcome(state="pending", code=450, enhanced="5.1.1", text="unsure"),
        )
        assert store.readers.count("active") == 3


def test_who_left_meanwhile_stays_so(enrolled: str) -> None:
    """A reader who left while their message was under way is not called suppressed."""
    with open_store(enrolled) as store:
        first = store.deliveries.step(KEY, done=None, now=NOW)
        store.readers.change("ana@sea.example", state="left", reason="asked", at=NOW)
        store.deliveries.settle(KEY, settled(first, GONE))
        ana = store.readers.get("ana@sea.example")
        assert ana is not None
        assert (ana.state, ana.reason) == ("left", "asked")


def test_what_a_dead_run_left_is_unknown(enrolled: str) -> None:
    """A row in `wire` at the beginning of a run: nobody knows, so it is told and kept."""
    with open_store(enrolled) as store:
        store.deliveries.step(KEY, done=None, now=NOW)
    with open_store(enrolled) as store:
        store.deliveries.recover(KEY, retry_unknown=False, now=NOW)
        (first, *_) = store.deliveries.listed(KEY)
        assert (first.state, first.attempts) == ("unknown", 1)
        assert first.outcome == Outcome(state="unknown")
        assert hand_out(store, TAKEN, TAKEN) == ["ben@sea.example", "cid@sea.example"]
        assert store.deliveries.step(KEY, done=None, now=NOW) is None
        assert not store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.finish(KEY, retry_unknown=False, now=NOW)
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=2, unknown=1)


def test_an_unknown_outcome_is_tried_once_more(enrolled: str) -> None:
    """With retries a row of unknown outcome comes last, without a wait, and only once."""
    unknown = Outcome(state="unknown", text="no answer within 600 s")
    with open_store(enrolled) as store:
        assert hand_out(store, unknown) == ["ana@sea.example"]
        store.deliveries.recover(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.tally(KEY) == Tally(audience=3, pending=3)
        names = ["ben@sea.example", "cid@sea.example", "ana@sea.example"]
        assert hand_out(store, TAKEN, TAKEN, unknown) == names
        assert store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        store.deliveries.recover(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.step(KEY, done=None, now=NOW) is None
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=2, unknown=1)


def test_two_dead_runs_are_enough(enrolled: str) -> None:
    """A row that two runs died over is not tried a third time by itself."""
    with open_store(enrolled) as store:
        hand_out(store, TAKEN, TAKEN)
        for attempt in (1, 2):
            found = store.deliveries.step(KEY, done=None, now=NOW)
            assert found is not None
            assert found.attempts == attempt
            store.deliveries.recover(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.step(KEY, done=None, now=NOW) is None
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=2, unknown=1)


def test_a_send_is_finished_once(enrolled: str, send: Send) -> None:
    """A send with a row that waits or is under way is not finished; afterwards its end stays."""
    with open_store(enrolled) as store:
        assert not store.deliveries.finish(KEY, retry_unknown=False, now=NOW)
        hand_out(store, TAKEN, GONE)
        last = store.deliveries.step(KEY, done=None, now=NOW)
        assert not store.deliveries.finish(KEY, retry_unknown=False, now=NOW)
        store.deliveries.settle(KEY, settled(last, Outcome(state="unsupported")))
        assert store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.finish(KEY, retry_unknown=True, now=NOW + HOUR)
        assert store.deliveries.send(KEY) == replace(send, audience=3, finished=NOW)


def test_a_pause_is_kept_until_it_ends(enrolled: str) -> None:
    """Why the schedule must not go on is known of an open send, and of no other."""
    with open_store(enrolled) as store:
        assert store.deliveries.pause(KEY, "stopped by Ctrl-C")
        assert not store.deliveries.pause(KEY, "stopped by Ctrl-C")
        assert store.deliveries.sends()[0].paused == "stopped by Ctrl-C"
        assert store.deliveries.pause(KEY, "")
        hand_out(store, TAKEN, TAKEN, TAKEN)
        assert store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        assert not store.deliveries.pause(KEY, "too late")
        assert not store.deliveries.pause(IssueKey("2030-w01"), "no such send")


def test_refusals_are_taken_back(enrolled: str) -> None:
    """The rows wait again, behind those never tried, and only whom they suppressed is active."""
    dead = Outcome(state="refused", code=550, enhanced="5.1.1", text="no such mailbox")
    with open_store(enrolled) as store:
        first = store.readers.all()[0]
        store.deliveries.step(KEY, done=None, now=NOW)
        store.deliveries.settle(KEY, Settled(position=1, outcome=dead, at=NOW))
        assert store.readers.get(first.address).state == "suppressed"  # type: ignore[union-attr]
        store.deliveries.take_back(KEY)
        assert store.readers.get(first.address).state == "active"  # type: ignore[union-attr]
        assert hand_out(store, TAKEN, TAKEN, TAKEN)[-1] == first.address


def test_who_left_or_was_suppressed_before_is_not_taken_back(enrolled: str) -> None:
    """A refusal that is forgotten makes nobody active whom it did not suppress."""
    dead = Outcome(state="refused", code=550, enhanced="5.1.1", text="no such mailbox")
    with open_store(enrolled) as store:
        one, two = (reader.address for reader in store.readers.all()[:2])
        for position in (1, 2):
            store.deliveries.step(KEY, done=None, now=NOW)
            store.deliveries.settle(KEY, Settled(position=position, outcome=dead, at=NOW))
        store.readers.change(one, state="left", reason="asked", at=NOW)
        store.readers.change(two, state="suppressed", reason="complained", at=NOW)
        store.deliveries.take_back(KEY)

        assert {reader.state for reader in store.readers.all()[:2]} == {"left", "suppressed"}


def test_waiting_counts_what_would_be_handed_over(enrolled: str) -> None:
    """A first unknown outcome counts where it is retried, and not where it is left alone."""
    with open_store(enrolled) as store:
        hand_out(store, TAKEN, Outcome(state="unknown"))
        assert store.deliveries.waiting(KEY, retry_unknown=True) == 2
        assert store.deliveries.waiting(KEY, retry_unknown=False) == 1


def test_one_issue_knows_nothing_of_another(enrolled: str, send: Send) -> None:
    """Two sends at once are handed out, cleared up and counted apart."""
    other = IssueKey("2026-w50")
    with open_store(enrolled) as store:
        store.deliveries.enroll(replace(send, issue=other))
        store.deliveries.step(other, done=None, now=NOW)
        hand_out(store, TAKEN, TAKEN, TAKEN)
        store.deliveries.recover(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=3)
        assert store.deliveries.tally(other) == Tally(audience=3, unknown=1, pending=2)
        assert len(store.deliveries.listed(other, states=("wire", "pending"))) == 3


def test_rows_that_do_not_add_up_are_damage(enrolled: str) -> None:
    """A ledger that lost a row says so."""
    with open_store(enrolled) as store:
        with store._engine.begin() as raw:  # noqa: SLF001 - no method deletes
            raw.exec_driver_sql("DELETE FROM deliveries WHERE position = 2")
        with pytest.raises(StoreError, match="is damaged: 2 deliveries do not add up"):
            store.deliveries.tally(KEY)


def test_moments_have_a_zone(enrolled: str) -> None:
    """A moment without a zone is a mistake of the caller, and nothing happens."""
    naive = datetime(2026, 11, 30, 9)  # noqa: DTZ001 - the mistake
    with open_store(enrolled) as store:
        before = store.deliveries.listed(KEY)
        with pytest.raises(ValueError, match="zone"):
            store.deliveries.step(KEY, done=None, now=naive)
        with pytest.raises(ValueError, match="zone"):
            store.deliveries.recover(KEY, retry_unknown=True, now=naive)
        with pytest.raises(ValueError, match="zone"):
            store.deliveries.finish(KEY, retry_unknown=True, now=naive)
        first = store.deliveries.step(KEY, done=None, now=NOW)
        for wrong in (
            Settled(position=1, outcome=TAKEN, at=naive),
            Settled(position=1, outcome=TAKEN, at=NOW, due=naive),
        ):
            with pytest.raises(ValueError, match="zone"):
                store.deliveries.settle(KEY, wrong)
        assert store.deliveries.listed(KEY) == (first, *before[1:])


KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from sqlalchemy import event
from digest.model import Outcome, Settled
from digest.store import open_store
now = datetime(2026, 11, 30, 9, tzinfo=UTC)
with open_store(sys.argv[1]) as store:
    first = store.deliveries.step("2026-w49", done=None, now=now)
    done = Settled(position=first.position, outcome=Outcome(state="accepted"), at=now)
    event.listen(store._engine, "commit", lambda _: os.kill(os.getpid(), signal.SIGKILL))
    store.deliveries.step("2026-w49", done=done, now=now)
"""


def test_a_step_is_one_commit(
    enrolled: str, start: Callable[[str, str], subprocess.Popen[str]]
) -> None:
    """Killed before its commit, a step has settled nothing and marked nothing."""
    process = start(KILLED, enrolled)
    process.communicate()
    assert process.returncode == -9
    with open_store(enrolled, read_only=True) as store:
        assert [one.state for one in store.deliveries.listed(KEY)] == ["wire", "pending", "pending"]
        assert [one.attempts for one in store.deliveries.listed(KEY)] == [1, 0, 0]
