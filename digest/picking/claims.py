"""What issues hold: found by id, by address, and by the whole text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from digest.model import IssueKey, PastIssue, PastItem, handles, week_days
from digest.picking.shelf import Candidate, nfc, seconds

__all__ = ["Claim", "Claims", "week_of", "weeks_apart"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One summary, known by its `name`, in one issue; `week` is that of the issue."""

    name: str
    past: PastIssue
    item: PastItem
    week: int

    def weeks(self, week: int) -> int:
        """Count the weeks to another week, whichever comes first."""
        return abs(self.week - week)


def week_of(key: IssueKey) -> int:
    """Give the week of an issue as a number; those of neighbours differ by one."""
    return week_days(key)[0].toordinal() // 7


def weeks_apart(one: IssueKey, other: IssueKey) -> int:
    """Count the weeks between two issues by the calendar, whichever comes first."""
    return abs(week_of(one) - week_of(other))


class Claims:
    """All that issues hold; it grows as a plan goes from issue to issue.

    `ids`, `urls` and `texts` lead from ids in NFC (UAX #15), canonical addresses and sketches to
    claims. What was taken back before any mail holds nothing.
    """

    def __init__(self, issues: Iterable[PastIssue] = ()) -> None:
        self.pasts: dict[IssueKey, PastIssue] = {}
        self.ids: dict[str, list[Claim]] = {}
        self.urls: dict[str, list[Claim]] = {}
        self.texts: dict[bytes, list[Claim]] = {}
        self._handles: dict[int, list[Claim]] = {}
        self.begun: int | None = None  # the first issue, in seconds of POSIX time
        for past in issues:
            self.add(past)

    def add(self, past: PastIssue) -> None:
        """Add an issue, in place of an earlier one of its key."""
        if past.freed:
            return
        if past.key in self.pasts:
            self._forget(past.key)
        self.pasts[past.key] = past
        at, week = seconds(past.at), week_of(past.key)
        self.begun = at if self.begun is None else min(self.begun, at)
        for item in past.items:
            name = nfc(item.id)
            claim = Claim(name=name, past=past, item=item, week=week)
            self.ids.setdefault(name, []).append(claim)
            if item.url:
                self.urls.setdefault(item.url, []).append(claim)
            if item.sketch:
                self.texts.setdefault(item.sketch, []).append(claim)
                for handle in handles(item.sketch):
                    self._handles.setdefault(handle, []).append(claim)

    def _forget(self, key: IssueKey) -> None:
        held = (self.ids, self.urls, self.texts, self._handles)
        for found in chain.from_iterable(table.values() for table in held):
            found[:] = [claim for claim in found if claim.past.key != key]

    def has(self, candidate: Candidate) -> bool:
        """Tell whether there may be a claim on a summary, by its id, its address or its text."""
        return (
            candidate.name in self.ids
            or candidate.url in self.urls
            or candidate.sketch in self.texts
        )

    def on(self, candidate: Candidate, *, texts: bool) -> Iterator[Claim]:
        """Give the claims on a summary: by its id, its address and, where asked, its text."""
        yield from self.ids.get(candidate.name, ())
        if candidate.url:
            yield from self.urls.get(candidate.url, ())
        if texts and candidate.sketch:
            yield from self.texts.get(candidate.sketch, ())

    def within(self, week: int, window: int) -> Iterator[Claim]:
        """Give the claims with a text of the issues that are fewer than so many weeks away."""
        for found in self.texts.values():
            yield from (claim for claim in found if claim.weeks(week) < window)

    def near(self, candidate: Candidate) -> list[Claim]:
        """Give the claims whose text shares a handle with that of a summary, each once."""
        found = (self._handles.get(handle, ()) for handle in candidate.handles)
        return list({id(claim): claim for claim in chain.from_iterable(found)}.values())
