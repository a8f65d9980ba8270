"""The newsletter's own secret key: what Message-IDs are made with."""

from __future__ import annotations

import secrets
from hashlib import sha256
from pathlib import Path

from digest.errors import GuardError
from digest.files import read_bytes, write_file
from digest.publish.project import Project

__all__ = ["key_id", "known_key", "make_key", "read_key"]

_OCTETS = 32


def make_key() -> bytes:
    """Make the content of a new key file: 256 bits in hexadecimal."""
    return secrets.token_hex(_OCTETS).encode() + b"\n"


def read_key(project: Project) -> bytes:
    """Read the key; make one where there is none yet. Raise GuardError for a file that holds none.

    Who lost the key of a newsletter that mailed before is told so by `key_id`.
    """
    if (key := known_key(project)) is not None:
        return key
    # Under the lock, so that of two processes one makes it and the other reads it.
    with project.writing():
        if not _file(project).exists():
            write_file(_file(project), make_key(), root=project.root, mode=0o600)
    return read_key(project)


def known_key(project: Project) -> bytes | None:
    """Read the key; None where there is none yet. Raise GuardError for a file that holds none."""
    file = _file(project)
    if not file.exists():
        return None
    try:
        key = bytes.fromhex(read_bytes(file, root=project.root).decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) < _OCTETS:
        raise GuardError(
            f"holds no key of {_OCTETS * 8} bits in hexadecimal",
            where=project.shown(file),
            fix="put the file back from a backup; without one, remove it and a new one is made",
        )
    return key


def _file(project: Project) -> Path:
    return project.private / "key"


def key_id(key: bytes) -> str:
    """Name a key without telling it."""
    return sha256(b"digest key id\0" + key).hexdigest()[:16]
