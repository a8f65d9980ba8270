"""One transaction at a time on an open database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import Connection, Engine

from digest.store.faults import explained

__all__ = ["WRITING", "Transactions"]

# The execution option that makes a transaction take the lock of a writer when it begins.
WRITING: Final = "writing"


class Transactions:
    """Begin transactions that end with their `with` block: whole, or undone where it raises.

    `shown` is the name of the database in complaints; what the database raises is a StoreError.
    """

    def __init__(self, engine: Engine, *, shown: str) -> None:
        self._engine = engine
        self._writer = engine.execution_options(**{WRITING: True})
        self.shown = shown

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state from beginning to end."""
        with explained(self.shown), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection that holds the writer's lock; at the end it is committed and synced."""
        with explained(self.shown), self._writer.begin() as connection:
            yield connection
