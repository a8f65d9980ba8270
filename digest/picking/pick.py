"""Pick the issue of a slot, or of several in turn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from digest.model import (
    History,
    Issue,
    IssueKey,
    LeftOut,
    PastIssue,
    PastItem,
    Pick,
    Slot,
    Summary,
    Theme,
)
from digest.picking.claims import Claims
from digest.picking.decide import Decision, Stock, decide, left_of, stock_up
from digest.picking.policy import Policy
from digest.picking.score import ThemeScore
from digest.picking.shelf import facts, nfc
from digest.picking.situation import Situation
from digest.picking.tally import Tally
from digest.picking.wish import NOTHING_ASKED, Wish
from digest.picking.worth import Ranked, Taken, worth_text

__all__ = ["Selection", "pick", "plan", "reason_in", "reason_out"]

_LEFT_OUT: Final = 20
_NO_WISHES: Final[Mapping[IssueKey, Wish]] = {}


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
    wish: Wish = NOTHING_ASKED,
) -> Selection:
    """Pick the issue of a slot: its theme, its summaries in the order shown, and all reasons.

    `themes` are the declared ones; with none the issue is mixed. Up to 20 of the nearest summaries
    left out are told. The order of the summaries given does not matter. Raise UsageError for an
    unknown theme or a `match` rule that cannot be read.
    """
    decision = decide(stock_up(summaries, themes, policy), slot, Claims(history), wish=wish)
    return _selection(decision)


def plan(  # noqa: PLR0913 - all that `pick` takes, for several
    slots: Iterable[Slot],
    summaries: Iterable[Summary],
    *,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
    wishes: Mapping[IssueKey, Wish] = _NO_WISHES,
    decided: Collection[IssueKey] = (),
) -> tuple[Selection, ...]:
    """Pick the issues of several slots one after another, as if each were published in turn.

    So it is with issues of the history that are `decided` and not out, too: each counts as out for
    the slots after its own.
    """
    stock = stock_up(summaries, themes, policy)
    held = Claims(history)
    coming = sorted((past for past in history if past.key in decided), key=lambda past: past.at)
    found = []
    for slot in slots:
        while coming and coming[0].at < slot.at:
            held.add(replace(coming.pop(0), published=True))
        wish = wishes.get(slot.issue, NOTHING_ASKED)
        selection = _selection(decide(stock, slot, held, wish=wish))
        found.append(selection)
        if selection.issue is not None:
            held.add(_as_past(selection.issue, stock))
    return tuple(found)


def _as_past(issue: Issue, stock: Stock) -> PastIssue:
    taken = (stock.by_id[nfc(item.id)] for item in issue.items)
    items = tuple(
        PastItem(id=found.summary.id, url=found.url, sketch=found.sketch) for found in taken
    )
    return PastIssue(
        key=issue.key, at=issue.slot.at, theme=issue.theme, items=items, published=True
    )


def _selection(decision: Decision) -> Selection:
    issue = None
    if not decision.skipped:
        picked = tuple(_picked(taken, decision.situation) for taken in decision.choice.taken)
        issue = Issue(
            slot=decision.situation.slot,
            theme=decision.lead,
            items=_together(decision, picked),
            left_out=(*decision.removed, *islice(_left_out(decision), _LEFT_OUT)),
            theme_reason=decision.lead_reason,
        )
    return Selection(
        issue=issue,
        shortages=decision.choice.shortages,
        skipped=decision.skipped,
        scores=decision.scores,
        passed_over=decision.passed_over,
    )


def _picked(taken: Taken, situation: Situation) -> Pick:
    last = situation.last(taken.candidate)
    return Pick(
        id=taken.candidate.summary.id,
        theme=taken.candidate.theme,
        reason=reason_in(taken),
        repeat=last.past.key if last else "",
    )


def _together(decision: Decision, picked: tuple[Pick, ...]) -> tuple[Pick, ...]:
    """Put what was picked behind what people kept, unless that has nothing of the lead's theme."""
    if any(item.theme in {"", decision.lead} for item in decision.kept):
        return (*decision.kept, *picked)
    own = tuple(item for item in picked if item.theme == decision.lead)
    others = tuple(item for item in picked if item.theme != decision.lead)
    return (*own, *decision.kept, *others)


def reason_in(taken: Taken) -> str:
    """Say what decided for a summary: its theme, its value, what it repeats, and the remark."""
    told = [facts(taken.candidate), worth_text(taken.ranked, taken.redundancy)]
    return "; ".join([*told, taken.remark] if taken.remark else told)


def reason_out(decision: Decision, ranked: Ranked, remark: str) -> str:
    """Say what decided against a fresh summary: its value beside what the issue holds."""
    tally = Tally(decision.situation.policy)
    for held in (*decision.held, *(taken.candidate for taken in decision.choice.taken)):
        tally.add(held)
    worth = worth_text(ranked, tally.redundancy(ranked.candidate).items())
    return "; ".join([facts(ranked.candidate), worth, remark])


def _left_out(decision: Decision) -> Iterator[LeftOut]:
    """Give what was left, nearest first: fresh ones, then stale ones, the lead's own before."""
    for ranked, remark in left_of(decision):
        yield LeftOut(id=ranked.candidate.summary.id, reason=reason_out(decision, ranked, remark))
    # The sort is stable, so that each half keeps the order of the shelf.
    removed = {one.id for one in decision.removed}
    for candidate, against in sorted(
        decision.sifted.stale, key=lambda found: found[0].theme != decision.lead
    ):
        if candidate.summary.id not in removed:
            yield LeftOut(id=candidate.summary.id, reason=against.reason)
