"""Summaries whose theme has too little to lead."""

from __future__ import annotations

from picking.libraries import THEMES, slots
from picking.scenes import ago, ids, issue_of, keep, select, several, tagged, told

from digest.model import Summary, ThemeId
from digest.picking import Policy, Wish, plan

_FOUR = Policy(min_items=2, max_items=4, max_wait=26)


def _plenty(count: int = 9) -> tuple[Summary, ...]:
    return several("locks", count, date=ago(1))


def _keeping(*names: str) -> Wish:
    return Wish(theme=ThemeId("locks"), keep=keep(*names))


def _old(name: str, weeks: int, theme: str = "weirs", **fields: object) -> Summary:
    return tagged(name, theme, date=ago(weeks), **fields)


def test_a_guest_takes_the_last_place() -> None:
    """What has waited `max_wait` weeks in a theme too thin to lead comes into another's issue."""
    found = select(*_plenty(), _old("old", 26), policy=_FOUR)

    assert ids(found) == ["locks-1", "locks-2", "locks-3", "old"]
    assert issue_of(found).items[-1].theme == "weirs"
    assert (
        issue_of(found)
        .items[-1]
        .reason.startswith(
            "weirs by tag:weirs; dated 2026-07-06; value 200 + 10 * 0 + 26 weeks waited "
            "= 226; a guest, since weirs has too little to lead, and after 26 weeks "
        )
    )
    assert found.shortages == ()


def test_a_guest_that_waited_just_so_long_is_not_told_to_have_waited_longer() -> None:
    """At 26 weeks of 26 the reason holds."""
    found = select(*_plenty(), _old("old", 26), policy=_FOUR)

    assert "longer than 26 weeks" not in issue_of(found).items[-1].reason


def test_before_its_time_nobody_is_a_guest() -> None:
    """Nor is one whose theme has enough to lead, however old."""
    young = select(*_plenty(), _old("old", 25), policy=_FOUR)
    able = select(*_plenty(), _old("one", 40), _old("two", 40), policy=_FOUR, theme="locks")

    assert len(ids(young)) == len(ids(able)) == 4
    assert {item.theme for item in (*issue_of(young).items, *issue_of(able).items)} == {"locks"}


def test_the_longest_waiting_is_the_guest() -> None:
    """Then the worthiest, then the smaller id; one an issue."""
    tide = _old("c", 30, "tides", weight=1.0)
    one = select(*_plenty(), _old("a", 29), _old("b", 30, "mills"), tide, policy=_FOUR)
    two = select(*_plenty(), _old("b", 30, "mills"), _old("a", 30, "tides"), policy=_FOUR)

    assert ids(one)[-1] == "c"
    assert ids(two)[-1] == "a"
    assert len({"a", "b", "c"} & set(ids(one))) == 1


def test_one_that_is_not_overdue_stays_beside_one_that_is() -> None:
    """Only the old one of a thin theme is a guest, not what is pinned before it."""
    found = select(
        *_plenty(), _old("old", 30), _old("new", 1, pin=True), policy=Policy(max_wait=26)
    )

    assert ids(found)[-1] == "old"


def test_a_guest_that_may_not_join_leaves_its_place() -> None:
    """Where a cap keeps it out, the theme fills the issue."""
    capped = Policy(min_items=2, max_items=3, max_per_source=1)
    found = select(
        *_plenty(),
        tagged("board", "locks", source="Board", pin=True),
        _old("old", 30, source="Board"),
        policy=capped,
    )

    assert ids(found) == ["board", "locks-1", "locks-2"]
    assert (
        told(
            "old",
            *_plenty(),
            tagged("board", "locks", source="Board", pin=True),
            _old("old", 30, source="Board"),
            policy=capped,
        )
        .steps[-1]
        .startswith("out: ")
    )


def test_the_only_free_place_is_the_leading_themes() -> None:
    """A guest never takes all of what there is to fill."""
    library = (*_plenty(), _old("old", 30))

    one = select(*library, policy=_FOUR, wish=_keeping("locks-7", "locks-8", "locks-9"))
    two = select(*library, policy=_FOUR, wish=_keeping("locks-8", "locks-9"))

    assert ids(one) == ["locks-7", "locks-8", "locks-9", "locks-1"]
    assert ids(two) == ["locks-8", "locks-9", "locks-1", "old"]


def test_a_place_given_to_a_guest_is_no_shortage() -> None:
    """The theme had enough: that one of it waits is not told as a lack."""
    two = Policy(min_items=2, max_items=2)
    found = select(*_plenty(2), _old("old", 30), policy=two)

    assert ids(found) == ["locks-1", "old"]
    assert found.shortages == ()


def test_a_guest_helps_a_thin_theme() -> None:
    """It counts among what the issue holds; then less is borrowed."""
    found = select(
        *_plenty(1),
        _old("old", 30),
        *several("tides", 2),
        policy=Policy(min_items=3),
        theme="locks",
    )

    assert ids(found) == ["locks-1", "old", "tides-1"]
    assert found.shortages == ("locks has 1 of 3 items; 1 borrowed from tides",)


def test_a_guest_alone_makes_an_issue_whole() -> None:
    """One lacking and one guest: nothing is lacking, and a thin issue is not skipped."""
    for when in ("short", "skip", "borrow"):
        policy = Policy(min_items=3, when_thin=when)
        found = select(*_plenty(2), _old("old", 30), policy=policy, theme="locks")
        assert ids(found) == ["locks-1", "locks-2", "old"]
        assert found.shortages == ()


def test_nothing_starves() -> None:
    """One summary in each of three themes is sent, dated or not, though another always leads."""
    single = (_old("weir", 2), _old("tide", 1, "tides"), tagged("undated", "mills"))

    found = plan(slots(40), (*_plenty(160), *single), themes=THEMES, history=(), policy=_FOUR)

    sent = {item.id for one in found if one.issue for item in one.issue.items}
    assert {"weir", "tide", "undated"} <= sent


def test_a_guest_that_a_cap_keeps_out_bars_none_behind_it() -> None:
    """The next one that waited too long takes its place."""
    library = (
        *several("locks", 3),
        tagged("pinned", "locks", pin=True, source="Board"),
        tagged("first", "weirs", source="Board", date=ago(50)),
        tagged("next", "tides", date=ago(40)),
    )

    found = select(*library, policy=Policy(max_per_source=1))

    assert ids(found)[-1] == "next"
    assert "first" not in ids(found)


def test_an_issue_has_one_guest_however_often_it_is_filled() -> None:
    """Where people keep one of a theme too thin to lead, no other joins it."""
    library = (
        *several("locks", 8),
        tagged("oldest", "weirs", date=ago(50)),
        tagged("older", "weirs", date=ago(40)),
    )
    kept = keep("locks-1", "locks-2") + keep("oldest", theme="weirs")

    found = select(*library, wish=Wish(theme=ThemeId("locks"), keep=kept))

    assert [name for name in ids(found) if not name.startswith("locks")] == ["oldest"]
    assert len(ids(found)) == 6
