"""How the database is opened: made where missing, brought to the present revision."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select, text

from digest.errors import StoreError
from digest.store import place, sqlite
from digest.store.faults import explained
from digest.store.ledger import Store
from digest.store.schema import REVISION, metadata
from digest.store.sqlite_database import SqliteDatabase
from digest.store.transactions import Database

__all__ = ["Opening", "open_ledger"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How a database is to be opened; see `digest.store.open_store`."""

    create: bool
    read_only: bool
    shown: str
    wait: float
    password: Callable[[], str] | None

    def absent(self) -> StoreError:
        """Say that there is no database, and how to make one."""
        return StoreError(
            "there is no database yet",
            where=self.shown,
            fix="`digest publish` and `digest readers add` make one",
        )


def open_ledger(url: str, how: Opening) -> Store:
    """Do what `digest.store.open_store` promises."""
    if place.is_server(url):
        return Store(_open_server(url, how))
    path = place.database_path(url)
    with explained(how.shown):
        return Store(_open_file(url, path, how))


def _open_server(url: str, how: Opening) -> Database:
    database = place.server_database(
        url, shown=how.shown, wait=how.wait, read_only=how.read_only, password=how.password
    )
    with database.explained():
        try:
            _prepare(database, database.revision(), how)
        except BaseException:
            database.close()
            raise
    return database


def _prepare(database: Database, revision: str | None, how: Opening) -> None:
    """Bring the tables on a server to the present revision, as far as that was asked for."""
    if revision is None and (how.read_only or not how.create):
        raise how.absent()
    if revision != REVISION:
        if how.read_only:
            raise _of_another_version(revision or "", how.shown)
        _upgrade(database)
    _look_at_tables(database)


def _of_another_version(revision: str, shown: str) -> StoreError:
    """Say why a reader, who changes nothing on a server, cannot read there."""
    if revision > REVISION:
        return StoreError(
            "was written by a newer version of digest",
            where=shown,
            fix="install the newer version again; nothing was changed",
        )
    return StoreError(
        "was written by an older version of digest",
        where=shown,
        fix="`digest tick`, as any command that writes, brings it up to date; make a backup first",
    )


def _open_file(url: str, path: Path, how: Opening) -> Database:
    if not place.store_exists(url, shown=how.shown):
        if how.read_only or not how.create:
            raise how.absent()
        sqlite.make_file(path, _fill)
    if how.read_only:
        return _present_to_read(sqlite.connect_to_read(path, wait=how.wait), how)
    connection = sqlite.connect(path, wait=how.wait)
    database = SqliteDatabase(connection, shown=how.shown, wait=how.wait)
    try:
        if _revision(database) != REVISION:
            _upgrade(database)
        _look_at_tables(database)
        database.settle()
    except BaseException:
        connection.close()
        raise
    return database


def _fill(connection: sqlite3.Connection) -> None:
    _upgrade(SqliteDatabase(connection, shown=""))


def _present_to_read(connection: sqlite3.Connection, how: Opening) -> Database:
    """Give a database to read; one of an older revision is a copy in memory, brought up to date."""
    try:
        database = SqliteDatabase(connection, shown=how.shown, wait=how.wait, read_only=True)
        if _revision(database) != REVISION:
            with closing(connection):
                connection = sqlite.copy_to_memory(connection)
            database = SqliteDatabase(connection, shown=how.shown, wait=how.wait)
            _upgrade(database)
        _look_at_tables(database)
    except BaseException:
        connection.close()
        raise
    return database


def _revision(database: Database) -> object:
    with database.reader.connect() as reading:
        return reading.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _look_at_tables(database: Database) -> None:
    """Raise SQLAlchemyError where a table or a column is missing."""
    with database.reader.connect() as reading:
        for table in metadata.sorted_tables:
            reading.execute(select(table).limit(0))


def _upgrade(database: Database) -> None:
    from digest.store.migrate import upgrade  # noqa: PLC0415 - imports Alembic, 0.5 s

    with database.writer.begin() as connection:
        upgrade(connection, shown=database.shown)
