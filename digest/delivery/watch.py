"""What a run of hours needs of the world outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from digest.model import Tally

__all__ = ["Watch"]


def _unseen(_: Tally) -> None:
    return None


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The clock of a run, how it waits, who looks on, and who may stop it.

    `clock` gives the present moment, aware. `pause` waits for so many seconds, or until somebody
    asks to stop; `patient` (default: `pause`) waits all of them. `progress` is told the tally now
    and then. `stopped` is asked between two messages.
    """

    clock: Callable[[], datetime]
    pause: Callable[[float], None]
    progress: Callable[[Tally], None] = _unseen
    stopped: Callable[[], bool] = _never
    patient: Callable[[float], None] | None = None

    def endure(self, seconds: float) -> None:
        """Wait for so many seconds, whoever asks to stop."""
        (self.patient or self.pause)(seconds)
