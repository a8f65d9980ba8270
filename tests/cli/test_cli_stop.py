"""Asked to stop: by SIGTERM or Ctrl-C, between two messages; by a second Ctrl-C at once."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from digest.cli.stop import Stop
from digest.delivery import Watch
from digest.errors import GuardError


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_signal_is_heard_and_ends_a_wait(by: signal.Signals) -> None:
    """A signal is kept, and who waits goes on at once; afterwards it means what it did."""
    stop = Stop()
    before = signal.getsignal(by)
    with stop.listening():
        assert not stop()
        signal.raise_signal(by)
        began = time.monotonic()
        stop.pause(3600)

    assert time.monotonic() - began < 60
    assert stop()
    assert stop.by == by
    assert signal.getsignal(by) is before


def test_second_ctrl_c_ends_at_once() -> None:
    """Who cannot wait for the message in hand presses Ctrl-C again."""
    stop = Stop()
    with stop.listening():
        signal.raise_signal(signal.SIGINT)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_signal_comes_during_a_wait() -> None:
    """A signal that comes while a process waits ends the wait long before its time."""
    stop = Stop()
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGTERM))
    with stop.listening():
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        began = time.monotonic()
        stop.pause(3600)
    signal.signal(signal.SIGALRM, before)

    assert time.monotonic() - began < 60
    assert stop.by == signal.SIGTERM


def test_wait_ends_by_itself() -> None:
    """Without a signal a wait lasts as long as asked, and none at all where that is nothing."""
    stop = Stop()
    began = time.monotonic()
    stop.pause(0.01)
    stop.pause(0)

    assert time.monotonic() - began >= 0.01
    assert not stop()


@pytest.mark.parametrize(
    ("words", "callee"),
    [
        (("send", "2026-w49", "--yes"), "digest.cli.send._sent"),
        (("tick",), "digest.cli.run.tick"),
    ],
)
def test_answers_are_written_down_whoever_asks_to_stop(
    words: tuple[str, ...],
    callee: str,
    newsletter: Callable[..., Path],
    digest: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The wait for a busy database is not cut short: else who has the mail would be in doubt."""
    waited: list[float] = []

    def work(*_: object, watch: Watch, **__: object) -> None:
        signal.raise_signal(signal.SIGTERM)
        assert watch.stopped()
        began = time.monotonic()
        watch.endure(0.05)
        waited.append(time.monotonic() - began)
        raise GuardError("that is all")

    monkeypatch.setattr(callee, work)
    root = newsletter({"content/mill.md": "---\ntitle: Mills\n---\n\nA mill.\n"})
    adding = ("readers", "add", "ann@reader.example", "--consent", "asked at the quay")
    now = ("--now", "2026-12-01T10:00:00+01:00")
    assert digest("-C", root, *adding)[0] == 0
    assert digest("-C", root, "build", "--set=selection.min_items=1", *now)[0] == 0
    code, _, err = digest("-C", root, *words, *now)
    assert (code, "that is all" in err) == (4, True), err
    assert waited[0] >= 0.05
