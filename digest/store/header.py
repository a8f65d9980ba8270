"""The header of a SQLite file, read without SQLite."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Final

__all__ = ["is_ahead"]

# The two octets that tell how the file is written and read; 2 is a write-ahead log
# (https://sqlite.org/fileformat.html §1.3.3).
_PLACE: Final = 18
_AHEAD: Final = b"\x02\x02"

# Whoever closes a file loses every lock that its process has on it, SQLite's too (POSIX, fcntl).
# So the last few stay open; one that gives way has not been looked at for long.
_KEPT: Final = 8
_files: Final = OrderedDict[tuple[int, int], int]()
_lock: Final = Lock()


def is_ahead(path: Path) -> bool:
    """Tell whether a database is written ahead (WAL), by its header; a missing one is not.

    Raise OSError where it cannot be read.
    """
    with _lock:
        try:
            status = path.stat()
        except FileNotFoundError:
            return False
        known = status.st_dev, status.st_ino
        if known not in _files:
            _files[known] = os.open(path, os.O_RDONLY)
            if len(_files) > _KEPT:
                os.close(_files.popitem(last=False)[1])
        _files.move_to_end(known)
        return os.pread(_files[known], len(_AHEAD), _PLACE) == _AHEAD
