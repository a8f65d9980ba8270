"""Which theme leads an issue: the waiting of each in weeks, and its stock of fresh summaries."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from digest.model import History, Slot, Theme, ThemeId
from digest.picking.fresh import weeks_apart
from digest.picking.policy import Policy
from digest.picking.shelf import Candidate
from digest.picking.tally import Tally, take

__all__ = ["ThemeScore", "by_theme", "score_themes", "weeks_since"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeScore:
    """How a theme stands for one slot.

    `fresh` counts its summaries that may be picked, `stock` those that an issue could hold.
    `weeks` is the distance to its nearest issue, None where there is none; `waited` is what
    counts for it. A `thin` theme has less stock than an issue should hold. `place` starts at 1.
    """

    theme: ThemeId
    label: str
    place: int
    score: int
    fresh: int
    stock: int
    weeks: int | None
    waited: int
    thin: bool


def by_theme(candidates: Iterable[Candidate]) -> dict[ThemeId, tuple[Candidate, ...]]:
    """Part candidates by their theme, keeping their order."""
    parted: dict[ThemeId, list[Candidate]] = {}
    for candidate in candidates:
        parted.setdefault(candidate.theme, []).append(candidate)
    return {theme: tuple(found) for theme, found in parted.items()}


def weeks_since(slot: Slot, history: History, shelf: Iterable[Candidate]) -> dict[ThemeId, int]:
    """Give, for each theme that has been used, the weeks between the slot and its nearest issue.

    A mixed issue used the themes of its summaries, as far as they are still on the shelf. The
    slot's own issue does not count.
    """
    themes = {candidate.summary.id: candidate.theme for candidate in shelf}
    weeks: dict[ThemeId, int] = {}
    for past in history:
        if past.key == slot.issue:
            continue
        ids = (unicodedata.normalize("NFC", item.id) for item in past.items)
        used = {past.theme} if past.theme else {themes[name] for name in ids if name in themes}
        for theme in used:
            apart = weeks_apart(past.key, slot.issue)
            weeks[theme] = min(apart, weeks.get(theme, apart))
    return weeks


def score_themes(
    themes: tuple[Theme, ...],
    fresh: Mapping[ThemeId, tuple[Candidate, ...]],
    *,
    weeks: Mapping[ThemeId, int],
    policy: Policy,
) -> tuple[ThemeScore, ...]:
    """Put themes in the order in which they may lead an issue, best first.

        score = waited * (max_items + 1) + stock

    `stock` is what an issue could hold of the theme: its fresh summaries, after the caps, up to
    `max_items`. `waited` is the weeks since the theme led an issue; a theme that never did counts
    as one week more than the one that waited longest. So one more week of waiting outweighs any
    stock, and stock decides between themes that waited equally long; then the order of themes.
    Themes whose stock is below `min_items` come after all others, those with nothing last.

    With one issue a week, a theme that keeps enough stock leads at least every K issues, K being
    the number of themes: each other theme that goes before it has waited less from then on.
    """
    longest = max(weeks.values(), default=0)
    found = []
    for theme in themes:
        candidates = fresh.get(theme.id, ())
        stock = len(take(candidates, limit=policy.max_items, tally=Tally(policy)).taken)
        waited = weeks.get(theme.id, longest + 1)
        score = ThemeScore(
            theme=theme.id,
            label=theme.label,
            place=0,
            score=waited * (policy.max_items + 1) + stock,
            fresh=len(candidates),
            stock=stock,
            weeks=weeks.get(theme.id),
            waited=waited,
            thin=stock < policy.min_items,
        )
        found.append(score)
    found.sort(key=lambda score: (score.thin, score.stock == 0, -score.score))
    return tuple(replace(score, place=place) for place, score in enumerate(found, start=1))
