"""Where the database lies."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from digest.errors import StoreError

__all__ = ["RIGHTS", "database_path", "store_exists"]

_SCHEME: Final = "sqlite:///"
RIGHTS: Final = "mend the folder (owner, rights, free space), then repeat the command"


def database_path(url: str) -> Path:
    """Give the file of a `sqlite:///` URL; raise StoreError for any other URL."""
    path = url.removeprefix(_SCHEME)
    if path in {url, ""}:
        raise StoreError(
            "the database must be a SQLite file",
            where="store.url",
            fix=f"write `{_SCHEME}` and a path",
        )
    return Path(path)


def store_exists(url: str, *, shown: str = "private/digest.db") -> bool:
    """Tell whether there is a database; raise StoreError where that cannot be found out."""
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
