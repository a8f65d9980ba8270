"""Stop a run whose answers say that something is wrong with it, not with its readers."""

from __future__ import annotations

from collections import deque
from typing import Final

from digest.model import Outcome

__all__ = ["Breaker"]

_WINDOW: Final = 500
_LEAST: Final = 20
_OURS: Final = 0.02  # refusals that are no word on a mailbox: policy, size, content
_FIRST: Final = 3  # nobody has taken it, and so many have refused it
_MOST: Final = 0.5  # half of a list is not refused overnight: the relay errs, or we do


class Breaker:
    """Counts the last 500 answers; `taken` tells whether anybody has had the issue before."""

    def __init__(self, *, taken: bool) -> None:
        self._last: deque[Outcome] = deque(maxlen=_WINDOW)
        self._taken = taken
        # Whether what tripped it speaks of the relay, so that the refusals are no word on readers.
        self.doubtful = False

    def trips(self, outcome: Outcome) -> str:
        """Take one more answer; give the reason to stop, or nothing."""
        self._last.append(outcome)
        self._taken = self._taken or outcome.state == "accepted"
        refused = [one for one in self._last if one.state == "refused"]
        if len(refused) >= _FIRST and not self._taken:
            self.doubtful = True
            return f"the relay refused all of the first {len(refused)}: {outcome.reply}"
        if len(refused) < _LEAST:
            return ""
        if len(refused) > _MOST * len(self._last):
            self.doubtful = True
            return (
                f"the relay refused {len(refused)} of the last {len(self._last)}: {outcome.reply}"
            )
        ours = sum(not one.dead for one in refused)
        if ours >= _LEAST and ours > _OURS * len(self._last):
            return (
                f"the relay refused {ours} of the last {len(self._last)} messages for a reason"
                f" that lies with us: {outcome.reply}"
            )
        return ""
