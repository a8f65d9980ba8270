"""Several issues in turn."""

from __future__ import annotations

import pytest
from picking.libraries import THEMES, past, slots, summary, text
from picking.scenes import ago, ids, issue_of, keep, several, tagged

from digest.errors import UsageError
from digest.model import History, IssueKey, Summary, ThemeId
from digest.picking import Policy, Selection, Wish, pick, plan

_TIGHT = Policy(min_items=3, max_items=3)


def _plan(
    weeks: int,
    *library: Summary,
    history: History = (),
    policy: Policy | None = None,
    wishes: dict[IssueKey, Wish] | None = None,
) -> tuple[Selection, ...]:
    return plan(
        slots(weeks, first=ago(4)),
        library,
        themes=THEMES,
        history=history,
        policy=policy or Policy(),
        wishes=wishes or {},
    )


def test_a_plan_goes_from_issue_to_issue() -> None:
    """Themes take turns, nothing comes twice, and the week numbers go over the year's end."""
    library = (*several("locks", 6), *several("tides", 6), *several("mills", 3))

    found = _plan(6, *library, policy=_TIGHT)

    issues = [issue_of(selection) for selection in found[:5]]
    assert [issue.key for issue in issues] == [
        "2026-w50",
        "2026-w51",
        "2026-w52",
        "2026-w53",
        "2027-w01",
    ]
    assert [issue.theme for issue in issues] == ["locks", "tides", "mills", "locks", "tides"]
    assert found[5].skipped == (
        "nothing to send: no fresh one among 15 summaries (15 already sent)"
    )


def test_a_plan_is_what_picking_in_turn_gives() -> None:
    """Each issue of a plan is what `pick` gives once those before it are out."""
    library = (*several("locks", 6), *several("tides", 6, cooldown=1), *several("mills", 1))
    by_id = {one.id: one for one in library}
    history: History = ()

    for slot, planned in zip(slots(5, first=ago(4)), _plan(5, *library), strict=True):
        found = pick(slot, library, themes=THEMES, history=history, policy=Policy())
        assert found == planned
        items = tuple(by_id[name] for name in ids(found))
        history = (*history, past(slot.issue, issue_of(found).theme, *items))


def test_a_plan_does_not_lose_what_was_skipped() -> None:
    """A skipped issue takes nothing; one that was planned before is planned anew."""
    second = slots(2, first=ago(4))[1]
    late = tagged("late", "locks", not_before=second.at)
    drafted = past(second.issue, "locks", late, published=False)

    found = _plan(
        3, *several("locks", 2), late, history=(drafted,), policy=Policy(when_thin="skip")
    )

    assert found[0].skipped.startswith("too little to send")
    assert set(ids(found[1])) == {"locks-1", "locks-2", "late"}
    assert found[2].skipped.startswith("nothing to send")


def test_texts_and_pages_count_from_issue_to_issue() -> None:
    """What is like one of the issue before, or has its page, is not in the next."""
    twins = (
        tagged("one", "locks", title="T", body=text(1), url="https://river.example/1"),
        tagged("two", "locks", title="T", body=text(1, changed=1)),
        tagged("three", "locks", url="https://river.example/1/"),
        tagged("four", "locks", weight=-5.0),
    )

    found = _plan(3, *twins, policy=Policy(min_items=1, max_items=1))

    assert [ids(selection) for selection in found[:2]] == [["one"], ["four"]]
    assert found[2].skipped == (
        "nothing to send: no fresh one among 4 summaries (3 already sent, 1 alike)"
    )


def test_a_plan_names_the_planned_issue_that_a_repeat_was_in() -> None:
    """What goes out every week is told each time with the issue before, as a build will say."""
    first, second, third = _plan(3, tagged("one", "locks", cooldown=1), policy=Policy(min_items=1))

    assert [issue_of(one).items[0].repeat for one in (first, second, third)] == [
        "",
        issue_of(first).key,
        issue_of(second).key,
    ]


def test_wishes_hold_for_their_issue() -> None:
    """A theme, kept and dropped items are asked of one issue; the others go by rule around it."""
    first, second, third = (slot.issue for slot in slots(3, first=ago(4)))
    library = (*several("locks", 6), *several("tides", 4))

    found = _plan(
        3,
        *library,
        policy=_TIGHT,
        wishes={
            first: Wish(theme=ThemeId("tides"), dropped=("tides-1",)),
            third: Wish(theme=ThemeId("locks"), keep=keep("locks-6")),
        },
    )

    assert [issue_of(selection).key for selection in found] == [first, second, third]
    assert [ids(selection) for selection in found] == [
        ["tides-2", "tides-3", "tides-4"],
        ["locks-1", "locks-2", "locks-3"],
        ["locks-6", "locks-4", "locks-5"],
    ]


def test_a_library_that_is_read_once_is_enough() -> None:
    """Summaries and slots may come from iterators."""
    library = several("locks", 6)

    found = plan(
        iter(slots(2, first=ago(4))), iter(library), themes=THEMES, history=(), policy=_TIGHT
    )

    assert found == _plan(2, *library, policy=_TIGHT)
    assert plan((), library, themes=THEMES, history=(), policy=_TIGHT) == ()


def test_an_unknown_theme_of_a_wish_is_refused() -> None:
    """As it is where one issue is picked."""
    (slot,) = slots(1, first=ago(4))

    with pytest.raises(UsageError, match="there is no theme 'lock'\n  did you mean locks"):
        _plan(1, summary("a"), wishes={slot.issue: Wish(theme=ThemeId("lock"))})
