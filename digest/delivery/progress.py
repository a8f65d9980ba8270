"""How far a run is, counted as it goes: to count the ledger's rows would take longer each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Final

from digest.model import Settled, Tally

__all__ = ["Count"]

_TOLD_EVERY: Final = 20  # messages, or a hundredth of the audience
_LONG: Final = timedelta(seconds=2)


class Count:
    """The tally of a send while it runs, told now and then.

    A reader who left meanwhile is counted as `left` until the ledger is asked at the end.
    """

    def __init__(
        self, tally: Tally, *, tell: Callable[[Tally], None], clock: Callable[[], datetime]
    ) -> None:
        self._states = asdict(tally)
        self._audience: int = self._states.pop("audience")
        self._tell, self._clock = tell, clock
        self._told_when = clock()
        self._told_at = 0
        self._every = max(_TOLD_EVERY, self._audience // 100)
        self.answered = 0  # messages that have their answer from this run

    def settled(self, done: Settled) -> None:
        """Count what became of a message; one that was given back has no answer yet."""
        state = done.outcome.state
        if state == "pending" and done.due is None:
            return
        self.answered += 1
        self._move(state)

    def gone(self) -> None:
        """Count a reader who left before it was their turn."""
        self._move("left")

    def _move(self, state: str) -> None:
        # A row in doubt that was let go once more counted as unknown before the run began.
        before = "pending" if self._states["pending"] else "unknown"
        if self._states[before]:
            self._states[before] -= 1
            self._states[state] += 1
        many = self.answered - self._told_at >= self._every
        if many or abs(self._clock() - self._told_when) >= _LONG:
            self.tell()

    def tell(self) -> None:
        """Tell the tally, where there is news."""
        if self.answered != self._told_at:
            self._told_at, self._told_when = self.answered, self._clock()
            self._tell(Tally(audience=self._audience, **self._states))
