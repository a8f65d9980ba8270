"""What went wrong with a database, in words that say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from digest.errors import StoreError
from digest.store.place import RIGHTS

__all__ = ["explained"]

_LOCKED: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_REFUSED: Final = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
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
        raise StoreError(f"cannot be used: {error.strerror}", where=shown, fix=RIGHTS) from error
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise _store_error(error, shown) from error


def _store_error(error: Exception, shown: str) -> StoreError:
    cause = error.orig if isinstance(error, DBAPIError) else error
    # The low byte is the kind, the others tell its flavour (https://sqlite.org/rescode.html §3).
    kind = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if kind in _LOCKED:
        return StoreError(
            "is in use by another program",
            where=shown,
            fix="wait until that one is done, then repeat the command",
        )
    if kind in _REFUSED:
        return StoreError(f"cannot be used: {cause}", where=shown, fix=RIGHTS)
    return StoreError(f"is damaged: {cause}", where=shown, fix=_RESTORE)
