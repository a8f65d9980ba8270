"""What the schedule made of its slots, when it first looked, and trouble with the transport."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from digest.model import IssueKey
from digest.model.slots import SlotNote
from digest.model.summary import refuse_naive
from digest.store.schema import moments, slots
from digest.store.transactions import Transactions

__all__ = ["Slots"]

_FIRST_TICK: Final = "first_tick"
_SINCE, _LAST = "trouble_since", "trouble_last"


class Slots:
    """The notes of the schedule, one for each slot that it dealt with."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def first_tick(self, now: datetime) -> datetime:
        """Give the minute of the first tick ever; where there was none, it is that of `now`.

        One that lies ahead came of a clock that was wrong, and gives way.
        """
        refuse_naive(now)
        with self._transactions.writing() as connection:
            known = _moment(connection, _FIRST_TICK)
            if known is not None and known <= now:
                return known
            minute = now.astimezone(UTC).replace(second=0, microsecond=0)
            _write(connection, _FIRST_TICK, minute)
            return minute

    def known_first_tick(self) -> datetime | None:
        """Give the minute of the first tick ever, or None; nothing is written."""
        with self._transactions.reading() as connection:
            return _moment(connection, _FIRST_TICK)

    def trouble(self) -> tuple[datetime, datetime] | None:
        """Give since when the transport could not be used, and when it was tried last."""
        with self._transactions.reading() as connection:
            since, last = _moment(connection, _SINCE), _moment(connection, _LAST)
        return (since, last) if since is not None and last is not None else None

    def note_trouble(self, now: datetime) -> None:
        """Write down that the transport could not be used at this moment."""
        refuse_naive(now)
        with self._transactions.writing() as connection:
            since = _moment(connection, _SINCE)
            if since is None or since > now:  # a clock that was ahead wrote it
                _write(connection, _SINCE, now)
            _write(connection, _LAST, now)

    def end_trouble(self) -> None:
        """Write down that the transport can be used again."""
        with self._transactions.writing() as connection:
            connection.execute(delete(moments).where(moments.c.name.in_((_SINCE, _LAST))))

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


def _moment(connection: Connection, name: str) -> datetime | None:
    return connection.execute(select(moments.c.at).where(moments.c.name == name)).scalar()


def _write(connection: Connection, name: str, at: datetime) -> None:
    connection.execute(delete(moments).where(moments.c.name == name))
    connection.execute(insert(moments).values(name=name, at=at))
