"""The engine: each reader's message is handed over once, and each answer is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from delivery.doubles import KEY, NOW, TAKEN, Script, World, message_for

from digest.delivery import Halted, connect
from digest.errors import FilesError, StoreError, TransportBusyError, TransportError
from digest.model import Delivery, IssueKey, Message, Outcome, Send, Settled, Stepped, Tally
from digest.store.ledger import Store

Begun = Callable[[int], Send]
WAIT = Outcome(state="pending", code=450, enhanced="4.2.0", text="come back later")
DEAD = Outcome(state="refused", code=550, enhanced="5.1.1", text="no such mailbox")
OURS = Outcome(state="refused", code=554, enhanced="5.7.1", text="policy")
SILENT = Outcome(state="unknown", text="no answer")


def test_each_reader_gets_one_message(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """All are handed over once, in order; a second run finds nothing to do."""
    send = begun(45)

    assert run(send) is None
    assert run(send) is None
    assert script.recipients == [f"r{number:03}@reader.example" for number in range(1, 46)]
    assert store.deliveries.tally(KEY) == Tally(audience=45, accepted=45)
    assert [told.accepted for told in world.told] == [20, 40, 45]
    assert world.waits == []


def test_answers_are_kept(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """4xx waits, 5xx stays, silence is unknown; a dead mailbox suppresses its reader alone."""
    script.answers = {
        "r001@reader.example": [WAIT],
        "r002@reader.example": [DEAD],
        "r003@reader.example": [OURS],
        "r004@reader.example": [SILENT],
        "r005@reader.example": [Outcome(state="unsupported", text="no SMTPUTF8")],
    }
    assert run(begun(6)) is None

    rows = store.deliveries.listed(KEY)
    assert [row.state for row in rows] == [
        "pending",
        "refused",
        "refused",
        "unknown",
        "unsupported",
        "accepted",
    ]
    assert [row.outcome for row in rows[1:4]] == [DEAD, OURS, SILENT]
    assert rows[0].due == NOW + timedelta(minutes=5)
    states = {reader.address[:4]: reader.state for reader in store.readers.all()}
    assert states == {
        **dict.fromkeys(("r001", "r003", "r004", "r005", "r006"), "active"),
        "r002": "suppressed",
    }


def test_put_off_messages_wait_longer_each_time_and_are_given_up(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """A reader whose server never lets us in is tried ever more seldom, for three days."""
    send = begun(2)
    script.answers = {"r001@reader.example": [WAIT] * 100}
    run(send)
    waits: list[float | None] = [5]
    while (due := store.deliveries.next_due(KEY)) is not None:
        world.now = max(due, world.now)
        tried = script.tried
        run(send)
        assert script.tried == tried + 1
        run(send)  # too early: not tried again
        assert script.tried == tried + 1
        row = store.deliveries.listed(KEY)[0]
        waits.append((row.due - world.now).total_seconds() / 60 if row.due else None)

    assert waits[:7] == [5, 15, 30, 60, 120, 240, 240]
    assert waits[-1] is None
    assert row.state == "refused"
    assert row.outcome is not None
    assert row.outcome.text == "given up after 3 days: come back later"
    assert timedelta(days=3) <= world.now - NOW < timedelta(days=3, hours=4)


def test_a_silent_outcome_is_tried_once_more(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """By the next run, with the same message, last in the queue; after that never by itself."""
    send = begun(3)
    script.answers = {"r001@reader.example": [SILENT, SILENT, TAKEN]}
    for _ in range(4):
        run(send)

    assert Counter(script.recipients)["r001@reader.example"] == 2
    assert len({message.id for message in script.taken}) == 3
    assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=2, unknown=1)


def test_hold_leaves_a_silent_outcome_alone(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """With on_unknown = "hold" nobody gets a second copy."""
    send = begun(2)
    script.answers = {"r001@reader.example": [SILENT]}
    run(send, retry_unknown=False)
    run(send, retry_unknown=False)

    assert script.recipients == ["r001@reader.example", "r002@reader.example"]
    assert store.deliveries.tally(KEY).unknown == 1


def test_a_lost_connection_is_made_anew(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """What was not taken is handed over again after a wait, once."""
    script.answers = {"r002@reader.example": [TransportBusyError("lost")] * 2}
    script.opening = [TransportBusyError("421 later")]
    assert run(begun(3)) is None

    assert script.recipients == [f"r00{number}@reader.example" for number in (1, 2, 3)]
    assert world.waits == [1, 1, 2]
    assert script.opened == 2
    assert store.deliveries.tally(KEY).accepted == 3


def test_a_message_at_which_the_connection_is_lost_stops_no_other(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """After three tries it is put off like a 4xx, and the others get theirs in the same run.

    The waits grow until somebody has an answer.
    """
    gone = TransportBusyError("lost")
    script.answers = {"r002@reader.example": [gone] * 9}
    assert run(begun(3)) is None

    assert script.recipients == ["r001@reader.example", "r003@reader.example"]
    assert (script.tried, world.waits) == (5, [1, 2, 4])
    rows = store.deliveries.listed(KEY)
    assert (rows[1].state, rows[1].due) == ("pending", NOW + timedelta(minutes=5, seconds=3))


def test_a_relay_that_stays_away_halts_the_run(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Seven connections lost in a row, and no answer between: the others wait in peace."""
    send = begun(9)
    gone = TransportBusyError("lost")
    script.answers = {f"r00{n}@reader.example": [gone] * 3 for n in range(2, 10)}
    halted = run(send)

    assert halted is not None
    assert halted.error is gone
    assert script.tried == 1 + 7
    assert store.deliveries.tally(KEY) == Tally(audience=9, accepted=1, pending=8)
    script.answers = {}
    assert run(send) is None
    assert len(script.taken) == 7  # two were put off for later


def test_a_relay_that_cannot_be_reached_any_more_halts_the_run(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """The row in hand was not taken and is due at once."""
    send = begun(2)
    script.answers = {"r001@reader.example": [TransportBusyError("lost")]}
    script.opening = [TransportBusyError("nobody answers")] * 7
    halted = run(send)

    assert halted is not None
    assert halted.reason == "nobody answers"
    assert sum(world.waits) == 1 + 75
    assert store.deliveries.tally(KEY) == Tally(audience=2, pending=2)
    assert run(send) is None
    assert len(script.taken) == 2


def test_an_answer_outlives_a_busy_database(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """What the relay has said is written down once the database lets us; nobody is in doubt."""
    send = begun(3)
    step, busy = store.deliveries.step, [2]

    def stubborn(issue: IssueKey, *, done: Sequence[Settled], **more: Any) -> Stepped:  # noqa: ANN401 - as step
        if done and busy[0]:
            busy[0] -= 1
            if not busy[0]:
                step(issue, done=done, **more)  # it was written, and the answer got lost
            raise StoreError("is in use by another program")
        return step(issue, done=done, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.deliveries, "step", stubborn)
        assert run(send) is None
    assert (world.waits, world.endured) == ([], [1, 2])
    assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=3)
    assert len(script.taken) == 3


def test_a_refusal_of_the_sender_touches_no_reader(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """A transport that will take nothing is not asked for each reader."""
    script.answers = {"r001@reader.example": [TransportError("MAIL refused")]}
    halted = run(begun(5))

    assert halted is not None
    assert (script.tried, world.waits) == (1, [])
    assert store.deliveries.tally(KEY) == Tally(audience=5, pending=5)


def test_a_file_that_cannot_be_written_loses_nobody(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """The row goes back; the error ends the run."""
    script.answers = {"r002@reader.example": [FilesError("disk full")]}
    halted = run(begun(2))
    assert halted is not None
    assert halted.error is not None
    assert halted.error.brief == "disk full"

    assert store.deliveries.tally(KEY) == Tally(audience=2, accepted=1, pending=1)


def test_a_bug_leaves_the_row_in_doubt(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Whatever may have left is never called not sent; the next run tries it once more."""
    script.answers = {"r001@reader.example": [RuntimeError("boom")]}
    send = begun(2)
    with pytest.raises(RuntimeError):
        run(send)

    assert store.deliveries.tally(KEY) == Tally(audience=2, unknown=1, pending=1)
    run(send)
    assert script.recipients == ["r002@reader.example", "r001@reader.example"]


def test_a_stop_comes_between_two_messages(
    store: Store, script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """The message under way is settled, the next is not begun, and a later run goes on."""
    world.stop_when = lambda: len(script.taken) >= 2
    send = begun(4)
    halted = run(send)

    assert halted == Halted(reason="stopped")
    assert store.deliveries.tally(KEY) == Tally(audience=4, accepted=2, pending=2)
    world.stop_when = lambda: False
    run(send)
    assert len(script.taken) == 4


def test_a_stop_ends_the_waiting(
    script: Script, world: World, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """A run that waits for a busy relay does not outlast the wish to stop."""
    world.stop_when = lambda: script.tried > 0
    script.answers = {"r001@reader.example": [TransportBusyError("lost")] * 9}
    assert run(begun(1)) is not None
    assert world.waits == []


def test_who_leaves_meanwhile_gets_nothing(
    store: Store, script: Script, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """Whether a reader is active is asked again right before the message is handed over."""
    send = begun(3)

    def make(row: Delivery) -> Message:
        if row.position == 1:
            store.readers.change(
                "r002@reader.example", state="left", reason="asked by mail", at=NOW
            )
        return message_for(row)

    run(send, make=make)
    assert script.recipients == ["r001@reader.example", "r003@reader.example"]
    assert store.deliveries.tally(KEY) == Tally(audience=3, accepted=2, left=1)


def test_connect_waits_for_a_busy_relay(script: Script, world: World) -> None:
    """It is tried again after 1, 2, 4 … seconds, and the last refusal is told."""
    script.opening = [TransportBusyError("454 later")] * 3
    connect(script, world.watch())
    assert (world.waits, script.opened) == ([1, 2, 4], 1)

    script.opening = [TransportBusyError("454 later")] * 7
    with pytest.raises(TransportBusyError):
        connect(script, world.watch())
    assert sum(world.waits) == 7 + 75


def test_connect_tries_once_what_cannot_be_opened(script: Script, world: World) -> None:
    """A refused login is told at once; an account must not be locked by us."""
    script.opening = [TransportError("535 wrong password")]
    with pytest.raises(TransportError):
        connect(script, world.watch())
    assert (world.waits, script.opened) == ([], 0)


def test_a_message_that_cannot_be_written_stops_no_other(
    store: Store, begun: Begun, run: Callable[..., Halted | None]
) -> None:
    """An address that no header can hold is told, and the others get theirs."""

    def make(row: Delivery) -> Message:
        if row.position == 1:
            raise ValueError("holds a line break")
        return message_for(row)

    assert run(begun(2), make=make) is None
    assert store.deliveries.tally(KEY) == Tally(audience=2, accepted=1, unsupported=1)
    assert store.deliveries.listed(KEY)[0].outcome == Outcome(
        state="unsupported", text="holds a line break"
    )
