"""Why one summary is in the issue of a slot or not, and why a theme leads it, rule by rule."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from digest.errors import UsageError
from digest.model import History, Slot, Summary, Theme, ThemeId
from digest.picking.decide import Decision, Stock, decide, left_of, stock_up
from digest.picking.fresh import RULES
from digest.picking.pick import reason_in, reason_out
from digest.picking.policy import Policy
from digest.picking.score import ThemeScore, score_text
from digest.picking.shelf import Candidate, facts, ordinal, times
from digest.picking.wish import NOTHING_ASKED, Wish
from digest.picking.worth import rank

__all__ = ["Explanation", "explain", "explain_each", "explain_theme"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a summary is in the issue of a slot or a theme leads it, or not, rule by rule."""

    id: str
    included: bool
    steps: tuple[str, ...]


def explain(  # noqa: PLR0913 - asks about what `pick` takes
    summary_id: str,
    slot: Slot,
    summaries: Iterable[Summary],
    *,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
    wish: Wish = NOTHING_ASKED,
) -> Explanation:
    """Explain why a summary is in the issue of a slot or not, rule by rule, with the numbers.

    `summary_id` may also be the file's path in the content folder. The answer always agrees
    with `pick`. Raise UsageError for an unknown id, naming the nearest.
    """
    stock = stock_up(summaries, themes, policy)
    decision = decide(stock, slot, history, wish=wish)
    named = _named(unicodedata.normalize("NFC", summary_id), stock)
    taken = _taken(decision)
    return _explained(decision, next((one for one in named if one in taken), named[0]))


def explain_each(
    slot: Slot,
    summaries: Iterable[Summary],
    *,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
) -> tuple[Explanation, ...]:
    """Explain every summary at a slot, as `explain` does, in the order of the shelf."""
    stock = stock_up(summaries, themes, policy)
    decision = decide(stock, slot, history)
    return tuple(_explained(decision, candidate) for candidate in stock.shelf)


def explain_theme(  # noqa: PLR0913 - asks about what `pick` takes
    theme: ThemeId,
    slot: Slot,
    summaries: Iterable[Summary],
    *,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
    wish: Wish = NOTHING_ASKED,
) -> Explanation:
    """Explain why a theme leads the issue of a slot or does not, with the numbers of all themes.

    Raise UsageError for an unknown theme.
    """
    stock = stock_up(summaries, themes, policy)
    decision = decide(stock, slot, history, wish=wish)
    if theme not in {score.theme for score in decision.scores}:
        known = ", ".join(score.theme for score in decision.scores)
        raise UsageError(f"there is no theme {theme!r}", fix=f"known themes: {known}")
    return Explanation(
        id=theme,
        included=theme == decision.lead and not decision.skipped,
        steps=tuple(_theme_steps(decision, theme)),
    )


def _taken(decision: Decision) -> frozenset[Candidate]:
    if decision.skipped:
        return frozenset()
    return frozenset((*decision.held, *(one.candidate for one in decision.choice.taken)))


def _explained(decision: Decision, candidate: Candidate) -> Explanation:
    return Explanation(
        id=candidate.summary.id,
        included=candidate in _taken(decision),
        steps=tuple(_steps(decision, candidate)),
    )


def _named(name: str, stock: Stock) -> tuple[Candidate, ...]:
    by_id = tuple(found for found in stock.shelf if found.summary.id == name)
    found = by_id or tuple(found for found in stock.shelf if found.summary.path == name)
    if found:
        return found
    ids = sorted({candidate.summary.id for candidate in stock.shelf})
    near = get_close_matches(name, ids, n=3, cutoff=0.5)
    raise UsageError(
        f"there is no summary {name!r}",
        fix=f"nearest: {', '.join(near)}" if near else "give the id of a summary, or its path",
    )


def _steps(decision: Decision, candidate: Candidate) -> Iterator[str]:
    """Go through the rules in the order in which they are asked; the last step is the verdict."""
    yield f"theme: {candidate.theme} by {candidate.rule or 'no matching rule'}"
    if candidate in decision.held:
        yield "in: the issue file names it"
        return
    against = next((why for found, why in decision.sifted.stale if found is candidate), None)
    for rule in RULES:
        if against is not None and rule.kind == against.kind:
            break
        yield rule.passed(candidate, decision.situation)
    if against is not None:
        yield f"out: {against.reason}"
        return
    yield "no other with its id or address goes before it"
    yield f"issue: {decision.lead_reason}"
    if decision.lead and candidate.theme != decision.lead:
        yield _standing(decision, candidate.theme)
    yield from _order(decision, candidate)
    yield _verdict(decision, candidate)


def _standing(decision: Decision, theme: ThemeId) -> str:
    score = next(found for found in decision.scores if found.theme == theme)
    return _score_line(decision, score)


def _score_line(decision: Decision, score: ThemeScore) -> str:
    place = f"{ordinal(score.place)} of {times(len(decision.scores), 'theme')}"
    told = score_text(score, decision.situation, least=decision.least)
    return f"{score.theme} is {place}: {told}"


def _order(decision: Decision, candidate: Candidate) -> Iterator[str]:
    """Say where a fresh summary stands among those of its theme before any is taken."""
    group = rank(decision.groups.get(candidate.theme, ()), decision.situation)
    for place, one in enumerate(group, start=1):
        if one.candidate is candidate:
            of = f"{ordinal(place)} of {len(group)} fresh of {candidate.theme}"
            yield f"order: {of} by pin, value, date and id"


def _verdict(decision: Decision, candidate: Candidate) -> str:
    if decision.skipped:
        return f"out: {decision.skipped}"
    for place, one in enumerate(decision.choice.taken, start=1):
        if one.candidate is candidate:
            return f"in: {ordinal(place)} of {len(decision.choice.taken)}; {reason_in(one)}"
    for ranked, remark in left_of(decision):
        if ranked.candidate is candidate:
            return f"out: {reason_out(decision, ranked, remark)}"
    return f"out: {facts(candidate)}; has been out, and the issue needs no repeats"


def _theme_steps(decision: Decision, theme: ThemeId) -> Iterator[str]:
    score = next(found for found in decision.scores if found.theme == theme)
    stale = sum(found.theme == theme for found, _ in decision.sifted.stale)
    yield f"{times(score.fresh, 'summary').replace('summarys', 'summaries')} fresh, {stale} not"
    yield from (_score_line(decision, found) for found in decision.scores)
    if decision.skipped:
        yield f"no issue: {decision.skipped}"
    elif not decision.lead:
        count = sum(one.candidate.theme == theme for one in decision.choice.taken)
        yield f"mixed issues have no theme in the lead; {times(count, 'item')} of it"
    else:
        yield decision.lead_reason
