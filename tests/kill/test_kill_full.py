"""A disk that is full or must not be written to: said clearly, and the same command goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from kill.filled import fill
from kill.judging import is_clear, states
from kill.letter import READERS, STEPS, Letter, addresses, copied, script
from kill.trial import Trial
from kill.watching import Witness

pytestmark = pytest.mark.real

_FILLED = script("filled")
_SIZE = "size=6m"
_NOT_SENT, _IN_PART = 6, 5
# Where some have it already and the ledger cannot be written, it may not know that any more.
_CODES = {
    "enroll": {_NOT_SENT},
    "seal": {_NOT_SENT},
    "claim": {_NOT_SENT},
    "step": {_NOT_SENT, _IN_PART},
    "finish": {_NOT_SENT, _IN_PART},
}


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)  # noqa: S603, S607 - the system's own


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """Give a small disk of its own; or skip, since only root may mount one."""
    if os.getuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root mounts a disk")
    disk = tmp_path / "small"
    disk.mkdir()
    try:
        _mount("-t", "tmpfs", "-o", _SIZE, "digest-test", str(disk))
    except subprocess.CalledProcessError:
        pytest.skip("this system mounts no tmpfs")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)  # noqa: S603, S607 - as above


def _goes_on(trial: Trial, letter: Letter, witness: Witness, *, step: str) -> None:
    trial.verdict.killed(states(letter.database), connections=4, at=step)
    letter.runner = ("-m", "digest")
    trial.finish(letter, witness, step=step, at=step)


@pytest.mark.parametrize("step", ["build", "publish"])
def test_full_when_it_begins(trial: Trial, small: Path, step: str) -> None:
    """A command that finds a full disk changes nothing that matters, and says to make room."""
    with trial.run(step, folder=small) as (letter, witness):
        fill(small / "filler")
        first = letter.run(step)
        assert first.code == _NOT_SENT, first
        assert is_clear(first), first
        assert "make room" in first.said or "free space" in first.said
        assert not witness.kept()
        (small / "filler").unlink()
        _goes_on(trial, letter, witness, step=step)


@pytest.mark.parametrize("stage", _CODES)
def test_full_at_a_stage(trial: Trial, small: Path, stage: str) -> None:
    """A send whose disk fills up ends, and goes on by the same command when there is room."""
    with trial.run("send", folder=small) as (letter, witness):
        letter.runner = (*_FILLED, stage, str(small / "filler"))
        first = letter.run("send")
        assert first.code in _CODES[stage], first
        assert is_clear(first), first
        (small / "filler").unlink()
        _goes_on(trial, letter, witness, step="send")


def test_room_comes_back_in_time(trial: Trial, small: Path) -> None:
    """A sender that cannot write waits; it goes on by itself, and nobody gets a mail twice."""
    with trial.run("send", folder=small) as (letter, witness):
        letter.runner = (*_FILLED, "step:3", str(small / "filler"))
        first = letter.run("send")
        assert first.code == 0, first
        assert not (small / "filler").exists()
        told = states(letter.database)
        trial.verdict.judge(witness.kept(), told, readers=addresses(), at="in time")
    assert not trial.verdict.doubled


def test_full_while_messages_are_written(trial: Trial, small: Path) -> None:
    """The outbox gets whole files only; those that had no room are written by the same command."""
    letter = copied(trial.points["send"], small)
    letter.settings = ("transport.kind=outbox",)
    letter.runner = (*_FILLED, "outbox", str(small / "filler"))
    first = letter.run("send")
    assert first.code in {_NOT_SENT, _IN_PART}, first
    assert is_clear(first), first
    messages = letter.root / "outbox/2026-w49/messages"
    before = {path.name: path.read_bytes() for path in messages.glob("*.eml")}
    assert len(before) == 9

    (small / "filler").unlink()
    letter.runner = ("-m", "digest")
    letter.finish("send")
    after = {path.name: path.read_bytes() for path in messages.glob("*.eml")}
    assert len(after) == READERS
    assert before.items() <= after.items()
    assert set(states(letter.database).values()) == {"accepted"}


def test_a_disk_that_must_not_be_written_to(trial: Trial, small: Path) -> None:
    """Every command says that it cannot write and what to do, and mails nobody."""
    for place in trial.pick(len(STEPS), 1):
        step = STEPS[-place]
        with trial.run(step, folder=small) as (letter, witness):
            _mount("-o", "remount,ro", str(small))
            first = letter.run(step)
            _mount("-o", f"remount,rw,{_SIZE}", str(small))
            assert first.code == _NOT_SENT, first
            assert is_clear(first), first
            assert not witness.kept()
            _goes_on(trial, letter, witness, step=step)
