"""The engine when several things go wrong at once: what may have been sent is in doubt."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from delivery.doubles import KEY, NOW, Script, World, message_for
from delivery.fleet import Fleet

from digest.delivery import Halted
from digest.errors import FilesError, LockError, StoreError
from digest.model import Claim, Delivery, IssueKey, Limits, Message, Outcome, Rate, Send, Tally
from digest.store.ledger import Store

Begun = Callable[[int], Send]
Run = Callable[..., Halted | None]
DEAD = Outcome(state="refused", code=550, enhanced="5.1.1", text="no such mailbox")


@pytest.fixture
def fleet() -> Fleet:
    """Give a carrier of three connections that have news in turn."""
    turns = count()
    fleet = Fleet(choose=lambda _: next(turns))
    fleet.open()
    return fleet


def test_a_refused_envelope_whose_replies_are_to_come_holds_nobody_up(
    store: Store, fleet: Fleet, begun: Begun, run: Run
) -> None:
    """The only connection is listened to until it can take the next one."""
    fleet.size, fleet.refused = 1, {1: DEAD, 5: DEAD}
    assert run(begun(6), carrier=fleet) is None
    assert store.deliveries.tally(KEY) == Tally(audience=6, accepted=4, refused=2)


@pytest.mark.parametrize("error", [StoreError("is in use"), LockError("taken over")])
def test_trouble_with_the_lease_calls_nothing_not_sent(
    store: Store, fleet: Fleet, world: World, *, begun: Begun, run: Run, error: Exception
) -> None:
    """What is on the wire is answered; a busy database is no reason to stop, a lost lease is."""

    def renew() -> None:
        raise error

    def late(words: str) -> None:
        if words.startswith("pour"):
            world.now += timedelta(seconds=40)

    fleet.before = late
    send = begun(9)
    if isinstance(error, LockError):
        with pytest.raises(LockError):
            run(send, carrier=fleet, renew=renew)
    else:
        assert run(send, carrier=fleet, renew=renew) is None
    tally = store.deliveries.tally(KEY)
    assert tally.accepted == len(fleet.taken)
    assert tally.unknown == 0
    assert tally.accepted + tally.pending == 9
    fleet.close()
    fleet.open()
    run(send, carrier=fleet)
    assert len({message.id for message in fleet.taken}) == len(fleet.taken) == 9


def test_a_ledger_that_stays_away_leaves_the_wire_in_doubt(
    store: Store, fleet: Fleet, world: World, begun: Begun, run: Run
) -> None:
    """Once the patience is over, what may have been taken is unknown, and only that."""
    send = begun(9)
    step, steps = store.deliveries.step, count()

    def gone(issue: IssueKey, **more: Any) -> object:  # noqa: ANN401 - as step
        if next(steps) >= 6:
            raise StoreError("nobody answers")
        return step(issue, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.deliveries, "step", gone)
        with pytest.raises(StoreError):
            run(send, carrier=fleet)
    assert sum(world.endured) == 75
    on_wire = store.deliveries.listed(KEY, states=("wire",))
    assert 0 < len(on_wire) <= fleet.size
    fleet.close()
    fleet.open()
    assert run(send, carrier=fleet, retry_unknown=False) is None
    assert store.deliveries.tally(KEY).unknown == len(on_wire)
    assert len({message.id for message in fleet.taken}) == len(fleet.taken)


def test_a_wish_to_stop_does_not_cut_the_patience_short(
    store: Store, script: Script, world: World, begun: Begun, run: Run
) -> None:
    """The answer that was given is written down, though somebody has pressed Ctrl-C."""
    send = begun(3)
    step, fails = store.deliveries.step, count()

    def busy(issue: IssueKey, **more: Any) -> object:  # noqa: ANN401 - as step
        if more["done"] and next(fails) < 4:
            raise StoreError("is in use")
        return step(issue, **more)

    world.stop_when = lambda: bool(script.taken)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.deliveries, "step", busy)
        assert run(send) == Halted(reason="stopped")
    assert world.endured == [1, 2, 4, 8]
    assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=1, pending=2)


@pytest.mark.parametrize("dies_at", ["take_back", "pause"])
def test_a_run_that_dies_in_doubt_leaves_nobody_suppressed(
    store: Store, script: Script, begun: Begun, *, run: Run, dies_at: str
) -> None:
    """That refusals are not believed is known to the next run, wherever the one before ended."""
    readers = begun(40)
    script.answers = {f"r{number:03}@reader.example": [DEAD] for number in range(2, 41)}

    def die(*_: object) -> None:
        raise RuntimeError("killed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.deliveries, dies_at, die)
        with pytest.raises(RuntimeError):
            run(readers)
    script.answers = {}
    send = store.deliveries.send(KEY)
    assert send is not None
    run(send)
    if dies_at == "take_back":
        assert store.readers.count("suppressed") == 0
        assert store.deliveries.tally(KEY) == Tally(audience=40, accepted=40)


def test_what_cannot_be_read_ends_the_run(
    store: Store, script: Script, begun: Begun, run: Run
) -> None:
    """No reader is called unsupported since the files of this machine could not be opened."""

    def make(row: Delivery) -> Message:
        if row.position > 5:
            raise FilesError("Too many open files")
        return message_for(row)

    send = begun(50)
    with pytest.raises(FilesError):
        run(send, make=make)
    assert store.deliveries.tally(KEY) == Tally(audience=50, accepted=5, pending=45)
    assert run(send) is None
    assert len(script.taken) == 50


def test_messages_that_cannot_be_made_stop_the_run(store: Store, begun: Begun, run: Run) -> None:
    """Twenty, and more than 2 %: something is wrong with the issue, and the others wait."""

    def make(row: Delivery) -> Message:
        if row.position > 5:
            raise ValueError("a line is too long")
        return message_for(row)

    halted = run(begun(50), make=make)
    assert halted is not None
    assert "20 of the last 25 messages could not be made: a line is too long" in halted.reason
    assert store.deliveries.tally(KEY) == Tally(audience=50, accepted=5, pending=25, unsupported=20)


def test_a_claim_whose_answer_was_lost_is_not_lost(
    store: Store, script: Script, begun: Begun, run: Run
) -> None:
    """What it took goes back first, and the limits count it once."""
    send = begun(30)
    claim, lost = store.deliveries.claim, [True]

    def stubborn(issue: IssueKey, **more: Any) -> Claim:  # noqa: ANN401 - as claim
        found = claim(issue, **more)
        if lost and len(script.taken) > 5:
            lost.clear()
            raise StoreError("the server went away after the commit")
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.deliveries, "claim", stubborn)
        assert run(send, limits=Limits(total=(Rate(count=30, seconds=86_400),))) is None
    assert not lost
    assert store.deliveries.tally(KEY) == Tally(audience=30, accepted=30)


def test_who_is_given_back_waits_for_no_limit_of_others(
    store: Store, fleet: Fleet, world: World, begun: Begun, run: Run
) -> None:
    """One whose connection was lost goes again at once, though another domain is used up."""
    send = begun(4)
    store.readers.change("r001@reader.example", state="left", reason="by mail", at=NOW)
    fleet.lost = {2: 1}
    limits = Limits(domains={"elsewhere.example": (Rate(count=1, seconds=86_400),)})
    assert run(send, carrier=fleet, limits=limits) is None
    assert store.deliveries.tally(KEY) == Tally(audience=4, accepted=3, left=1)
    assert sum(world.waits) <= 2


def test_a_power_cut_can_put_no_more_than_a_batch_in_doubt(
    store: Store, fleet: Fleet, begun: Begun, run: Run
) -> None:
    """With many connections, too, no more than two hundred rows are claimed or on the wire."""
    most = [0]

    def look(words: str) -> None:
        if words.startswith("pour"):
            open_rows = store.deliveries.listed(KEY, states=("claimed", "wire"))
            most.append(len(open_rows))

    fleet.size, fleet.before = 40, look
    assert run(begun(450), carrier=fleet) is None
    assert 150 < max(most) <= 200
