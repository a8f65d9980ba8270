"""What earlier and reserved issues hold: found by id, by address, and by the text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from digest.model import IssueKey, PastIssue, PastItem, handles, likeness, week_days
from digest.picking.shelf import Candidate

__all__ = ["Claim", "Claims", "Twin", "claims", "find_twin", "weeks_apart"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One summary, known by its `name`, in one issue, so many weeks from the issue asked about."""

    name: str
    past: PastIssue
    item: PastItem
    weeks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Claims by id, by canonical address, by a handle of the text, and by the whole sketch.

    Those of one key stand nearest issue first.
    """

    ids: dict[str, list[Claim]]
    urls: dict[str, list[Claim]]
    handles: dict[int, list[Claim]]
    sketches: dict[bytes, list[Claim]]

    def has(self, candidate: Candidate) -> bool:
        """Tell whether there is any claim on a summary, by its id or its address."""
        return candidate.name in self.ids or candidate.url in self.urls

    def of(self, candidate: Candidate, *, besides: frozenset[str], published: bool) -> Claim | None:
        """Give the nearest claim on a summary, by its id or by its address.

        Asked for are those of published issues or of others; those on an id of `besides` are
        passed over. Of one issue that by the id is given.
        """
        by_url = self.urls.get(candidate.url, ()) if candidate.url else ()
        fitting = (
            next((claim for claim in found if _asked(claim, besides, published=published)), None)
            for found in (self.ids.get(candidate.name, ()), by_url)
        )
        nearest = [claim for claim in fitting if claim is not None]
        return min(nearest, key=lambda claim: claim.weeks, default=None)


def _asked(claim: Claim, besides: frozenset[str], *, published: bool) -> bool:
    return claim.past.published is published and claim.name not in besides


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A claim whose text is like that of a summary, and how like, 0 to 1."""

    claim: Claim
    likeness: float


def weeks_apart(one: IssueKey, other: IssueKey) -> int:
    """Count the weeks between two issues by the calendar, whichever comes first."""
    return abs((week_days(one)[0] - week_days(other)[0]).days) // 7


def claims(issues: Iterable[PastIssue], *, key: IssueKey, window: int) -> Claims:
    """Find what issues hold, seen from the issue of a key; texts only within a window of weeks."""
    found = Claims(ids={}, urls={}, handles={}, sketches={})
    apart = [(weeks_apart(past.key, key), past.key, past) for past in issues]
    for weeks, _, past in sorted(apart, key=lambda one: one[:2]):
        for item in past.items:
            name = unicodedata.normalize("NFC", item.id)
            claim = Claim(name=name, past=past, item=item, weeks=weeks)
            found.ids.setdefault(name, []).append(claim)
            if item.url:
                found.urls.setdefault(item.url, []).append(claim)
            if item.sketch and weeks < window:
                found.sketches.setdefault(item.sketch, []).append(claim)
                for handle in handles(item.sketch):
                    found.handles.setdefault(handle, []).append(claim)
    return found


def find_twin(
    candidate: Candidate, texts: Claims, *, least: float, besides: frozenset[str]
) -> Twin | None:
    """Find what is most like the text of a summary, by `least` or more; None where nothing is.

    At equal likeness the nearest issue, then the one with the smaller id.
    """
    if not candidate.sketch:
        return None
    same = texts.sketches.get(candidate.sketch, ())
    near = chain.from_iterable(texts.handles.get(handle, ()) for handle in candidate.handles)
    best: Twin | None = None
    seen: set[tuple[str, str]] = set()
    for claim in chain(same, near):
        name = (claim.past.key, claim.name)
        if name in seen or claim.name in besides:
            continue
        seen.add(name)
        found = likeness(candidate.sketch, claim.item.sketch)
        if found >= least and (best is None or _nearer(found, claim, best)):
            best = Twin(claim=claim, likeness=found)
    return best


def _nearer(found: float, claim: Claim, best: Twin) -> bool:
    one = (-found, claim.weeks, claim.past.key, claim.name)
    other = best.claim
    return one < (-best.likeness, other.weeks, other.past.key, other.name)
