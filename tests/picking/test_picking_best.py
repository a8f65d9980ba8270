"""How good the greedy choice is: against an objective of our own, and against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from itertools import combinations
from math import e, inf

from hypothesis import given, settings
from hypothesis import strategies as st
from picking.libraries import FIRST, slots, summary

from digest.model import Summary, Theme, ThemeId
from digest.picking import Policy, pick
from digest.picking.claims import Claims
from digest.picking.shelf import shelve
from digest.picking.situation import situate
from digest.picking.tally import Tally
from digest.picking.worth import Ranked, rank

_LOCKS = Theme(id=ThemeId("locks"), label="Locks", match=("tag:locks",))
_SLOT = slots(1)[0]
_LATE = datetime.max.replace(tzinfo=UTC)


def _features(one: Summary) -> dict[tuple[str, str], int]:
    """Give what a summary is about, in small letters, each with its points."""
    authors = list(dict.fromkeys(name.lower() for name in one.authors))
    tags = list(dict.fromkeys(tag.lower() for tag in one.tags if tag.lower() != "locks"))
    found = {("source", one.source.lower()): 20} if one.source else {}
    found |= {("author", name): 15 for name in authors[:2]}
    return found | {("tag", tag): 10 for tag in tags[:5]}


def _since(one: Summary) -> datetime | None:
    return max((moment for moment in (one.date, one.not_before) if moment), default=None)


def _waited(one: Summary) -> int | None:
    since = _since(one)
    return (_SLOT.at - since).days // 7 if since else None


def _worth(library: Collection[Summary]) -> dict[str, float]:
    """Give the value of each summary: 200, ten a point of weight, and the weeks that it waited."""
    longest = max((weeks for one in library if (weeks := _waited(one)) is not None), default=0)
    found = {}
    for one in library:
        weeks = _waited(one)
        weight = max(-10.0, min(10.0, one.weight))
        found[one.id] = 200 + 10 * weight + (longest if weeks is None else weeks)
    return found


def _objective(chosen: Collection[Summary], worth: dict[str, float]) -> float:
    """Add up the values of summaries, less the points of all that is in them more than once."""
    held = Counter(feature for one in chosen for feature in _features(one))
    points = {feature: most for one in chosen for feature, most in _features(one).items()}
    twice = sum((count - 1) * points[feature] for feature, count in held.items())
    return sum(worth[one.id] for one in chosen) - twice


def _greedy(library: Collection[Summary], worth: dict[str, float], most: int) -> list[str]:
    """Take pinned ones first, then always the one that adds most; ties by date, value, id."""
    chosen: list[Summary] = []
    left = list(library)
    while left and len(chosen) < most:
        before = _objective(chosen, worth)

        def place(one: Summary, before: float = before) -> tuple[object, ...]:
            gain = _objective([*chosen, one], worth) - before
            return (not one.pin, -gain, _since(one) or _LATE, -worth[one.id], one.id)

        best = min(left, key=place)
        left.remove(best)
        chosen.append(best)
    return [one.id for one in chosen]


def _shown(one: Summary) -> tuple[bool, float, float, str]:
    """Give a summary's place among those of its issue: pin, weight, newer date, id."""
    newer = -one.date.timestamp() if one.date else inf
    return (not one.pin, -max(-10.0, min(10.0, one.weight)), newer, one.id)


@st.composite
def _shelves(draw: st.DrawFn, *, pins: bool = False) -> list[Summary]:
    ages = st.one_of(st.none(), st.integers(0, 500), st.sampled_from([7, 14]))
    library = []
    for number in range(draw(st.integers(1, 9))):
        age, held = draw(ages), draw(st.one_of(st.none(), st.none(), ages))
        library.append(
            summary(
                f"n{number}",
                tags=("locks", *draw(st.lists(st.sampled_from("abcAdefg"), max_size=7))),
                date=None if age is None else FIRST - timedelta(days=age),
                not_before=None if held is None else FIRST - timedelta(days=held),
                weight=draw(st.sampled_from([0.0, 0.0, 0.5, 3.0, -2.0, -10.0, 40.0])),
                pin=pins and draw(st.booleans()),
                source=draw(st.sampled_from(["", "Board", "BOARD", "Club"])),
                authors=tuple(draw(st.lists(st.sampled_from("xyzX"), max_size=3))),
            )
        )
    return library


def _picked(library: Collection[Summary], most: int) -> list[str]:
    """Give what an issue of so many holds, in the order shown."""
    policy = Policy(min_items=1, max_items=most)
    found = pick(_SLOT, library, themes=(_LOCKS,), history=(), policy=policy)
    assert found.issue is not None
    return [item.id for item in found.issue.items]


@given(library=_shelves(pins=True), most=st.integers(1, 6))
@settings(deadline=None, max_examples=100)
def test_the_pick_takes_what_adds_most_each_time(library: list[Summary], most: int) -> None:
    """It is what the objective of this test gives, ties and pins included; shown newest first."""
    by_id = {one.id: one for one in library}
    picked = _picked(library, most)

    assert sorted(picked) == sorted(_greedy(library, _worth(library), most))
    assert picked == sorted(picked, key=lambda name: _shown(by_id[name]))


@given(library=_shelves(), most=st.integers(1, 4))
@settings(deadline=None, max_examples=100)
def test_the_pick_is_near_the_best_that_brute_force_finds(
    library: list[Summary], most: int
) -> None:
    """It has at least 1 - 1/e of the objective of the best of all choices up to that size."""
    worth = _worth(library)
    by_id = {one.id: one for one in library}
    got = _objective([by_id[name] for name in _picked(library, most)], worth)
    sizes = range(min(most, len(library)) + 1)
    best = max(_objective(some, worth) for size in sizes for some in combinations(library, size))

    assert got >= (1 - 1 / e) * best


def _ranked(library: Collection[Summary]) -> tuple[Ranked, ...]:
    """Rank summaries as the pick does."""
    return rank(shelve(library, (_LOCKS,)), situate(_SLOT, Claims(), Policy()))


def _adds(new: Ranked, held: Iterable[Ranked]) -> int:
    """Give what the product says that a summary adds to an issue of others: value - redundancy."""
    tally = Tally(Policy())
    for one in held:
        tally.add(one.candidate)
    return new.value - sum(tally.redundancy(new.candidate).values())


@given(library=_shelves(), data=st.data())
@settings(deadline=None, max_examples=100)
def test_what_a_summary_adds_shrinks_as_the_issue_grows(
    library: list[Summary], data: st.DataObject
) -> None:
    """Value less redundancy is submodular and monotone: no more to more, and never below 0."""
    new, *others = data.draw(st.permutations(_ranked(library)))
    more = others[: data.draw(st.integers(0, len(others)))]
    less = [one for one in more if data.draw(st.booleans())]

    assert _adds(new, less) >= _adds(new, more) >= 0


@given(library=_shelves(), data=st.data())
@settings(deadline=None, max_examples=100)
def test_the_worth_of_an_issue_is_that_of_the_set(
    library: list[Summary], data: st.DataObject
) -> None:
    """In whatever order its summaries join, an issue is worth what the objective says of them."""
    order = data.draw(st.permutations(_ranked(library)))
    worth = sum(_adds(one, order[:place]) for place, one in enumerate(order))

    assert worth == _objective(library, _worth(library))
