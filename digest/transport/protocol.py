"""What those who send need of the other side, whatever it is."""

from __future__ import annotations

from typing import Protocol

from digest.model import Message, Outcome
from digest.transport.events import Event

__all__ = ["Carrier", "Transport"]


class Transport(Protocol):
    """Takes messages one by one.

    After a TransportError nothing of the message in hand was taken, and it has to be opened
    anew. TransportBusyError tells that a later try may go better.
    """

    @property
    def name(self) -> str:
        """Give what people see: `outbox`, or the relay's `host:port`."""

    def open(self) -> None:
        """Make it ready to take messages; nothing happens where it is. Raise TransportError."""

    def hand_over(self, message: Message) -> Outcome:
        """Hand one message to its one recipient and say what became of it.

        Raise TransportError where the trouble is not this message's.
        """

    def close(self) -> None:
        """End it politely where it is open; never raise."""


class Carrier(Protocol):
    """Carries several messages at once, each known by its position.

    A message is offered, which lets its envelope go. After its Ready it is poured, which lets its
    content go; then it is Answered. One may be Answered or Returned without a Ready, and Returned
    after it. Nothing goes out and nothing is noticed but in `wait`.
    """

    @property
    def name(self) -> str:
        """Give what people see: `outbox`, or the relay's `host:port`."""

    @property
    def is_open(self) -> bool:
        """Tell whether some connection is open."""

    def open(self) -> None:
        """Wait until a connection is open. Raise TransportError or TransportBusyError."""

    def widen(self) -> None:
        """Have the other connections opened meanwhile, where it is not too soon after a refusal."""

    def free(self) -> int:
        """Tell how many more messages may be offered now; a message that is poured may free one."""

    def offer(self, position: int, message: Message) -> None:
        """Let a message's envelope go, where one is free.

        Raise ValueError for content that would not arrive as it is (a CR or LF alone).
        """

    def pour(self, position: int) -> None:
        """Let a message's content go, after its Ready."""

    def drop(self, position: int) -> None:
        """Let no content of a message go; nothing more is told of it.

        Too late for one that was poured: it is still answered. One not in hand is passed over.
        """

    def wait(self, seconds: float) -> list[Event]:
        """Send, and wait so long for something to come; give it in order.

        It may be nothing before the time is over, where more may be offered than before.
        """

    def close(self) -> None:
        """End it politely in at most 5 seconds; never raise, tell nothing of what was in hand."""
