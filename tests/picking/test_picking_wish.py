"""What people asked of an issue before the rules fill it."""

from __future__ import annotations

from picking.libraries import past, text
from picking.scenes import SLOT, ago, ids, issue_of, keep, left_out, select, several, tagged, told

from digest.model import ThemeId
from digest.picking import Policy, Wish

_LOCKS = ThemeId("locks")
_THREE = Policy(min_items=2, max_items=3)


def test_what_is_kept_stays_first_and_as_it_is() -> None:
    """Its order and reason stay; free places are filled by rule."""
    found = select(
        *several("locks", 5),
        policy=_THREE,
        wish=Wish(theme=_LOCKS, keep=keep("locks-5", "locks-3")),
    )

    assert ids(found) == ["locks-5", "locks-3", "locks-1"]
    assert [item.reason for item in issue_of(found).items[:2]] == ["by hand", "by hand"]
    assert list(left_out(found)) == ["locks-2", "locks-4"]


def test_what_may_not_go_any_more_is_taken_out() -> None:
    """Each with its reason, before all that was left out by rule."""
    library = (
        tagged("draft", "locks", draft=True),
        tagged("withdrawn", "locks", withdrawn=True),
        tagged("old", "locks"),
        tagged("new", "locks", supersedes=("old",)),
        tagged("early", "locks", not_before=ago(-1)),
        tagged("dated", "locks", date=ago(-1)),
        tagged("lapsed", "locks", not_after=ago(1)),
        tagged("empty", "locks", body=""),
        *several("locks", 3),
    )
    names = ("draft", "withdrawn", "old", "early", "dated", "lapsed", "empty", "gone")

    found = select(*library, policy=_THREE, wish=Wish(theme=_LOCKS, keep=keep(*names, "locks-3")))

    assert ids(found) == ["locks-3", "locks-1", "locks-2"]
    out = left_out(found)
    assert list(out)[: len(names)] == list(names)
    assert out["draft"] == "taken out: is a draft"
    assert out["old"] == "taken out: is superseded by new"
    assert out["gone"] == "taken out: its file is gone"
    assert all(out[name].startswith("taken out: ") for name in names)
    assert len(issue_of(found).left_out) == len(out)


def test_what_people_put_in_knowing_it_stays() -> None:
    """An editor may take what the rules would not: too old for them, or like another's text."""
    library = (
        tagged("old", "locks", date=ago(30)),
        tagged("twin", "locks", title="T", body=text(1, changed=1)),
        tagged("other", "locks", title="T", body=text(1)),
        *several("locks", 3),
    )
    policy = Policy(min_items=2, max_items=3, max_age=20)

    found = select(
        *library,
        history=(past("2026-w53", "", library[2]),),
        policy=policy,
        wish=Wish(theme=_LOCKS, keep=keep("old", "twin")),
    )

    assert ids(found) == ["old", "twin", "locks-1"]


def test_what_is_kept_is_not_picked_again() -> None:
    """Neither by its id in another Unicode form nor as another file of the same page."""
    page = "https://river.example/1"
    library = (
        tagged("café", "locks", url=page),
        tagged("same-page", "locks", url=page),
        *several("locks", 1),
    )

    found = select(*library, wish=Wish(theme=_LOCKS, keep=keep("cafe\u0301")))

    assert ids(found) == ["café", "locks-1"]


def test_what_is_kept_counts_against_others() -> None:
    """Caps, points in common and texts alike hold between kept ones and those added."""
    library = (
        tagged("kept", "locks", source="Board", authors=("Ada",), title="T", body=text(1)),
        tagged("capped", "locks", source="Board"),
        tagged("alike", "locks", title="T", body=text(1, changed=1)),
        tagged("less", "locks", authors=("Ada",)),
        tagged("more", "locks"),
    )
    policy = Policy(min_items=1, max_items=2, max_per_source=1)

    found = select(*library, policy=policy, wish=Wish(theme=_LOCKS, keep=keep("kept")))

    assert ids(found) == ["kept", "more"]
    assert "the issue already holds 1 of source Board" in left_out(found)["capped"]
    assert "its text is that of kept, which is in the issue" in left_out(found)["alike"]


def test_what_is_left_out_is_told_with_what_it_has_in_common_with_kept_ones() -> None:
    """Else nobody sees why one of the same value went before it."""
    library = (
        tagged("kept", "locks", authors=("Ada",)),
        tagged("less", "locks", authors=("Ada",)),
        tagged("more", "locks"),
    )
    policy = Policy(min_items=1, max_items=2)

    found = select(*library, policy=policy, wish=Wish(theme=_LOCKS, keep=keep("kept")))

    assert ids(found) == ["kept", "more"]
    assert "= 200; redundancy 15 (author " in left_out(found)["less"]


def test_what_is_in_an_issue_is_not_left_out_of_it() -> None:
    """One that was kept though a rule stands against it is told once, among the items."""
    library = (tagged("old", "locks", date=ago(30)), *several("locks", 1))
    policy = Policy(min_items=1, max_age=20)

    found = select(*library, policy=policy, wish=Wish(theme=_LOCKS, keep=keep("old")))

    assert ids(found) == ["old", "locks-1"]
    assert left_out(found) == {}


def test_what_is_kept_twice_is_in_the_issue_once() -> None:
    """An issue never shows a summary two times."""
    found = select(*several("locks", 2), wish=Wish(theme=_LOCKS, keep=keep("locks-2", "locks-2")))

    assert ids(found) == ["locks-2", "locks-1"]


def test_kept_items_of_another_theme_stay_under_it() -> None:
    """The theme that was asked for leads, and fills what is free."""
    library = (*several("locks", 3), *several("tides", 2))
    given = keep("tides-2", theme="tides") + keep("locks-2")

    found = select(*library, policy=_THREE, wish=Wish(theme=_LOCKS, keep=given))

    assert [(item.id, item.theme) for item in issue_of(found).items] == [
        ("tides-2", "tides"),
        ("locks-2", "locks"),
        ("locks-1", "locks"),
    ]
    assert issue_of(found).theme == "locks"


def test_a_full_issue_is_left_as_it_is() -> None:
    """Also where more is kept than may be, and where nothing else is there."""
    library = several("locks", 6)
    names = tuple(one.id for one in library)

    full = select(*library, policy=_THREE, wish=Wish(theme=_LOCKS, keep=keep(*names[:3])))
    over = select(*library, policy=_THREE, wish=Wish(theme=_LOCKS, keep=keep(*names[:5])))
    rest = select(*library, policy=_THREE, wish=Wish(theme=_LOCKS, keep=keep(*names)))

    assert ids(full) == list(names[:3])
    assert ids(over) == list(names[:5])
    assert ids(rest) == list(names)
    assert left_out(over)["locks-6"].endswith("the issue is full with 5 items")


def test_an_issue_that_keeps_something_is_not_skipped() -> None:
    """Whether it is thin, or nothing else is fresh, is for people to decide."""
    skip = Policy(min_items=3, when_thin="skip")
    wish = Wish(theme=_LOCKS, keep=keep("locks-1"))

    assert ids(select(*several("locks", 1), policy=skip, wish=wish)) == ["locks-1"]
    assert ids(select(*several("locks", 2), policy=skip, wish=wish)) == ["locks-1", "locks-2"]


def test_an_issue_whose_items_may_all_not_go_is_picked_anew() -> None:
    """As if it had kept none; with nothing else there is no issue."""
    draft = tagged("draft", "locks", draft=True)
    wish = Wish(theme=_LOCKS, keep=keep("draft"))

    assert ids(select(draft, *several("locks", 2), wish=wish)) == ["locks-1", "locks-2"]
    assert select(draft, wish=wish).skipped == (
        "nothing to send: no fresh one among 1 summary of theme locks (1 draft)"
    )


def test_what_was_dropped_is_not_borrowed_or_repeated_either() -> None:
    """No rule puts it back."""
    old = tagged("old", "tides")
    policy = Policy(min_items=3, repeats="fill", repeat_window=4)

    found = select(
        *several("locks", 1),
        *several("tides", 2),
        old,
        history=(past("2026-w40", "", old),),
        policy=policy,
        wish=Wish(theme=_LOCKS, dropped=("tides-1", "old")),
    )

    assert ids(found) == ["locks-1", "tides-2"]
    assert left_out(found)["old"] == f"was taken out of {SLOT.issue} by hand"


def test_an_id_that_was_dropped_is_known_in_any_unicode_form() -> None:
    """An issue file may hold it decomposed."""
    found = select(
        tagged("café", "locks"), tagged("tea", "locks"), wish=Wish(dropped=("cafe\u0301",))
    )

    assert ids(found) == ["tea"]


def test_kept_ones_are_explained_as_in() -> None:
    """`explain` says of what is kept that it is in, and why, as `pick` does."""
    library = several("locks", 3)
    wish = Wish(theme=_LOCKS, keep=keep("locks-3"))

    kept = told("locks-3", *library, wish=wish)
    added = told("locks-1", *library, wish=wish)

    assert kept.included
    assert kept.steps[-1].startswith("in: ")
    assert added.included


def test_one_that_a_kept_one_of_its_page_keeps_out_is_told_so() -> None:
    """It never was in an issue, and the verdict does not say that it was."""
    page = "https://river.example/1"
    library = (tagged("a", "locks", url=page), tagged("b", "locks", url=page, weight=1.0))

    last = told("b", *library, wish=Wish(theme=_LOCKS, keep=keep("a"))).steps[-1]

    assert last.startswith("out: ")
    assert "has been out" not in last


def test_the_lead_stands_first_though_nothing_of_it_was_kept() -> None:
    """What people kept of other themes comes behind it; with one of its own kept nothing moves."""
    library = (*several("locks", 2), *several("tides", 2))
    others = keep("tides-1", "tides-2", theme="tides")

    alone = select(*library, policy=_THREE, wish=Wish(theme=_LOCKS, keep=others))
    both = select(
        *library, policy=_THREE, wish=Wish(theme=_LOCKS, keep=(*others[:1], *keep("locks-2")))
    )

    assert ids(alone) == ["locks-1", "tides-1", "tides-2"]
    assert ids(both) == ["tides-1", "locks-2", "locks-1"]
