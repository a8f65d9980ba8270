"""The ledger, written to with patience: a database may be busy, or gone for a while."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from digest.delivery.ledger import Ledger
from digest.delivery.offering import WAITS
from digest.delivery.terms import Terms
from digest.delivery.watch import Watch
from digest.errors import StoreError
from digest.model import Claim, Send, Settled, Stepped

__all__ = ["DOUBTED", "Keeping"]

T = TypeVar("T")
# Why the schedule must not go on with a send, until its refusals were taken back.
DOUBTED = "the relay refused all, or most: its refusals are not believed"


class Keeping:
    """The ledger of one send, as one sender writes to it.

    Each write is repeated for 75 seconds: without it a reader who has the message would be in
    doubt, and get it again. Whoever asks the run to stop does not cut that short. StoreError is
    raised after that.
    """

    def __init__(self, ledger: Ledger, send: Send, *, watch: Watch, terms: Terms) -> None:
        self._ledger, self._issue = ledger, send.issue
        self._watch, self._terms = watch, terms

    def recover(self, *, doubted: bool) -> None:
        """Clear up after senders that are gone; forget refusals that one of them doubted."""
        fence, retry = self._terms.fence, self._terms.retry_unknown
        now = self._watch.clock()
        self._kept(
            lambda: self._ledger.recover(self._issue, fence=fence, retry_unknown=retry, now=now)
        )
        if doubted:
            self.take_back()

    def claim(self, limit: int, held: Collection[int]) -> Claim:
        """Take the next rows; `held` are those that this sender has by now."""
        fence, limits, now = self._terms.fence, self._terms.limits, self._watch.clock()
        asked_before = False

        def take() -> Claim:
            nonlocal asked_before
            # What a claim took whose answer was lost nobody has in hand: it goes back first.
            known = held if asked_before else None
            asked_before = True
            return self._ledger.claim(
                self._issue, limit=limit, limits=limits, fence=fence, now=now, held=known
            )

        return self._kept(take)

    def step(
        self, done: Sequence[Settled], *, mark: Sequence[int] = (), ask: Sequence[int] = ()
    ) -> Stepped:
        """Settle, mark and ask, in one commit."""
        fence, now = self._terms.fence, self._watch.clock()
        return self._kept(
            lambda: self._ledger.step(
                self._issue, done=done, mark=mark, ask=ask, fence=fence, now=now
            )
        )

    def give_back(self, positions: Sequence[int]) -> None:
        """Put rows back of which nothing was taken."""
        fence, now = self._terms.fence, self._watch.clock()
        self._kept(lambda: self._ledger.give_back(self._issue, positions, fence=fence, now=now))

    def doubt(self) -> None:
        """Write down that refusals are no word on readers, so that a crash does not hide it."""
        self._kept(lambda: self._ledger.pause(self._issue, DOUBTED))

    def take_back(self) -> None:
        """Forget the refusals, and that they were doubted."""
        self._kept(lambda: self._ledger.take_back(self._issue))
        self._kept(lambda: self._ledger.pause(self._issue, ""))

    def _kept(self, write: Callable[[], T]) -> T:
        for wait in WAITS:
            try:
                return write()
            except StoreError:
                self._watch.endure(wait)
        return write()
