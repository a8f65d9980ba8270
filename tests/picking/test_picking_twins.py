"""Texts that say the same, and summaries that take the place of others."""

from __future__ import annotations

from datetime import timedelta

import pytest
from picking.libraries import past, summary, text
from picking.scenes import SLOT, ago, ids, left_out, select, told

from digest.model import History, Summary, likeness, sketch
from digest.picking import Policy

_ONE = Policy(min_items=1)


def _locks(name: str, *, body: str = "", **fields: object) -> Summary:
    """Make a summary; with a body its title is the same as that of all others with one."""
    given = {"title": "Weir", "body": body} if body else {}
    return summary(name, "locks", **given | fields)


def _reasons(*library: Summary, history: History = (), policy: Policy = _ONE) -> dict[str, str]:
    companion = _locks("companion", weight=-9.0)
    return left_out(select(companion, *library, history=history, policy=policy))


# Texts of other issues.


def test_a_mended_text_that_was_sent_is_told_with_its_twin() -> None:
    """The twin, its issue and how like they are, are named; reserved ones in their own words."""
    old, new = _locks("old", body=text(1)), _locks("new", body=text(1, changed=1))
    share = f"({likeness(sketch(old), sketch(new)):.2f} alike, and 0.7 is too much)"

    assert _reasons(new, history=(past("2026-w50", "", old),)) == {
        "new": f"its text is that of old, which was in 2026-w50, 4 weeks ago {share}"
    }
    assert _reasons(new, history=(past("2027-w03", "", old, published=False),)) == {
        "new": f"its text is that of old, reserved in 2027-w03, 2 weeks ahead {share}"
    }


def test_an_equal_text_is_the_same_summary_for_ever() -> None:
    """A new name and no address do not make it new, however long ago it was; nor does its case."""
    old, new = _locks("old", body=text(1)), _locks("new", body=text(1).upper(), title="WEIR")

    assert _reasons(new, history=(past("2019-w50", "", old),)) == {
        "new": "its text, as old, was in 2019-w50, 369 weeks ago; a summary goes out once"
    }
    assert _reasons(new, history=(past("2027-w03", "", old, published=False),)) == {
        "new": "its text, as old, is reserved by the issue file of 2027-w03"
    }


def test_a_short_text_is_held_back_only_where_it_is_the_same() -> None:
    """A few equal words say nothing; the same text says all."""
    old = _locks("old", body="The gates are shut on Sunday.")
    same = _locks("same", body="the GATES are shut, on Sunday!")
    near = _locks("near", body="The gates are shut on Monday.")

    assert list(_reasons(same, near, history=(past("2026-w50", "", old),))) == ["same"]


@pytest.mark.parametrize(("weeks", "held"), [(9, True), (10, False)])
def test_texts_are_compared_within_the_window(weeks: int, *, held: bool) -> None:
    """A mended text may come again under another name once the window is over."""
    old, new = _locks("old", body=text(1)), _locks("new", body=text(1, changed=2))
    history = (past(f"2026-w{54 - weeks}", "", old),)
    policy = Policy(min_items=1, repeat_window=10)

    assert bool(_reasons(new, history=history, policy=policy)) is held


def test_texts_may_be_left_alone() -> None:
    """With a similarity of nought no text is compared, neither with issues nor with each other."""
    one, two = _locks("one", body=text(1)), _locks("two", body=text(1))
    off = Policy(min_items=1, similarity=0)

    assert _reasons(one, two, history=(past("2026-w53", "", _locks("x", body=text(1))),)) != {}
    assert (
        _reasons(one, two, history=(past("2026-w53", "", _locks("x", body=text(1))),), policy=off)
        == {}
    )


def test_the_nearest_of_several_twins_is_named() -> None:
    """What is most alike, then the nearest issue, then the smaller id, in any order of history."""
    new = _locks("new", body=text(1, changed=1))
    same = {name: _locks(name, body=text(1)) for name in "bcde"}
    near = _locks("a", body=text(1, changed=9))
    history = (
        past("2026-w40", "", same["b"]),
        past("2026-w52", "", same["e"], same["d"]),
        past("2026-w51", "", same["c"]),
        past("2026-w53", "", near),
    )

    one, two = (_reasons(new, history=given) for given in (history, history[::-1]))

    assert one == two
    assert one["new"].startswith("its text is that of d, which was in 2026-w52")


def test_a_mended_text_of_its_own_does_not_stand_against_it() -> None:
    """Neither its own earlier text nor that of the file it was, by its address, is a twin."""
    page = "https://river.example/weir"
    before = _locks("before", body=text(1), url=page)
    after = _locks("after", body=text(1), url=page, cooldown=4)

    assert _reasons(after, history=(past("2026-w40", "", before),)) == {}
    assert _reasons(after, history=(past("2026-w40", "", after),)) == {}


def test_what_is_nearest_is_told_where_it_is_not_near_enough() -> None:
    """`explain` gives the likeness of the nearest text that shares something."""
    old, new = _locks("old", body=text(1)), _locks("new", body=text(1, changed=9))
    history = (past("2026-w50", "", old),)

    plain = told("new", new, policy=_ONE).steps
    near = told("new", new, history=history, policy=_ONE).steps
    off = told("new", new, history=history, policy=Policy(similarity=0)).steps

    assert "no text 0.7 alike within 52 weeks" in plain
    assert any(
        step.startswith("no text 0.7 alike within 52 weeks; the nearest is that of old with 0.")
        for step in near
    )
    assert "texts are not compared (similarity is 0)" in off


def test_texts_of_signs_alone_are_like_none() -> None:
    """There is no word to compare them by."""
    old, new = (summary(name, "locks", title="-", body="…!") for name in ("old", "new"))
    history = (past("2026-w50", "", old),)

    assert _reasons(new, history=history) == {}
    assert "no text 0.7 alike within 52 weeks" in told("new", new, history=history).steps


# Texts of one issue.


def test_two_texts_alike_are_not_in_one_issue() -> None:
    """The one that goes before is in, and the other names it."""
    heavy = _locks("heavy", body=text(1), weight=1.0)
    light = _locks("light", body=text(1, changed=1))

    found = select(light, heavy, policy=_ONE)

    assert ids(found) == ["heavy"]
    assert "its text is that of heavy" in left_out(found)["light"]
    assert "alike, and 0.7 is too much)" in left_out(found)["light"]


# What takes the place of another.


def test_one_that_is_superseded_stays_out() -> None:
    """The one that takes its place is named."""
    assert _reasons(_locks("old"), _locks("new", supersedes=("old",))) == {
        "old": "is superseded by new"
    }


def test_a_row_of_successors_leaves_the_last() -> None:
    """Each is superseded by the next, and what was sent of the first stands against none."""
    same = {"url": "https://river.example/1", "body": text(1)}
    one = _locks("one", **same)
    two = _locks("two", supersedes=("one",), **same)
    three = _locks("three", supersedes=("two",), **same)
    history = (past("2026-w53", "", one),)

    assert _reasons(one, two, three, history=history) == {
        "one": "is superseded by two",
        "two": "is superseded by three",
    }


def test_one_in_between_that_is_withdrawn_frees_none() -> None:
    """`last` supersedes `middle`, which is withdrawn and superseded `first`: only `last` goes."""
    first = _locks("first")
    middle = _locks("middle", supersedes=("first",), withdrawn=True)
    last = _locks("last", supersedes=("middle",))

    assert _reasons(first, middle, last) == {
        "first": "is superseded by last",
        "middle": "is withdrawn by its file",
    }


def test_two_that_claim_each_others_place_keep_their_own() -> None:
    """Nobody can tell which is the newer: both may go, as may one that claims its own place."""
    one, two = _locks("one", supersedes=("two",)), _locks("two", supersedes=("one",))

    assert _reasons(one, two) == {}
    assert _reasons(_locks("own", supersedes=("own",))) == {}


def test_a_ring_of_three_keeps_all() -> None:
    """It ends, and none is out."""
    ring = (("a", "b"), ("b", "c"), ("c", "a"))

    assert _reasons(*(_locks(name, supersedes=(other,)) for name, other in ring)) == {}


def test_a_successor_that_was_sent_keeps_the_old_one_out() -> None:
    """Where the new one has been out, the old one is not sent after it."""
    old, new = _locks("old", date=ago(9)), _locks("new", supersedes=("old",))

    assert _reasons(old, new, history=(past("2026-w53", "", new),)) == {
        "new": "was in 2026-w53, 1 week ago; a summary goes out once",
        "old": "is superseded by new",
    }


def test_one_that_is_not_out_yet_takes_no_place() -> None:
    """Until its date the old one may go; from that moment on it may not."""
    due = _locks("new", supersedes=("old",), not_before=SLOT.at)
    later = _locks("new", supersedes=("old",), date=SLOT.at + timedelta(minutes=1))

    assert list(_reasons(_locks("old"), later)) == ["new"]
    assert _reasons(_locks("old"), due) == {"old": "is superseded by new"}
    assert "superseded by no other" in told("new", _locks("old"), due, policy=_ONE).steps


def test_short_texts_that_are_equal_count_once_in_the_stock() -> None:
    """Two words are no run of three, by which texts are found; an issue holds one of them still."""
    short = {"title": "High", "body": "water"}
    found = select(*(summary(name, "locks", **short) for name in "ab"), policy=_ONE)

    assert (found.scores[0].fresh, found.scores[0].stock) == (2, 1)
    assert ids(found) == ["a"]
