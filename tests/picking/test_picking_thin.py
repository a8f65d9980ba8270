"""Too little for an issue, or nothing at all."""

from __future__ import annotations

from picking.libraries import past
from picking.scenes import ago, ids, issue_of, left_out, select, several, tagged, told

from digest.picking import Policy

_SKIP = Policy(when_thin="skip")
_FILL = Policy(min_items=3, repeats="fill", repeat_window=4)


def test_a_thin_issue_borrows_up_to_the_least() -> None:
    """Items of the next themes follow as further sections, and the shortage is told."""
    found = select(
        *several("locks", 1, pin=True),
        *several("tides", 1),
        *several("mills", 2),
        policy=Policy(min_items=4),
        theme="tides",
    )

    assert [(item.id, item.theme) for item in issue_of(found).items] == [
        ("tides-1", "tides"),
        ("mills-1", "mills"),
        ("mills-2", "mills"),
        ("locks-1", "locks"),
    ]
    assert (
        issue_of(found)
        .items[1]
        .reason.endswith("weeks waited = 200; borrowed, since tides has 1 of 4 items")
    )
    assert found.shortages == (
        "tides has 1 of 4 items; 2 borrowed from mills; 1 borrowed from locks",
    )


def test_borrowing_stops_at_the_least() -> None:
    """No more is borrowed than makes a whole issue, and caps hold for it as well."""
    found = select(
        *several("locks", 2, source="Board"),
        *several("tides", 9, source="Board"),
        tagged("free", "tides", weight=-5.0),
        policy=Policy(max_per_source=2),
        theme="locks",
    )

    assert ids(found) == ["locks-1", "locks-2", "free"]
    assert found.shortages == ("locks has 2 of 3 items; 1 borrowed from tides",)
    assert left_out(found)["tides-1"].endswith("2 of source Board, the most that may be")


def test_what_is_not_borrowed_says_where_its_theme_stands() -> None:
    """The theme's place and score, whether it was asked or not."""
    found = select(*several("locks", 2), *several("tides", 2), *several("mills", 1), theme="locks")

    assert ids(found) == ["locks-1", "locks-2", "tides-1"]
    assert left_out(found)["tides-2"].endswith(
        "tides is 2nd of the themes with a score of 116; locks leads"
    )
    assert left_out(found)["mills-1"].endswith(
        "mills is 3rd of the themes with a score of 108; locks leads"
    )


def test_an_issue_that_stays_thin_says_so() -> None:
    """Where all themes together have too little, it goes out with what there is."""
    found = select(*several("locks", 1), *several("tides", 1))

    assert ids(found) == ["locks-1", "tides-1"]
    assert found.shortages == (
        "locks has 1 of 3 items; 1 borrowed from tides",
        "all themes together have 2 of 3 items",
    )


def test_short_goes_out_with_what_there_is() -> None:
    """Nothing is borrowed."""
    found = select(*several("locks", 2), *several("tides", 1), policy=Policy(when_thin="short"))

    assert ids(found) == ["locks-1", "locks-2"]
    assert found.shortages == ("locks has 2 of 3 items",)


def test_skip_sends_nothing_thin() -> None:
    """The reason and the scores are still told."""
    found = select(*several("locks", 2), policy=_SKIP)

    assert found.issue is None
    assert found.skipped == (
        "too little to send: locks has 2 of 3 items, and thin issues are skipped"
    )
    assert found.shortages == ("locks has 2 of 3 items",)
    assert found.scores[0].theme == "locks"


def test_an_issue_that_has_enough_is_not_skipped() -> None:
    """The least that an issue should hold is enough."""
    assert len(ids(select(*several("locks", 3), policy=_SKIP))) == 3


def test_nothing_to_send() -> None:
    """No fresh summary at all: no issue, and the counts say why."""
    locks = several("locks", 2)
    stale = select(
        *locks,
        tagged("draft", "tides", draft=True),
        history=(past("2026-w53", "locks", *locks),),
        policy=_SKIP,
    )

    assert stale.issue is None
    assert stale.skipped == (
        "nothing to send: no fresh one among 3 summaries (1 draft, 2 already sent)"
    )
    assert stale.passed_over == ("1 draft", "2 already sent")
    assert stale.shortages == ()


# What has been out.


def test_repeats_come_after_all_that_is_fresh() -> None:
    """Other themes lend before anything is repeated; a repeat is shown in its theme's section."""
    old = several("locks", 4, date=ago(90))
    library = (*old, tagged("new", "locks", date=ago(1)), *several("tides", 1))

    found = select(*library, history=(past("2026-w40", "", *old),), policy=_FILL, theme="locks")

    assert ids(found) == ["new", "locks-1", "tides-1"]
    assert issue_of(found).items[1].reason.endswith("; a repeat, since too little is fresh")
    assert found.shortages == ("locks has 1 of 3 items; 1 borrowed from tides; 1 repeated",)
    assert left_out(found)["locks-2"].endswith("; has been out, and the issue needs no repeats")


def test_a_repeat_waits_since_its_window_was_over() -> None:
    """Of several that have been out, the one that was out first comes again first."""
    old = several("locks", 2, date=ago(90))
    history = (past("2026-w45", "", old[0]), past("2026-w40", "", old[1]))

    two = Policy(min_items=2, repeats="fill", repeat_window=4)

    found = select(*old, tagged("new", "locks", date=ago(1)), history=history, policy=two)

    assert ids(found) == ["new", "locks-2"]
    assert "+ 10 weeks waited = 210" in issue_of(found).items[1].reason


def test_short_issues_repeat_their_own_theme_alone() -> None:
    """Where nothing is borrowed, no other theme is repeated either."""
    old = (*several("locks", 1, date=ago(90)), *several("tides", 3))
    new = tagged("new", "locks", date=ago(1))
    short = Policy(min_items=4, when_thin="short", repeats="fill", repeat_window=4)

    found = select(*old, new, history=(past("2026-w40", "", *old),), policy=short)

    assert ids(found) == ["new", "locks-1"]
    assert found.shortages == ("locks has 1 of 4 items; 1 repeated",)


def test_themes_are_repeated_in_turn_where_they_lend() -> None:
    """The leading theme's own come first, then those of the next by score, up to the least."""
    old = (*several("tides", 2), *several("mills", 2))
    found = select(
        *old, tagged("new", "locks"), history=(past("2026-w40", "mills", *old),), policy=_FILL
    )

    assert ids(found) == ["new", "tides-1", "tides-2"]
    assert (
        told(
            "mills-1",
            *old,
            tagged("new", "locks"),
            history=(past("2026-w40", "mills", *old),),
            policy=_FILL,
        ).steps[-1]
        == "out: mills by tag:mills; no date; value 200 + 10 * 0 + 10 weeks waited = 210; "
        "has been out, and the issue needs no repeats"
    )


def test_a_whole_issue_repeats_nothing() -> None:
    """It may hold more than the least; places left stay empty."""
    old = several("tides", 3)

    found = select(*several("locks", 3), *old, history=(past("2026-w40", "", *old),), policy=_FILL)

    assert ids(found) == ["locks-1", "locks-2", "locks-3"]


def test_with_nothing_fresh_an_issue_is_of_repeats() -> None:
    """The theme with the best score among what has been out leads."""
    old = (*several("locks", 2), *several("tides", 4))

    found = select(*old, history=(past("2026-w40", "", *old),), policy=_FILL)

    assert issue_of(found).theme == "tides"
    assert ids(found) == ["tides-1", "tides-2", "tides-3"]
    assert found.shortages == ("tides has 0 of 3 items; 3 repeated",)


def test_repeats_make_a_thin_issue_whole_where_thin_ones_are_skipped() -> None:
    """With enough of them it goes out; with too few it does not."""
    skip = Policy(min_items=3, when_thin="skip", repeats="fill", repeat_window=4)
    old = several("locks", 2)
    history = (past("2026-w40", "", *old),)

    assert len(ids(select(*old, tagged("new", "locks"), history=history, policy=skip))) == 3
    assert select(*old, history=history, policy=skip).skipped.startswith("too little to send")


def test_a_repeat_that_a_cap_keeps_out_is_not_told_to_be_unneeded() -> None:
    """In a thin mixed issue the cap is the reason, as it is in one of a theme."""
    old, new = tagged("old", "locks", source="Board"), tagged("new", "locks", source="Board")
    history = (past("2026-w40", "", old),)

    for mode in ("theme", "mixed"):
        policy = Policy(
            mode=mode,
            min_items=2,
            repeats="fill",
            repeat_window=4,
            max_per_source=1,
        )
        last = told("old", old, new, history=history, policy=policy).steps[-1]
        assert last.endswith("the issue already holds 1 of source Board, the most that may be")
