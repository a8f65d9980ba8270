"""The database: the published issues, the readers, what each was sent, what the schedule did.

SQLite at first. Importing this package is cheap; SQLAlchemy comes with the first opening, Alembic
only where the tables of the database are of another revision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from digest.store.place import store_exists

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["open_store", "store_exists"]


def open_store(
    url: str,
    *,
    create: bool = False,
    read_only: bool = False,
    shown: str = "private/digest.db",
    wait: float = 5.0,
) -> Store:
    """Open the database at `sqlite:///<absolute path>`; the result is a context manager.

    A missing one is made only with `create`, in a folder that others cannot enter. With
    `read_only` no byte on disk changes. Tables of an older revision are brought up to date, for
    a reader in a copy in memory. `wait` is how many seconds to wait for another program's lock;
    `shown` is the name used in complaints.

    Raise StoreError where it is missing, damaged, locked, written by a newer version, or cannot
    be read or written; whatever is there stays as it is.
    """
    from digest.store.opening import open_ledger  # noqa: PLC0415 - imports SQLAlchemy, 0.2 s

    return open_ledger(url, create=create, read_only=read_only, shown=shown, wait=wait)
