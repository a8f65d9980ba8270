"""All summaries in the order in which issues take them, each with its theme."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isnan
from typing import Final

from digest.model import Summary, Theme, ThemeId, canonical_url
from digest.picking.assign import assign_by, read_rules

__all__ = ["Candidate", "facts", "ordinal", "shelve", "times"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A summary on the shelf: its theme, the rule that decided it, its canonical address."""

    summary: Summary
    theme: ThemeId
    rule: str
    url: str


def _rank(summary: Summary) -> tuple[object, ...]:
    weight = 0.0 if isnan(summary.weight) else summary.weight
    age = (False, _EPOCH - summary.date) if summary.date else (True, _EPOCH - _EPOCH)
    # Path and fingerprint only decide between files that claim one id.
    last = (summary.id, summary.path, summary.fingerprint)
    return (not summary.pin, -weight, *age, *last)


def shelve(summaries: Iterable[Summary], themes: tuple[Theme, ...]) -> tuple[Candidate, ...]:
    """Put summaries in order: pinned first, heavier first, newer first, undated last, then by id.

    Ids are compared by code points, so that the order is one in every locale. Equal summaries
    in another order give the same shelf.
    """
    rules = read_rules(themes)
    shelf = []
    for summary in sorted(summaries, key=_rank):
        found = assign_by(rules, summary)
        url = canonical_url(summary.url) if summary.url else ""
        shelf.append(Candidate(summary=summary, theme=found.theme, rule=found.rule, url=url))
    return tuple(shelf)


def facts(candidate: Candidate) -> str:
    """Say what decides a summary's place: theme and rule, pin, weight, date."""
    summary = candidate.summary
    told = [f"{candidate.theme} by {candidate.rule or 'no matching rule'}"]
    if summary.pin:
        told.append("pinned")
    told.append(f"weight {summary.weight:g}")
    told.append(f"dated {summary.date.date().isoformat()}" if summary.date else "no date")
    return "; ".join(told)


def ordinal(place: int) -> str:
    """Write a place in a row: 1st, 2nd, 3rd, 4th."""
    teen = place % 100 in {11, 12, 13}
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def times(count: int, word: str) -> str:
    """Write a number with its word: 1 week, 2 weeks."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
