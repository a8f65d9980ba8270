"""One decision: the theme of a slot, what is in and what is out, before it is written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from digest.errors import UsageError
from digest.model import OTHER, History, Slot, Summary, Theme, ThemeId
from digest.picking.assign import themes_in_order
from digest.picking.choose import Choice, Groups, choose_mixed, choose_themed
from digest.picking.fresh import RULES, TWIN, Fresh, Situation, sift, situate
from digest.picking.policy import Policy
from digest.picking.score import ThemeScore, by_theme, score_themes, weeks_since
from digest.picking.shelf import Candidate, ordinal, shelve, times

__all__ = ["MIXED", "Decision", "Stock", "decide", "score_text", "stock_up"]

MIXED: Final = ThemeId("")
_NOTHING: Final = Choice(taken=(), left=(), own=0, shortages=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """All summaries on their shelf, and all themes; the same for every slot."""

    shelf: tuple[Candidate, ...]
    themes: tuple[Theme, ...]
    declared: bool
    policy: Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided for a slot; `skipped` is the reason why there is no issue, else empty.

    `lead` is empty for a mixed issue. `passed_over` counts what could not be picked, by kind.
    """

    situation: Situation
    lead: ThemeId
    lead_reason: str
    scores: tuple[ThemeScore, ...]
    groups: Groups
    sifted: Fresh
    choice: Choice
    skipped: str
    passed_over: tuple[str, ...]


def stock_up(summaries: Iterable[Summary], themes: tuple[Theme, ...], policy: Policy) -> Stock:
    """Shelve summaries once for any number of slots; `themes` are the declared ones."""
    held = tuple(summaries)
    return Stock(
        shelf=shelve(held, themes),
        themes=themes_in_order(themes, held),
        declared=any(theme.id != OTHER.id for theme in themes),
        policy=policy,
    )


def decide(stock: Stock, slot: Slot, history: History, *, theme: ThemeId | None = None) -> Decision:
    """Decide for one slot; `theme` forces the theme, also where issues are mixed.

    Raise UsageError for a theme that is not known.
    """
    if theme is not None:
        _refuse_unknown(theme, stock.themes)
    policy = stock.policy
    situation = situate(slot, history, policy)
    sifted = sift(stock.shelf, situation)
    groups = by_theme(sifted.fresh)
    weeks = weeks_since(slot, history, stock.shelf)
    scores = score_themes(stock.themes, groups, weeks=weeks, policy=policy)
    mixed = theme is None and (policy.mode == "mixed" or not stock.declared)
    lead = MIXED if mixed else theme or scores[0].theme
    skipped = _nothing(stock, sifted, theme)
    choice = _NOTHING if skipped else _choose(lead, groups, scores=scores, policy=policy)
    return Decision(
        situation=situation,
        lead=lead,
        lead_reason=_lead_reason(stock, lead, scores, forced=theme is not None),
        scores=scores,
        groups=groups,
        sifted=sifted,
        choice=choice,
        skipped=skipped or _too_thin(choice, lead, policy),
        passed_over=_passed_over(sifted),
    )


def _choose(
    lead: ThemeId, groups: Groups, *, scores: tuple[ThemeScore, ...], policy: Policy
) -> Choice:
    if lead == MIXED:
        return choose_mixed(groups, scores=scores, policy=policy)
    return choose_themed(lead, groups, scores=scores, policy=policy)


def _refuse_unknown(theme: ThemeId, themes: tuple[Theme, ...]) -> None:
    known = [found.id for found in themes]
    if theme in known:
        return
    near = get_close_matches(theme, known, n=1, cutoff=0.5)
    raise UsageError(
        f"there is no theme {theme!r}",
        fix=f"did you mean {near[0]}?" if near else f"known themes: {', '.join(known)}",
    )


def _passed_over(sifted: Fresh, theme: ThemeId | None = None) -> tuple[str, ...]:
    counts = Counter(
        setback.kind
        for candidate, setback in sifted.stale
        if theme is None or candidate.theme == theme
    )
    kinds = [*(rule.kind for rule in RULES), TWIN]
    return tuple(f"{counts[kind]} {kind}" for kind in kinds if counts[kind])


def _nothing(stock: Stock, sifted: Fresh, theme: ThemeId | None) -> str:
    """Say why there is nothing to send at all, empty where there is something."""
    if any(theme in {None, candidate.theme} for candidate in sifted.fresh):
        return ""
    held = sum(theme in {None, candidate.theme} for candidate in stock.shelf)
    whose = f" of theme {theme}" if theme else ""
    if not held:
        return f"nothing to send: there is no summary{whose}"
    why = ", ".join(_passed_over(sifted, theme))
    count = "1 summary" if held == 1 else f"{held} summaries"
    return f"nothing to send: no fresh one among {count}{whose} ({why})"


def _too_thin(choice: Choice, lead: ThemeId, policy: Policy) -> str:
    if policy.when_thin != "skip" or choice.own >= policy.min_items:
        return ""
    subject = lead or "a mixed issue"
    return (
        f"too little to send: {subject} has {choice.own} of {times(policy.min_items, 'item')}, "
        "and thin issues are skipped"
    )


def _lead_reason(
    stock: Stock, lead: ThemeId, scores: tuple[ThemeScore, ...], *, forced: bool
) -> str:
    if lead == MIXED:
        fresh = sum(score.fresh for score in scores)
        themes = sum(score.fresh > 0 for score in scores)
        cause = "as the settings ask" if stock.declared else "since no theme is declared"
        return f"mixed, {cause}: {fresh} fresh from {times(themes, 'theme')}"
    score = next(found for found in scores if found.theme == lead)
    rank = f"{ordinal(score.place)} of {times(len(scores), 'theme')}"
    head = f"{lead} was asked for, {rank}" if forced else f"{lead} leads, {rank}"
    return f"{head}: {score_text(score, stock.policy)}"


def score_text(score: ThemeScore, policy: Policy) -> str:
    """Write out how a score comes about, with its numbers."""
    waited = (
        f"never used, counted as {times(score.waited, 'week')}"
        if score.weeks is None
        else f"{times(score.weeks, 'week')} from its last issue"
    )
    thin = f", below the {policy.min_items} an issue should hold" if score.thin else ""
    return (
        f"{waited}, stock {score.stock}{thin}; "
        f"score {score.waited} * {policy.max_items + 1} + {score.stock} = {score.score}"
    )
