"""The program with a fault in it: it does not wait for the disk. The tests must notice.

Run as `unsynced.py WHAT COMMAND…`: `database` turns off the syncs of SQLite, `files` the others.
"""

from __future__ import annotations

import os
import sys

from digest.cli.main import main
from digest.store import sqlite_database


def _careless(database: sqlite_database.SqliteDatabase, _level: str) -> None:
    database._connection.execute("PRAGMA synchronous = OFF")  # noqa: SLF001 - a fault, on purpose


if __name__ == "__main__":
    what = sys.argv.pop(1)
    if what == "database":
        setattr(sqlite_database.SqliteDatabase, "_sync", _careless)  # noqa: B010 - a fault, as above
    else:
        setattr(os, "fsync", lambda _file: None)  # noqa: B010 - likewise
    main()
