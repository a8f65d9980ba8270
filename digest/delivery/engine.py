"""Claim, hand over, settle: nothing lost, and at most one message in doubt a connection.

Rows are claimed in batches, on the disk before anything of theirs leaves. One commit, a step, then
settles what was answered and marks what goes onto the wire next; its content leaves after that.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from digest.delivery.backoff import settled
from digest.delivery.breaker import Breaker
from digest.delivery.keeping import DOUBTED, Keeping
from digest.delivery.ledger import Ledger
from digest.delivery.making import Making
from digest.delivery.offering import WAITS, connect, put_off
from digest.delivery.progress import Count
from digest.delivery.terms import Terms
from digest.delivery.watch import Watch
from digest.errors import (
    ConfigError,
    DigestError,
    FilesError,
    StoreError,
    TransportBusyError,
    TransportError,
)
from digest.model import Delivery, Outcome, Send, Settled, Tally, clean_line
from digest.transport import Answered, Carrier, Event, Failed, Ready, Returned

__all__ = ["LIMITED", "Halted", "deliver"]

LIMITED: Final = "the limits of the relay are reached"
_BATCH: Final = 200  # rows a claim; what a power cut can put in doubt
_LOSSES: Final = 3  # so often a connection may be lost at one message; then it is put off
_BREATH: Final = 0.5  # seconds that somebody who asks to stop may have to wait
_NAP: Final = timedelta(seconds=20)  # for longer waits no connection is kept
_RENEW: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Halted:
    """Why a run ended while rows were due; `error` is there where transport or ledger failed.

    `until` is when a limit lets the next message go, where that is all that stands in the way.
    """

    reason: str
    error: DigestError | None = None
    until: datetime | None = None


def deliver(
    ledger: Ledger,
    send: Send,
    *,
    carrier: Carrier,
    making: Making,
    watch: Watch,
    terms: Terms,
) -> Halted | None:
    """Hand over every message that is due; give the reason where it had to end before.

    The carrier is open, and still open or closed when this ends. Only the holder of the lease may
    do this.
    """
    keeping = Keeping(ledger, send, watch=watch, terms=terms)
    keeping.recover(doubted=send.paused == DOUBTED)
    run = _Run(
        keeping, send, carrier=carrier, watch=watch, terms=terms, tally=ledger.tally(send.issue)
    )
    halted = run.do(making)
    return _looked_over(keeping, ledger.tally(send.issue), halted, doubtful=run.doubtful)


def _looked_over(
    keeping: Keeping, tally: Tally, halted: Halted | None, *, doubtful: bool
) -> Halted | None:
    """Take back refusals that were no word on readers: a relay refused all, or most.

    A dead mailbox among many is believed; that nobody at all can have an issue is not.
    """
    some = tally.accepted or tally.pending or tally.unknown
    if not doubtful and (some or not tally.refused):
        return halted
    keeping.take_back()
    return halted or Halted(reason="nobody took it")


class _Run:
    """One run over the rows of a send.

    A row goes through `queue` (claimed), `hand` (its envelope may be out) and `wire` (its content
    may be); what is to be written of it waits in `done` for the next step, and `ready` are rows
    whose content the relay waits for.
    """

    def __init__(
        self,
        keeping: Keeping,
        send: Send,
        *,
        carrier: Carrier,
        watch: Watch,
        terms: Terms,
        tally: Tally,
    ) -> None:
        self._keeping, self._send, self._carrier = keeping, send, carrier
        self._watch, self._terms = watch, terms
        self._breaker = Breaker(taken=tally.accepted > 0)
        self._count = Count(tally, tell=watch.progress, clock=watch.clock)
        self._queue: deque[Delivery] = deque()
        self._hand: dict[int, Delivery] = {}
        self._wire: dict[int, Delivery] = {}
        self._done: list[Settled] = []
        self._ready: list[int] = []
        self._losses = Counter[int]()  # how often the connection was lost, by position
        self._trouble: TransportBusyError | None = None  # why the last connection is gone
        self._blamed = False  # one message is at fault for what was lost in this round
        self._tries = 0  # connections lost since the last answer
        self._halted: Halted | None = None
        self._fatal: DigestError | None = None  # raised once what is on the wire was answered
        self._dry = False  # nothing is due that is not in hand
        self._until: datetime | None = None  # when a limit lets the next claim have rows
        self._renewed = watch.clock()
        self._wide = False  # a message was taken: the relay may have all connections

    @property
    def doubtful(self) -> bool:
        """Tell whether the run ended since a relay refused all, or most."""
        return self._breaker.doubtful

    def do(self, making: Making) -> Halted | None:
        """Go on until nothing is due, or nothing may go on.

        What is on the wire has its answer by then, or stays in doubt.
        """
        self._making = making
        try:
            while self._turn():
                pass
            self._let_go()
        finally:
            self._count.tell()
        if self._fatal is not None:
            raise self._fatal
        return self._halted

    def _turn(self) -> bool:
        """Do one round: step, hand over, listen. Tell whether another is to follow."""
        self._look_up()
        self._fill()
        asked = self._asked()
        if self._done or self._ready or asked:
            self._step(asked)
        if self._halted is not None and not self._wire:
            return False
        # The envelope of a message that has its answer may still hold up the next.
        is_held_up = bool(self._queue) and self._carrier.is_open and not self._carrier.free()
        if self._hand or self._wire or is_held_up:
            self._blamed = False
            for event in self._carrier.wait(self._pause()):
                self._take(event)
        elif not (self._queue or self._done):
            return self._rest()
        if not self._carrier.is_open:
            self._reconnect()
        return True

    # What is asked of the world between two steps.

    def _look_up(self) -> None:
        """Ask whether to stop, and keep the lease."""
        if self._halted is None and self._watch.stopped():
            self._halted = Halted(reason="stopped")
        now = self._watch.clock()
        if now - self._renewed >= _RENEW or now < self._renewed:
            self._renewed = now
            try:
                self._terms.renew()
            except StoreError:
                pass  # busy for a moment: the lease holds for many minutes
            except DigestError as error:
                self._fail(error)

    def _fail(self, error: DigestError) -> None:
        """Let nothing more go, hear the answers to what has gone, and end with an error."""
        self._fatal = self._fatal or error
        self._halted = self._halted or Halted(reason=error.brief)

    def _pause(self) -> float:
        """Give for how many seconds to listen."""
        if self._until is None:
            return _BREATH
        left = (self._until - self._watch.clock()).total_seconds()
        return min(_BREATH, max(0.0, left))

    def _rest(self) -> bool:
        """Wait for what a limit lets go; tell whether there is more to do."""
        if self._dry or self._until is None:
            return not self._dry
        wait = self._until - self._watch.clock()
        if wait > self._terms.patience:
            self._halted = Halted(reason=LIMITED, until=self._until)
            return False
        if wait > _NAP:
            self._carrier.close()
        # Not for longer than the lease may go without a sign.
        self._watch.pause(max(0.0, min(wait, _RENEW).total_seconds()))
        if self._watch.stopped():
            self._halted = Halted(reason="stopped")
        elif not self._carrier.is_open:
            self._connect()
        return self._halted is None

    # Rows in.

    def _fill(self) -> None:
        """Claim the next rows where few are left."""
        if self._halted is not None or self._dry or len(self._queue) > self._few():
            return
        if self._until is not None and self._watch.clock() < self._until:
            return
        held = {*self._hand, *self._wire, *(row.position for row in self._queue)}
        # Under a limit no row waits in hand for longer than it must: it counts from its claim.
        room = self._carrier.free() if self._terms.limits else _BATCH
        if (limit := min(room, _BATCH - len(held))) <= 0:
            return
        claim = self._keeping.claim(limit, held)
        self._queue += claim.rows
        self._until = claim.wait_until
        # What waits to be given back by the next step is due again after it.
        self._dry = not (claim.rows or claim.wait_until or self._done)
        self._making.begin(claim.rows)

    def _few(self) -> int:
        """Give how many rows are so few that more are claimed."""
        room = self._carrier.free()
        return room if self._terms.limits else max(room, self._making.lead)

    def _asked(self) -> list[Delivery]:
        """Give the rows that may be offered next, once their readers were asked for."""
        if self._halted is not None:
            return []
        room = self._carrier.free() + len(self._ready)
        return [self._queue[place] for place in range(min(room, len(self._queue)))]

    def _step(self, asked: list[Delivery]) -> None:
        """Write down what was answered, and let go what may."""
        done, ready = self._done, self._ready
        if self._halted is not None:
            ready = []
        stepped = self._keeping.step(done, mark=ready, ask=[row.position for row in asked])
        self._done, self._ready = [], []
        for position in ready:
            if position in stepped.wire:
                self._wire[position] = self._hand.pop(position)
                self._carrier.pour(position)
            else:
                self._gone(self._hand.pop(position))
                self._carrier.drop(position)
        self._offer(len(asked), gone=stepped.gone)
        if self._wide and len(self._queue) > len(self._hand) + self._carrier.free():
            self._carrier.widen()

    def _offer(self, count: int, *, gone: frozenset[int]) -> None:
        """Offer the first rows of the queue while there is room, and pass over who left."""
        for _ in range(count):
            row = self._queue[0]
            if row.position in gone:
                self._gone(self._queue.popleft())
                continue
            if not self._carrier.free():
                return
            self._queue.popleft()
            self._hand[row.position] = row
            try:
                message = self._making.message(row)
                self._carrier.offer(row.position, message)
            except (FilesError, StoreError, ConfigError) as error:
                # It would be the same for all others.
                self._fail(error)
                return
            except (ValueError, DigestError) as error:
                # One that cannot be written stops no other.
                told = Outcome(state="unsupported", text=clean_line(str(error)))
                self._answer(row.position, told, ours=True)

    def _gone(self, row: Delivery) -> None:
        self._making.forget(row)
        self._count.gone()

    # Answers.

    def _take(self, event: Event) -> None:
        """Take what the carrier tells."""
        match event:
            case Ready(position=position):
                self._ready.append(position)
            case Answered(position=position, outcome=outcome):
                self._answer(position, outcome)
            case Returned(position=position, error=error, of_sender=of_sender):
                self._return(position, error, of_sender=of_sender)
            case Failed(error=error):
                self._halted = self._halted or _halted(error)

    def _answer(self, position: int, outcome: Outcome, *, ours: bool = False) -> None:
        row = self._out(position)
        self._tries = 0
        self._losses.pop(position, None)
        self._wide = self._wide or outcome.state == "accepted"
        reason = self._breaker.trips(outcome, ours=ours)
        if reason and self._halted is None:
            if self._breaker.doubtful:
                self._keeping.doubt()
            self._halted = Halted(reason=reason)
        self._settle(settled(row, outcome, send=self._send, now=self._watch.clock()))

    def _return(self, position: int, error: TransportBusyError, *, of_sender: bool) -> None:
        """Put a row back of which nothing was taken; where that happens again, put it off.

        A word on the sender is none on the message.
        """
        is_at_fault = not of_sender and (position in self._wire or not self._blamed)
        row = self._out(position)
        self._trouble, self._blamed = error, True
        self._losses[position] += is_at_fault
        now = self._watch.clock()
        if self._losses[position] < _LOSSES:
            self._settle(Settled(position=position, outcome=put_off(error), at=now))
            self._free_up()
        else:
            del self._losses[position]
            self._settle(settled(row, put_off(error), send=self._send, now=now))

    def _free_up(self) -> None:
        """Note that rows are due again, whatever was said of the others."""
        self._dry, self._until = False, None

    def _out(self, position: int) -> Delivery:
        row = self._wire.pop(position, None) or self._hand.pop(position)
        if position in self._ready:
            self._ready.remove(position)
        self._making.forget(row)
        return row

    def _settle(self, done: Settled) -> None:
        self._done.append(done)
        self._count.settled(done)

    # Connections.

    def _reconnect(self) -> None:
        """Write down what is known, then open a connection again, after a wait where one was lost.

        Where connections are lost again and again without any answer, the run ends.
        """
        trouble, self._trouble = self._trouble, None
        self._let_go()
        if trouble is not None and self._halted is None:
            self._tries += 1
            if self._tries > len(WAITS) or self._watch.stopped():
                self._halted = _halted(trouble)
            else:
                self._watch.pause(WAITS[self._tries - 1])
        if self._halted is None and self._watch.stopped():
            self._halted = Halted(reason="stopped")
        if self._halted is None:
            self._connect()

    def _connect(self) -> None:
        try:
            connect(self._carrier, self._watch)
        except TransportError as error:
            self._halted = self._halted or _halted(error)

    def _let_go(self) -> None:
        """Settle what was answered, and put back what was claimed; what is on the wire stays."""
        for position in self._hand:
            self._carrier.drop(position)
        back = [row.position for row in (*self._queue, *self._hand.values())]
        self._queue.clear()
        self._hand.clear()
        self._ready = []
        self._making.forget_all()
        if done := self._done:
            self._keeping.step(done)
            self._done = []
        if back:
            self._keeping.give_back(back)
            self._free_up()


def _halted(error: TransportError) -> Halted:
    return Halted(reason=error.brief, error=error)
