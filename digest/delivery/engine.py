"""Mark, hand over, settle: one commit between two messages.

The commit that settles a message also marks the next one as on the wire, before its first octet
leaves. A process that dies leaves at most that one row in doubt, and none is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from digest.delivery.backoff import settled
from digest.delivery.breaker import Breaker
from digest.delivery.watch import Watch
from digest.errors import DigestError, TransportBusyError, TransportError
from digest.model import Delivery, IssueKey, Message, Outcome, Send, Settled, Tally
from digest.transport import Transport

__all__ = ["Halted", "Ledger", "connect", "deliver"]

# Seconds to wait before each new try of a relay that says 4xx or hangs up; 75 in all.
_WAITS: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 45.0)
_TOLD_EVERY: Final = 20


class Ledger(Protocol):
    """The rows of the store's deliveries, as the engine uses them."""

    def recover(self, issue: IssueKey, *, retry_unknown: bool, now: datetime) -> None:
        """Call rows in doubt unknown, and let those go once more that may."""

    def step(self, issue: IssueKey, *, done: Settled | None, now: datetime) -> Delivery | None:
        """Settle one row and mark the next one that is due, in one commit."""

    def settle(self, issue: IssueKey, done: Settled) -> None:
        """Settle one row."""

    def tally(self, issue: IssueKey) -> Tally:
        """Count the rows by state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Halted:
    """Why a run ended while rows were due; `error` is there where the transport failed."""

    reason: str
    error: TransportError | None = None


def deliver(
    ledger: Ledger,
    send: Send,
    *,
    transport: Transport,
    make: Callable[[Delivery], Message],
    watch: Watch,
    retry_unknown: bool,
) -> Halted | None:
    """Hand over every message that is due; give the reason where it had to end before.

    The transport is open, and still open or closed when this ends. Only one process may do this
    for one issue at a time.
    """
    ledger.recover(send.issue, retry_unknown=retry_unknown, now=watch.clock())
    breaker = Breaker()
    row = ledger.step(send.issue, done=None, now=watch.clock())
    count = 0
    while row is not None:
        try:
            outcome = _outcome(row, make, transport=transport, watch=watch)
        except DigestError as error:
            # Certainly not taken. Any other exception leaves the row in doubt, as it must.
            ledger.settle(send.issue, _released(row, error, watch.clock()))
            if isinstance(error, TransportError):
                return Halted(reason=error.problems[0].what, error=error)
            raise
        done = settled(row, outcome, send=send, now=watch.clock())
        reason = "stopped" if watch.stopped() else breaker.trips(done.outcome)
        if reason:
            ledger.settle(send.issue, done)
            return Halted(reason=reason)
        row = ledger.step(send.issue, done=done, now=watch.clock())
        count += 1
        if row is None or count % _TOLD_EVERY == 0:
            watch.progress(ledger.tally(send.issue))
    return None


def connect(transport: Transport, watch: Watch) -> None:
    """Open a transport; wait and try again while it says that it is busy. Raise TransportError."""
    for wait in _WAITS:
        try:
            transport.open()
        except TransportBusyError:
            transport.close()
            if watch.stopped():
                raise
            watch.pause(wait)
        else:
            return
    transport.open()


def _outcome(
    row: Delivery,
    make: Callable[[Delivery], Message],
    *,
    transport: Transport,
    watch: Watch,
) -> Outcome:
    """Make one message and hand it over; one that cannot be written stops no other."""
    try:
        message = make(row)
    except ValueError as error:
        return Outcome(state="unsupported", text=str(error))
    return _hand_over(transport, message, watch)


def _hand_over(transport: Transport, message: Message, watch: Watch) -> Outcome:
    """Hand one message over, on a new connection where the old one is of no use any more."""
    for wait in _WAITS:
        try:
            return transport.hand_over(message)
        except TransportBusyError:
            with suppress(TransportError):
                transport.close()
            if watch.stopped():
                raise
            watch.pause(wait)
            connect(transport, watch)
    return transport.hand_over(message)


def _released(row: Delivery, error: DigestError, now: datetime) -> Settled:
    """Give a row back that was marked and not handed over."""
    outcome = Outcome(state="pending", text=error.problems[0].what)
    return Settled(position=row.position, outcome=outcome, at=now)
