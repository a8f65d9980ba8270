"""Which theme leads an issue: its waiting, its stock, the age of what waits, its weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from digest.model import Theme, ThemeId
from digest.picking.claims import week_of
from digest.picking.shelf import Candidate, nfc, times
from digest.picking.situation import Situation
from digest.picking.tally import Tally
from digest.picking.worth import greedy, oldest, rank

__all__ = [
    "Supply",
    "ThemeScore",
    "by_theme",
    "figure",
    "score_text",
    "score_themes",
    "weeks_since",
]

# Stock and age together stay below one week, so that waiting always decides.
_PER_WEEK: Final = 100
_STOCK: Final = 50
_AGE: Final = 49
_ANY: Final = ThemeId("")


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeScore:
    """How a theme stands for one slot.

    `fresh` counts its summaries that may be picked, `stock` those that an issue could hold.
    `weeks` is the distance to its nearest issue, None where there is none; `waited` is what
    counts for it. `oldest` is the age in weeks of its oldest fresh summary, None without a date.
    A `thin` theme has less stock than an issue should hold. `place` starts at 1.
    """

    theme: ThemeId
    label: str
    place: int
    score: float
    fresh: int
    stock: int
    weeks: int | None
    waited: int
    oldest: int | None
    weight: float
    thin: bool


def by_theme(candidates: Iterable[Candidate]) -> dict[ThemeId, tuple[Candidate, ...]]:
    """Part candidates by their theme, keeping their order."""
    parted: dict[ThemeId, list[Candidate]] = {}
    for candidate in candidates:
        parted.setdefault(candidate.theme, []).append(candidate)
    return {theme: tuple(found) for theme, found in parted.items()}


def weeks_since(situation: Situation, by_id: Mapping[str, Candidate]) -> dict[ThemeId, int]:
    """Give, for each theme that has been used, the weeks between the slot and its nearest issue.

    The empty name has those to the farthest issue: since then any theme has waited. A mixed issue
    used the themes of its summaries, as far as they are still there.
    """
    weeks: dict[ThemeId, int] = {}
    for key, past in situation.held.pasts.items():
        if key == situation.own:
            continue
        names = map(nfc, (item.id for item in past.items))
        used = (
            {past.theme} if past.theme else {by_id[name].theme for name in names if name in by_id}
        )
        apart = abs(week_of(key) - situation.week)
        weeks[_ANY] = max(apart, weeks.get(_ANY, 0))
        for theme in used - {_ANY}:
            weeks[theme] = min(apart, weeks.get(theme, apart))
    return weeks


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """What the themes have for a slot.

    `fresh` are the summaries that may be picked, by theme. `offered` are those, or, where nothing
    is fresh, what has been out and may fill an issue. In the themes `apart` no two texts are alike.
    """

    fresh: Mapping[ThemeId, tuple[Candidate, ...]]
    offered: Mapping[ThemeId, tuple[Candidate, ...]]
    apart: frozenset[ThemeId]

    def stock(self, theme: ThemeId, situation: Situation) -> int:
        """Count what an issue could hold of a theme: what the greedy choice would take."""
        group, policy = self.offered.get(theme, ()), situation.policy
        capped = policy.max_per_source is not None or policy.max_per_author is not None
        if theme in self.apart and not capped:
            return min(len(group), policy.max_items)
        ranked = rank(group, situation)
        return len(greedy(ranked, limit=policy.max_items, tally=Tally(policy)).taken)


def score_themes(
    themes: tuple[Theme, ...],
    supply: Supply,
    situation: Situation,
    *,
    weeks: Mapping[ThemeId, int],
    least: int,
) -> tuple[ThemeScore, ...]:
    """Put themes in the order in which they may lead an issue, best first.

        score = weight * (100 * waited + 50 * stock // max_items + oldest)

    `waited` is the weeks since the theme led an issue; one that never did counts as one week more
    than there have been issues for. `stock` is what an issue could hold of its fresh summaries,
    up to `max_items`; `//` rounds down. `oldest` is the weeks that its longest waiting fresh one
    has waited, up to 49. At equal scores the order of themes decides. Themes whose stock is below
    `least` come after all others, those with nothing last.

    At equal weights one more week of waiting outweighs all else. So with one issue a week, all
    picked by rule one after another, and K themes that keep enough stock, each leads at least
    every K issues: any other that goes before it has waited less from then on.
    """
    found = [_score(theme, supply, situation, weeks=weeks, least=least) for theme in themes]
    found.sort(key=lambda score: (score.thin, score.stock == 0, -score.score))
    return tuple(replace(score, place=place) for place, score in enumerate(found, start=1))


def _score(
    theme: Theme,
    supply: Supply,
    situation: Situation,
    *,
    weeks: Mapping[ThemeId, int],
    least: int,
) -> ThemeScore:
    stock = supply.stock(theme.id, situation)
    waits = weeks.get(theme.id, weeks.get(_ANY, 0) + 1)
    age = oldest(supply.offered.get(theme.id, ()), situation)
    return ThemeScore(
        theme=theme.id,
        label=theme.label,
        place=0,
        score=theme.weight * _points(waits, stock, age, most=situation.policy.max_items),
        fresh=len(supply.fresh.get(theme.id, ())),
        stock=stock,
        weeks=weeks.get(theme.id),
        waited=waits,
        oldest=age,
        weight=theme.weight,
        thin=stock < least,
    )


def _points(waits: int, stock: int, age: int | None, *, most: int) -> int:
    return _PER_WEEK * waits + _STOCK * stock // most + min(age or 0, _AGE)


def figure(number: float) -> str:
    """Write a number with two decimals at most."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def score_text(score: ThemeScore, situation: Situation, *, least: int) -> str:
    """Write out how a score comes about, with its numbers."""
    most = situation.policy.max_items
    since = (
        f"never used, counted as {times(score.waited, 'week')}"
        if score.weeks is None
        else f"{times(score.weeks, 'week')} from its last issue"
    )
    thin = f", below the {least} an issue should hold" if score.thin else ""
    age = "" if score.oldest is None else f", oldest {times(score.oldest, 'week')}"
    return (
        f"{since}, stock {score.stock}{thin}{age}; score {score.weight:g} * "
        f"({_PER_WEEK} * {score.waited} + {_STOCK} * {score.stock} // {most} + "
        f"{min(score.oldest or 0, _AGE)}) = {figure(score.score)}"
    )
