"""SQLite's files: how one is made, opened and looked over."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory, mkstemp
from time import sleep
from typing import Final, TypeVar
from urllib.parse import quote

from digest.store.header import is_ahead

__all__ = ["connect", "connect_to_read", "copy_to_memory", "make_file", "sync", "when_ready"]

# Docs/decisions/0007: a rollback journal, but while mail is sent. With one only EXTRA syncs the
# folder after the journal is gone; with FULL a power cut could bring it back, and undo a commit.
_PRAGMAS: Final = ("foreign_keys = ON", "synchronous = EXTRA")

# A year of deliveries to 20,000 readers would take most of a second at each opening, and no commit
# can come between; a fault among them is met where they are read.
_FAULTY: Final = """
    SELECT 1 FROM sqlite_master AS present, pragma_quick_check(present.name) AS checked
    WHERE present.type = 'table' AND present.name <> 'deliveries' AND checked.quick_check <> 'ok'
    LIMIT 1
"""

# The files of one database. One of the latter two lies beside it where a transaction was cut off,
# or while it is written ahead.
_FILES: Final = ("", "-journal", "-wal")
_COPIES: Final = 5
_HEADER: Final = 32  # octets of a `-wal` in which nothing was written yet

# What a reader is told where it would have to make a file, or put one right.
_UNREADY: Final = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY_CANTINIT,
    sqlite3.SQLITE_READONLY_CANTLOCK,
    sqlite3.SQLITE_READONLY_RECOVERY,
    sqlite3.SQLITE_READONLY_ROLLBACK,
}
_TRIES: Final = 20
_PAUSE: Final = 0.01

T = TypeVar("T")


def connect(path: Path, *, wait: float = 5.0) -> sqlite3.Connection:
    """Open a database file that exists and look it over; transactions are begun by hand.

    Wait `wait` seconds for the lock of another program. Raise sqlite3.Error.
    """
    return _open(path, "mode=rw", wait)


def connect_to_read(path: Path, *, wait: float = 5.0) -> sqlite3.Connection:
    """Open a database file that exists so that no byte on disk changes, and look it over.

    Where only a writer could put right what is there, it is a copy in memory. Raise OSError or
    sqlite3.Error.
    """
    try:
        return when_ready(lambda: _open_to_read(path, wait))
    except sqlite3.Error as error:
        if not _is_unready(error):
            raise
    return _put_right_in_copy(path)


def when_ready(read: Callable[[], T]) -> T:
    """Read, again and again while a file that a reader needs is not there, or not filled yet.

    A sender needs a moment for it when it begins and when it ends. Raise the sqlite3.Error where
    it takes longer: then there is none, or it was killed.
    """
    for _ in range(_TRIES):
        try:
            return read()
        except sqlite3.Error as error:
            if not _is_unready(error):
                raise
        sleep(_PAUSE)
    return read()


def _is_unready(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", None) in _UNREADY


def _open_to_read(path: Path, wait: float) -> sqlite3.Connection:
    # SQLite would make the missing file, even for a reader. Where it holds its header alone, since
    # the sender was killed then, SQLite tries for ten seconds and gives up (SQLITE_PROTOCOL).
    if is_ahead(path) and _size(f"{path}-wal") in {None, _HEADER}:
        raise _fault("unable to open what was written ahead", sqlite3.SQLITE_CANTOPEN)
    # With this option, which SQLite's manual does not name, the index of what was written ahead is
    # never written to: it is read, or where its writer is gone, made in memory.
    return _open(path, "mode=ro&readonly_shm=1", wait)


def _size(file: str) -> int | None:
    try:
        return Path(file).stat().st_size
    except FileNotFoundError:
        return None


def _open(path: Path, how: str, wait: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{how}", uri=True, isolation_level=None, timeout=wait
    )
    try:
        _look_over(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _look_over(connection: sqlite3.Connection) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute(_FAULTY).fetchone() is not None:
        raise sqlite3.DatabaseError("its pages do not fit together")


def _put_right_in_copy(path: Path) -> sqlite3.Connection:
    """Read a database whose last writer was killed, leaving the clearing up to the next writer.

    What it left lies beside the database; in the copy SQLite undoes the transaction that was cut
    off, or takes over those that were written ahead.
    """
    with TemporaryDirectory(prefix="digest-") as folder:
        copy = Path(folder) / path.name
        for _ in range(_COPIES):
            before = _state(path)
            for suffix in _FILES:
                _copy(f"{path}{suffix}", f"{copy}{suffix}")
            if _state(path) == before:
                break
        else:
            raise _fault("is written all the time", sqlite3.SQLITE_BUSY)
        with closing(connect(copy)) as source:
            return copy_to_memory(source)


def _fault(text: str, code: int) -> sqlite3.Error:
    fault = sqlite3.OperationalError(text)
    fault.sqlite_errorcode = code
    return fault


def _state(path: Path) -> list[tuple[int, int, int] | None]:
    """Tell what would change if somebody wrote."""
    found: list[tuple[int, int, int] | None] = []
    for suffix in _FILES:
        try:
            status = Path(f"{path}{suffix}").stat()
        except FileNotFoundError:
            found.append(None)
        else:
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return found


def _copy(source: str, copy: str) -> None:
    try:
        shutil.copyfile(source, copy)
    except FileNotFoundError:
        Path(copy).unlink(missing_ok=True)


def copy_to_memory(source: sqlite3.Connection) -> sqlite3.Connection:
    """Copy a database into memory, as one consistent state."""
    memory = sqlite3.connect(":memory:", isolation_level=None)
    source.backup(memory)
    return memory


def make_file(path: Path, fill: Callable[[sqlite3.Connection], object]) -> None:
    """Make a database file of mode 0600 in a folder of mode 0700, whole or not at all.

    It is filled beside its place and linked there: where two make it at once, the first wins,
    and an empty file is never taken for a new one. Raise OSError or sqlite3.Error.
    """
    folder = path.parent
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync(folder.parent)
    number, name = mkstemp(dir=folder, prefix=f".{path.name}.", suffix=".tmp")
    os.close(number)
    try:
        with closing(connect(Path(name))) as connection:
            fill(connection)
        os.link(name, path)
    except FileExistsError:
        return
    finally:
        Path(name).unlink()
    sync(folder)


def sync(path: Path) -> None:
    """Wait until a file or folder is on disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
