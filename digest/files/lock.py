"""One writing `digest` for each newsletter at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from digest.errors import FilesError, LockError

__all__ = ["project_lock"]


@contextmanager
def project_lock(private: Path) -> Iterator[None]:
    """Hold the newsletter's lock; raise LockError at once where another process holds it.

    The system frees the lock of a process that ends, however it ends.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - 16 ms that a reader need not wait

    try:
        private.mkdir(mode=0o700, exist_ok=True)
        lock = FileLock(private / "lock", mode=0o600)
        lock.acquire(blocking=False)
    except Timeout:
        raise LockError(
            "another digest is writing to this newsletter",
            where="private/lock",
            fix="wait until it is done, then repeat the command",
        ) from None
    except OSError as error:
        raise FilesError(
            f"cannot be written: {error.strerror}",
            where="private/",
            fix="make the folder writable, then repeat the command",
        ) from error
    try:
        yield
    finally:
        lock.release()
