"""SQLite's files: how one is made, opened and looked over."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory, mkstemp
from typing import Final
from urllib.parse import quote

__all__ = ["connect", "copy_to_memory", "make_file"]

# The journal stays in mode DELETE. Tried with SQLite 3.40: a reader of a WAL database leaves
# `-shm` and `-wal` behind when opened with mode=ro, makes and removes them with mode=rw, and with
# immutable=1 may read half a transaction; in mode DELETE a reader with mode=ro leaves the folder
# byte for byte as it was. In this mode only EXTRA syncs the folder after the journal is gone;
# with FULL a power cut could bring the journal back, and so undo a commit.
_PRAGMAS: Final = ("foreign_keys = ON", "synchronous = EXTRA")

# A year of deliveries to 20,000 readers would take most of a second at each opening, and no commit
# can come between; a fault among them is met where they are read.
_FAULTY: Final = """
    SELECT 1 FROM sqlite_master AS present, pragma_quick_check(present.name) AS checked
    WHERE present.type = 'table' AND present.name <> 'deliveries' AND checked.quick_check <> 'ok'
    LIMIT 1
"""


def connect(path: Path, *, read_only: bool = False, wait: float = 5.0) -> sqlite3.Connection:
    """Open a database file that exists and look it over; transactions are begun by hand.

    Wait `wait` seconds for the lock of another program. Raise sqlite3.Error.
    """
    mode = "ro" if read_only else "rw"
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}", uri=True, isolation_level=None, timeout=wait
    )
    try:
        _look_over(connection)
    except sqlite3.Error as error:
        connection.close()
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_ROLLBACK:
            return _undo_in_copy(path)
        raise
    return connection


def _look_over(connection: sqlite3.Connection) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute(_FAULTY).fetchone() is not None:
        raise sqlite3.DatabaseError("its pages do not fit together")


def _undo_in_copy(path: Path) -> sqlite3.Connection:
    """Read a database whose last writer was killed, leaving the undoing to the next writer.

    The journal of the cut-off transaction lies beside it; SQLite plays it back in the copy.
    """
    with TemporaryDirectory(prefix="digest-") as folder:
        copy = Path(folder) / path.name
        for suffix in ("", "-journal"):
            shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
        with closing(connect(copy)) as source:
            return copy_to_memory(source)


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
        _sync(folder.parent)
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
    _sync(folder)


def _sync(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
