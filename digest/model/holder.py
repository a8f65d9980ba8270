"""Which process has the right to send."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Holder"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A process that sends.

    `boot` tells one run of the host from the next, `started` one process from a later one of the
    same number; both are texts that the system gives, empty where it gives none.
    """

    host: str
    boot: str
    pid: int
    started: str
