"""Faults of the disk and of the system: said clearly, nothing lost, the same command goes on."""

from __future__ import annotations

import resource
from collections.abc import Callable, Sequence

import pytest
from kill.judging import is_clear, states
from kill.letter import STEPS, script
from kill.stracing import failing
from kill.trial import Trial

pytestmark = pytest.mark.real

_HASTY = script("hasty")
_MOST = 30
_CODES = {5, 6}  # sent in part, not sent


def _tried(
    trial: Trial,
    step: str,
    *,
    at: str,
    around: Sequence[str] = (),
    before: Callable[[], None] | None = None,
) -> None:
    """Run a command with a fault, then the same commands without, and judge all of it."""
    with trial.run(step) as (letter, witness):
        letter.runner = _HASTY
        first = letter.run(step, around=around, before=before)
        if first.code != 0 and (first.code not in _CODES or not is_clear(first)):
            trial.verdict.faults.append(f"{at}: {first}")
        trial.verdict.killed(states(letter.database), connections=4, at=at)
        letter.runner = ("-m", "digest")
        trial.finish(letter, witness, step=step, at=at)


@pytest.mark.parametrize("forever", [False, True])
def test_the_disk_fails_while_it_sends(trial: Trial, *, forever: bool) -> None:
    """The k-th write or sync of a send fails, once or from then on."""
    kinds = ("pwrite64", "fdatasync", "fsync")
    marks = [(kind, number) for number in range(1, _MOST + 1) for kind in kinds]
    for place in trial.pick(len(marks), 3):
        kind, number = marks[place - 1]
        fault = failing(kind, number, error="EIO", forever=forever)
        _tried(trial, "send", at=f"{kind} {number}{'+' * forever}", around=fault)


def test_the_disk_fails_before_the_send(trial: Trial) -> None:
    """The k-th write or sync of another command fails from then on."""
    marks = [
        (step, kind, number)
        for step in STEPS[:-1]
        for kind in ("fsync", "pwrite64", "fdatasync")
        for number in range(1, min(_MOST, trial.points[step].counts[kind]) + 1)
    ]
    for place in trial.pick(len(marks), 3):
        step, kind, number = marks[place - 1]
        fault = failing(kind, number, error="EIO", forever=True)
        _tried(trial, step, at=f"{step}: {kind} {number}+", around=fault)


def _limit(what: int, most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(what, (most, most))


@pytest.mark.parametrize("step", ["publish", "send"])
def test_files_must_not_grow(trial: Trial, step: str) -> None:
    """A limit on the size of files (RLIMIT_FSIZE) is met like a fault of the disk."""
    for place in trial.pick(9, 1):
        limit = _limit(resource.RLIMIT_FSIZE, 1024 * 2**place)
        _tried(trial, step, at=f"{step}: files of {2**place} KiB", before=limit)


@pytest.mark.parametrize("step", ["build", "send"])
def test_few_files_may_be_open(trial: Trial, step: str) -> None:
    """With few descriptors (RLIMIT_NOFILE) it says so, or does with fewer connections."""
    for place in trial.pick(12, 1):
        limit = _limit(resource.RLIMIT_NOFILE, place + 4)
        _tried(trial, step, at=f"{step}: {place + 4} descriptors", before=limit)
