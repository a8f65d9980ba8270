"""One transaction at a time on an open database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from sqlalchemy import Connection, Engine

from digest.store.raw import Raw

__all__ = ["Database", "Raw", "Transactions"]


class Database(Protocol):
    """What the kinds of database do each in its own way.

    `shown` is its name in complaints. Transactions of `writer` hold the one lock of all writers
    from their beginning. `steps_are_synced` tells whether a step outlives a power cut once it is
    committed.
    """

    shown: str
    reader: Engine
    writer: Engine
    steps_are_synced: bool

    def explained(self) -> AbstractContextManager[None]:
        """Turn what the database or the system raises into a StoreError."""

    def raw(self, connection: Connection) -> Raw:
        """Give the driver's own connection of a transaction that was begun."""

    def stepping(self) -> AbstractContextManager[Raw]:
        """Begin a writer's transaction that may be committed without a sync."""

    def sending(self) -> AbstractContextManager[None]:
        """Get ready for a great many steps."""

    def settle(self) -> None:
        """Bring the database back to the state between sendings, where nobody else has it open."""

    def close(self) -> None:
        """Close all connections."""


class Transactions:
    """Begin transactions that end with their `with` block: whole, or undone where it raises.

    `shown` is the name of the database in complaints; what the database raises is a StoreError.
    `steps_are_synced` tells whether a step is on disk once it is committed. One transaction is
    open at a time.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.shown = database.shown
        self.steps_are_synced = database.steps_are_synced

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state from beginning to end."""
        with self._database.explained(), self._database.reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection that holds the writer's lock; at the end it is committed and synced."""
        with self._database.explained(), self._database.writer.begin() as connection:
            yield connection

    @contextmanager
    def claiming(self) -> Iterator[tuple[Connection, Raw]]:
        """Give what `writing` does, and beside it the driver's own connection."""
        with self.writing() as connection:
            yield connection, self._database.raw(connection)

    @contextmanager
    def stepping(self) -> Iterator[Raw]:
        """Give the driver's own connection, with the writer's lock; at the end it is committed.

        Where steps are not synced a power cut may undo it; it does outlive the death of the
        process, and the next transaction of `writing` syncs it too.
        """
        with self._database.explained(), self._database.stepping() as raw:
            yield raw
