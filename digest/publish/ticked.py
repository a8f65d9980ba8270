"""What came of one step of the schedule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from digest.errors import DigestError, GuardError, Problem
from digest.model import IssueKey, Slot

__all__ = ["Event", "Ticked", "What"]

What = Literal[
    "drafted", "nothing", "held", "missed", "published", "resumed", "sent", "waiting", "warned"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that a step did about an issue, told in a sentence."""

    key: IssueKey
    what: What
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """What came of a step.

    `problems` are content files that could not be read and were left out; `next` is the slot that
    comes next. `failure` is what kept the step from doing all that was due; the next one tries
    again.
    """

    events: tuple[Event, ...]
    problems: tuple[Problem, ...]
    next: Slot
    failure: DigestError | None = None

    @property
    def code(self) -> int:
        """Give the exit code: that of the failure, else 4 held, 5 waiting, 1 problems, 0."""
        if self.failure is not None:
            return self.failure.exit_code
        done = {event.what for event in self.events}
        if "held" in done:
            return GuardError.exit_code
        return 5 if "waiting" in done else int(bool(self.problems))
