"""An open SQLite file: its transactions, and how it is kept while mail is sent."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import StaticPool

from digest.store import sqlite
from digest.store.faults import explained, is_locked
from digest.store.raw import Compiled, Raw

__all__ = ["SqliteDatabase"]

# The execution option that makes a transaction take the lock of a writer when it begins.
_WRITING: Final = "writing"

# While sending, so many pages of 4 KiB are written ahead before they are carried over, with two
# syncs: 32 MB, some thousands of steps.
_PAGES: Final = 8000
# Readers are done within milliseconds; who has it open for longer is not waited for.
_MOMENT: Final = 0.1


class SqliteDatabase:
    """One connection to a SQLite file, or to a copy in memory.

    Steps are committed without a sync while the file is written ahead, and synced like all others
    where it is not.
    """

    steps_are_synced = False

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        shown: str,
        wait: float = 5.0,
        read_only: bool = False,
    ) -> None:
        self.shown = shown
        self._connection = connection
        self._wait = wait
        self._read_only = read_only
        self._level = self._step_level = "EXTRA"
        # Named parameters are those of `Raw`, too.
        self.reader: Engine = create_engine(
            "sqlite://", creator=lambda: connection, poolclass=StaticPool, paramstyle="named"
        )
        self.writer: Engine = self.reader.execution_options(**{_WRITING: True})
        event.listen(self.reader, "begin", self._begin)
        self._raw = Raw(connection, Compiled(self.reader.dialect))

    def explained(self) -> AbstractContextManager[None]:
        """Turn what SQLite or the system raises into a StoreError."""
        return explained(self.shown)

    def _begin(self, starting: Connection) -> None:
        # Python's sqlite3 begins no transaction of its own here, so that one covers reads and
        # tables too; a writer takes its lock at once, since a reader that turns writer can meet a
        # deadlock.
        if starting.get_execution_options().get(_WRITING):
            self._sync("EXTRA")
            starting.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            starting.exec_driver_sql("BEGIN")
            if self._read_only:
                sqlite.when_ready(self._look)

    def _look(self) -> None:
        """Let a reader's transaction take hold of the state that it sees."""
        self._connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()

    def _sync(self, level: str) -> None:
        if self._level != level:
            self._connection.execute(f"PRAGMA synchronous = {level}")
            self._level = level

    def raw(self, _connection: Connection) -> Raw:
        """Give the driver's own connection: there is one."""
        return self._raw

    @contextmanager
    def stepping(self) -> Iterator[Raw]:
        """Begin a writer's transaction; while sending it is committed without a sync."""
        self._sync(self._step_level)
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._raw
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Write ahead (WAL) for a while, where nobody keeps the file from it."""
        with self.explained():
            if self._turn("WAL", wait=self._wait):
                self._connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")
                self._step_level = "NORMAL"
        try:
            yield
        except BaseException:
            # What ended the sending says more than what comes of it.
            with suppress(sqlite3.Error, OSError):
                self._end_sending()
            raise
        with self.explained():
            self._end_sending()

    def _end_sending(self) -> None:
        self._step_level = "EXTRA"
        self._sync("EXTRA")
        self._go_back(wait=self._wait)

    def settle(self) -> None:
        """Go back to the rollback journal, where a sender was killed or kept from it."""
        if not self._read_only:
            self._go_back(wait=_MOMENT)

    def _go_back(self, *, wait: float) -> None:
        if self._mode() == "wal" and not self._turn("DELETE", wait=wait):
            # It stays as it is, but the steps are to be on disk.
            sqlite.sync(Path(f"{self._path()}-wal"))

    def _turn(self, mode: str, *, wait: float) -> bool:
        """Change the journal's mode, where all others let go of the file in time."""
        self._connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
        try:
            (found,) = self._connection.execute(f"PRAGMA journal_mode = {mode}").fetchone()
        except sqlite3.Error as error:
            if not is_locked(error):
                raise
            return False
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {int(self._wait * 1000)}")
        return bool(found == mode.lower())

    def _mode(self) -> str:
        (found,) = self._connection.execute("PRAGMA journal_mode").fetchone()
        return str(found)

    def _path(self) -> str:
        (found,) = self._connection.execute("SELECT file FROM pragma_database_list").fetchone()
        return str(found)

    def close(self) -> None:
        """Close the connection; the last one of a file that is in WAL mode ends that."""
        try:
            # What cannot be done now is done by the next writer.
            with suppress(sqlite3.Error, OSError):
                self.settle()
        finally:
            self.reader.dispose()
            self._connection.close()
