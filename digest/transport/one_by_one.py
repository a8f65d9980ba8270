"""A carrier of one message at a time, from any transport."""

from __future__ import annotations

import time
from collections.abc import Callable

from digest.errors import DigestError, TransportBusyError, TransportError
from digest.model import Message
from digest.transport.events import Answered, Event, Failed, Ready, Returned
from digest.transport.protocol import Transport

__all__ = ["OneByOne"]


class OneByOne:
    """Makes a carrier of a transport that hands over message by message.

    While one is poured the next may be offered; it is Ready when the other is Answered. `sleep`
    passes the time where there is nothing to do.
    """

    def __init__(
        self, transport: Transport, *, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self.name = transport.name
        self.is_open = False
        self._transport = transport
        self._sleep = sleep
        self._offered: tuple[int, Message] | None = None
        self._poured: tuple[int, Message] | None = None
        self._is_told = False  # that the offered one is ready

    def open(self) -> None:
        """Open the transport. Raise TransportError or TransportBusyError."""
        self._transport.open()
        self.is_open = True

    def widen(self) -> None:
        """Do nothing: there is one."""

    def free(self) -> int:
        """Tell how many more may be offered: one, or none."""
        return int(self.is_open and self._offered is None)

    def offer(self, position: int, message: Message) -> None:
        """Keep a message until it is poured."""
        if not self.free():
            raise ValueError("no more may be offered now")
        self._offered, self._is_told = (position, message), False

    def pour(self, position: int) -> None:
        """Hand the offered message over with the next `wait`."""
        if self._poured is not None or self._offered is None or self._offered[0] != position:
            raise ValueError(f"message {position} is not ready")
        self._poured, self._offered = self._offered, None

    def drop(self, position: int) -> None:
        """Forget a message that was not poured."""
        if self._offered is not None and self._offered[0] == position:
            self._offered = None

    def wait(self, seconds: float) -> list[Event]:
        """Hand over what was poured, and tell what became of it and what is ready."""
        events: list[Event] = []
        if self._poured is not None:
            (position, message), self._poured = self._poured, None
            events += self._handed_over(position, message)
        if self._offered is not None and not self._is_told:
            self._is_told = True
            events.append(Ready(position=self._offered[0]))
        if not events:
            self._sleep(seconds)
        return events

    def close(self) -> None:
        """Close the transport."""
        self._forget()
        self._transport.close()

    def _handed_over(self, position: int, message: Message) -> list[Event]:
        try:
            outcome = self._transport.hand_over(message)
        except TransportError as error:
            return self._lost(position, error)
        except DigestError as error:
            failed = TransportError(error.brief)
            failed.problems = error.problems
            return self._lost(position, failed)
        return [Answered(position=position, outcome=outcome)]

    def _lost(self, position: int, error: TransportError) -> list[Event]:
        in_hand = [position] + ([self._offered[0]] if self._offered else [])
        self.close()
        busy = error
        if not isinstance(busy, TransportBusyError):
            busy = TransportBusyError()
            busy.problems = error.problems
        events: list[Event] = [Returned(position=each, error=busy) for each in in_hand]
        return events if busy is error else [*events, Failed(error=error)]

    def _forget(self) -> None:
        self.is_open, self._offered, self._poured = False, None, None
