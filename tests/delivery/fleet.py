"""A carrier of several connections, which answers one event at a time in an order that is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from digest.errors import TransportBusyError, TransportError
from digest.model import Message, Outcome
from digest.transport import Answered, Event, Failed, Ready, Returned

__all__ = ["Fleet", "Line"]

_TAKEN = Outcome(state="accepted", code=250, enhanced="2.0.0", text="taken")


@dataclass(slots=True)
class Line:
    """One connection: the message on the wire, and the one whose envelope is out."""

    wire: int = 0
    envelope: int = 0
    is_held_up: bool = False  # the envelope was refused, and the rest of the replies is to come


@dataclass
class Fleet:
    """Holds up to `size` connections; `choose` picks which of the busy ones has news next.

    `log` tells what was let go, in order: `offer 3`, `pour 3`, `drop 3`. A position in `lost` is
    one at whose content the connection is lost, so many times.
    """

    size: int = 3
    name: str = "fleet"
    choose: Callable[[int], int] = lambda _: 0
    outcome: Callable[[Message], Outcome] = lambda _: _TAKEN
    lost: dict[int, int] = field(default_factory=dict)
    failure: dict[int, TransportError] = field(default_factory=dict)
    refused: dict[int, Outcome] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    taken: list[Message] = field(default_factory=list)
    before: Callable[[str], None] = lambda _: None
    messages: dict[int, Message] = field(default_factory=dict)
    opened: int = 0
    closed: int = 0

    @property
    def is_open(self) -> bool:
        """Tell whether there is a connection."""
        return bool(self.lines)

    @property
    def wires(self) -> list[int]:
        """Name what is on the wire."""
        return [line.wire for line in self.lines if line.wire]

    def open(self) -> None:
        """Open one."""
        if not self.lines:
            self.opened += 1
            self.lines.append(Line())

    def widen(self) -> None:
        """Open the others."""
        self.lines += [Line() for _ in range(self.size - len(self.lines))]

    def free(self) -> int:
        """Count those that can take an envelope."""
        return sum(not (line.envelope or line.is_held_up) for line in self.lines)

    def offer(self, position: int, message: Message) -> None:
        """Take an envelope."""
        self._say(f"offer {position}")
        line = next(line for line in self.lines if not (line.envelope or line.is_held_up))
        line.envelope = position
        self.messages[position] = message

    def pour(self, position: int) -> None:
        """Take content."""
        self._say(f"pour {position}")
        line = next(line for line in self.lines if line.envelope == position)
        assert not line.wire
        line.envelope, line.wire = 0, position

    def drop(self, position: int) -> None:
        """Lose the connection of a message that must not go, where one has its envelope."""
        self._say(f"drop {position}")
        self.lines = [line for line in self.lines if line.envelope != position]

    def wait(self, seconds: float) -> list[Event]:
        """Answer what one of the connections has to do."""
        del seconds
        busy = [line for line in self.lines if line.wire or line.envelope]
        if not busy:
            for line in self.lines:
                line.is_held_up = False
            return []
        line = busy[self.choose(len(busy)) % len(busy)]
        return self._content(line) if line.wire else [self._envelope(line)]

    def _envelope(self, line: Line) -> Event:
        """Ask for the content, or refuse it."""
        position = line.envelope
        if position not in self.refused:
            return Ready(position=position)
        line.envelope, line.is_held_up = 0, True
        return Answered(position=position, outcome=self.refused[position])

    def _content(self, line: Line) -> list[Event]:
        """Answer a message, and the envelope after it; or lose the connection."""
        position = line.wire
        if position in self.failure:
            return self._break(line, Failed(error=self.failure.pop(position)))
        if self.lost.get(position):
            self.lost[position] -= 1
            return self._break(line)
        line.wire = 0
        outcome = self.outcome(self.messages[position])
        if outcome.state == "accepted":
            self.taken.append(self.messages[position])
        answered = Answered(position=position, outcome=outcome)
        return [answered, self._envelope(line)] if line.envelope else [answered]

    def close(self) -> None:
        """Close all."""
        self.closed += 1
        self.lines.clear()

    def _break(self, line: Line, *more: Event) -> list[Event]:
        self.lines.remove(line)
        error = TransportBusyError("lost")
        places = [place for place in (line.wire, line.envelope) if place]
        return [*(Returned(position=place, error=error) for place in places), *more]

    def _say(self, words: str) -> None:
        self.log.append(words)
        self.before(words)
