"""How long the waiting summaries last, and which themes run dry or starve: told from a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from digest.model import Issue, IssueKey, Slot, ThemeId
from digest.picking.pick import Selection
from digest.picking.policy import Policy
from digest.picking.score import ThemeScore
from digest.picking.shelf import times

__all__ = ["Health", "ThemeHealth", "health"]

_Planned = tuple[Slot, Issue | None, Selection | None]
_Picked = tuple[Slot, Selection]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeHealth:
    """How one theme stands.

    `waiting` and `oldest`, in weeks, are as before the first issue that is still to be picked;
    `stock` is how many full issues its waiting summaries would make, to one decimal. `next` is the
    first planned issue that it leads or, where issues are mixed, has a summary in. `dry` is the
    first issue to be picked before which nothing of it is left, though there was before. It is
    `starving` where summaries wait, no planned issue takes one of them, and that is not because
    its turn is yet to come: either the plan has as many slots to pick for as themes have
    something waiting, or the theme has too little to lead throughout and its oldest summary waits
    `max_wait` weeks or more by the end of the plan.
    """

    theme: ThemeId
    label: str
    waiting: int
    oldest: int | None
    stock: float
    next: IssueKey | None
    dry: IssueKey | None
    starving: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How the queue stands as a whole; themes come as they may lead the first issue to be picked.

    `waiting` and `oldest`, in weeks, are as before that issue. `weeks_of_stock` counts the issues
    to be picked that reach `min_items`, from the first up to one that does not; where the plan ends
    before there is such a one, what it leaves is added as full issues, to one decimal, as if no
    theme, cap or date stood in the way. `shortages` are sentences for people.
    """

    waiting: int
    oldest: int | None
    weeks_of_stock: float
    themes: tuple[ThemeHealth, ...]
    shortages: tuple[str, ...]


def health(planned: Sequence[_Planned], *, policy: Policy) -> Health:
    """Tell from a plan, in the order of its slots, how the waiting summaries last.

    A slot has no `Selection` where an issue file decides; what such files hold is not waiting.
    Where they decide every slot nothing is known of what waits: all numbers are 0, and there are
    no themes.
    """
    picked = tuple((slot, found) for slot, _, found in planned if found is not None)
    first = picked[0][1].scores if picked else ()
    themes = tuple(_theme_health(score, planned, picked, policy=policy) for score in first)
    return Health(
        waiting=sum(score.fresh for score in first),
        oldest=max((score.oldest for score in first if score.oldest is not None), default=None),
        weeks_of_stock=_weeks_of_stock(picked, policy),
        themes=themes,
        shortages=(*_theme_shortages(themes), *_tail(picked, policy)),
    )


def _theme_health(
    score: ThemeScore,
    planned: Sequence[_Planned],
    picked: Sequence[_Picked],
    *,
    policy: Policy,
) -> ThemeHealth:
    course = [
        (slot.issue, found)
        for slot, selection in picked
        for found in selection.scores
        if found.theme == score.theme
    ]
    return ThemeHealth(
        theme=score.theme,
        label=score.label,
        waiting=score.fresh,
        oldest=score.oldest,
        stock=round(score.fresh / policy.max_items, 1),
        next=next((slot.issue for slot, issue, _ in planned if _has(issue, score.theme)), None),
        dry=_dry(course),
        starving=_starving(score, [found for _, found in course], picked, policy=policy),
    )


def _has(issue: Issue | None, theme: ThemeId) -> bool:
    """Tell whether an issue is a theme's own, or a mixed one with something of it."""
    if issue is None or issue.skip:
        return False
    if issue.theme:
        return issue.theme == theme
    return any(pick.theme == theme for pick in issue.items)


def _dry(course: Sequence[tuple[IssueKey, ThemeScore]]) -> IssueKey | None:
    had = False
    for key, score in course:
        if had and not score.fresh:
            return key
        had = had or score.fresh > 0
    return None


def _starving(
    first: ThemeScore,
    course: Sequence[ThemeScore],
    picked: Sequence[_Picked],
    *,
    policy: Policy,
) -> bool:
    issues = [selection.issue for _, selection in picked if selection.issue is not None]
    taken = any(pick.theme == first.theme for issue in issues for pick in issue.items)
    if not first.fresh or taken:
        return False
    rivals = sum(score.fresh > 0 for score in picked[0][1].scores)
    waited = course[-1].oldest
    barred = all(score.thin for score in course)
    overdue = waited is not None and waited >= policy.max_wait
    return len(picked) >= rivals or (barred and overdue)


def _left(selection: Selection) -> int:
    """Count what waits before a pick."""
    return sum(score.fresh for score in selection.scores)


def _items(selection: Selection) -> int:
    return len(selection.issue.items) if selection.issue else 0


def _weeks_of_stock(picked: Sequence[_Picked], policy: Policy) -> float:
    for weeks, (_, selection) in enumerate(picked):
        if _items(selection) < policy.min_items:
            return float(weeks)
    if not picked:
        return 0.0
    last = picked[-1][1]
    # Repeats fill an issue without having waited: what is left is never below nothing.
    left = max(0, _left(last) - _items(last))
    return round(len(picked) + left / policy.max_items, 1)


def _theme_shortages(themes: Sequence[ThemeHealth]) -> Iterator[str]:
    drying = [(found.dry, found.theme) for found in themes if found.dry is not None]
    yield from (f"{theme} runs dry in {key}" for key, theme in sorted(drying))
    for found in themes:
        if not found.starving:
            continue
        who = "1 waits," if found.waiting == 1 else f"{found.waiting} wait, the oldest"
        since = times(found.oldest or 0, "week")
        yield f"{found.theme} starves: {who} for {since}, and no planned issue takes one"


def _tail(picked: Sequence[_Picked], policy: Policy) -> Iterator[str]:
    """Say from when on, to the end of the plan, no issue is long enough, or nothing is left."""
    short: IssueKey | None = None
    nothing: IssueKey | None = None
    for slot, selection in picked:
        reaches = _items(selection) >= policy.min_items
        short = None if reaches else short or slot.issue
        nothing = None if _left(selection) else nothing or slot.issue
    if short is not None and short != nothing:
        yield f"from {short} on no issue reaches {times(policy.min_items, 'item')}"
    if nothing is not None:
        yield f"from {nothing} on nothing is left"
