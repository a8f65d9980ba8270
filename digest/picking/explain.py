"""Why one summary is in the issue of a slot or not, rule by rule."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from digest.errors import UsageError
from digest.model import History, Slot, Summary, Theme
from digest.picking.decide import Decision, Stock, decide, score_text, stock_up
from digest.picking.fresh import RULES
from digest.picking.pick import reason_in
from digest.picking.policy import Policy
from digest.picking.shelf import Candidate, ordinal, times

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why one summary is in the issue of a slot or not, rule by rule."""

    id: str
    included: bool
    steps: tuple[str, ...]


def explain(
    summary_id: str,
    slot: Slot,
    summaries: Iterable[Summary],
    *,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
) -> Explanation:
    """Explain why a summary is in the issue of a slot or not, rule by rule, with the numbers.

    `summary_id` may also be the file's path in the content folder. The answer always agrees
    with `pick`. Raise UsageError for an unknown id, naming the nearest.
    """
    stock = stock_up(summaries, themes, policy)
    decision = decide(stock, slot, history)
    taken = {} if decision.skipped else dict(decision.choice.taken)
    named = _named(unicodedata.normalize("NFC", summary_id), stock)
    candidate = next((found for found in named if found in taken), named[0])
    return Explanation(
        id=candidate.summary.id,
        included=candidate in taken,
        steps=tuple(_steps(decision, candidate, stock)),
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


def _steps(decision: Decision, candidate: Candidate, stock: Stock) -> Iterator[str]:
    """Go through the rules in the order in which they are asked; the last step is the verdict."""
    yield f"theme: {candidate.theme} by {candidate.rule or 'no matching rule'}"
    setback = next((why for found, why in decision.sifted.stale if found is candidate), None)
    for rule in RULES:
        if setback is not None and rule.kind == setback.kind:
            break
        yield rule.passed(candidate, decision.situation)
    if setback is not None:
        yield f"out: {setback.reason}"
        return
    yield "no other with its id or address goes before it"
    yield f"issue: {decision.lead_reason}"
    if candidate.theme != decision.lead:
        score = next(found for found in decision.scores if found.theme == candidate.theme)
        rank = f"{ordinal(score.place)} of {times(len(decision.scores), 'theme')}"
        yield f"{candidate.theme} is {rank}: {score_text(score, stock.policy)}"
    yield f"order: {reason_in(decision, candidate)} (pinned, then weight, then date, then id)"
    yield _verdict(decision, candidate)


def _verdict(decision: Decision, candidate: Candidate) -> str:
    if decision.skipped:
        return f"out: {decision.skipped}"
    for place, (found, remark) in enumerate(decision.choice.taken, start=1):
        if found is candidate:
            why = f", {remark}" if remark else ""
            return f"in: {ordinal(place)} of {len(decision.choice.taken)} in the issue{why}"
    return f"out: {dict(decision.choice.left)[candidate]}"
