"""A sender killed at each phase of SMTP, and again and again while it recovers."""

from __future__ import annotations

from random import Random

import pytest
from kill.judging import states
from kill.letter import Letter, ended
from kill.stracing import killing
from kill.trial import Trial
from kill.watching import Witness
from kill.witness import EVENTS

pytestmark = pytest.mark.real

_READERS = 10  # at so many readers each phase is met
_EACH = 4  # messages a connection, so that there are as many connections to be met
# How far a run may come while it recovers: all kills together leave some readers to be sent to.
_FURTHEST = {"fdatasync": 15, "pwrite64": 50, "write": 2, "sendmsg": 2}


def _strike(letter: Letter, witness: Witness, *, event: str, number: int) -> bool:
    """Start to send, and kill the sender at the n-th event of a kind; tell whether it came to it.

    Every other time the relay hangs up in the midst of the content; else it takes what had left.
    """
    witness.hold(event, number, cut=event == "CONTENT" and number % 2 == 0)
    sender = letter.start("send")
    reached = witness.reached(sender)
    if reached:
        sender.kill()
    ended(sender)
    if reached:
        witness.go()
    return reached


@pytest.mark.parametrize("event", EVENTS)
def test_killed_at_a_phase(trial: Trial, event: str) -> None:
    """Whatever the relay was told last, and whatever it took, nobody is lost."""
    for place in trial.pick(2 * _READERS, 1):
        half, is_odd = divmod(place + 1, 2)
        connections = 1 if is_odd == EVENTS.index(event) % 2 else 4
        number = half if event in {"CONNECT", "EHLO"} else 5 * half - 2
        at = f"{event} {number}, {connections} connections"
        with trial.run("send") as (letter, witness):
            letter.by_relay(witness.port, connections=connections, each=_EACH)
            assert _strike(letter, witness, event=event, number=number), at
            trial.verdict.killed(states(letter.database), connections=connections, at=at)
            trial.finish(letter, witness, step="send", at=at)


@pytest.mark.parametrize("connections", [4, 1])
def test_killed_while_it_recovers(trial: Trial, connections: int) -> None:
    """One kill after the other, each while the send goes on from where the last one struck."""
    chance = Random(connections)  # noqa: S311 - where to strike next
    with trial.run("send") as (letter, witness):
        letter.by_relay(witness.port, connections=connections)
        for place in trial.pick(31, 4):
            if place % 3 == 0:
                event = EVENTS[place % len(EVENTS)]
                at = f"recovery {place}: {event}"
                struck = _strike(letter, witness, event=event, number=1)
            else:
                kind = chance.choice(list(_FURTHEST))
                number = chance.randint(1, _FURTHEST[kind])
                at = f"recovery {place}: {kind} {number}"
                struck = letter.run("send", around=killing(kind, number)).is_killed
            assert struck, at
            trial.verdict.killed(states(letter.database), connections=connections, at=at)
        trial.finish(letter, witness, step="send", at="recovery")
