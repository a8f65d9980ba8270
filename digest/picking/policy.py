"""What a newsletter asks of its picker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Mode", "Policy", "WhenThin"]

Mode = Literal["theme", "mixed"]
WhenThin = Literal["borrow", "short", "skip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How issues are picked.

    An issue should hold `min_items` and holds at most `max_items`. A summary that was in an
    issue stays out for `repeat_window` weeks; with 0 only issues not yet published keep theirs.
    `when_thin` says what becomes of an issue whose theme has too little: `borrow` from the next
    themes, go out `short`, or `skip`. The two caps hold within one issue; None means none.
    Raise ValueError for numbers that no issue could meet.
    """

    mode: Mode = "theme"
    min_items: int = 3
    max_items: int = 6
    repeat_window: int = 52
    when_thin: WhenThin = "borrow"
    max_per_source: int | None = None
    max_per_author: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.min_items <= self.max_items:
            message = f"min_items {self.min_items} must be from 1 to max_items {self.max_items}"
            raise ValueError(message)
        if self.repeat_window < 0:
            message = f"repeat_window {self.repeat_window} must not be below 0"
            raise ValueError(message)
        for name, cap in (("source", self.max_per_source), ("author", self.max_per_author)):
            if cap is not None and cap < 1:
                message = f"max_per_{name} {cap} must be at least 1"
                raise ValueError(message)
