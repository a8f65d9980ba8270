"""A transport that answers as told, and a clock that only waiting moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from digest.delivery import Watch
from digest.model import Delivery, IssueKey, Message, Outcome, Tally

__all__ = ["KEY", "NOW", "TAKEN", "Answer", "Script", "World", "message_for"]

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)
KEY = IssueKey("2026-w49")
TAKEN = Outcome(state="accepted", code=250, enhanced="2.0.0", text="taken")

Answer = Outcome | Exception


@dataclass(slots=True)
class Script:
    """A transport: gives the next answer for a recipient, else takes the message."""

    name: str = "script"
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    opening: list[Exception] = field(default_factory=list)
    taken: list[Message] = field(default_factory=list)
    opened: int = 0
    tried: int = 0
    before: Callable[[int], None] = lambda _: None

    def open(self) -> None:
        """Open, or fail as told."""
        if self.opening:
            raise self.opening.pop(0)
        self.opened += 1

    def hand_over(self, message: Message) -> Outcome:
        """Answer as told."""
        self.tried += 1
        self.before(self.tried)
        answers = self.answers.get(message.recipient, [])
        answer = answers.pop(0) if answers else TAKEN
        if isinstance(answer, Exception):
            raise answer
        if answer.state in {"accepted", "unknown"}:
            self.taken.append(message)
        return answer

    def close(self) -> None:
        """Nothing is to be closed."""

    @property
    def recipients(self) -> list[str]:
        """Name who was handed a message, in order."""
        return [message.recipient for message in self.taken]


@dataclass(slots=True)
class World:
    """A clock, what was waited, what was told, and whether somebody wants it to stop."""

    now: datetime = NOW
    waits: list[float] = field(default_factory=list)
    endured: list[float] = field(default_factory=list)
    told: list[Tally] = field(default_factory=list)
    stop_when: Callable[[], bool] = lambda: False

    def watch(self) -> Watch:
        """Give it as the engine takes it."""
        return Watch(
            clock=lambda: self.now,
            pause=self.pause,
            progress=self.told.append,
            stopped=self.stopped,
            patient=self.endure,
        )

    def pause(self, seconds: float) -> None:
        """Let the time pass."""
        self.waits.append(seconds)
        self.now += timedelta(seconds=seconds)

    def endure(self, seconds: float) -> None:
        """Let the time pass, whoever wants it to stop."""
        self.endured.append(seconds)
        self.now += timedelta(seconds=seconds)

    def stopped(self) -> bool:
        """Tell whether somebody wants it to stop."""
        return self.stop_when()


def message_for(row: Delivery) -> Message:
    """Make the message of a row."""
    return Message(
        id=f"<{row.position}@letter.example>",
        sender="letter@letter.example",
        recipient=row.address,
        data=b"Subject: x\r\n\r\nx\r\n",
    )
