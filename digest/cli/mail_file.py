"""A saved mail that a command is given."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from digest.errors import UsageError

__all__ = ["read_mail_file"]

_LIMIT: Final = 50_000_000  # octets; no relay takes more


def read_mail_file(file: str) -> bytes:
    """Read a saved mail, `-` for standard input. Raise UsageError."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(_LIMIT + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(_LIMIT + 1)
    except OSError as error:
        raise UsageError(
            f"cannot be read: {error.strerror}", where=file, fix="name a saved mail, or - for stdin"
        ) from error
    if len(data) > _LIMIT:
        raise UsageError(f"has over {_LIMIT // 1_000_000} MB, as no mail has", where=file)
    return data
