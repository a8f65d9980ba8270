"""Open a transport with patience, and hand a few messages over that no ledger knows of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from digest.delivery.watch import Watch
from digest.errors import TransportBusyError, TransportError
from digest.model import Message, Outcome
from digest.transport import Transport

__all__ = ["WAITS", "connect", "offer", "put_off"]

# Seconds to wait before each new try of a relay that says 4xx or hangs up; 75 in all.
WAITS: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 45.0)
# At one message the connection may be lost so often; then it is put off, since it may be at fault,
# and the next one is tried.
_TRIES: Final = WAITS[:2]


class _Openable(Protocol):
    def open(self) -> None: ...

    def close(self) -> None: ...


def connect(transport: _Openable, watch: Watch) -> None:
    """Open a transport; wait and try again while it says that it is busy. Raise TransportError."""
    for wait in WAITS:
        try:
            transport.open()
        except TransportBusyError:
            transport.close()
            if watch.stopped():
                raise
            watch.pause(wait)
            if watch.stopped():
                raise
        else:
            return
    transport.open()


def offer(transport: Transport, messages: Iterable[Message], watch: Watch) -> list[Outcome]:
    """Hand a few messages over that no ledger knows of; each has its outcome.

    One at which the connection is lost again and again is put off. Raise TransportError where
    there is no connection for the first.
    """
    outcomes: list[Outcome] = []
    for message in messages:
        try:
            outcomes.append(_offered(transport, message, watch))
        except _LostError as lost:
            outcomes.append(put_off(lost.busy))
        except TransportError as error:
            if not outcomes:
                raise
            outcomes.append(put_off(error))
    return outcomes


def put_off(error: TransportError) -> Outcome:
    """Say that a message was not taken, for this reason."""
    return Outcome(state="pending", text=error.brief)


def _offered(transport: Transport, message: Message, watch: Watch) -> Outcome:
    """Hand a message over, on a new connection where the old one is lost. Raise _LostError."""
    for wait in _TRIES:
        try:
            return transport.hand_over(message)
        except TransportBusyError as busy:
            transport.close()
            if watch.stopped():
                raise _LostError(busy) from busy
            watch.pause(wait)
            connect(transport, watch)
    try:
        return transport.hand_over(message)
    except TransportBusyError as busy:
        transport.close()
        raise _LostError(busy) from busy


class _LostError(Exception):
    """The connection was lost at one message again and again."""

    def __init__(self, busy: TransportBusyError) -> None:
        super().__init__()
        self.busy = busy
