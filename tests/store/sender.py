"""A sender as the tests of the ledger need one: it has the lease, and says what came of rows."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from digest.model import (
    Claim,
    Consent,
    Delivery,
    Holder,
    IssueKey,
    Limits,
    Outcome,
    Reader,
    Send,
    Settled,
    Stepped,
)
from digest.store import open_store
from digest.store.ledger import Store

__all__ = ["GONE", "KEY", "NOW", "TAKEN", "Sender", "address_of", "domain_of", "fill", "holder"]

KEY = IssueKey("2026-w49")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
TAKEN = Outcome(state="accepted", code=250, enhanced="2.0.0", text="taken as 7F")
GONE = Outcome(state="refused", code=550, enhanced="5.1.1", text="no such person")


def holder(host: str = "quay", boot: str = "b1", pid: int = 7) -> Holder:
    """Give a process that sends."""
    return Holder(host=host, boot=boot, pid=pid, started="12345")


class Sender:
    """A process that sends one issue; a new one follows the one before, whatever it was at."""

    def __init__(
        self, store: Store, *, now: datetime = NOW, issue: IssueKey = KEY, who: Holder | None = None
    ) -> None:
        self.ledger, self.issue, self.now = store.deliveries, issue, now
        self.fence = store.leases.acquire(
            who or holder(), now=now, seconds=60, alive=lambda _: False
        )

    def recover(self, *, retry_unknown: bool = False) -> None:
        """Clear up after the sender before."""
        self.ledger.recover(self.issue, fence=self.fence, retry_unknown=retry_unknown, now=self.now)

    def claim(self, limit: int = 200, limits: Limits | None = None) -> Claim:
        """Take the next rows."""
        return self.ledger.claim(
            self.issue, limit=limit, limits=limits or Limits(), fence=self.fence, now=self.now
        )

    def claimed(self, limit: int = 200, limits: Limits | None = None) -> list[int]:
        """Take the next rows and give their positions."""
        return [row.position for row in self.claim(limit, limits).rows]

    def step(self, *done: Settled, mark: Iterable[int] = (), ask: Iterable[int] = ()) -> Stepped:
        """Settle these, mark those, ask for others."""
        return self.ledger.step(
            self.issue, done=done, mark=(*mark,), ask=(*ask,), fence=self.fence, now=self.now
        )

    def answer(
        self, position: int, outcome: Outcome = TAKEN, *, due: datetime | None = None
    ) -> Settled:
        """Say what became of a row."""
        return Settled(position=position, outcome=outcome, at=self.now, due=due)

    def hand_over(self, *outcomes: Outcome) -> list[int]:
        """Claim, mark and settle one row after the other, and give their positions."""
        found = []
        for outcome in outcomes:
            (position,) = self.claimed(1)
            self.step(mark=[position])
            self.step(self.answer(position, outcome))
            found.append(position)
        return found

    def give_back(self, *positions: int) -> None:
        """Put rows back."""
        self.ledger.give_back(self.issue, positions, fence=self.fence, now=self.now)

    def rows(self) -> dict[int, Delivery]:
        """Give all rows by their positions."""
        return {row.position: row for row in self.ledger.listed(self.issue)}

    def states(self) -> list[str]:
        """Give the states of all rows in the order of their positions."""
        return [row.state for row in self.ledger.listed(self.issue)]


def domain_of(position: int) -> str:
    """Give the domain of the reader at this position."""
    return "odd.example" if position % 2 else "even.example"


def address_of(position: int) -> str:
    """Give the address at this position; they sort as their positions do."""
    return f"r{position:05d}@{domain_of(position)}"


def fill(url: str, audience: int) -> Store:
    """Open a new database in which a send to so many readers begins."""
    readers = [Reader(address=address_of(p), since=NOW) for p in range(1, audience + 1)]
    store = open_store(url, create=True)
    store.readers.add(readers, consent=Consent(source="the fair", at=NOW))
    store.deliveries.enroll(
        Send(issue=KEY, edition="e", began=NOW, via="smtp", by="hand", key_id="k")
    )
    return store
