"""Why one summary is in the issue of a slot or not, and why a theme leads it, rule by rule."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from digest.errors import UsageError
from digest.model import History, Slot, Summary, Theme, ThemeId
from digest.picking.claims import Claims
from digest.picking.decide import Decision, Stock, decide, left_of, stock_up
from digest.picking.fresh import RULES
from digest.picking.pick import reason_in, reason_out
from digest.picking.policy import Policy
from digest.picking.score import ThemeScore, score_text
from digest.picking.shelf import Candidate, facts, ordinal, times
from digest.picking.wish import NOTHING_ASKED, Wish
from digest.picking.worth import Ranked, rank

__all__ = ["Account", "Explanation", "explain", "explain_theme"]


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
    decision = decide(stock, slot, Claims(history), wish=wish)
    named = _named(unicodedata.normalize("NFC", summary_id), stock)
    account = Account(decision)
    return account.explain(next((one for one in named if one in account.taken), named[0]))


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
    decision = decide(stock, slot, Claims(history), wish=wish)
    if theme not in {score.theme for score in decision.scores}:
        known = ", ".join(score.theme for score in decision.scores)
        raise UsageError(f"there is no theme {theme!r}", fix=f"known themes: {known}")
    return Explanation(
        id=theme,
        included=theme == decision.lead and not decision.skipped,
        steps=tuple(_theme_steps(decision, theme)),
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


class Account:
    """The reasons of one decision, for any of its summaries; each is worked out once."""

    def __init__(self, decision: Decision) -> None:
        self._decision = decision
        self._against = dict(decision.sifted.stale)
        taken = {one.candidate: one for one in decision.choice.taken}
        self._in = {} if decision.skipped else taken
        self.taken = frozenset((*decision.held, *self._in))

    def explain(self, candidate: Candidate) -> Explanation:
        """Explain why a summary is in the issue or not."""
        return Explanation(
            id=candidate.summary.id,
            included=candidate in self.taken,
            steps=tuple(self._steps(candidate)),
        )

    @cached_property
    def _left(self) -> Mapping[Candidate, tuple[Ranked, str]]:
        return {ranked.candidate: (ranked, why) for ranked, why in left_of(self._decision)}

    @cached_property
    def _places(self) -> Mapping[Candidate, str]:
        """Say where each fresh summary stands among those of its theme before any is taken."""
        return {
            one.candidate: f"{ordinal(place)} of {len(group)} fresh of {theme}"
            for theme, found in self._decision.groups.items()
            for group in (rank(found, self._decision.situation),)
            for place, one in enumerate(group, start=1)
        }

    def _steps(self, candidate: Candidate) -> Iterator[str]:
        """Go through the rules in the order in which they are asked, with the verdict last."""
        decision = self._decision
        yield f"theme: {candidate.theme} by {candidate.rule or 'no matching rule'}"
        if candidate in decision.held:
            yield "in: the issue file names it"
            return
        against = self._against.get(candidate)
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
        if candidate in self._places:
            yield f"order: {self._places[candidate]} by pin, value, date and id"
        yield self._verdict(candidate)

    def _verdict(self, candidate: Candidate) -> str:
        if self._decision.skipped:
            return f"out: {self._decision.skipped}"
        if candidate in self._in:
            place = list(self._in).index(candidate) + 1
            told = f"{ordinal(place)} of {len(self._in)}"
            return f"in: {told}; {reason_in(self._in[candidate])}"
        if candidate in self._left:
            ranked, remark = self._left[candidate]
            return f"out: {reason_out(self._decision, ranked, remark)}"
        return f"out: {facts(candidate)}; has been out, and only its own theme would repeat it"


def _standing(decision: Decision, theme: ThemeId) -> str:
    score = next(found for found in decision.scores if found.theme == theme)
    return _score_line(decision, score)


def _score_line(decision: Decision, score: ThemeScore) -> str:
    place = f"{ordinal(score.place)} of {times(len(decision.scores), 'theme')}"
    told = score_text(score, decision.situation, least=decision.least)
    return f"{score.theme} is {place}: {told}"


def _theme_steps(decision: Decision, theme: ThemeId) -> Iterator[str]:
    score = next(found for found in decision.scores if found.theme == theme)
    stale = sum(found.theme == theme for found, _ in decision.sifted.stale)
    yield f"{times(score.fresh, 'summary')} fresh, {stale} not"
    yield from (_score_line(decision, found) for found in decision.scores)
    if decision.skipped:
        yield f"no issue: {decision.skipped}"
    elif not decision.lead:
        count = sum(one.candidate.theme == theme for one in decision.choice.taken)
        yield f"mixed issues have no theme in the lead; {times(count, 'item')} of it"
    else:
        yield decision.lead_reason
