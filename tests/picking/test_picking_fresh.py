"""What keeps a summary out of an issue, and how that is told."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picking.libraries import THEMES, libraries, past, pasts, policies, summary
from picking.scenes import SLOT, ago, ids, left_out, select, tagged, told

from digest.model import History, IssueKey, Slot, Summary, WeeklyTime
from digest.picking import Policy, Wish
from digest.picking.claims import Claims
from digest.picking.fresh import setback, sift
from digest.picking.kin import find_kin
from digest.picking.shelf import shelve
from digest.picking.situation import situate

_BERLIN = ZoneInfo("Europe/Berlin")
_MONDAY = WeeklyTime(weekday=0, hour=9, minute=0)
_IN_BERLIN = _MONDAY.slot(IssueKey("2026-w49"), _BERLIN)
_ONE = Policy(min_items=1)
_FILL = Policy(min_items=1, max_items=9, repeat_window=10, repeats="fill")


def _reason(
    one: Summary,
    *others: Summary,
    history: History = (),
    policy: Policy = _ONE,
    slot: Slot = SLOT,
) -> str:
    """Give the reason why a summary is left out, empty where it is in."""
    companion = summary("companion", "locks", weight=-9.0)
    found = select(one, companion, *others, slot=slot, history=history, policy=policy)
    reason = left_out(found).get(one.id, "")
    assert bool(reason) is not (one.id in ids(found))
    return reason


def _locks(name: str = "a", **fields: object) -> Summary:
    return summary(name, "locks", **fields)


# What its own file says.


def test_a_draft_stays_out() -> None:
    """A draft is never picked, nor one that its file withdraws."""
    assert _reason(_locks()) == ""
    assert _reason(_locks(draft=True)) == "is a draft"
    assert _reason(_locks(withdrawn=True)) == "is withdrawn by its file"


def test_one_without_a_text_stays_out() -> None:
    """White space is nothing to read; a summary text alone is."""
    assert _reason(_locks(body=" \n\t")) == "has no text"
    assert _reason(_locks(body="", summary="Gates and sluices.")) == ""


@pytest.mark.parametrize(("minutes", "kept"), [(-1, True), (0, True), (1, False)])
def test_not_before_is_the_first_moment(minutes: int, *, kept: bool) -> None:
    """A summary may be in an issue from `not_before` on."""
    opens = _IN_BERLIN.at + timedelta(minutes=minutes)
    reason = _reason(_locks(not_before=opens), slot=_IN_BERLIN)

    assert (reason == "") is kept
    if not kept:
        assert reason == (
            "is held back until 2026-11-30 09:01+01:00; the issue is for 2026-11-30 09:00+01:00"
        )


@pytest.mark.parametrize(("minutes", "kept"), [(-1, False), (0, False), (1, True)])
def test_not_after_is_the_end(minutes: int, *, kept: bool) -> None:
    """A summary may be in an issue up to `not_after`, that moment left out."""
    closes = _IN_BERLIN.at + timedelta(minutes=minutes)
    reason = _reason(_locks(not_after=closes), slot=_IN_BERLIN)

    assert (reason == "") is kept
    assert kept or reason.startswith("lapsed at 2026-11-30 ")


def test_parts_of_a_second_count() -> None:
    """A moment within the second of the slot is before or after it, as it says."""
    soon, part = SLOT.at + timedelta(microseconds=9), timedelta(microseconds=5)
    slot = Slot(issue=SLOT.issue, at=SLOT.at + part)

    assert _reason(_locks(not_before=soon), slot=slot).startswith("is held back until")
    assert _reason(_locks(not_before=SLOT.at), slot=slot) == ""
    assert _reason(_locks(not_after=soon), slot=slot) == ""
    assert _reason(_locks(not_after=SLOT.at), slot=slot).startswith("lapsed at")


@pytest.mark.parametrize("key", ["not_before", "date", "not_after"])
def test_the_hour_that_comes_twice_is_told_apart(key: str) -> None:
    """A moment of the second coming is later than one of the first, whatever the clock shows."""
    half_past = datetime(2027, 10, 31, 2, 30, tzinfo=_BERLIN)
    first, second = half_past.replace(minute=45), half_past.replace(minute=15, fold=1)
    early = Slot(issue=IssueKey("2027-w43"), at=half_past)
    late = Slot(issue=IssueKey("2027-w43"), at=half_past.replace(fold=1))

    if key == "not_after":
        assert _reason(_locks(not_after=second), slot=early) == ""
        assert _reason(_locks(not_after=first), slot=late).startswith("lapsed at")
    else:
        assert _reason(_locks("a", **{key: first}), slot=late) == ""
        assert _reason(_locks("a", **{key: second}), slot=early).startswith("is ")


def test_a_later_date_means_not_yet() -> None:
    """A day is told as a day, a moment with its time; the same moment has come."""
    later = datetime(2026, 12, 5, tzinfo=_BERLIN)

    assert _reason(_locks(date=_IN_BERLIN.at), slot=_IN_BERLIN) == ""
    assert _reason(_locks(date=later, day_only=True), slot=_IN_BERLIN).startswith(
        "is dated 2026-12-05; the issue is for"
    )
    assert "2026-12-05 00:00+01:00" in _reason(_locks(date=later), slot=_IN_BERLIN)


def test_dates_at_the_ends_of_time_are_compared() -> None:
    """The first and the last day there are make no trouble, in any zone."""
    east, west = ZoneInfo("Asia/Tokyo"), ZoneInfo("America/Los_Angeles")

    assert _reason(_locks(date=datetime(1, 1, 1, tzinfo=east))) == ""
    assert "9999-12-31" in _reason(_locks(date=datetime(9999, 12, 31, 23, tzinfo=west)))


def test_one_that_is_too_old_stays_out() -> None:
    """Its age counts from its date, or from `not_before` where that is later; no date, no age."""
    four = Policy(min_items=1, max_age=4)

    assert _reason(_locks(date=ago(4)), policy=four) == ""
    assert _reason(_locks(date=ago(5)), policy=four) == "is 35 days old; max_age is 4 weeks"
    assert _reason(_locks(date=ago(5))) == ""
    assert _reason(_locks(date=ago(50), not_before=ago(4)), policy=four) == ""
    assert _reason(_locks(), policy=four) == ""


def test_one_that_is_days_too_old_is_not_told_to_be_of_the_age_allowed() -> None:
    """Four weeks and a day are more than the four weeks that may be, and the reason shows it."""
    four = Policy(min_items=1, max_age=4)
    reason = _reason(_locks(date=ago(4) - timedelta(days=1)), policy=four)

    assert reason.endswith("; max_age is 4 weeks")
    assert not reason.startswith("is 4 weeks old;")


# What other issues hold.


@pytest.mark.parametrize(
    ("key", "away"),
    [
        ("2019-w01", "418 weeks ago"),
        ("2026-w53", "1 week ago"),
        ("2027-w01-extra", "the same week"),
        ("2027-w04", "3 weeks ahead"),
    ],
)
def test_a_summary_goes_out_once(key: str, away: str) -> None:
    """However far away its issue is, it does not come again."""
    one = _locks()

    assert _reason(one, history=(past(key, "locks", one),)) == (
        f"was in {key}, {away}; a summary goes out once"
    )


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("2026-w45", "was in 2026-w45, 9 weeks ago; its cooldown is 10 weeks"),
        ("2026-w44", ""),
        ("2027-w11", ""),
        ("2027-w10", "was in 2027-w10, 9 weeks ahead; its cooldown is 10 weeks"),
    ],
)
def test_a_cooldown_is_counted_in_calendar_weeks(key: str, reason: str) -> None:
    """With a cooldown it comes again after so many weeks, week 53 counted."""
    one = _locks(cooldown=10)

    assert _reason(one, history=(past(key, "locks", one),)) == reason


def test_a_cooldown_goes_before_the_window_of_repeats() -> None:
    """What its file says holds, whatever the settings say of repeats; nought means every week."""
    often, seldom = _locks("often", cooldown=0), _locks("seldom", cooldown=99)
    history = (past("2026-w53", "locks", often, seldom),)

    assert _reason(often, history=history, policy=_FILL) == ""
    assert _reason(seldom, history=history, policy=_FILL) == (
        "was in 2026-w53, 1 week ago; its cooldown is 99 weeks"
    )


def test_where_repeats_may_fill_the_window_is_told() -> None:
    """Within the window a sent one is out; when it is over it counts as a repeat."""
    one = _locks()
    again = select(one, history=(past("2026-w44", "locks", one),), policy=_FILL)

    assert ids(again) == ["a"]
    assert _reason(one, history=(past("2026-w45", "locks", one),), policy=_FILL) == (
        "was in 2026-w45, 9 weeks ago; the repeat window is 10 weeks"
    )


def test_a_renamed_file_is_known_by_its_address() -> None:
    """Two addresses that lead to one page are one, whatever the file is called."""
    history = (past("2026-w50", "", summary("old-name", url="https://river.example/mills")),)
    one = _locks("new-name", url="http://www.river.example/mills/?utm_source=letter")

    assert _reason(one, history=history) == (
        "its address, as old-name, was in 2026-w50, 4 weeks ago; a summary goes out once"
    )


def test_an_id_in_another_unicode_form_is_the_same_id() -> None:
    """A history that kept an id decomposed still knows it, and names it as the same."""
    history = (past("2026-w53", "", summary("cafe\u0301")),)

    assert _reason(_locks("café"), history=history).startswith("was in 2026-w53, 1 week ago")


def test_a_decomposed_id_does_not_make_a_summary_its_own_twin() -> None:
    """Once its cooldown is over its own text of then does not stand against it."""
    before = summary("cafe\u0301", title="Tea", body="Words.")
    one = _locks("café", title="Tea", body="Words.", cooldown=4)

    assert _reason(one, history=(past("2026-w40", "", before),)) == ""


def test_of_its_own_issues_and_those_of_its_page_the_nearest_counts() -> None:
    """One whose cooldown is over does not come a week after another file of its page."""
    page = "https://river.example/mills"
    one, other = _locks("one", url=page, cooldown=4), summary("other", url=page)
    history = (past("2026-w50", "", one), past("2026-w53", "", other))

    assert _reason(one, history=history) == (
        "its address, as other, was in 2026-w53, 1 week ago; its cooldown is 4 weeks"
    )


def test_an_issue_file_reserves_its_summaries_for_good() -> None:
    """What another issue file names is taken, however far away that issue is, by id or address."""
    one = _locks("a", url="https://river.example/a", cooldown=0)
    other = summary("b", url="https://river.example/a")

    assert _reason(one, history=(past("2025-w02", "", one, published=False),)) == (
        "is reserved by the issue file of 2025-w02"
    )
    assert _reason(one, history=(past("2027-w02", "", other, published=False),)) == (
        "its address, as b, is reserved by the issue file of 2027-w02"
    )


def test_the_issue_that_is_made_again_takes_nothing() -> None:
    """An older draft of the slot's own issue stands in nobody's way."""
    one = _locks()

    assert _reason(one, history=(past("2027-w01", "", one, published=False),)) == ""


def test_an_issue_taken_back_before_any_mail_takes_nothing() -> None:
    """Its items are as good as new; those of one that was mailed are not."""
    one = _locks()
    back = {"withdrawn": SLOT.at}

    assert _reason(one, history=(past("2026-w53", "", one, freed=True, **back),)) == ""
    assert _reason(one, history=(past("2026-w53", "", one, **back),)).startswith("was in 2026-w53")


def test_of_several_issues_the_nearest_is_named() -> None:
    """The order in which the history is given does not matter."""
    one = _locks()
    history = tuple(past(key, "", one) for key in ("2026-w20", "2026-w52", "2026-w30"))

    assert _reason(one, history=history) == _reason(one, history=tuple(reversed(history)))
    assert "2026-w52, 2 weeks ago" in _reason(one, history=history)


# Others on the shelf.


def test_of_two_files_with_one_address_one_is_picked() -> None:
    """The one that goes before on the shelf stays, and the other is told which."""
    heavy = _locks("b", url="https://river.example/x", weight=2.0)
    light = _locks("a", url="https://river.example/x#part")

    assert _reason(light, heavy) == "is the same page as b.md, which goes before it"
    assert _reason(heavy, light) == ""


def test_of_two_files_with_one_address_the_one_that_may_go_does() -> None:
    """A draft keeps no other from going out."""
    draft = _locks("a", url="https://river.example/x", draft=True)
    ready = _locks("b", url="https://river.example/x", weight=-1.0)

    assert _reason(ready, draft) == ""


def test_of_two_files_with_one_id_one_is_picked() -> None:
    """An id is in an issue once, also where two files claim it; `explain` names the one that is."""
    one, two = _locks("a", path="x.md"), _locks("a", path="y.md")
    draft = _locks("a", path="y.md", draft=True)

    found = select(two, one, policy=_ONE)

    assert ids(found) == ["a"]
    assert left_out(found)["a"] == "is the same page as x.md, which goes before it"
    assert told("a", draft, one, policy=_ONE).included


@given(
    libraries().flatmap(lambda library: pasts(library).map(lambda history: (library, history))),
    policies,
    st.sampled_from(["never", "fill"]),
    st.sets(st.sampled_from(["n1", "n2"])),
)
@settings(deadline=None, max_examples=100)
def test_the_short_way_says_what_the_rules_say(
    scene: tuple[list[Summary], History], policy: Policy, repeats: str, dropped: set[str]
) -> None:
    """No summary is fresh that a rule stands against, and none is stale without a rule."""
    library, history = scene
    rules = Policy(
        repeat_window=policy.repeat_window,
        similarity=policy.similarity,
        max_age=policy.max_age,
        repeats=repeats,  # type: ignore[arg-type] # drawn
    )
    shelf = shelve(library, THEMES)
    kin = find_kin(shelf, rules)
    situation = situate(SLOT, Claims(history), rules, kin=kin, dropped=dropped)

    found = sift(shelf, situation)

    assert len(found.fresh) + len(found.repeats) + len(found.stale) == len(shelf)
    assert all(setback(one, situation) is None for one in (*found.fresh, *found.repeats))
    assert all(
        setback(one, situation) == against for one, against in found.stale if against.kind != "twin"
    )
    assert all(situation.last(one) for one in found.repeats)
    names = [name for one in (*found.fresh, *found.repeats) for name in one.names]
    assert len(names) == len(set(names))
    assert all(
        set(one.names) & set(names) for one, against in found.stale if against.kind == "twin"
    )


def test_what_was_taken_out_by_hand_stays_out() -> None:
    """The reason names the issue; tags do not matter to it."""
    found = select(_locks("a"), _locks("b"), tagged("c", "locks"), wish=Wish(dropped=("a", "c")))

    assert ids(found) == ["b"]
    assert left_out(found) == {
        "a": "was taken out of 2027-w01 by hand",
        "c": "was taken out of 2027-w01 by hand",
    }
