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
        self._last: deque[tuple[Outcome, bool]] = deque()
        self._refused = self._ours = self._made = self._silent = 0
        self._taken = taken
        # Whether what tripped it speaks of the relay, so that the refusals are no word on readers.
        self.doubtful = False

    def trips(self, outcome: Outcome, *, ours: bool = False) -> str:
        """Take one more answer; give the reason to stop, or nothing.

        `ours` tells that it is none of the relay: the message could not be made.
        """
        self._last.append((outcome, ours))
        self._count(outcome, ours=ours, more=1)
        if len(self._last) > _WINDOW:
            before, was_ours = self._last.popleft()
            self._count(before, ours=was_ours, more=-1)
        return self._reason(outcome)

    def _reason(self, outcome: Outcome) -> str:
        self._taken = self._taken or outcome.state == "accepted"
        refused, ours, last = self._refused, self._ours, len(self._last)
        if self._made >= _LEAST and self._made > _OURS * last:
            return f"{self._made} of the last {last} messages could not be made: {outcome.text}"
        if refused >= _FIRST and not self._taken:
            self.doubtful = True
            return f"the relay refused all of the first {refused}: {outcome.reply}"
        if refused < _LEAST:
            return self._silence(outcome)
        if refused > _MOST * last:
            self.doubtful = True
            return f"the relay refused {refused} of the last {last}: {outcome.reply}"
        if ours >= _LEAST and ours > _OURS * last:
            return (
                f"the relay refused {ours} of the last {last} messages for a reason"
                f" that lies with us: {outcome.reply}"
            )
        return ""

    def _silence(self, outcome: Outcome) -> str:
        """Say that a relay takes what it is handed and says nothing: all would be in doubt."""
        silent, last = self._silent, len(self._last)
        if silent >= _FIRST and not self._taken:
            return f"no answer came to the first {silent} messages: {outcome.text}"
        if silent >= _LEAST and silent > _MOST * last:
            return f"no answer came to {silent} of the last {last} messages: {outcome.text}"
        return ""

    def _count(self, outcome: Outcome, *, ours: bool, more: int) -> None:
        self._made += more if ours else 0
        self._silent += more if outcome.state == "unknown" else 0
        if outcome.state == "refused":
            self._refused += more
            self._ours += 0 if outcome.dead else more
