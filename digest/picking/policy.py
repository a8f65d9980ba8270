"""What a newsletter asks of its picker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["LEAST_ALIKE", "Mode", "Policy", "Repeats", "WhenThin"]

Mode = Literal["theme", "mixed"]
WhenThin = Literal["borrow", "short", "skip"]
Repeats = Literal["never", "fill"]
LEAST_ALIKE: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How issues are picked.

    An issue should hold `min_items` and holds at most `max_items`. `when_thin` says what becomes
    of an issue whose theme has too little: `borrow` from the next themes, go out `short`, or
    `skip`. The two caps hold within one issue; None means none.

    A summary goes out once. With `repeats` `fill` one whose issue is `repeat_window` weeks away
    may fill a thin issue. One whose text is like another's of that window, by `similarity` or
    more of 1, is held back; 0 asks nothing of texts. `max_age` is the number of weeks after which
    a summary is too old, None for never. After `max_wait` weeks a summary of a theme with too
    little to lead is taken into another's issue. Raise ValueError for numbers that no issue could
    meet.
    """

    mode: Mode = "theme"
    min_items: int = 3
    max_items: int = 6
    repeat_window: int = 52
    when_thin: WhenThin = "borrow"
    max_per_source: int | None = None
    max_per_author: int | None = None
    similarity: float = 0.7
    repeats: Repeats = "never"
    max_age: int | None = None
    max_wait: int = 26

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
        # Texts that are less alike than that need not share any of the handles they are found by.
        if self.similarity != 0 and not LEAST_ALIKE <= self.similarity <= 1:
            message = f"similarity {self.similarity} must be 0, or from {LEAST_ALIKE} to 1"
            raise ValueError(message)
        for name, weeks in (("max_age", self.max_age), ("max_wait", self.max_wait)):
            if weeks is not None and weeks < 1:
                message = f"{name} {weeks} must be at least 1"
                raise ValueError(message)
