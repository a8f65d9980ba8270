"""The readers, and the log of where their consent came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from digest.model import Consent, Reader, ReaderState, reader_key
from digest.model.summary import refuse_naive
from digest.store.schema import consents, readers
from digest.store.transactions import Transactions

__all__ = ["Readers"]

# How many keys one statement asks for; databases bound the number of values.
_KEYS: Final = 500


class Readers:
    """The list of readers. None is ever deleted, so that no import brings back who left."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def all(self, *, states: tuple[ReaderState, ...] = ()) -> tuple[Reader, ...]:
        """Give the readers in these states, or in any, sorted by address."""
        wanted = select(readers)
        if states:
            wanted = wanted.where(readers.c.state.in_(states))
        with self._transactions.reading() as connection:
            found = [_reader(row) for row in connection.execute(wanted).mappings()]
        # Sorted here, since databases differ in how they order letters.
        return tuple(sorted(found, key=lambda reader: reader.address))

    def get(self, address: str) -> Reader | None:
        """Give the reader with this address, in whatever letter case."""
        with self._transactions.reading() as connection:
            return _known(connection, [reader_key(address)]).get(reader_key(address))

    def count(self, *states: ReaderState) -> int:
        """Count the readers in these states, or in any."""
        wanted = select(func.count()).select_from(readers)
        if states:
            wanted = wanted.where(readers.c.state.in_(states))
        with self._transactions.reading() as connection:
            return connection.execute(wanted).scalar_one()

    def ever(self) -> bool:
        """Tell whether there was ever a reader, in whatever state now."""
        with self._transactions.reading() as connection:
            return connection.execute(select(readers.c.key).limit(1)).first() is not None

    def add(self, added: Sequence[Reader], *, consent: Consent | None) -> tuple[Reader, ...]:
        """Add the readers who are not there yet, all of them or none; the active with the consent.

        Give those who were there already as they stand, in the order given; they stay as they
        are. Of two with one address the first is added. Raise ValueError for an active reader
        without a consent.
        """
        if consent is None and any(reader.state == "active" for reader in added):
            raise ValueError("an active reader needs a consent")
        known: list[Reader] = []
        new: dict[str, Reader] = {}
        with self._transactions.writing() as connection:
            there = _known(connection, [reader.key for reader in added])
            for reader in added:
                if (twin := there.get(reader.key) or new.get(reader.key)) is not None:
                    known.append(twin)
                else:
                    new[reader.key] = reader
            _insert(connection, new.values())
            if consent is not None:
                agreed = [key for key, reader in new.items() if reader.state == "active"]
                _agree(connection, agreed, consent)
        return tuple(known)

    def change(
        self,
        address: str,
        *,
        state: ReaderState,
        reason: str,
        at: datetime,
        name: str | None = None,
        consent: Consent | None = None,
    ) -> bool:
        """Put a reader into a state; without `name` the name stays.

        Give False, with nothing written, where the address is unknown or state, reason and name
        are so already. `at` becomes the reader's `since` only where the state is another one.
        Raise ValueError where somebody would become active without a consent.
        """
        refuse_naive(at)
        with self._transactions.writing() as connection:
            key = reader_key(address)
            before = _known(connection, [key]).get(key)
            if before is None:
                return False
            name = before.name if name is None else name
            if (state, reason, name) == (before.state, before.reason, before.name):
                return False
            turned = state != before.state
            if turned and state == "active" and consent is None:
                raise ValueError("who becomes active needs a consent")
            since = at if turned else before.since
            values = {"state": state, "reason": reason, "name": name, "since": since}
            connection.execute(update(readers).where(readers.c.key == key).values(values))
            if consent is not None:
                _agree(connection, [key], consent)
            return True


def _reader(row: RowMapping) -> Reader:
    return Reader(
        address=row["address"],
        name=row["name"],
        state=row["state"],
        reason=row["reason"],
        since=row["since"],
    )


def _known(connection: Connection, keys: Sequence[str]) -> dict[str, Reader]:
    found: dict[str, Reader] = {}
    for start in range(0, len(keys), _KEYS):
        some = readers.c.key.in_(keys[start : start + _KEYS])
        for row in connection.execute(select(readers).where(some)).mappings():
            found[row["key"]] = _reader(row)
    return found


def _insert(connection: Connection, added: Iterable[Reader]) -> None:
    rows = [
        {
            "key": reader.key,
            "address": reader.address,
            "name": reader.name,
            "state": reader.state,
            "reason": reader.reason,
            "since": reader.since,
        }
        for reader in added
    ]
    if rows:
        connection.execute(insert(readers), rows)


def _agree(connection: Connection, keys: Iterable[str], consent: Consent) -> None:
    rows = [{"reader": key, "source": consent.source, "at": consent.at} for key in keys]
    if rows:
        connection.execute(insert(consents), rows)
