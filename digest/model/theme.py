"""Themes: the topics that issues are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from digest.model.names import ThemeId

__all__ = ["COLOURS", "OTHER", "Theme", "theme_label"]

# The eight badge colours of the default look; their contrast was computed there.
COLOURS: Final = ("blue", "teal", "green", "amber", "rust", "magenta", "violet", "slate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A topic: `match` rules are `tag:`, `folder:`, `source:` or `word:` and a text.

    `weight` is how fast its turn comes: one of 2 comes back after half the wait of one of 1.
    """

    id: ThemeId
    label: str
    colour: str = "slate"
    match: tuple[str, ...] = ()
    weight: float = 1.0


def theme_label(theme: str) -> str:
    """Give the label of a theme that nobody labelled: `long-context` is `Long context`."""
    return theme.replace("-", " ").capitalize()


# Where a summary goes that matches no theme; always last.
OTHER: Final = Theme(id=ThemeId("other"), label="Other", colour="slate")
