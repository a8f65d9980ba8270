"""What keeps a summary out of an issue, and how that is told."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from digest.model import (
    History,
    IssueKey,
    PastIssue,
    PastItem,
    Slot,
    Summary,
    Theme,
    ThemeId,
    WeeklyTime,
    week_days,
)
from digest.picking import Policy, explain, pick

_BERLIN = ZoneInfo("Europe/Berlin")
_MONDAY = WeeklyTime(weekday=0, hour=9, minute=0)
_SLOT = _MONDAY.slot(IssueKey("2026-w49"), _BERLIN)
_THEMES = (Theme(id=ThemeId("water"), label="Water"),)
_ONE = Policy(min_items=1)


def _summary(name: str, **fields: object) -> Summary:
    given = {"id": name, "path": f"{name}.md", "title": name, "body": name, "fingerprint": name}
    return Summary(**given | {"themes": ("water",)} | fields)  # type: ignore[arg-type] # a test's


def _past(
    key: str, *items: str, published: bool = True, url: str = "", theme: str = "water"
) -> PastIssue:
    return PastIssue(
        key=IssueKey(key),
        at=datetime.combine(week_days(IssueKey(key))[0], datetime.min.time(), tzinfo=UTC),
        theme=ThemeId(theme),
        items=tuple(PastItem(id=item, url=url) for item in items),
        published=published,
    )


def _reason(
    summary: Summary,
    *,
    history: History = (),
    policy: Policy = _ONE,
    slot: Slot = _SLOT,
    others: tuple[Summary, ...] = (),
) -> str:
    """Give the reason why a summary is left out, empty where it is in."""
    companion = _summary("zz-companion", weight=-1.0)
    issue = pick(
        slot, (summary, companion, *others), themes=_THEMES, history=history, policy=policy
    ).issue
    assert issue is not None
    reasons = [left.reason for left in issue.left_out if left.id == summary.id]
    if not reasons:
        assert summary.id in [item.id for item in issue.items]
    return reasons[0] if reasons else ""


def test_a_draft_stays_out() -> None:
    """A draft is never picked."""
    assert _reason(_summary("a", draft=True)) == "is a draft"
    assert _reason(_summary("a")) == ""


@pytest.mark.parametrize(("minutes", "kept"), [(-1, True), (0, True), (1, False)])
def test_not_before_is_the_first_moment(minutes: int, kept: bool) -> None:  # noqa: FBT001 - a case
    """A summary may be in an issue from `not_before` on."""
    reason = _reason(_summary("a", not_before=_SLOT.at + timedelta(minutes=minutes)))

    assert (reason == "") is kept
    if not kept:
        assert reason == (
            "is held back until 2026-11-30 09:01+01:00; the issue is for 2026-11-30 09:00+01:00"
        )


@pytest.mark.parametrize(("minutes", "kept"), [(-1, False), (0, False), (1, True)])
def test_not_after_is_the_end(minutes: int, kept: bool) -> None:  # noqa: FBT001 - a case
    """A summary may be in an issue up to `not_after`, that moment left out."""
    reason = _reason(_summary("a", not_after=_SLOT.at + timedelta(minutes=minutes)))

    assert (reason == "") is kept
    assert kept or reason.startswith("lapsed at 2026-11-30 ")


def test_a_later_date_means_not_yet() -> None:
    """A day is told as a day, a moment with its time; the same moment has come."""
    later = datetime(2026, 12, 5, tzinfo=_BERLIN)

    assert _reason(_summary("a", date=_SLOT.at)) == ""
    assert _reason(_summary("a", date=later, day_only=True)).startswith(
        "is dated 2026-12-05; the issue is for"
    )
    assert "2026-12-05 00:00+01:00" in _reason(_summary("a", date=later))


def test_dates_at_the_ends_of_time_are_compared() -> None:
    """The first and the last day there are make no trouble, in any zone."""
    east, west = ZoneInfo("Asia/Tokyo"), ZoneInfo("America/Los_Angeles")

    assert _reason(_summary("a", date=datetime(1, 1, 1, tzinfo=east))) == ""
    assert "9999-12-31" in _reason(_summary("a", date=datetime(9999, 12, 31, 23, tzinfo=west)))


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("2026-w41", "was in 2026-w41, 8 weeks ago; the repeat window is 10 weeks"),
        ("2026-w48", "was in 2026-w48, 1 week ago; the repeat window is 10 weeks"),
        ("2026-w49-extra", "was in 2026-w49-extra, the same week; the repeat window is 10 weeks"),
        ("2026-w52", "was in 2026-w52, 3 weeks ahead; the repeat window is 10 weeks"),
        ("2026-w40", "was in 2026-w40, 9 weeks ago; the repeat window is 10 weeks"),
        ("2026-w39", ""),
    ],
)
def test_the_repeat_window_is_counted_in_calendar_weeks(key: str, reason: str) -> None:
    """A summary comes again once the window is over; the clock change does not matter."""
    policy = Policy(min_items=1, repeat_window=10)

    assert _reason(_summary("a"), history=(_past(key, "a"),), policy=policy) == reason


def test_week_53_is_a_week_of_its_own() -> None:
    """The last week of 2026 and the first of 2027 lie one week apart."""
    slot = _MONDAY.slot(IssueKey("2027-w01"), _BERLIN)
    policy = Policy(min_items=1, repeat_window=1)
    history = (_past("2026-w53", "a"),)

    assert _reason(_summary("a"), history=history, policy=policy, slot=slot) == ""
    assert "2026-w53, 1 week ago" in _reason(_summary("a"), history=history, slot=slot)


def test_a_renamed_file_is_known_by_its_address() -> None:
    """Two addresses that lead to one page are one, whatever the file is called."""
    history = (_past("2026-w46", "old-name", url="https://river.example/mills"),)
    summary = _summary("new-name", url="http://www.river.example/mills/?utm_source=letter")

    assert _reason(summary, history=history) == (
        "its address, as old-name, was in 2026-w46, 3 weeks ago; the repeat window is 52 weeks"
    )


def test_an_id_in_another_unicode_form_is_the_same_id() -> None:
    """A history that kept an id decomposed still knows it."""
    history = (_past("2026-w48", "cafe\u0301"),)

    assert _reason(_summary("café"), history=history).startswith("was in 2026-w48")


def test_an_issue_file_reserves_its_summaries_for_good() -> None:
    """What another issue file names is taken, however far away that issue is."""
    history = (_past("2025-w02", "a", published=False),)
    none = Policy(min_items=1, repeat_window=0)

    assert _reason(_summary("a"), history=history, policy=none) == (
        "is reserved by the issue file of 2025-w02"
    )
    by_url = (_past("2026-w50", "b", published=False, url="https://river.example/b"),)
    assert _reason(_summary("a", url="https://river.example/b"), history=by_url) == (
        "its address, as b, is reserved by the issue file of 2026-w50"
    )


def test_without_a_window_published_issues_take_nothing() -> None:
    """A window of nought lets a summary come every week."""
    policy = Policy(min_items=1, repeat_window=0)

    assert _reason(_summary("a"), history=(_past("2026-w48", "a"),), policy=policy) == ""


def test_the_issue_that_is_made_again_takes_nothing() -> None:
    """An older draft of the slot's own issue stands in nobody's way."""
    assert _reason(_summary("a"), history=(_past("2026-w49", "a", published=False),)) == ""


def test_of_several_issues_the_nearest_is_named() -> None:
    """The order in which the history is given does not matter."""
    history = (_past("2026-w20", "a"), _past("2026-w47", "a"), _past("2026-w30", "a"))

    assert _reason(_summary("a"), history=history) == _reason(
        _summary("a"), history=tuple(reversed(history))
    )
    assert "2026-w47, 2 weeks ago" in _reason(_summary("a"), history=history)


def test_of_two_files_with_one_address_one_is_picked() -> None:
    """The one that goes before on the shelf stays, and the other is told which."""
    heavy = _summary("b", url="https://river.example/x", weight=2.0)
    light = _summary("a", url="https://river.example/x#part")

    assert _reason(light, others=(heavy,)) == "is the same page as b.md, which goes before it"
    assert _reason(heavy, others=(light,)) == ""


def test_of_two_files_with_one_id_one_is_picked() -> None:
    """An id is in an issue once, also where two files claim it; `explain` names the one that is."""
    given = (_summary("a", path="x.md"), _summary("a", path="y.md", draft=True))
    twins = (_summary("a", path="x.md"), _summary("a", path="y.md"))

    issue = pick(_SLOT, twins, themes=_THEMES, history=(), policy=_ONE).issue
    told = explain("a", _SLOT, given[::-1], themes=_THEMES, history=(), policy=_ONE)

    assert issue is not None
    assert [item.id for item in issue.items] == ["a"]
    assert issue.left_out[0].reason == "is the same page as x.md, which goes before it"
    assert told.included
