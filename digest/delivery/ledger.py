"""What the sending engine needs of the ledger."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from digest.model import Claim, IssueKey, Limits, Settled, Stepped, Tally

__all__ = ["Ledger"]


class Ledger(Protocol):
    """The rows of the store's deliveries, as the engine uses them.

    `fence` is the number under which this sender holds the lease: rows of another are left alone.
    """

    def recover(self, issue: IssueKey, *, fence: int, retry_unknown: bool, now: datetime) -> None:
        """Clear up after senders that are gone, and let rows in doubt go once more that may."""

    def claim(
        self,
        issue: IssueKey,
        *,
        limit: int,
        limits: Limits,
        fence: int,
        now: datetime,
        held: Collection[int] | None = None,
    ) -> Claim:
        """Take the next rows that are due; on disk before any content of theirs leaves.

        With `held` those that this fence has besides go back first.
        """

    def step(
        self,
        issue: IssueKey,
        *,
        done: Sequence[Settled],
        mark: Sequence[int],
        ask: Sequence[int],
        fence: int,
        now: datetime,
    ) -> Stepped:
        """Settle rows, mark others as on the wire, ask whether still others may be mailed.

        All of it is one commit. The same step again changes nothing and gives the same.
        """

    def give_back(
        self, issue: IssueKey, positions: Sequence[int], *, fence: int, now: datetime
    ) -> None:
        """Put claimed rows back of which nothing was taken."""

    def take_back(self, issue: IssueKey) -> None:
        """Forget the refusals."""

    def pause(self, issue: IssueKey, reason: str) -> bool:
        """Write down why the schedule must not go on with a send; nothing means that it may."""

    def tally(self, issue: IssueKey) -> Tally:
        """Count the rows by state."""
