"""What the sending engine needs of the other side, whatever it is."""

from __future__ import annotations

from typing import Protocol

from digest.model import Message, Outcome

__all__ = ["Transport"]


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
