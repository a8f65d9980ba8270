"""The issue of one slot: its items, what was left out, and a theme that is asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from picking.libraries import THEMES, past, summary
from picking.scenes import ids, issue_of, keep, left_out, select, several, tagged

from digest.errors import UsageError
from digest.model import Theme, ThemeId
from digest.picking import Policy, Wish


def test_an_issue_holds_no_more_than_may_be() -> None:
    """What finds no room is left out, nearest first, with its value and the reason."""
    found = select(*several("locks", 8))

    assert ids(found) == [f"locks-{number}" for number in range(1, 7)]
    assert list(left_out(found)) == ["locks-7", "locks-8"]
    assert left_out(found)["locks-7"] == (
        "locks by tag:locks; no date; value 200 + 10 * 0 + 0 weeks waited = 200; "
        "the issue is full with 6 items"
    )
    assert found.shortages == ()


def test_an_issue_may_be_of_one_item() -> None:
    """The smallest sizes there are leave room for one."""
    one = select(
        *several("locks", 2), *several("tides", 1), policy=Policy(min_items=1, max_items=1)
    )

    assert ids(one) == ["locks-1"]
    assert left_out(one)["locks-2"].endswith("; the issue is full with 1 item")


def test_left_out_holds_the_twenty_nearest() -> None:
    """First the theme's own, then other themes' by their place, then what cannot be picked."""
    drafts = (tagged("draft-t", "tides", draft=True), tagged("draft-l", "locks", draft=True))
    few = select(*several("locks", 7), *several("tides", 4), *drafts)
    many = select(*several("locks", 40), *drafts)

    assert list(left_out(few)) == [
        "locks-7",
        *(f"tides-{number}" for number in range(1, 5)),
        "draft-l",
        "draft-t",
    ]
    assert left_out(few)["tides-1"].endswith(
        "= 200; tides is 2nd of the themes with a score of 133; locks leads"
    )
    assert list(left_out(many)) == sorted(f"locks-{number}" for number in range(1, 41))[6:26]


def test_what_was_left_is_told_with_what_it_has_in_common() -> None:
    """The redundancy is that with the whole issue, not with what stood in it at the time."""
    library = several("locks", 3, source="Board")
    found = select(*library, policy=Policy(min_items=1, max_items=2))

    assert "= 200; redundancy 20 (source " in left_out(found)["locks-3"]


def test_a_forced_theme_leads_whatever_its_score() -> None:
    """The reason says that it was asked for."""
    found = select(*several("locks", 6), *several("tides", 3), theme="tides")

    assert issue_of(found).theme == "tides"
    assert issue_of(found).theme_reason.startswith("tides was asked for, 2nd of 5 themes: never")
    assert [item.theme for item in issue_of(found).items] == ["tides"] * 3


def test_a_forced_theme_without_items_sends_nothing() -> None:
    """An issue of a theme that gives nothing would be another theme's issue."""
    none = select(*several("locks", 6), theme="tides")
    stale = select(*several("locks", 6), tagged("t", "tides", draft=True), theme="tides")

    assert (none.issue, stale.issue) == (None, None)
    assert none.skipped == "nothing to send: there is no summary of theme tides"
    assert stale.skipped == (
        "nothing to send: no fresh one among 1 summary of theme tides (1 draft)"
    )


def test_an_unknown_theme_is_refused_with_the_nearest() -> None:
    """Themes that only files name are known too."""
    named = summary("w", "windmills")

    assert issue_of(select(named, theme="windmills")).theme == "windmills"
    with pytest.raises(UsageError, match="there is no theme 'tide'\n  did you mean tides"):
        select(named, theme="tide")
    with pytest.raises(
        UsageError, match="known themes: locks, tides, mills, weirs, windmills, other"
    ):
        select(named, theme="xxx")


def test_a_rule_that_cannot_be_read_is_refused() -> None:
    """The theme and the rule are named."""
    wrong = (Theme(id=ThemeId("fords"), label="Fords", match=("colour:blue",)),)

    with pytest.raises(UsageError, match="theme fords: 'colour:blue' is no match rule"):
        select(*several("locks", 1), themes=wrong)


def test_what_was_out_before_names_the_issue() -> None:
    """A repeat that fills, and one whose cooldown is over, each with its last issue."""
    new, old, often = several("locks", 3)
    often = replace(often, cooldown=2)
    history = (
        past("2026-w30", "locks", old, often),
        past("2026-w40", "locks", often),
        past("2026-w44", "locks", often, freed=True),
    )
    fill = Policy(min_items=3, repeats="fill", repeat_window=4)

    found = select(new, old, often, history=history, policy=fill)

    assert {item.id: item.repeat for item in issue_of(found).items} == {
        "locks-1": "",
        "locks-2": "2026-w30",
        "locks-3": "2026-w40",
    }


def test_what_was_out_under_another_name_names_the_issue_too() -> None:
    """Readers had the page before, whatever its file was called; its heir is no repeat."""
    page = "https://river.example/mills"
    again, heir = tagged("again", "locks", url=page), tagged("heir", "locks", supersedes=("old",))
    history = (past("2026-w40", "", summary("was", url=page), summary("old")),)
    fill = Policy(min_items=2, repeats="fill", repeat_window=4)

    found = select(again, heir, history=history, policy=fill)

    assert {item.id: item.repeat for item in issue_of(found).items} == {
        "again": "2026-w40",
        "heir": "",
    }


def test_what_the_issue_itself_held_is_no_repeat() -> None:
    """An issue that is picked anew has not sent its items before."""
    one = tagged("one", "locks")
    own = past("2027-w01", "locks", one)

    found = select(one, history=(own,), policy=Policy(min_items=1))

    assert [item.repeat for item in issue_of(found).items] == [""]


def test_what_the_issue_file_keeps_stays_as_it_says() -> None:
    """The mark of an item that people keep is theirs."""
    one, two = several("locks", 2)
    kept = (*keep("locks-1"), replace(*keep("locks-2"), repeat="2026-w02"))

    found = select(one, two, wish=Wish(keep=kept), policy=Policy(min_items=1))

    assert [item.repeat for item in issue_of(found).items] == ["", "2026-w02"]


def test_an_empty_library_sends_nothing() -> None:
    """With themes or without any there is no issue, and the scores hold all themes."""
    found, bare = select(), select(themes=())

    assert (found.issue, found.skipped) == (None, "nothing to send: there is no summary")
    assert [score.theme for score in found.scores] == [*(theme.id for theme in THEMES), "other"]
    assert (bare.issue, [score.theme for score in bare.scores]) == (None, ["other"])


def test_what_could_not_be_picked_is_counted_by_kind() -> None:
    """Each kind stands with its number, in the order of the rules."""
    sent, page = tagged("sent", "locks"), "https://river.example/1"
    library = (
        *several("locks", 3, draft=True),
        tagged("w", "locks", withdrawn=True),
        tagged("one", "locks", url=page),
        tagged("two", "locks", url=page),
        sent,
    )

    found = select(*library, history=(past("2026-w20", "locks", sent),))

    assert found.passed_over == ("1 withdrawn", "3 draft", "1 already sent", "1 twin")
