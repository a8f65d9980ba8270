"""What went wrong with a database, in words that say what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from digest.errors import StoreError
from digest.store.place import RIGHTS

__all__ = ["explained", "is_locked"]

_ROOM: Final = "make room on the disk that it is on, then repeat the command"
_DISK: Final = "see that the disk it is on is sound, and there; then repeat the command"
_LOCKED: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_REFUSED: Final = {
    sqlite3.SQLITE_CANTOPEN: RIGHTS,
    sqlite3.SQLITE_FULL: _ROOM,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_PERM: RIGHTS,
    sqlite3.SQLITE_READONLY: RIGHTS,
}
_SYSTEM: Final = {errno.ENOSPC: _ROOM, errno.EDQUOT: _ROOM, errno.EIO: _DISK}
_RESTORE: Final = (
    "restore it from a backup, or move it away: "
    "`digest publish` fills a new one from the issue files, but the readers are lost with it"
)


@contextmanager
def explained(shown: str) -> Iterator[None]:
    """Turn what the database or the system raises into a StoreError."""
    try:
        yield
    except OSError as error:
        fix = _SYSTEM.get(error.errno or 0, RIGHTS)
        raise StoreError(f"cannot be used: {error.strerror}", where=shown, fix=fix) from error
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise _store_error(error, shown) from error


def is_locked(error: Exception) -> bool:
    """Tell whether SQLite gave up because another program holds a lock."""
    return _kind(error) in _LOCKED


def _kind(error: BaseException | None) -> int:
    # The low byte is the kind, the others tell its flavour (https://sqlite.org/rescode.html §3).
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF


def _store_error(error: Exception, shown: str) -> StoreError:
    cause = error.orig if isinstance(error, DBAPIError) else error
    kind = _kind(cause)
    if kind in _LOCKED:
        return StoreError(
            "is in use by another program",
            where=shown,
            fix="wait until that one is done, then repeat the command",
        )
    if kind in _REFUSED:
        return StoreError(f"cannot be used: {cause}", where=shown, fix=_REFUSED[kind])
    return StoreError(f"is damaged: {cause}", where=shown, fix=_RESTORE)
