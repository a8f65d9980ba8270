"""What a summary is worth to an issue, and the greedy choice by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace
from math import inf

from digest.picking.shelf import PER_WEIGHT, VALUE, WEEK, Candidate, times
from digest.picking.situation import Situation
from digest.picking.tally import Tally

__all__ = [
    "Ranked",
    "Taken",
    "Walk",
    "as_shown",
    "greedy",
    "oldest",
    "rank",
    "weeks_from",
    "worth_text",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A candidate at a slot: since when it waits (None without a date), how long, and its value."""

    candidate: Candidate
    since: int | None
    waited: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A candidate that was taken: its redundancy at that moment, and a remark, which may be empty.

    `redundancy` gives what the issue held of it already, with the points for each.
    """

    ranked: Ranked
    redundancy: tuple[tuple[str, int], ...]
    remark: str

    @property
    def candidate(self) -> Candidate:
        """Give the candidate."""
        return self.ranked.candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What a walk along candidates took, what it refused and why, and what it did not come to."""

    taken: tuple[Taken, ...]
    refused: tuple[tuple[Ranked, str], ...]
    rest: tuple[Ranked, ...]


def weeks_from(since: int, situation: Situation) -> int:
    """Count the whole weeks from a second of POSIX time to a slot, 0 where it is ahead."""
    return max(0, situation.at - since) // WEEK


def oldest(group: Iterable[Candidate], situation: Situation) -> int | None:
    """Count the weeks that the longest waiting fresh candidate has waited; None without any.

    One without a date has waited since the newsletter's first issue.
    """
    starts = [situation.since(candidate) for candidate in group]
    known = (situation.begun if since is None else since for since in starts)
    return weeks_from(min(known), situation) if starts else None


def rank(group: Iterable[Candidate], situation: Situation) -> tuple[Ranked, ...]:
    """Put candidates of one theme in order: pinned first, then by value, date, and id.

        value = 200 + 10 * weight + weeks waited

    One without a date counts as the longest waiting one of them, or as waiting since the
    newsletter's first issue, if that is longer, and goes after those of its value.
    """
    candidates = tuple(group)
    longest = oldest(candidates, situation) or 0
    ranked = []
    for candidate in candidates:
        since = situation.since(candidate)
        weeks = longest if since is None else weeks_from(since, situation)
        value = candidate.merit + weeks
        ranked.append(Ranked(candidate=candidate, since=since, waited=weeks, value=value))
    # The sort is stable: equal ones keep the order of the shelf, which ends with the id.
    return tuple(sorted(ranked, key=lambda one: (*_bound(one), _moment(one))))


def _bound(ranked: Ranked) -> tuple[bool, int]:
    return (not ranked.candidate.summary.pin, -ranked.value)


def _moment(ranked: Ranked) -> float:
    return inf if ranked.since is None else ranked.since


def greedy(ranked: Iterable[Ranked], *, limit: int, tally: Tally, remark: str = "") -> Walk:
    """Take, time and again, the candidate that adds most: pinned ones, then value - redundancy.

    At equal gain the older date goes first, then the order given. What an issue is worth is
    monotone and submodular, so that the choice is within 1 - 1/e of the best (Nemhauser, Wolsey
    and Fisher, An analysis of approximations, 1978), as long as nothing is pinned, and no cap and
    no text that is like another's keeps one out.
    """
    waiting = list(ranked)
    # What a candidate adds only shrinks while others are taken, so that a gain worked out earlier
    # is a bound: who still stands first with its gain of now is the best (Minoux, 1978).
    heap = [(*_bound(one), _moment(one), place) for place, one in enumerate(waiting)]
    heapify(heap)
    taken: list[Taken] = []
    refused: list[tuple[Ranked, str]] = []
    gone: set[int] = set()
    while heap and len(taken) < limit:
        pinned, bound, moment, place = heap[0]
        one = waiting[place]
        redundancy = tally.redundancy(one.candidate)
        cost = sum(redundancy.values()) - one.value
        if reason := tally.refusal(one.candidate):
            refused.append((one, reason))
        elif cost > bound:
            heapreplace(heap, (pinned, cost, moment, place))
            continue
        else:
            taken.append(Taken(ranked=one, redundancy=tuple(redundancy.items()), remark=remark))
            tally.add(one.candidate)
        heappop(heap)
        gone.add(place)
    rest = tuple(one for place, one in enumerate(waiting) if place not in gone)
    return Walk(taken=tuple(taken), refused=tuple(refused), rest=rest)


def as_shown(taken: Iterable[Taken]) -> tuple[Taken, ...]:
    """Put what was taken in the order in which readers get it.

    Pinned first, then the heavier weight, then the newer date, those without a date last, then by
    id: what waited longest has a place before others, not the first one.
    """

    def place(one: Taken) -> tuple[object, ...]:
        summary, weight = one.candidate.summary, one.candidate.weight
        newer = -summary.date.timestamp() if summary.date else inf
        return (not summary.pin, -weight, newer, summary.id)

    return tuple(sorted(taken, key=place))


def worth_text(ranked: Ranked, redundancy: Iterable[tuple[str, int]]) -> str:
    """Write out how the worth of a candidate comes about, with its numbers."""
    candidate = ranked.candidate
    points, exact = candidate.merit - VALUE, PER_WEIGHT * candidate.weight
    weight = f"{PER_WEIGHT} * {candidate.weight:g}"
    weight = weight if points == exact else f"{points} for weight {candidate.weight:g}"
    told = f"value {VALUE} + {weight} + {times(ranked.waited, 'week')} waited = {ranked.value}"
    common = tuple(redundancy)
    if not common:
        return told
    points = sum(points for _, points in common)
    names = ", ".join(f"{name} {points}" for name, points in common)
    return f"{told}; redundancy {points} ({names})"
