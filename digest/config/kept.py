"""What an edition keeps of the settings: all that its rendering depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from zoneinfo import ZoneInfo

from digest.model import Mailbox, Newsletter, Theme, WeeklyTime

__all__ = ["newsletter_from", "settings_slice"]


def settings_slice(newsletter: Newsletter, themes: tuple[Theme, ...]) -> dict[str, Any]:
    """Give the newsletter and its themes as JSON can hold them, the same for the same values.

    The weight of a theme is left out: it decides when a theme leads, and no byte of an edition.
    """
    return {
        "newsletter": {**asdict(newsletter), "zone": newsletter.zone.key},
        "themes": [_theme(theme) for theme in themes],
    }


def _theme(theme: Theme) -> dict[str, Any]:
    kept = {**asdict(theme), "match": list(theme.match)}
    del kept["weight"]
    return kept


def newsletter_from(kept: Mapping[str, Any]) -> tuple[Newsletter, tuple[Theme, ...]]:
    """Read back what `settings_slice` gave; raise KeyError, TypeError or ValueError."""
    told = kept["newsletter"]
    newsletter = Newsletter(
        **{
            **told,
            "zone": ZoneInfo(told["zone"]),
            "sender": Mailbox(**told["sender"]),
            "send": WeeklyTime(**told["send"]),
        }
    )
    themes = tuple(Theme(**{**theme, "match": tuple(theme["match"])}) for theme in kept["themes"])
    return newsletter, themes
