"""What becomes of rows that a sender left, that failed, or that were refused by mistake."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import timedelta

import pytest
from store.sender import GONE, KEY, NOW, TAKEN, Sender, holder

from digest.errors import LockError
from digest.model import (
    Claim,
    Outcome,
    OutcomeState,
    Stepped,
    Tally,
)
from digest.store import open_store

Behind = Callable[[str, str], list[tuple[object, ...]]]
HOUR = timedelta(hours=1)
LATER = Outcome(state="pending", code=450, enhanced="4.2.0", text="greylisted")
UNKNOWN = Outcome(state="unknown", text="no answer within 600 s")


def test_a_step_for_rows_of_another_does_nothing(enrolled: str) -> None:
    """A sender that was taken for dead marks, settles and gives back nothing, nor claims."""
    with open_store(enrolled) as store:
        zombie = Sender(store)
        zombie.claim(2)
        zombie.step(mark=[1])
        sender = Sender(store)
        sender.recover()
        sender.claim()
        before = sender.rows()
        assert [row.state for row in before.values()] == ["unknown", "claimed", "claimed"]
        stepped = zombie.step(zombie.answer(1, GONE), zombie.answer(2), mark=[2], ask=[3])
        assert stepped == Stepped(gone=frozenset({2, 3}))
        zombie.give_back(1, 2, 3)
        for forbidden in (zombie.claim, zombie.recover):
            with pytest.raises(LockError, match="no longer has the right to send"):
                forbidden()
        assert sender.rows() == before
        assert store.readers.count("active") == 3


def test_a_dead_sender_leaves_what_was_on_the_wire_in_doubt(enrolled: str) -> None:
    """Its rows in `wire` are unknown; those it had claimed go out as if it had not."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim()
        sender.step(mark=[1])
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.recover()
        first, *others = sender.rows().values()
        assert (first.state, first.attempts) == ("unknown", 1)
        assert first.outcome == Outcome(state="unknown")
        assert [(row.state, row.attempts) for row in others] == [("pending", 0), ("pending", 0)]
        assert sender.hand_over(TAKEN, TAKEN) == [2, 3]
        assert sender.claim() == Claim(rows=())
        assert not store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        assert store.deliveries.finish(KEY, retry_unknown=False, now=NOW)
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=2, unknown=1)


@pytest.mark.parametrize("boots", [("b1", "b2"), ("", "")])
@pytest.mark.parametrize("hosts", [("quay", "quay"), ("quay", "pier")])
def test_what_was_claimed_before_a_power_cut_may_be_in_doubt(
    enrolled: str, boots: tuple[str, str], hosts: tuple[str, str]
) -> None:
    """Where steps are not synced nobody knows what another run of the host, or another, did."""
    with open_store(enrolled) as store:
        Sender(store, who=holder(hosts[0], boots[0])).claim(1)
        sender = Sender(store, who=holder(hosts[1], boots[1]))
        sender.recover()
        doubtful = "pending" if store.steps_are_synced else "unknown"
        assert sender.states() == [doubtful, "pending", "pending"]


def test_a_sender_does_not_clear_up_after_itself(enrolled: str) -> None:
    """Recovering in the middle of a run leaves the sender's own rows to it."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.claim(2)
        sender.step(mark=[1])
        sender.recover(retry_unknown=True)
        assert sender.states() == ["wire", "claimed", "pending"]


def test_an_unknown_outcome_is_tried_once_more(enrolled: str) -> None:
    """With retries a row of unknown outcome comes last, without a wait, and only once."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        assert sender.hand_over(UNKNOWN) == [1]
        sender.recover(retry_unknown=True)
        assert store.deliveries.tally(KEY) == Tally(audience=3, pending=3)
        assert sender.hand_over(TAKEN, TAKEN, UNKNOWN) == [2, 3, 1]
        assert store.deliveries.finish(KEY, retry_unknown=True, now=NOW)
        sender.recover(retry_unknown=True)
        assert sender.claim() == Claim(rows=())
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=2, unknown=1)


def test_two_dead_senders_are_enough(enrolled: str) -> None:
    """A row that two senders died over is not tried a third time by itself."""
    with open_store(enrolled) as store:
        Sender(store).hand_over(TAKEN, TAKEN)
        for attempt in (1, 2):
            sender = Sender(store)
            sender.recover(retry_unknown=True)
            (found,) = sender.claim().rows
            assert found.attempts == attempt
            sender.step(mark=[found.position])
        sender = Sender(store)
        sender.recover(retry_unknown=True)
        assert sender.claim() == Claim(rows=())
        assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=2, unknown=1)


def test_refusals_are_taken_back(enrolled: str) -> None:
    """The rows wait again, behind those never tried, and only whom they suppressed is active."""
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.hand_over(GONE)
        assert store.readers.count("suppressed") == 1
        store.deliveries.take_back(KEY)
        assert store.readers.count("active") == 3
        assert sender.hand_over(TAKEN, TAKEN, TAKEN) == [2, 3, 1]


def test_who_left_or_was_suppressed_before_is_not_taken_back(enrolled: str) -> None:
    """A refusal that is forgotten makes nobody active whom it did not suppress."""
    with open_store(enrolled) as store:
        one, two = (reader.address for reader in store.readers.all()[:2])
        Sender(store).hand_over(GONE, GONE)
        store.readers.change(one, state="left", reason="asked", at=NOW)
        store.readers.change(two, state="suppressed", reason="complained", at=NOW)
        store.deliveries.take_back(KEY)
        assert {reader.state for reader in store.readers.all()[:2]} == {"left", "suppressed"}


@pytest.mark.parametrize("state", ["refused", "unsupported", "unknown"])
def test_failed_rows_are_opened_again(enrolled: str, state: OutcomeState) -> None:
    """They go out as if never tried, however often no answer came, and the send goes on."""
    failed = Outcome(state=state, enhanced="5.7.1")
    with open_store(enrolled) as store:
        sender = Sender(store)
        sender.hand_over(TAKEN, failed, failed)
        if state == "unknown":
            sender.recover(retry_unknown=True)
            sender.hand_over(failed)
        store.readers.change("cid@sea.example", state="left", reason="asked", at=NOW)
        store.deliveries.finish(KEY, retry_unknown=False, now=NOW)
        assert store.deliveries.reopen(KEY, now=NOW) == 1
        found = store.deliveries.send(KEY)
        assert found is not None
        assert found.finished is None
        (row,) = sender.claim().rows
        assert (row.position, row.attempts) == (2, 1)
        sender.step(sender.answer(2, UNKNOWN))
        sender.recover(retry_unknown=True)
        assert sender.rows()[2].state == "pending"


def test_nothing_failed_opens_nothing(enrolled: str) -> None:
    """A finished send without a failure keeps its end."""
    with open_store(enrolled) as store:
        Sender(store).hand_over(TAKEN, TAKEN, TAKEN)
        store.deliveries.finish(KEY, retry_unknown=False, now=NOW)
        assert store.deliveries.reopen(KEY, now=NOW) == 0
        assert store.deliveries.sends()[0].finished == NOW


KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from digest.model import Holder, Limits, Outcome, Settled
from digest.store import open_store
now = datetime(2026, 11, 30, 9, tzinfo=UTC)
who = Holder(host="quay", boot="b1", pid=7, started="1")
with open_store(sys.argv[1]) as store, store.sending():
    fence = store.leases.acquire(who, now=now, seconds=60, alive=lambda _: None)
    ledger, key = store.deliveries, "2026-w49"
    def step(done, mark):
        ledger.step(key, done=done, mark=mark, ask=[], fence=fence, now=now)
    ledger.claim(key, limit=2, limits=Limits(), fence=fence, now=now)
    step([], [1])
    step([Settled(position=1, outcome=Outcome(state="accepted"), at=now)], [2])
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_step_outlives_the_sender(
    enrolled: str, start: Callable[[str, str], subprocess.Popen[str]]
) -> None:
    """Killed right after a step, nothing of it is lost."""
    process = start(KILLED, enrolled)
    process.communicate()
    assert process.returncode == -9
    with open_store(enrolled) as store:
        assert Sender(store).states() == ["accepted", "wire", "pending"]
