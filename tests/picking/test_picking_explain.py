"""Why a summary is in an issue or not, and why a theme leads it, rule by rule."""

from __future__ import annotations

from datetime import timedelta

import pytest
from picking.libraries import THEMES, explain_each, past, text
from picking.scenes import SLOT, ago, select, several, tagged, told

from digest.errors import UsageError
from digest.model import History, Summary, ThemeId
from digest.picking import Explanation, Policy, Wish, explain_theme
from digest.picking.claims import Claims

_FIVE = Policy(max_items=5)


def _theme(
    name: str,
    *library: Summary,
    history: History = (),
    policy: Policy | None = None,
    wish: Wish | None = None,
) -> Explanation:
    return explain_theme(
        ThemeId(name),
        SLOT,
        library,
        themes=THEMES,
        history=history,
        policy=policy or Policy(),
        wish=wish or Wish(),
    )


def test_steps_go_rule_by_rule() -> None:
    """For one that is in, every rule is told with its numbers; the last step is the verdict."""
    found = told("locks-1", *several("locks", 6), tagged("t", "tides"), policy=_FIVE)

    assert found.included
    assert found.steps == (
        "theme: locks by tag:locks",
        "not withdrawn",
        "not a draft",
        "has a text",
        "superseded by no other",
        "no not_before",
        "no not_after",
        "no date",
        "no max_age is set",
        "reserved by no other issue file",
        "in no issue so far",
        "taken out by nobody",
        "no text 0.7 alike within 52 weeks",
        "no other with its id or address goes before it",
        (
            "issue: locks leads, 1st of 5 themes: never used, counted as 1 week, stock 5, "
            "oldest 0 weeks; score 1 * (100 * 1 + 50 * 5 // 5 + 0) = 150"
        ),
        "order: 1st of 6 fresh of locks by pin, value, date and id",
        ("in: 1st of 5; locks by tag:locks; no date; value 200 + 10 * 0 + 0 weeks waited = 200"),
    )


def test_steps_of_one_of_another_theme_tell_where_that_stands() -> None:
    """What was asked of its moments is told with them, and the theme's score with its numbers."""
    one = tagged(
        "t", "tides", date=ago(8), not_before=ago(7), not_after=ago(-9), path="folder/t.md"
    )
    policy = Policy(max_items=5, max_age=20, similarity=0)

    found = told("folder/t.md", one, *several("locks", 6), policy=policy)

    assert not found.included
    assert found.id == "t"
    assert found.steps[5:9] == (
        "not_before 2026-11-16 09:00+00:00 has come",
        "not_after 2027-03-08 09:00+00:00 is still ahead",
        "dated 2026-11-09, which has come",
        "not older than 20 weeks",
    )
    assert found.steps[12] == "texts are not compared (similarity is 0)"
    assert found.steps[15:] == (
        (
            "tides is 2nd of 5 themes: never used, counted as 1 week, stock 1, below the 3 an "
            "issue should hold, oldest 7 weeks; score 1 * (100 * 1 + 50 * 1 // 5 + 7) = 117"
        ),
        "order: 1st of 1 fresh of tides by pin, value, date and id",
        (
            "out: tides by tag:tides; dated 2026-11-09; value 200 + 10 * 0 + 7 weeks waited = 207; "
            "tides is 2nd of the themes with a score of 117; locks leads"
        ),
    )


def test_steps_end_where_a_rule_stands_against_it() -> None:
    """What was asked before is told; the verdict is the rule's."""
    assert told("d", tagged("d", "tides", draft=True)).steps == (
        "theme: tides by tag:tides",
        "not withdrawn",
        "out: is a draft",
    )


def test_steps_of_one_that_was_out_tell_when_it_may_come_again() -> None:
    """Its last issue, how far that is away, and its window."""
    one = tagged("a", "locks", cooldown=3)
    history = (past("2026-w50", "tides", one), past("2026-w40", "tides", one))

    assert told("a", one, history=history, policy=Policy(min_items=1)).steps[10] == (
        "was in 2026-w50, 4 weeks ago; it may come again after 3 weeks"
    )


def test_the_verdict_on_one_that_has_no_room() -> None:
    """The issue is full, and its value beside what the issue holds is told."""
    last = told("locks-6", *several("locks", 6, source="Board"), policy=_FIVE).steps[-1]

    assert last.startswith("out: locks by tag:locks; no date; value 200 + 10 * 0 + 0 weeks waited")
    assert last.endswith("20); the issue is full with 5 items")


def test_the_verdict_where_nothing_goes_out() -> None:
    """A summary that may go is out for the reason that the issue is skipped for."""
    found = told("locks-1", *several("locks", 2), policy=Policy(when_thin="skip"))

    assert not found.included
    assert found.steps[-1] == (
        "out: too little to send: locks has 2 of 3 items, and thin issues are skipped"
    )


def test_the_verdict_on_a_borrowed_one_and_on_a_guest() -> None:
    """Why another theme's summary is in stands at its end."""
    thin = (*several("locks", 2), *several("tides", 1))
    old = tagged("old", "weirs", date=ago(30))

    borrowed = told("tides-1", *thin).steps[-1]
    guest = told("old", *several("locks", 9), old).steps[-1]

    assert borrowed.startswith("in: 3rd of 3; tides by tag:tides; ")
    assert borrowed.endswith("; borrowed, since locks has 2 of 3 items")
    assert guest.startswith("in: 6th of 6; weirs by tag:weirs; ")
    assert "; a guest, since weirs has too little to lead" in guest


def test_the_verdict_on_a_twin_of_the_issue() -> None:
    """The one whose text it has is named."""
    twins = (
        tagged("one", "locks", title="T", body=text(1)),
        tagged("two", "locks", title="T", body=text(1)),
    )

    assert (
        told("two", *twins)
        .steps[-1]
        .endswith(
            "its text is that of one, which is in the issue (1.00 alike, and 0.7 is too much)"
        )
    )


def test_the_verdict_on_a_repeat() -> None:
    """One that has been out is in where too little is fresh, and else not needed."""
    fill = Policy(min_items=2, repeats="fill", repeat_window=4)
    old = several("locks", 2)
    given = {"history": (past("2026-w40", "tides", *old),), "policy": fill}

    needed = told("locks-1", *old, tagged("new", "locks"), **given)  # type: ignore[arg-type] # as named
    spare = told("locks-2", *old, tagged("new", "locks"), **given)  # type: ignore[arg-type] # as named
    unneeded = told("locks-2", *old, *several("mills", 2), **given)  # type: ignore[arg-type] # as named

    assert needed.included
    assert needed.steps[-1].endswith("; a repeat, since too little is fresh")
    assert spare.steps[-1].endswith("; has been out, and the issue needs no repeats")
    assert unneeded.steps[-1].endswith("; has been out, and the issue needs no repeats")


def test_the_verdict_on_a_repeat_of_another_theme() -> None:
    """Where an issue goes out short, no other theme's repeats were asked for."""
    fill = Policy(min_items=2, when_thin="short", repeats="fill", repeat_window=4)
    old = several("tides", 1)
    found = told(
        "tides-1",
        *old,
        tagged("new", "locks"),
        history=(past("2026-w40", "tides", *old),),
        policy=fill,
    )

    assert not found.included
    assert found.steps[-1].endswith("; has been out, and only its own theme would repeat it")


def test_steps_of_a_mixed_issue_name_no_lead() -> None:
    """No theme stands against another there."""
    steps = told(
        "tides-1", *several("locks", 6), *several("tides", 1), policy=Policy(mode="mixed")
    ).steps

    assert not any(step.startswith("tides is ") for step in steps)
    assert steps[-1].startswith("in: ")


def test_an_unknown_id_is_refused_with_the_nearest() -> None:
    """The three nearest ids are named, or what to give instead; any Unicode form is known."""
    library = (*several("locks", 2), *several("tides", 1), tagged("café", "locks"))

    with pytest.raises(UsageError, match="no summary 'lock-1'\n  nearest: locks-1, locks-2"):
        told("lock-1", *library)
    with pytest.raises(UsageError, match="give the id of a summary, or its path"):
        told("?", *library)
    assert told("cafe\u0301", *library).id == "café"


def test_each_is_explained_as_one_is() -> None:
    """All of a library at once, in the order of the shelf, say the same."""
    library = (*several("locks", 4), tagged("d", "tides", draft=True), *several("tides", 2))

    each = explain_each(SLOT, library, themes=THEMES, held=Claims(), policy=Policy())

    assert {found.id: found for found in each} == {
        one.id: told(one.id, *library) for one in library
    }
    assert [found.id for found in each] == [
        "d",
        *(f"locks-{number}" for number in range(1, 5)),
        "tides-1",
        "tides-2",
    ]


# Themes.


def test_a_theme_that_leads_is_explained_with_all_scores() -> None:
    """What it has, where each theme stands, and why it leads."""
    library = (*several("locks", 3), tagged("d", "locks", draft=True), tagged("t", "tides"))

    found = _theme("locks", *library)

    assert (found.id, found.included) == ("locks", True)
    assert found.steps[0] == "3 summaries fresh, 1 not"
    assert [step.split(":")[0] for step in found.steps[1:]] == [
        "locks is 1st of 5 themes",
        "tides is 2nd of 5 themes",
        "mills is 3rd of 5 themes",
        "weirs is 4th of 5 themes",
        "other is 5th of 5 themes",
        "locks leads, 1st of 5 themes",
    ]


def test_a_theme_that_does_not_lead_is_told_which_does() -> None:
    """Its own number of summaries stands first."""
    found = _theme("tides", *several("locks", 3), tagged("t", "tides"))

    assert not found.included
    assert found.steps[0] == "1 summary fresh, 0 not"
    assert found.steps[-1].startswith("locks leads, ")


def test_a_theme_that_was_asked_for_leads() -> None:
    """The wish decides, as it does for the issue."""
    library = (*several("locks", 3), tagged("t", "tides"))

    assert _theme("tides", *library, wish=Wish(theme=ThemeId("tides"))).included


def test_a_theme_of_a_mixed_issue_tells_its_share() -> None:
    """No theme leads; the last step counts what it gave."""
    library = (*several("locks", 3), tagged("t", "tides"))

    found = _theme("locks", *library, policy=Policy(mode="mixed"))

    assert not found.included
    assert found.steps[-1] == "mixed issues have no theme in the lead; 3 items of it"


def test_a_theme_of_a_skipped_issue_tells_why() -> None:
    """It would lead, and nothing goes out."""
    found = _theme("locks", *several("locks", 2), policy=Policy(when_thin="skip"))

    assert not found.included
    assert found.steps[-1].startswith("no issue: too little to send: locks has 2 of 3 items")


def test_an_unknown_theme_is_refused() -> None:
    """All that are known are named."""
    with pytest.raises(
        UsageError, match="there is no theme 'x'\n  known themes: locks, tides, mills, weirs, other"
    ):
        _theme("x", *several("locks", 1))


def test_places_are_written_with_their_endings() -> None:
    """Eleventh to thirteenth end otherwise than first to third."""
    library = several("locks", 23, date=SLOT.at - timedelta(days=1))
    wide = Policy(max_items=30)

    places = {
        step.split()[1]
        for one in library
        for step in told(one.id, *library, policy=wide).steps
        if step.startswith("order: ")
    }

    assert {"1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd"} <= places
    assert select(*library, policy=wide).shortages == ()
