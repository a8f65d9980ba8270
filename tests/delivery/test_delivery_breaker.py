"""The breaker: a run that goes wrong for all readers leaves most of them in peace."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from delivery.doubles import KEY, Script, World

from digest.delivery import Halted
from digest.model import Outcome, Send, Tally
from digest.store.ledger import Store

Begun = Callable[[int], Send]
WAIT = Outcome(state="pending", code=450, enhanced="4.2.0", text="come back later")
DEAD = Outcome(state="refused", code=550, enhanced="5.1.1", text="no such mailbox")
SILENT = Outcome(state="unknown", text="nothing was heard")
OURS = Outcome(state="refused", code=554, enhanced="5.7.1", text="policy")


def _all(outcome: Outcome, first: int, last: int) -> dict[str, list[Outcome | Exception]]:
    return {f"r{number:03}@reader.example": [outcome] for number in range(first, last + 1)}


def test_refusals_that_are_ours_stop_the_run(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Twenty refusals for policy, and over 2 % of the last 500: the others are left in peace."""
    script.answers = _all(OURS, 41, 100)
    halted = run(begun(100))

    assert halted is not None
    assert "refused 20 of the last 60" in halted.reason
    assert store.deliveries.tally(KEY) == Tally(audience=100, accepted=40, refused=20, pending=40)
    assert store.readers.count("active") == 100


def test_a_relay_that_calls_most_dead_is_not_believed(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Half of a list does not die overnight: nobody stays suppressed, and all are tried later."""
    send = begun(60)
    script.answers = _all(DEAD, 2, 60)
    halted = run(send)
    assert halted is not None
    assert halted.reason == "the relay refused 20 of the last 21: 550 5.1.1 no such mailbox"
    assert store.readers.count("active") == 60
    assert store.deliveries.tally(KEY) == Tally(audience=60, accepted=1, pending=59)

    script.answers = {}
    assert run(send) is None
    assert store.deliveries.tally(KEY) == Tally(audience=60, accepted=60)


@pytest.mark.parametrize("outcome", [OURS, DEAD])
@pytest.mark.parametrize("count", [1, 2, 10, 60])
def test_a_relay_that_nobody_gets_an_issue_from_is_not_believed(
    store: Store,
    script: Script,
    *,
    begun: Begun,
    run: Callable[..., Halted | None],
    outcome: Outcome,
    count: int,
) -> None:
    """After three refusals and nobody who took it the run stops; each may be tried again."""
    send = begun(count)
    script.answers = _all(outcome, 1, count)
    assert run(send) is not None
    assert script.tried == min(count, 3)
    assert store.deliveries.tally(KEY) == Tally(audience=count, pending=count)
    assert store.readers.count("active") == count

    script.answers = {}
    assert run(send) is None
    assert store.deliveries.tally(KEY) == Tally(audience=count, accepted=count)


def test_one_dead_mailbox_is_believed_where_others_wait(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Nobody has taken it yet, and somebody still may."""
    script.answers = {"r001@reader.example": [DEAD], "r002@reader.example": [WAIT]}
    assert run(begun(2)) is None
    assert store.deliveries.tally(KEY) == Tally(audience=2, refused=1, pending=1)


def test_who_had_it_before_counts(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """A second run that meets three dead mailboxes first is no sign of a relay that errs."""
    send = begun(9)
    script.answers = {f"r00{n}@reader.example": [WAIT, DEAD] for n in range(1, 4)}
    assert run(send) is None
    world.now += timedelta(minutes=6)

    assert run(send) is None
    assert store.deliveries.tally(KEY) == Tally(audience=9, accepted=6, refused=3)


def test_a_few_dead_mailboxes_stop_nothing(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """A list has some."""
    script.answers = {f"r{number:03}@reader.example": [DEAD] for number in range(1, 90, 3)}
    assert run(begun(90)) is None
    assert store.deliveries.tally(KEY) == Tally(audience=90, accepted=60, refused=30)


def test_readers_who_were_given_up_are_no_sign_of_our_fault(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Thirty servers that said 4xx for three days end as refused, and stop nothing."""
    send = begun(31)
    script.answers = {f"r0{n:02}@reader.example": [WAIT] * 9 for n in range(1, 31)}
    for _ in range(6):
        run(send)
        world.now += timedelta(hours=5)
    world.now += timedelta(days=3)

    assert run(send) is None
    assert store.deliveries.tally(KEY) == Tally(audience=31, accepted=1, refused=30)


def test_who_was_hardly_tried_is_not_given_up(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """A send that stood still for days does not give up readers at their first 4xx."""
    send = begun(2)
    world.now += timedelta(days=4)
    script.answers = {"r001@reader.example": [WAIT]}
    run(send)

    assert store.deliveries.tally(KEY) == Tally(audience=2, accepted=1, pending=1)


def test_dead_mailboxes_at_the_head_of_the_list_block_nobody(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Three dead ones stop the first run; the next begins with those never tried."""
    send = begun(50)
    script.answers = {f"r00{n}@reader.example": [DEAD, DEAD] for n in range(1, 4)}
    assert run(send) is not None

    assert run(send) is None
    assert store.deliveries.tally(KEY) == Tally(audience=50, accepted=47, refused=3)
    assert store.readers.count("active") == 47


def test_refusals_of_an_earlier_run_are_taken_back_too(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """What a relay that errs said before somebody noticed is no word on readers, either."""
    send = begun(10)
    script.answers = {**_all(WAIT, 3, 10), **_all(DEAD, 1, 2)}
    assert run(send) is None
    world.now += timedelta(minutes=10)
    script.answers = _all(DEAD, 3, 10)
    assert run(send) is not None

    assert store.readers.count("active") == 10
    assert store.deliveries.tally(KEY) == Tally(audience=10, pending=10)


def test_a_relay_that_answers_nothing_is_handed_no_more(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Three messages are in doubt, and not the whole list."""
    script.answers = _all(SILENT, 1, 60)
    halted = run(begun(60))
    assert halted is not None
    assert halted.reason == "no answer came to the first 3 messages: nothing was heard"
    assert store.deliveries.tally(KEY) == Tally(audience=60, unknown=3, pending=57)


def test_a_relay_that_falls_silent_is_handed_few_more(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """As many as were answered are in doubt, twenty at least."""
    script.answers = _all(SILENT, 11, 60)
    halted = run(begun(60))
    assert halted is not None
    assert halted.reason == "no answer came to 20 of the last 30 messages: nothing was heard"
    assert store.deliveries.tally(KEY) == Tally(audience=60, accepted=10, unknown=20, pending=30)
