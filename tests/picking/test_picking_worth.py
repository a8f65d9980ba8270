"""What a summary is worth to an issue, which are taken first, and how they are shown."""

from __future__ import annotations

from math import inf, nan

import pytest
from picking.libraries import THEMES, past
from picking.scenes import SLOT, ago, ids, issue_of, left_out, select, several, tagged

from digest.model import History, Summary, Theme, ThemeId
from digest.picking import Policy
from digest.picking.claims import Claims
from digest.picking.shelf import shelve
from digest.picking.situation import situate
from digest.picking.tally import Tally, features
from digest.picking.worth import greedy, rank

_ONE = Policy(min_items=1)


def _locks(name: str, **fields: object) -> Summary:
    return tagged(name, "locks", **fields)


def _reasons(*library: Summary, policy: Policy = _ONE) -> dict[str, str]:
    return {item.id: item.reason for item in issue_of(select(*library, policy=policy)).items}


def _order(*library: Summary, history: History = ()) -> list[str]:
    """Give the ids of summaries of one theme in the order in which they are taken."""
    situation = situate(SLOT, Claims(history), _ONE)
    walk = greedy(rank(shelve(library, THEMES), situation), limit=99, tally=Tally(_ONE))
    return [taken.candidate.summary.id for taken in walk.taken]


# The order in which they are taken.


def test_pinned_then_worth_then_older_then_id() -> None:
    """The oldest goes first; undated ones count as the oldest and go after it."""
    assert _order(
        _locks("b-undated"),
        _locks("a-undated"),
        _locks("new", date=ago(1)),
        _locks("old", date=ago(9)),
        _locks("heavy", date=ago(1), weight=0.9),
        _locks("pinned", pin=True, weight=-3.0),
    ) == ["pinned", "heavy", "old", "a-undated", "b-undated", "new"]


def test_weeks_of_waiting_and_points_of_weight_are_of_one_coin() -> None:
    """A point of weight is worth ten weeks: what waits long enough comes before what is heavy."""
    assert _order(
        _locks("a-week-less", date=ago(9)),
        _locks("heavy", date=ago(0), weight=1.0),
        _locks("as-much", date=ago(10)),
        _locks("a-week-more", date=ago(11)),
    ) == ["a-week-more", "as-much", "heavy", "a-week-less"]


def test_waiting_begins_when_it_may_go() -> None:
    """It counts from the date, or from `not_before` where that is later."""
    library = (_locks("held", date=ago(40), not_before=ago(3)), _locks("dated", date=ago(4)))

    assert _order(*library) == ["dated", "held"]
    assert "+ 3 weeks waited" in _reasons(*library)["held"]


def test_one_that_comes_again_waits_since_its_cooldown_was_over() -> None:
    """Else an evergreen, dated long ago, would come before all that is new."""
    again = _locks("again", date=ago(300), cooldown=4)
    ahead = _locks("ahead", date=ago(300), cooldown=0)
    library = (again, ahead, _locks("new", date=ago(3)))
    history = (past("2026-w48", "", again), past("2027-w09", "", ahead))

    found = {item.id: item.reason for item in issue_of(select(*library, history=history)).items}

    assert _order(*library, history=history) == ["new", "again", "ahead"]
    assert "value 200 + 10 * 0 + 3 weeks waited = 203" in found["new"]
    assert "value 200 + 10 * 0 + 2 weeks waited = 202" in found["again"]
    assert "value 200 + 10 * 0 + 0 weeks waited = 200" in found["ahead"]


def test_ties_are_broken_by_code_points() -> None:
    """Ids of one day stand by code points, so that no locale can change the order."""
    names = ["zebra", "Über", "café", "cafe", "物語", "Иван"]
    library = tuple(_locks(name, date=ago(3)) for name in names)

    assert _order(*library) == ["cafe", "café", "zebra", "Über", "Иван", "物語"]
    assert ids(select(*library)) == _order(*library)


def test_the_most_that_waits_is_taken_and_shown_newest_first() -> None:
    """What waited longest has a place before others, and in the issue the place of its date."""
    library = tuple(_locks(f"w{weeks}", date=ago(weeks)) for weeks in range(9))

    found = select(*library, policy=Policy(min_items=1, max_items=3))

    assert ids(found) == ["w6", "w7", "w8"]
    assert list(left_out(found)) == ["w5", "w4", "w3", "w2", "w1", "w0"]


def test_readers_get_pinned_heavier_newer_first_and_undated_last() -> None:
    """At one date by id; a weight counts no further than ten."""
    found = select(
        _locks("undated"),
        _locks("old", date=ago(9)),
        _locks("new-b", date=ago(1)),
        _locks("new-a", date=ago(1)),
        _locks("heavy-old", date=ago(9), weight=99.0),
        _locks("heavy-new", date=ago(2), weight=10.0),
        _locks("pinned", pin=True, weight=-5.0),
        policy=Policy(max_items=7),
    )

    assert ids(found) == ["pinned", "heavy-new", "heavy-old", "new-a", "new-b", "old", "undated"]


@pytest.mark.parametrize(
    ("weight", "value"),
    [
        (nan, "200 + 10 * 0 + 0 weeks waited = 200"),
        (inf, "200 + 10 * 10 + 0 weeks waited = 300"),
        (-inf, "200 + 10 * -10 + 0 weeks waited = 100"),
        (11.0, "200 + 10 * 10 + 0 weeks waited = 300"),
        (-2.5, "200 + 10 * -2.5 + 0 weeks waited = 175"),
    ],
)
def test_a_weight_is_kept_within_ten(weight: float, value: str) -> None:
    """One that is beyond counts as ten, one that is no number as nought."""
    assert _reasons(_locks("a", weight=weight))["a"].endswith(f"value {value}")


# How it is told.


def test_reasons_hold_the_facts_and_the_sum() -> None:
    """Each item says its theme and rule, its pin, its date, and how its value comes about."""
    library = (
        _locks("a", date=ago(12), pin=True, weight=1.5),
        _locks("b", date=ago(1)),
        tagged("c", "", themes=("locks",)),
    )

    assert _reasons(*library) == {
        "a": (
            "locks by tag:locks; pinned; dated 2026-10-12; "
            "value 200 + 10 * 1.5 + 12 weeks waited = 227"
        ),
        "b": "locks by tag:locks; dated 2026-12-28; value 200 + 10 * 0 + 1 week waited = 201",
        "c": "locks by theme:locks; no date; value 200 + 10 * 0 + 12 weeks waited = 212",
    }


def test_what_the_issue_holds_already_counts_against_a_summary() -> None:
    """Source, authors and tags in common are named with their points; the first pays nothing."""
    one = _locks("one", source="Board", authors=("Ada", "Bo"), tags=("locks", "oak"))
    two = _locks("two", source="board", authors=("BO",), tags=("locks", "OAK", "iron"), weight=-1)
    other = _locks("other", weight=-5)

    found = _reasons(one, two, other)

    assert _order(one, two, other) == ["one", "other", "two"]
    assert "redundancy" not in found["one"] + found["other"]
    assert (
        found["two"]
        .casefold()
        .endswith("= 190; redundancy 45 (source board 20, author bo 15, tag oak 10)")
    )


def test_names_are_told_as_the_files_write_them() -> None:
    """A source or an author keeps its capitals."""
    one, two = (_locks(name, source="River Board", authors=("Ada Bo",)) for name in "ab")

    assert "(source River Board 20, author Ada Bo 15)" in _reasons(one, two)["b"]


def test_no_summary_costs_more_than_it_is_worth() -> None:
    """Two authors and five tags count at most: the lightest of all is worth as much as it costs."""
    names = tuple("abcdefgh")
    full = {"source": "Board", "authors": names[:4], "tags": ("locks", *names)}

    found = _reasons(_locks("first", **full), _locks("second", weight=-10.0, **full))

    assert "value 200 + 10 * -10 + 0 weeks waited = 100; redundancy 100 (" in found["second"]


def test_the_tag_of_the_theme_is_nothing_in_common() -> None:
    """Neither the tag that its rule asks for nor one of the theme's name counts, in any writing."""
    water = Theme(id=ThemeId("water"), label="Water", match=("tag: Locks",))
    (candidate,) = shelve([_locks("a", tags=("LOCKS", "water", "oak"))], (water,))

    assert candidate.theme == "water"
    assert features(candidate) == {"tag oak": 10}


def test_variety_goes_before_a_little_more_weight() -> None:
    """Of two equals of a source the second gives its place to another's lighter one."""
    assert _order(
        *several("locks", 3, source="Board"),
        _locks("lighter", weight=-1.9, source="Club"),
        _locks("too-light", weight=-2.1, source="Diary"),
    ) == ["locks-1", "lighter", "locks-2", "locks-3", "too-light"]


def test_pinned_ones_go_first_whatever_they_repeat() -> None:
    """Among them the same order holds; what has no room is left out, pinned or not."""
    pins = several("locks", 4, pin=True, source="Board", authors=("Ada",), weight=-9.0)
    found = select(*pins, _locks("free", weight=9.0), policy=Policy(min_items=1, max_items=3))

    assert ids(found) == ["locks-1", "locks-2", "locks-3"]
    assert "redundancy 35 (source " in left_out(found)["locks-4"]
    assert left_out(found)["locks-4"].endswith("); the issue is full with 3 items")


# Caps.


def test_caps_on_source_and_author() -> None:
    """A cap holds whatever the letter case; what has no source or author meets none."""
    board = several("locks", 3, source="River Board", authors=("Ada", "Bo"), weight=5.0)
    more = (
        _locks("other-case", source="RIVER BOARD"),
        _locks("second-author", authors=("Cy", "BO")),
        _locks("none"),
        _locks("none-too"),
    )
    source = select(*board, *more, policy=Policy(max_per_source=2))
    author = select(*board, *more, policy=Policy(max_per_author=1))

    assert ids(source) == ["locks-1", "locks-2", "none", "none-too", "second-author"]
    assert left_out(source)["locks-3"].endswith(
        "; the issue already holds 2 of source River Board, the most that may be"
    )
    assert ids(author) == ["locks-1", "none", "none-too", "other-case"]
    assert list(left_out(author)) == ["locks-2", "locks-3", "second-author"]


def test_an_author_named_twice_counts_once() -> None:
    """Two writings of one name in a file are one author of it."""
    found = select(
        _locks("a", authors=("Ada", "ADA")),
        _locks("b", authors=("Ada",)),
        _locks("c", authors=("Ada",)),
        policy=Policy(min_items=1, max_per_author=2),
    )

    assert ids(found) == ["a", "b"]
