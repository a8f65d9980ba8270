"""The database: the published issues, the readers, what each was sent, what the schedule did.

A SQLite file, or a database on a PostgreSQL server. Importing this package is cheap; SQLAlchemy
comes with the first opening, Alembic only where the tables are of another revision.
"""

from __future__ import annotations

from collections.abc import Callable
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
    password: Callable[[], str] | None = None,
) -> Store:
    """Open the database at `sqlite:///<absolute path>` or `postgresql://user@host:port/name`.

    The result is a context manager. Where there is none yet, `create` makes one: a file in a
    folder that others cannot enter, or the tables in a server's database that is there. With
    `read_only` no byte on disk changes. Tables of an older revision are brought up to date; for a
    reader of a file, in a copy in memory. `wait` is how many seconds to wait for another program's
    lock; `shown` is the name used in complaints; `password` is asked for whenever a server is
    connected to.

    Raise StoreError where it is missing, damaged, locked, not reached, written by a newer version,
    or cannot be read or written; whatever is there stays as it is. A reader on a server also gets
    it for tables of an older revision.
    """
    from digest.store.opening import Opening, open_ledger  # noqa: PLC0415 - SQLAlchemy, 0.2 s

    how = Opening(create=create, read_only=read_only, shown=shown, wait=wait, password=password)
    return open_ledger(url, how)
