"""What people asked of one issue before the rules pick it."""

from __future__ import annotations

from dataclasses import dataclass

from digest.model import Pick, ThemeId

__all__ = ["NOTHING_ASKED", "Wish"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What people asked of one issue: its theme, what it keeps, and what it must not have.

    `theme` None leaves the theme to the rules. `keep` holds what is in it already, in its order.
    `dropped` holds ids. `room` is how many items it may have at most,
    where that is fewer than by the rules.
    """

    theme: ThemeId | None = None
    keep: tuple[Pick, ...] = ()
    dropped: tuple[str, ...] = ()
    room: int | None = None


NOTHING_ASKED = Wish()
