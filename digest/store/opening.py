"""How the database is opened: made where missing, brought to the present revision."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial

from sqlalchemy import Connection, Engine, create_engine, event, select, text
from sqlalchemy.pool import StaticPool

from digest.errors import StoreError
from digest.store import sqlite
from digest.store.faults import explained
from digest.store.ledger import Store
from digest.store.place import database_path, store_exists
from digest.store.schema import REVISION, metadata
from digest.store.transactions import WRITING

__all__ = ["open_ledger"]


def open_ledger(url: str, *, create: bool, read_only: bool, shown: str, wait: float) -> Store:
    """Do what `digest.store.open_store` promises."""
    path = database_path(url)
    with explained(shown):
        if not store_exists(url, shown=shown):
            if read_only or not create:
                raise StoreError(
                    "there is no database yet",
                    where=shown,
                    fix="`digest publish` and `digest readers add` make one",
                )
            sqlite.make_file(path, partial(_fill, shown=shown))
        connection = sqlite.connect(path, read_only=read_only, wait=wait)
        engine = _present(connection, read_only=read_only, shown=shown)
    return Store(engine, shown=shown)


def _fill(connection: sqlite3.Connection, *, shown: str) -> None:
    _upgrade(_engine(connection), shown=shown)


def _present(connection: sqlite3.Connection, *, read_only: bool, shown: str) -> Engine:
    """Give an engine whose tables are all there and of the present revision."""
    engine = _engine(connection)
    try:
        if _revision(engine) != REVISION:
            if read_only:
                with closing(connection):
                    copy = sqlite.copy_to_memory(connection)
                return _present(copy, read_only=False, shown=shown)
            _upgrade(engine, shown=shown)
        with engine.connect() as reading:
            for table in metadata.sorted_tables:
                reading.execute(select(table).limit(0))
    except BaseException:
        connection.close()
        raise
    return engine


def _revision(engine: Engine) -> object:
    with engine.connect() as reading:
        return reading.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _engine(connection: sqlite3.Connection) -> Engine:
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)

    # Python's sqlite3 begins no transaction of its own here, so that one covers reads and tables
    # too; a writer takes its lock at once, since a reader that turns writer can meet a deadlock.
    @event.listens_for(engine, "begin")
    def begin(starting: Connection) -> None:
        writing = starting.get_execution_options().get(WRITING)
        starting.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _upgrade(engine: Engine, *, shown: str) -> None:
    from digest.store.migrate import upgrade  # noqa: PLC0415 - imports Alembic, 0.5 s

    with engine.execution_options(**{WRITING: True}).begin() as connection:
        upgrade(connection, shown=shown)
