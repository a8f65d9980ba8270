"""Pick the issue of a slot, or of several in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from digest.model import (
    History,
    Issue,
    LeftOut,
    PastIssue,
    PastItem,
    Pick,
    Slot,
    Summary,
    Theme,
    ThemeId,
)
from digest.picking.decide import Decision, decide, stock_up
from digest.picking.policy import Policy
from digest.picking.score import ThemeScore
from digest.picking.shelf import Candidate, facts, ordinal

__all__ = ["Selection", "pick", "plan", "reason_in"]

_LEFT_OUT: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What was picked for a slot; `issue` is None exactly where `skipped` gives a reason.

    `shortages` say what was lacking; `scores` hold every theme, best first; `passed_over` counts
    the summaries that could not be picked, by kind: `2 already sent`.
    """

    issue: Issue | None
    shortages: tuple[str, ...]
    skipped: str
    scores: tuple[ThemeScore, ...]
    passed_over: tuple[str, ...] = ()


def pick(
    slot: Slot,
    summaries: Iterable[Summary],
    *,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
    theme: ThemeId | None = None,
) -> Selection:
    """Pick the issue of a slot: its theme, its summaries in the order shown, and all reasons.

    `themes` are the declared ones; with none the issue is mixed. `theme` forces the theme.
    Up to 20 of the nearest summaries left out are told. The order of the summaries given does
    not matter. Raise UsageError for an unknown theme or a `match` rule that cannot be read.
    """
    decision = decide(stock_up(summaries, themes, policy), slot, history, theme=theme)
    return _selection(decision)


def plan(
    slots: Iterable[Slot],
    summaries: Iterable[Summary],
    *,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
) -> tuple[Selection, ...]:
    """Pick the issues of several slots one after another, as if each were published in turn."""
    stock = stock_up(summaries, themes, policy)
    urls = {candidate.summary.id: candidate.url for candidate in stock.shelf}
    known = history
    found = []
    for slot in slots:
        selection = _selection(decide(stock, slot, known))
        found.append(selection)
        if selection.issue is not None:
            others = tuple(past for past in known if past.key != slot.issue)
            known = (*others, _as_past(selection.issue, urls))
    return tuple(found)


def _as_past(issue: Issue, urls: Mapping[str, str]) -> PastIssue:
    items = tuple(PastItem(id=item.id, url=urls[item.id]) for item in issue.items)
    return PastIssue(
        key=issue.key, at=issue.slot.at, theme=issue.theme, items=items, published=True
    )


def _selection(decision: Decision) -> Selection:
    issue = None
    if not decision.skipped:
        issue = Issue(
            slot=decision.situation.slot,
            theme=decision.lead,
            items=tuple(
                Pick(
                    id=candidate.summary.id,
                    theme=candidate.theme,
                    reason=reason_in(decision, candidate, remark),
                )
                for candidate, remark in decision.choice.taken
            ),
            left_out=tuple(
                LeftOut(id=candidate.summary.id, reason=reason)
                for candidate, reason in islice(_left_out(decision), _LEFT_OUT)
            ),
            theme_reason=decision.lead_reason,
        )
    return Selection(
        issue=issue,
        shortages=decision.choice.shortages,
        skipped=decision.skipped,
        scores=decision.scores,
        passed_over=decision.passed_over,
    )


def reason_in(decision: Decision, candidate: Candidate, remark: str = "") -> str:
    """Say what decided on a fresh candidate: theme, pin, weight, date, place, and the remark."""
    group = decision.groups[candidate.theme]
    told = [facts(candidate), f"{ordinal(group.index(candidate) + 1)} of {len(group)} fresh"]
    return "; ".join([*told, remark] if remark else told)


def _left_out(decision: Decision) -> Iterator[tuple[Candidate, str]]:
    """Give what was left, nearest first: fresh ones, then stale ones, the lead's own before."""
    for candidate, remark in decision.choice.left:
        yield candidate, reason_in(decision, candidate, remark)
    # The sort is stable, so that each half keeps the order of the shelf.
    for candidate, setback in sorted(
        decision.sifted.stale, key=lambda found: found[0].theme != decision.lead
    ):
        yield candidate, setback.reason
