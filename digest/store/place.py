"""Where the database is: a file, or on a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from digest.errors import StoreError

if TYPE_CHECKING:
    from digest.store.postgresql import PostgresqlDatabase

__all__ = ["RIGHTS", "database_path", "is_server", "server_database", "store_exists"]

_FILE: Final = "sqlite:///"
_SERVER: Final = "postgresql://"
RIGHTS: Final = "mend the folder (owner, rights, free space), then repeat the command"


def is_server(url: str) -> bool:
    """Tell whether a URL is that of a PostgreSQL server."""
    return url.startswith(_SERVER)


def database_path(url: str) -> Path:
    """Give the file of a `sqlite:///` URL; raise StoreError for any other URL."""
    path = url.removeprefix(_FILE)
    if path in {url, ""}:
        raise StoreError(
            "the database must be a SQLite file, or on a PostgreSQL server",
            where="store.url",
            fix=f"write `{_FILE}` and a path, or `{_SERVER}user@host/database`",
        )
    return Path(path)


def server_database(
    url: str,
    *,
    shown: str,
    wait: float = 5.0,
    read_only: bool = False,
    password: Callable[[], str] | None = None,
) -> PostgresqlDatabase:
    """Give a database on a server, not connected yet. Raise StoreError without its driver."""
    try:
        from digest.store.postgresql import PostgresqlDatabase  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise StoreError(
            f"cannot be reached: {error}",
            where=shown,
            fix="install `digest-newsletter[postgresql]`",
        ) from error
    return PostgresqlDatabase(url, shown=shown, wait=wait, read_only=read_only, password=password)


def store_exists(
    url: str,
    *,
    shown: str = "private/digest.db",
    password: Callable[[], str] | None = None,
) -> bool:
    """Tell whether there is a database; raise StoreError where that cannot be found out."""
    if is_server(url):
        database = server_database(url, shown=shown, read_only=True, password=password)
        with database.explained():
            try:
                return database.revision() is not None
            finally:
                database.close()
    try:
        database_path(url).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        # To say no here would mean an empty history, and every summary would go out again.
        raise StoreError(
            f"cannot be looked up: {error.strerror}", where=shown, fix=RIGHTS
        ) from error
    return True
