"""What went wrong with a PostgreSQL server, in words that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from digest.errors import StoreError

__all__ = ["explained"]

_RESTORE: Final = "restore it from a backup of the server"
_REACH: Final = (
    "see that the server runs, that it lets this machine in, and that store.url and the password "
    "are right; then repeat the command"
)
_BUSY: Final = (
    "is in use by another program",
    "wait until that one is done, then repeat the command",
)
_STANDBY: Final = (
    "can only be read here: {}",
    "nobody writes to a standby: name its primary server in store.url",
)
# Classes and codes of PostgreSQL's errors (its manual, appendix A), the longer first.
_KNOWN: Final = {
    "55P03": _BUSY,
    "40P01": _BUSY,
    "40001": _BUSY,
    "25006": _STANDBY,
    "0A000": _STANDBY,
    "42501": (
        "does not let us: {}",
        "let the user of store.url own the database, or grant what is missing",
    ),
    "57014": ("cannot be used: {}", "repeat the command; a time limit of the server may be short"),
    "08": ("was cut off: {}", "see that the server runs, then repeat the command"),
    "22": ("cannot keep that: {}", "this is a bug in digest: please report it"),
    "23": ("is damaged: {}", _RESTORE),
    "25": ("was cut off: {}", "repeat the command"),
    "28": ("cannot be reached: {}", _REACH),
    "3D": ("cannot be reached: {}", _REACH),
    "42": ("is damaged: {}", _RESTORE),
    "53": ("cannot be used: {}", "make room on the server, then repeat the command"),
    "57": ("was cut off: {}", "see that the server runs, then repeat the command"),
    "58": ("cannot be used: {}", "mend the server's disk, then repeat the command"),
    "XX": ("is damaged: {}", _RESTORE),
}
_OTHER: Final = ("cannot be used: {}", "mend the server, then repeat the command")


@contextmanager
def explained(shown: str) -> Iterator[None]:
    """Turn what the server or its driver raises into a StoreError."""
    try:
        yield
    except (SQLAlchemyError, psycopg.Error) as error:
        what, fix = _told(error.orig if isinstance(error, DBAPIError) else error)
        raise StoreError(what, where=shown, fix=fix) from error


def _told(cause: BaseException | None) -> tuple[str, str]:
    """Say what is wrong and what to do, without the values of any row."""
    if not isinstance(cause, psycopg.Error):
        # A row that cannot be read, as `Moment` says; the driver knows nothing of it.
        return f"is damaged: {cause}", _RESTORE
    if not cause.sqlstate and isinstance(cause, psycopg.OperationalError):
        return f"cannot be reached: {_clean(str(cause))}", _REACH
    what, fix = next(
        (told for code, told in _KNOWN.items() if (cause.sqlstate or "22").startswith(code)),
        _OTHER,
    )
    # The rest of what the server says may show a row.
    return what.format(_clean(cause.diag.message_primary or str(cause))), fix


def _clean(message: str) -> str:
    return " ".join(message.split())
