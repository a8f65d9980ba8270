"""Bytes of a file of the content folder, and the path that complaints show."""

from __future__ import annotations

import os
import stat
import unicodedata
from pathlib import Path

from digest.content.header import FILE_BYTES
from digest.errors import ContentError
from digest.model import clean_line

__all__ = ["read_file", "shown_name", "shown_path"]


def shown_path(path: str | Path, root: Path) -> str:
    """Give a path as complaints show it: relative to the project, on one line, printable."""
    return shown_name(os.path.relpath(path, root).replace(os.sep, "/"))


def shown_name(name: str) -> str:
    """Give a path on one line, printable, in NFC."""
    if name.isprintable():
        return unicodedata.normalize("NFC", name)
    # A name that is not UTF-8 holds surrogates, which no output takes.
    return clean_line(name.encode("utf-8", "backslashreplace").decode("utf-8"))


def read_file(path: str | Path, *, where: str) -> bytes:
    """Read a regular file of at most 5 MiB; raises ContentError, also for folders and pipes."""
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise ContentError("this is a folder or device, no file", where=where)
            # One byte more than is allowed tells that there is more; the parser refuses it then.
            return os.read(descriptor, min(status.st_size, FILE_BYTES) + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise ContentError(
            f"the file cannot be read: {error.strerror}",
            where=where,
            fix="mend its permissions, or leave it out with `exclude`",
        ) from None
