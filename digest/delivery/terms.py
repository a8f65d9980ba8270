"""On what terms a run hands messages over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from digest.model import Limits

__all__ = ["PATIENCE", "Terms"]

PATIENCE: Final = timedelta(minutes=15)


def _kept() -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a run has to keep to.

    `fence` is the number of the lease that this sender holds; `renew` is called about once a
    minute to keep it, and raises where it was lost. `limits` are those of the relay; for one that
    lets the next message go within `patience` the run waits, else it ends.
    """

    fence: int
    limits: Limits = Limits()  # noqa: RUF009 - a frozen value, without anything in it
    retry_unknown: bool = True
    patience: timedelta = PATIENCE
    renew: Callable[[], None] = _kept
