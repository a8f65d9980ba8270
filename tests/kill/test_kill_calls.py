"""The reference run killed at its syncs and at its writes: nobody is lost, nobody gets it twice.

With DIGEST_KILLS=all it is killed at every sync of all commands, and at 300 writes.
"""

from __future__ import annotations

import pytest
from kill.judging import states
from kill.stracing import SYNCS, WRITES, killing
from kill.trial import Trial

pytestmark = pytest.mark.real

_HEADER = 32  # octets (SQLite's file format, §4.1)
# Command and connections; then how many kills where it is sampled.
_AT_SYNCS = [
    ("init", 4, 1),
    ("readers", 4, 0),
    ("build", 4, 1),
    ("publish", 4, 1),
    ("send", 4, 3),
    ("send", 1, 1),
]
# And how many at writes in all.
_AT_WRITES = [
    ("init", 4, (0, 20)),
    ("readers", 4, (1, 20)),
    ("build", 4, (0, 20)),
    ("publish", 4, (1, 20)),
    ("send", 4, (3, 130)),
    ("send", 1, (2, 90)),
]


def _killed(trial: Trial, *, step: str, connections: int, call: str) -> None:
    """Kill a command at a call, then give the same commands again until the issue is sent."""
    kind, number = call.split()
    at = f"{step}, {connections} connections, {call}"
    with trial.run(step) as (letter, witness):
        letter.by_relay(witness.port, connections=connections)
        first = letter.run(step, around=killing(kind, int(number)))
        if first.is_killed:
            trial.verdict.killed(states(letter.database), connections=connections, at=at)
        else:
            trial.verdict.missed(first, at=at)
        trial.finish(letter, witness, step=step, at=at)


def _marks(trial: Trial, step: str, kinds: tuple[str, ...]) -> list[str]:
    counts = trial.points[step].counts
    return [f"{kind} {number}" for kind in kinds for number in range(1, counts[kind] + 1)]


@pytest.mark.parametrize(("step", "connections", "some"), _AT_SYNCS)
def test_killed_at_syncs(trial: Trial, step: str, *, connections: int, some: int) -> None:
    """A command killed before a sync ends well when it is given again."""
    marks = _marks(trial, step, SYNCS)
    for place in trial.pick(len(marks), some):
        _killed(trial, step=step, connections=connections, call=marks[place - 1])
    assert trial.verdict.kills == trial.verdict.runs >= some


@pytest.mark.parametrize(("step", "connections", "counts"), _AT_WRITES)
def test_killed_at_writes(
    trial: Trial, step: str, *, connections: int, counts: tuple[int, int]
) -> None:
    """A command killed before a write to a file or a socket ends well when it is given again."""
    some, most = counts
    marks = _marks(trial, step, WRITES)
    most = min(most, len(marks))
    for place in trial.pick(most, some):
        call = marks[(2 * place - 1) * len(marks) // (2 * most)]
        _killed(trial, step=step, connections=connections, call=call)
    # A send may have fewer steps than the one whose calls were counted.
    assert trial.verdict.kills * 10 >= trial.verdict.runs * 7


def test_killed_when_it_begins_to_write_ahead(trial: Trial) -> None:
    """A `-wal` with its header alone, of a sender that is gone, keeps nobody from the database."""
    with trial.run("send") as (letter, witness):
        ahead = letter.database.with_name("digest.db-wal")
        assert letter.run("send", around=killing("fdatasync", 1, of=ahead)).is_killed
        assert ahead.stat().st_size == _HEADER
        trial.verdict.killed(states(letter.database), connections=4, at="header")
        trial.finish(letter, witness, step="send", at="header")
