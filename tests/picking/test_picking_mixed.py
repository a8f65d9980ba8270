"""Issues of all themes."""

from __future__ import annotations

import pytest
from picking.libraries import past, summary
from picking.scenes import ago, ids, issue_of, keep, left_out, select, several, tagged

from digest.model import Theme, ThemeId
from digest.picking import Policy, Wish

_MIXED = Policy(mode="mixed")
_FILL = Policy(mode="mixed", min_items=3, repeats="fill", repeat_window=4)


def test_a_mixed_issue_takes_from_all_themes_in_turn() -> None:
    """Sections stand by theme, the best score first, and each theme gives its best."""
    found = select(*several("locks", 5), *several("tides", 1), *several("mills", 3), policy=_MIXED)

    issue = issue_of(found)
    assert issue.theme == ""
    assert issue.theme_reason == "mixed, as the settings ask: 9 fresh from 3 themes"
    assert ids(found) == ["locks-1", "locks-2", "locks-3", "mills-1", "mills-2", "tides-1"]
    assert list(left_out(found)) == ["locks-4", "locks-5", "mills-3"]
    assert left_out(found)["locks-4"].endswith("; the issue is full with 6 items")
    assert found.shortages == ()


def test_pinned_items_come_first_in_a_mixed_issue() -> None:
    """Their section leads, and they count as their theme's turns."""
    pinned = tuple(tagged(f"pin-{n}", "tides", pin=True) for n in range(1, 4))
    found = select(*several("locks", 4), *several("tides", 4), *pinned, policy=_MIXED)
    full = select(
        *several("locks", 4), *pinned, policy=Policy(mode="mixed", min_items=2, max_items=2)
    )

    assert ids(found) == ["pin-1", "pin-2", "pin-3", "locks-1", "locks-2", "locks-3"]
    assert ids(full) == ["pin-1", "pin-2"]
    assert next(iter(left_out(full))) == "pin-3"


def test_of_pinned_ones_of_several_themes_the_worthiest_goes_first() -> None:
    """What another theme has pinned besides does not matter to it."""
    one = Policy(mode="mixed", min_items=1, max_items=1)
    some, most = (
        tagged("some", "locks", pin=True, weight=5),
        tagged("most", "tides", pin=True, weight=9),
    )
    little = tagged("little", "locks", pin=True, weight=-5)

    assert ids(select(some, most, policy=one)) == ["most"]
    assert ids(select(some, most, little, policy=one)) == ["most"]


def test_caps_hold_in_a_mixed_issue() -> None:
    """A theme whose next one is over a cap gives the one after it."""
    found = select(
        *several("locks", 3, source="Board"),
        tagged("locks-free", "locks", weight=-5.0),
        *several("tides", 1),
        policy=Policy(mode="mixed", min_items=4, max_per_source=1),
    )

    assert ids(found) == ["locks-1", "locks-free", "tides-1"]
    assert found.shortages == ("the issue has 3 of 4 items",)
    assert "of source Board, the most that may be" in left_out(found)["locks-2"]


def test_a_theme_that_caps_exhaust_gives_no_more_turns() -> None:
    """Its last ones are refused, and the others go on."""
    found = select(
        *several("locks", 2, source="Board"),
        *several("tides", 3),
        policy=Policy(mode="mixed", max_per_source=1),
    )

    assert ids(found) == ["tides-1", "tides-2", "tides-3", "locks-1"]


def test_a_mixed_issue_that_is_thin_says_so() -> None:
    """It goes out with what there is, or not at all where thin ones are skipped."""
    thin = select(*several("locks", 1), policy=_MIXED)
    skipped = select(*several("locks", 1), policy=Policy(mode="mixed", when_thin="skip"))

    assert ids(thin) == ["locks-1"]
    assert thin.shortages == skipped.shortages == ("the issue has 1 of 3 items",)
    assert skipped.issue is None
    assert skipped.skipped == (
        "too little to send: a mixed issue has 1 of 3 items, and thin issues are skipped"
    )


def test_repeats_fill_a_mixed_issue_up_to_the_least() -> None:
    """Those worth most, of any theme, marked as repeats, among the others of their theme."""
    old = (
        *several("tides", 2, date=ago(30)),
        tagged("heavy", "locks", date=ago(30), weight=5.0),
    )
    history = (past("2026-w40", "", *old),)

    found = select(*several("locks", 1, date=ago(1)), *old, history=history, policy=_FILL)

    assert ids(found) == ["heavy", "locks-1", "tides-1"]
    assert [
        item.reason.endswith("; a repeat, since too little is fresh")
        for item in issue_of(found).items
    ] == [True, False, True]
    assert found.shortages == ()


def test_a_pinned_repeat_goes_before_worthier_ones() -> None:
    """A pin counts among repeats as it does among fresh ones."""
    old = (
        tagged("worthy", "locks", weight=5.0),
        tagged("plain", "locks"),
        tagged("pinned", "tides", weight=-5.0, pin=True),
    )
    one = Policy(mode="mixed", min_items=1, max_items=1, repeats="fill", repeat_window=4)

    assert ids(select(*old, history=(past("2026-w40", "", *old),), policy=one)) == ["pinned"]


def test_an_issue_may_be_of_repeats_alone() -> None:
    """With nothing fresh it is filled up to the least; their themes have the scores."""
    old = (*several("locks", 4), *several("tides", 1))

    found = select(*old, history=(past("2026-w40", "", *old),), policy=_FILL)

    assert len(ids(found)) == 3
    assert {score.theme for score in found.scores if score.stock} == {"locks", "tides"}


@pytest.mark.parametrize("themes", [(), (Theme(id=ThemeId("other"), label="Rest"),)])
def test_without_declared_themes_an_issue_is_mixed(themes: tuple[Theme, ...]) -> None:
    """Also where files name themes of their own; a forced theme still leads."""
    named = tuple(summary(f"{name}-1", name) for name in ("wind", "rain"))
    found = select(*named, themes=themes)

    assert issue_of(found).theme == ""
    assert issue_of(found).theme_reason == (
        "mixed, since no theme is declared: 2 fresh from 2 themes"
    )
    assert [(item.id, item.theme) for item in issue_of(found).items] == [
        ("rain-1", "rain"),
        ("wind-1", "wind"),
    ]
    assert issue_of(select(*named, themes=themes, theme="wind")).theme == "wind"


def test_an_issue_file_may_ask_for_a_mixed_issue() -> None:
    """Where the settings ask for one of a theme, the reason does not say that they asked for it."""
    found = select(*several("locks", 2), *several("tides", 2), theme="")

    assert issue_of(found).theme == ""
    assert {item.theme for item in issue_of(found).items} == {"locks", "tides"}
    assert "as the settings ask" not in issue_of(found).theme_reason


def test_what_a_mixed_issue_keeps_takes_room() -> None:
    """Kept ones stay first, in their order; no more than fit are added, where too many are none."""
    library = (*several("locks", 4), *several("tides", 3))
    given = keep("tides-1", theme="tides") + keep("locks-4")

    found = select(*library, policy=_MIXED, wish=Wish(theme=ThemeId(""), keep=given))
    over = select(
        *library,
        policy=Policy(mode="mixed", min_items=1, max_items=1),
        wish=Wish(theme=ThemeId(""), keep=given),
    )

    assert ids(found)[:2] == ["tides-1", "locks-4"]
    assert len(ids(found)) == 6
    assert ids(over) == ["tides-1", "locks-4"]
    assert left_out(over)["locks-1"].endswith("the issue is full with 2 items")
