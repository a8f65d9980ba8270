"""The loop: a step at once, then one at the beginning of each minute, whatever happens in one."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta

import pytest
from cases.clock import Clock

from digest.errors import DigestError, FilesError, LockError
from digest.schedule import run_every_minute


class _Steps:
    """Counts the steps of a loop and ends it after so many."""

    def __init__(self, clock: Clock, *, end: int, lasting: timedelta = timedelta(0)) -> None:
        self.clock, self.end, self.lasting = clock, end, lasting
        self.at: list[str] = []
        self.told: list[str] = []
        self.errors: dict[int, Exception] = {}

    def __call__(self) -> None:
        self.at.append(f"{self.clock.now:%m-%dT%H:%M:%S}")
        self.clock.now += self.lasting
        if len(self.at) in self.errors:
            raise self.errors[len(self.at)]

    def tell(self, error: DigestError) -> None:
        self.told.append(str(error))

    def run(self) -> None:
        run_every_minute(
            self,
            tell=self.tell,
            pause=self.clock.pause,
            stopped=lambda: len(self.at) >= self.end,
        )


def test_step_at_once_then_at_each_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A start within a minute does not wait for the next one; later steps keep to the minute."""
    steps = _Steps(Clock(monkeypatch, "2026-11-30T09:00:20+01:00"), end=4)
    steps.run()

    assert steps.at == ["11-30T08:00:20", "11-30T08:01:00", "11-30T08:02:00", "11-30T08:03:00"]
    assert steps.clock.asked == [40.0, 60.0, 60.0]


def test_hour_that_comes_twice_has_all_its_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the autumn night there is a step every minute, none left out and none twice."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    steps = _Steps(Clock(monkeypatch, "2027-10-31T01:30:00+02:00"), end=181)
    steps.run()
    begun = datetime(2027, 10, 30, 23, 30, tzinfo=UTC)

    assert steps.at == [f"{begun + timedelta(minutes=step):%m-%dT%H:%M:%S}" for step in range(181)]


def test_process_keeps_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """The local time of the process is UTC, whatever the machine says."""
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    _Steps(Clock(monkeypatch, "2026-11-30T09:00:00+01:00"), end=1).run()

    assert os.environ["TZ"] == "UTC"
    assert time.timezone == 0
    assert time.localtime(0).tm_hour == 0


def test_long_step_is_followed_by_the_next_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minutes that pass during a step are not made up."""
    clock = Clock(monkeypatch, "2026-11-30T09:00:00+01:00")
    steps = _Steps(clock, end=3, lasting=timedelta(minutes=2, seconds=30))
    steps.run()

    assert steps.at == ["11-30T08:00:00", "11-30T08:02:30", "11-30T08:06:00"]


def test_clock_that_is_set_back_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock goes back an hour has a step in the next minute all the same."""
    clock = Clock(monkeypatch, "2026-11-30T09:00:00+01:00")
    steps = _Steps(clock, end=3)

    def pause(seconds: float) -> None:
        back = timedelta(hours=1) if len(clock.asked) == 1 else timedelta(0)
        clock.pause(seconds)
        clock.now -= back

    run_every_minute(steps, tell=steps.tell, pause=pause, stopped=lambda: len(steps.at) >= 3)

    assert steps.at == ["11-30T08:00:00", "11-30T08:01:00", "11-30T07:03:00"]


def test_errors_are_told_and_the_next_step_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of ours ends a step, the first one too, but not the loop."""
    steps = _Steps(Clock(monkeypatch, "2026-11-30T09:00:00+01:00"), end=4)
    steps.errors = {1: LockError("another digest is sending"), 3: FilesError("the disk is full")}
    steps.run()

    assert steps.told == ["another digest is sending", "the disk is full"]
    assert len(steps.at) == 4


def test_bug_ends_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody foresaw is not hidden."""
    steps = _Steps(Clock(monkeypatch, "2026-11-30T09:00:00+01:00"), end=4)
    steps.errors = {2: ZeroDivisionError()}

    with pytest.raises(ZeroDivisionError):
        steps.run()
    assert len(steps.at) == 2


def test_stop_while_waiting_does_no_further_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks to stop while nothing is done gets no step more, even on the minute."""
    clock = Clock(monkeypatch, "2026-11-30T09:00:00+01:00")
    steps = _Steps(clock, end=9)
    run_every_minute(steps, tell=steps.tell, pause=clock.pause, stopped=lambda: bool(clock.asked))

    assert len(steps.at) == 1
