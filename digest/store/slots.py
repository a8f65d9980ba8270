"""What the schedule made of its slots, and when it first looked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, insert, select, update

from digest.model import IssueKey
from digest.model.slots import SlotNote
from digest.model.summary import refuse_naive
from digest.store.schema import moments, slots
from digest.store.transactions import Transactions

__all__ = ["Slots"]

_FIRST_TICK: Final = "first_tick"


class Slots:
    """The notes of the schedule, one for each slot that it dealt with."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def first_tick(self, now: datetime) -> datetime:
        """Give the minute of the first tick ever; where there was none, it is that of `now`."""
        refuse_naive(now)
        with self._transactions.writing() as connection:
            known = _first_tick(connection)
            if known is not None:
                return known
            minute = now.astimezone(UTC).replace(second=0, microsecond=0)
            connection.execute(insert(moments).values(name=_FIRST_TICK, at=minute))
            return minute

    def known_first_tick(self) -> datetime | None:
        """Give the minute of the first tick ever, or None; nothing is written."""
        with self._transactions.reading() as connection:
            return _first_tick(connection)

    def all(self) -> dict[IssueKey, SlotNote]:
        """Give every note under the key of its issue, in the order of the keys."""
        with self._transactions.reading() as connection:
            rows = connection.execute(select(slots).order_by(slots.c.key)).mappings()
            return {row["key"]: SlotNote(**row) for row in rows}

    def note(self, note: SlotNote) -> None:
        """Write down what became of a slot, in place of an earlier note."""
        values = {
            "state": note.state,
            "at": note.at,
            "reason": note.reason,
            "told": note.told,
        }
        with self._transactions.writing() as connection:
            changed = connection.execute(
                update(slots).where(slots.c.key == note.key).values(values)
            )
            if not changed.rowcount:
                connection.execute(insert(slots).values(key=note.key, **values))


def _first_tick(connection: Connection) -> datetime | None:
    return connection.execute(select(moments.c.at).where(moments.c.name == _FIRST_TICK)).scalar()
