"""Messages made when they are needed, or ahead of it in threads where signing takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Final, Self

from digest.model import Delivery, Message

__all__ = ["Making"]

_AHEAD: Final = 40  # messages ready before their turn: some megabytes at most


class Making:
    """Makes the messages of rows; what is made ahead is bounded, however long the list.

    RSA lets other threads run meanwhile, so that the loop of the sender is not held up.
    """

    def __init__(self, make: Callable[[Delivery], Message], *, threads: int) -> None:
        self._make = make
        self._pool = ThreadPoolExecutor(threads, "making") if threads else None
        self._coming: dict[int, Delivery] = {}
        self._made: dict[int, Future[Message]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def begin(self, rows: Iterable[Delivery]) -> None:
        """Take note of rows whose messages are needed soon."""
        if self._pool is not None:
            self._coming.update((row.position, row) for row in rows)
            self._top_up(self._pool)

    def message(self, row: Delivery) -> Message:
        """Give a row's message; raise what making it raised."""
        if self._pool is None:
            return self._make(row)
        self._coming.pop(row.position, None)
        made = self._made.pop(row.position, None) or self._pool.submit(self._make, row)
        self._top_up(self._pool)
        return made.result()

    def forget(self, row: Delivery) -> None:
        """Drop what was made for a row that needs none any more."""
        self._coming.pop(row.position, None)
        self._made.pop(row.position, None)

    def forget_all(self) -> None:
        """Drop all that was made ahead."""
        self._coming.clear()
        self._made.clear()

    def _top_up(self, pool: ThreadPoolExecutor) -> None:
        while self._coming and len(self._made) < _AHEAD:
            position = next(iter(self._coming))
            self._made[position] = pool.submit(self._make, self._coming.pop(position))
