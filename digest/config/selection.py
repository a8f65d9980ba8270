"""The settings that say what is picked: the themes and the policy."""

from __future__ import annotations

from typing import Final

from digest.config import formats
from digest.config.reading import Reading
from digest.config.values import choice, decimal, line, lines, number
from digest.model import OTHER, Theme, theme_label
from digest.picking.policy import Mode, Policy, Repeats, WhenThin

__all__ = ["policy", "themes"]

_MODES: Final[tuple[Mode, ...]] = ("theme", "mixed")
_WHEN_THIN: Final[tuple[WhenThin, ...]] = ("borrow", "short", "skip")
_REPEATS: Final[tuple[Repeats, ...]] = ("never", "fill")
_POLICY: Final = Policy()


def themes(reading: Reading) -> tuple[Theme, ...]:
    """Read the themes, in the order of their tables."""
    found: dict[str, Theme] = {}
    for place in range(1, reading.tables("theme") + 1):
        key = f"theme[{place}]"
        theme = reading.need(f"{key}.id", formats.theme_id, f"theme-{place}")
        if theme in found:
            what = f"is {theme}, like that of an earlier theme"
            reading.complain(f"{key}.id", what, fix="choose another id")
        found[theme] = Theme(
            id=theme,
            label=reading.take(f"{key}.label", line, theme_label(theme)),
            colour=reading.take(f"{key}.colour", formats.colour, OTHER.colour),
            match=reading.take(f"{key}.match", lines(formats.match_rule), []),
            weight=reading.take(f"{key}.weight", decimal(0, 100, above=True), 1),
        )
    return tuple(found.values())


def policy(reading: Reading, base: Policy = _POLICY) -> Policy:
    """Read how issues are picked; what is not given is as in `base`."""
    low = reading.take("selection.min_items", number(1, 100), base.min_items)
    high = reading.take("selection.max_items", number(1, 100), base.max_items)
    if low > high:
        key = "max_items" if reading.given("selection.max_items") else "min_items"
        reading.complain(
            f"selection.{key}",
            f"does not fit: min_items is {low} and max_items is {high}",
            fix="set both, the smaller one first",
        )
    return Policy(
        mode=reading.take("selection.mode", choice(_MODES), base.mode),
        min_items=min(low, high),
        max_items=high,
        repeat_window=reading.take(
            "selection.repeat_window", number(0, 10_000), base.repeat_window
        ),
        repeats=reading.take("selection.repeats", choice(_REPEATS), base.repeats),
        similarity=reading.take("selection.similarity", formats.similarity, base.similarity),
        max_age=reading.take("selection.max_age", formats.weeks, base.max_age or False),
        max_wait=reading.take("selection.max_wait", number(1, 10_000), base.max_wait),
        when_thin=reading.take("selection.when_thin", choice(_WHEN_THIN), base.when_thin),
        max_per_source=reading.take(
            "selection.max_per_source", formats.cap, base.max_per_source or False
        ),
        max_per_author=reading.take(
            "selection.max_per_author", formats.cap, base.max_per_author or False
        ),
    )
