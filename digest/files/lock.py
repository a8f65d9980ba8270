"""Locks of one newsletter: who writes its files, and who sends its mail."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from digest.errors import FilesError, LockError

__all__ = ["project_lock", "sending_lock"]


@contextmanager
def project_lock(private: Path) -> Iterator[None]:
    """Hold the lock of who writes; raise LockError at once where another process holds it.

    The system frees the lock of a process that ends, however it ends.
    """
    with _held(private, "lock", doing="writing to this newsletter", again=False):
        yield


@contextmanager
def sending_lock(private: Path) -> Iterator[None]:
    """Hold the lock of who sends, for the hours that may take; as `project_lock`.

    A process that holds it may take it again.
    """
    with _held(private, "sending", doing="sending this newsletter", again=True):
        yield


@contextmanager
def _held(private: Path, name: str, *, doing: str, again: bool) -> Iterator[None]:
    from filelock import FileLock, Timeout  # noqa: PLC0415 - 16 ms that a reader need not wait

    # The lock's own file is emptied by everyone who tries it, so who holds it stands beside it.
    note = private / f"{name}.by"
    try:
        private.mkdir(mode=0o700, exist_ok=True)
        lock = FileLock(private / name, mode=0o600, is_singleton=again)
        lock.acquire(blocking=False)
    except Timeout:
        raise LockError(
            f"another digest{_holder(note)} is {doing}",
            where=f"private/{name}",
            fix="wait until it is done, then repeat the command",
        ) from None
    except OSError as error:
        raise FilesError(
            f"cannot be written: {error.strerror}",
            where="private/",
            fix="make the folder writable, then repeat the command",
        ) from error
    try:
        with suppress(OSError):  # the lock holds without it
            note.write_text(f"process {os.getpid()}\n", "ascii")
        yield
    finally:
        if lock.lock_counter == 1:
            with suppress(OSError):
                note.unlink(missing_ok=True)
        lock.release()


def _holder(note: Path) -> str:
    """Say which process holds a lock, where it has told so yet."""
    try:
        found = note.read_text("ascii").strip()
    except (OSError, ValueError):
        return ""
    return f" ({found})" if found else ""
