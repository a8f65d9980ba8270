"""All summaries in one order that no file system decides, each with its theme."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import isnan
from typing import Final

from digest.model import Summary, Theme, ThemeId, canonical_url, handles, sketch
from digest.picking.assign import assign_by, read_rules

__all__ = [
    "PER_WEIGHT",
    "VALUE",
    "WEEK",
    "Candidate",
    "facts",
    "has_text",
    "nfc",
    "ordinal",
    "seconds",
    "shelve",
    "times",
]

WEEK: Final = 7 * 24 * 3600  # seconds
VALUE: Final = 200  # what a summary is worth before weight and waiting
PER_WEIGHT: Final = 10
_WEIGHTS: Final = 10.0  # the most weight that counts, for and against


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A summary on the shelf: its theme, the rule that decided it, its canonical address.

    `name` is its id in NFC (UAX #15), by which it is known; `names` are that and its address, told
    apart. `opens` and `closes` are when it may be picked first and no longer, in seconds of POSIX
    time; None where nothing says so. One that is `barred` is in no issue at all. `weight` is what
    of its file's counts, `merit` its value but for its waiting. `handles` find texts like it.
    """

    summary: Summary
    name: str
    theme: ThemeId
    rule: str
    url: str
    weight: float
    opens: int | None
    closes: int | None
    barred: bool
    merit: int
    names: tuple[str, ...]
    sketch: bytes
    handles: tuple[int, ...]


def nfc(name: str) -> str:
    """Give the form by which ids compare (UAX #15)."""
    return unicodedata.normalize("NFC", name)


def seconds(moment: datetime) -> int:
    """Give a moment in whole seconds of POSIX time, rounded down."""
    return int(moment.timestamp() // 1)


def _candidate(summary: Summary, *, theme: ThemeId, rule: str) -> Candidate:
    starts = [seconds(moment) for moment in (summary.date, summary.not_before) if moment]
    sketched, weight = sketch(summary), _weight(summary)
    url = canonical_url(summary.url) if summary.url else ""
    name = nfc(summary.id)
    # An id never starts with this mark, so that it cannot be taken for an address.
    names = (f"\0{name}", url) if url else (f"\0{name}",)
    return Candidate(
        summary=summary,
        name=name,
        theme=theme,
        rule=rule,
        url=url,
        opens=max(starts, default=None),
        closes=seconds(summary.not_after) if summary.not_after else None,
        barred=summary.draft or summary.withdrawn or not has_text(summary),
        weight=weight,
        merit=VALUE + round(PER_WEIGHT * weight),
        names=names,
        sketch=sketched,
        handles=handles(sketched),
    )


def has_text(summary: Summary) -> bool:
    """Tell whether there is anything to read."""
    return bool((summary.summary + summary.body).strip())


def _weight(summary: Summary) -> float:
    weight = 0.0 if isnan(summary.weight) else summary.weight
    return max(-_WEIGHTS, min(_WEIGHTS, weight)) + 0.0  # no minus before a nought


def _rank(candidate: Candidate) -> tuple[object, ...]:
    summary = candidate.summary
    age = (candidate.opens is None, candidate.opens or 0)
    # Path and fingerprint only decide between files that claim one id.
    last = (summary.id, summary.path, summary.fingerprint)
    return (not summary.pin, -candidate.merit, *age, *last)


def shelve(summaries: Iterable[Summary], themes: tuple[Theme, ...]) -> tuple[Candidate, ...]:
    """Put summaries in order: pinned first, heavier first, older first, undated last, then by id.

    Ids are compared by code points, so that the order is one in every locale. Equal summaries
    in another order give the same shelf.
    """
    rules = read_rules(themes)
    shelf = []
    for summary in summaries:
        found = assign_by(rules, summary)
        shelf.append(_candidate(summary, theme=found.theme, rule=found.rule))
    return tuple(sorted(shelf, key=_rank))


def facts(candidate: Candidate) -> str:
    """Say what is known of a summary whatever the issue: theme and rule, pin, date."""
    summary = candidate.summary
    told = [f"{candidate.theme} by {candidate.rule or 'no matching rule'}"]
    if summary.pin:
        told.append("pinned")
    told.append(f"dated {summary.date.date().isoformat()}" if summary.date else "no date")
    return "; ".join(told)


def ordinal(place: int) -> str:
    """Write a place in a row: 1st, 2nd, 3rd, 4th."""
    teen = place % 100 in {11, 12, 13}
    ending = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def times(count: int, word: str) -> str:
    """Write a number with its word: 1 week, 2 weeks, 3 summaries."""
    if count == 1:
        return f"{count} {word}"
    return f"{count} {word[:-1]}ies" if word.endswith("ry") else f"{count} {word}s"
