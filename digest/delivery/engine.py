"""Mark, hand over, settle: one commit between two messages.

The commit that settles a message also marks the next one as on the wire, before its first octet
leaves. A process that dies leaves at most that one row in doubt, and none is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol, TypeVar

from digest.delivery.backoff import settled
from digest.delivery.breaker import Breaker
from digest.delivery.watch import Watch
from digest.errors import DigestError, StoreError, TransportBusyError, TransportError
from digest.model import (
    Delivery,
    IssueKey,
    Message,
    Outcome,
    Send,
    Settled,
    Tally,
    clean_line,
)
from digest.transport import Transport

__all__ = ["Halted", "Ledger", "connect", "deliver", "offer"]

T = TypeVar("T")
# Seconds to wait before each new try of a relay that says 4xx or hangs up; 75 in all.
_WAITS: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 45.0)
# At one message the connection may be lost so often; then it is put off, since it may be at fault,
# and the next one is tried. After so many messages the relay is.
_TRIES: Final = _WAITS[:2]
_LOST: Final = 3
_TOLD_EVERY: Final = 20


class Ledger(Protocol):
    """The rows of the store's deliveries, as the engine uses them."""

    def recover(self, issue: IssueKey, *, retry_unknown: bool, now: datetime) -> None:
        """Call rows in doubt unknown, and let those go once more that may."""

    def step(self, issue: IssueKey, *, done: Settled | None, now: datetime) -> Delivery | None:
        """Settle one row and mark the next one that is due, in one commit."""

    def settle(self, issue: IssueKey, done: Settled) -> None:
        """Settle one row."""

    def take_back(self, issue: IssueKey) -> None:
        """Forget the refusals."""

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
    run = _Run(ledger, send, transport=transport, make=make, watch=watch)
    halted, row = None, run.step(None)
    while row is not None and halted is None:
        done, halted = run.hand_over(row)
        if halted is not None:
            run.settle(done)
        else:
            row = run.step(done)
    return _looked_over(ledger, send, halted, doubtful=run.doubtful)


def _looked_over(
    ledger: Ledger, send: Send, halted: Halted | None, *, doubtful: bool
) -> Halted | None:
    """Take back refusals that were no word on readers: a relay refused all, or most.

    A dead mailbox among many is believed; that nobody at all can have an issue is not.
    """
    tally = ledger.tally(send.issue)
    some = tally.accepted or tally.pending or tally.unknown
    if not doubtful and (some or not tally.refused):
        return halted
    ledger.take_back(send.issue)
    return halted or Halted(reason="nobody took it")


class _Run:
    """One run over the rows of a send."""

    def __init__(
        self,
        ledger: Ledger,
        send: Send,
        *,
        transport: Transport,
        make: Callable[[Delivery], Message],
        watch: Watch,
    ) -> None:
        self._ledger, self._send, self._transport = ledger, send, transport
        self._make, self._watch = make, watch
        self._breaker = Breaker(taken=ledger.tally(send.issue).accepted > 0)
        self._lost = 0  # messages, one after the other, at which the connection was lost
        self._count = 0
        # Counting looks at every row: often enough to be seen, and seldom in a long list.
        self._told_every = max(_TOLD_EVERY, send.audience // 100)

    @property
    def doubtful(self) -> bool:
        """Tell whether the run ended since a relay refused all, or most."""
        return self._breaker.doubtful

    def step(self, done: Settled | None) -> Delivery | None:
        """Settle a row, mark the next one, and tell those who look on."""
        now = self._watch.clock()
        row = self._kept(lambda: self._ledger.step(self._send.issue, done=done, now=now))
        self._count += done is not None
        if self._count and (row is None or self._count % self._told_every == 0):
            self._watch.progress(self._ledger.tally(self._send.issue))
        return row

    def settle(self, done: Settled) -> None:
        """Settle a row and mark no other."""
        self._kept(lambda: self._ledger.settle(self._send.issue, done))

    def _kept(self, write: Callable[[], T]) -> T:
        """Write an answer down, also where the database is busy for a while.

        Without it a reader who has the message would be in doubt, and get it again.
        """
        for wait in _WAITS:
            try:
                return write()
            except StoreError:
                self._watch.pause(wait)
        return write()

    def hand_over(self, row: Delivery) -> tuple[Settled, Halted | None]:
        """Hand a row's message over; say what came of it, and whether the run is to end."""
        try:
            outcome = self._outcome(row)
        except TransportError as error:
            return self._settled(row, _put_off(error), due=None), _halted(error)
        except _LostError as lost:
            self._lost += 1
            halted = _halted(lost.busy) if self._lost >= _LOST or self._watch.stopped() else None
            return self._settled(row, _put_off(lost.busy)), halted
        except DigestError:
            # Certainly not taken. Any other exception leaves the row in doubt, as it must.
            self.settle(self._settled(row, Outcome(state="pending"), due=None))
            raise
        self._lost = 0
        reason = "stopped" if self._watch.stopped() else ""
        reason = self._breaker.trips(outcome) or reason
        return self._settled(row, outcome), Halted(reason=reason) if reason else None

    def _settled(self, row: Delivery, outcome: Outcome, *, due: bool | None = True) -> Settled:
        """Say what is to be written down; without `due` the row may be tried again at once."""
        now = self._watch.clock()
        if due is None:
            return Settled(position=row.position, outcome=outcome, at=now)
        return settled(row, outcome, send=self._send, now=now)

    def _outcome(self, row: Delivery) -> Outcome:
        """Make one message and hand it over; one that cannot be written stops no other."""
        try:
            message = self._make(row)
        except (ValueError, DigestError) as error:
            return Outcome(state="unsupported", text=clean_line(str(error)))
        return _offered(self._transport, message, self._watch)


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
            outcomes.append(_put_off(lost.busy))
        except TransportError as error:
            if not outcomes:
                raise
            outcomes.append(_put_off(error))
    return outcomes


class _LostError(Exception):
    """The connection was lost at one message again and again."""

    def __init__(self, busy: TransportBusyError) -> None:
        super().__init__()
        self.busy = busy


def _put_off(error: TransportError) -> Outcome:
    return Outcome(state="pending", text=error.brief)


def _halted(error: TransportError) -> Halted:
    return Halted(reason=error.brief, error=error)


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
            if watch.stopped():
                raise
        else:
            return
    transport.open()
