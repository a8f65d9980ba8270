"""How a process that sends is asked to end."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ["STOPPED", "Stop"]

STOPPED: Final = 128 + signal.SIGINT  # what a shell says of a program that Ctrl-C ended
_SLICE: Final = 0.5  # seconds that somebody who asks to stop may have to wait


class Stop:
    """Whether somebody asked to stop: asked by calling it, between two messages.

    `by` is the signal that did, 0 without one.
    """

    def __init__(self) -> None:
        self.by = 0

    def __call__(self) -> bool:
        """Tell whether somebody did."""
        return self.by != 0

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take SIGTERM and Ctrl-C as the word to stop; a second Ctrl-C ends at once."""
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        for number in before:
            signal.signal(number, self._asked)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _asked(self, number: int, frame: FrameType | None) -> None:
        del frame
        self.by = number
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def pause(self, seconds: float) -> None:
        """Wait for so many seconds, or until somebody asks to stop."""
        # In slices: a sleep goes on after a signal (PEP 475), and an event that a handler sets
        # can wait for a lock that the process itself holds.
        until = time.monotonic() + seconds
        while not self() and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _SLICE))
