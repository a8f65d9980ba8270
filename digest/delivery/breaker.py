"""Stop a run whose answers say that something is wrong with it, not with its readers."""

from __future__ import annotations

from collections import deque
from typing import Final

from digest.model import Outcome

__all__ = ["Breaker"]

_WINDOW: Final = 500
_LEAST: Final = 20
_OURS: Final = 0.02  # refusals that are no word on a mailbox: policy, size, content
_DEAD: Final = 0.5  # half of a list is not dead overnight: a relay that says so errs


class Breaker:
    """Counts the last 500 answers."""

    def __init__(self) -> None:
        self._last: deque[Outcome] = deque(maxlen=_WINDOW)

    def trips(self, outcome: Outcome) -> str:
        """Take one more answer; give the reason to stop, or nothing."""
        self._last.append(outcome)
        refused = [one for one in self._last if one.state == "refused"]
        ours = sum(not one.dead for one in refused)
        if ours >= _LEAST and ours > _OURS * len(self._last):
            return (
                f"the relay refused {ours} of the last {len(self._last)} messages for a reason"
                f" that lies with us: {outcome.reply}"
            )
        if len(refused) >= _LEAST and len(refused) > _DEAD * len(self._last):
            return f"the relay calls {len(refused)} of the last {len(self._last)} addresses dead"
        return ""
