"""Several issues in turn, and what holds for every library."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import UsageError
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
    canonical_url,
    issue_key,
)
from digest.picking import Policy, explain, pick, plan

_BERLIN = ZoneInfo("Europe/Berlin")
_FIRST = datetime(2026, 11, 30, 12, tzinfo=UTC)
_NAMES = ("locks", "tides", "mills", "weirs", "wells")
_THEMES = tuple(Theme(id=ThemeId(name), label=name, match=(f"tag:{name}",)) for name in _NAMES[:4])


def _slots(count: int) -> tuple[Slot, ...]:
    time = WeeklyTime(weekday=0, hour=9, minute=0)
    weeks = (_FIRST + timedelta(weeks=number) for number in range(count))
    return tuple(time.slot(issue_key(moment, _BERLIN), _BERLIN) for moment in weeks)


def _summary(name: str, theme: str, **fields: object) -> Summary:
    given_ = {"id": name, "path": f"{name}.md", "title": name, "body": name, "fingerprint": name}
    return Summary(**given_ | {"tags": (theme,)} | fields)  # type: ignore[arg-type] # a test's


def _items(theme: str, count: int) -> tuple[Summary, ...]:
    return tuple(_summary(f"{theme}-{number}", theme) for number in range(count))


def test_a_plan_goes_from_issue_to_issue() -> None:
    """Themes take turns, nothing comes twice, and the week numbers go over the year's end."""
    library = (*_items("locks", 6), *_items("tides", 6), *_items("mills", 3))
    policy = Policy(min_items=3, max_items=3)

    found = plan(_slots(6), library, themes=_THEMES, history=(), policy=policy)

    issues = [selection.issue for selection in found if selection.issue]
    assert [issue.key for issue in issues] == [
        "2026-w49",
        "2026-w50",
        "2026-w51",
        "2026-w52",
        "2026-w53",
    ]
    assert [issue.theme for issue in issues] == ["locks", "tides", "mills", "locks", "tides"]
    assert found[5].skipped == (
        "nothing to send: no fresh one among 15 summaries (15 already sent)"
    )


def test_a_plan_does_not_lose_what_was_skipped() -> None:
    """A skipped issue takes nothing; one that was planned before is planned anew."""
    library = (*_items("locks", 2), _summary("late", "locks", not_before=_slots(2)[1].at))
    drafted = PastIssue(
        key=_slots(2)[1].issue,
        at=_slots(2)[1].at,
        theme=ThemeId("locks"),
        items=(PastItem(id="late", url=""),),
        published=False,
    )

    found = plan(
        _slots(3),
        library,
        themes=_THEMES,
        history=(drafted,),
        policy=Policy(when_thin="skip"),
    )

    assert found[0].skipped.startswith("too little to send")
    assert found[1].issue is not None
    assert {item.id for item in found[1].issue.items} == {"locks-0", "locks-1", "late"}
    assert found[2].skipped.startswith("nothing to send")


def test_a_plan_is_what_picking_in_turn_gives() -> None:
    """The first issue of a plan is the one that `pick` gives."""
    library = (*_items("locks", 6), *_items("tides", 6))
    slots = _slots(2)

    found = plan(slots, library, themes=_THEMES, history=(), policy=Policy())

    assert found[0] == pick(slots[0], library, themes=_THEMES, history=(), policy=Policy())


def test_steps_go_rule_by_rule() -> None:
    """For one that is in, every rule is told with its numbers; for one that is not, up to it."""
    day = datetime(2026, 11, 12, tzinfo=_BERLIN)
    library = (
        *_items("locks", 6),
        _summary("t", "tides", date=day, not_before=day, not_after=day + timedelta(days=90)),
        _summary("d", "tides", draft=True),
    )

    def steps(name: str) -> tuple[bool, tuple[str, ...]]:
        told = explain(
            name, _slots(1)[0], library, themes=_THEMES, history=(), policy=Policy(max_items=5)
        )
        return told.included, told.steps

    leads = (
        "issue: locks leads, 1st of 5 themes: never used, counted as 1 week, stock 5; "
        "score 1 * 6 + 5 = 11"
    )
    assert steps("locks-0") == (
        True,
        (
            "theme: locks by tag:locks",
            "not a draft",
            "has a text",
            "no not_before",
            "no not_after",
            "no date",
            "reserved by no issue file",
            "in no issue within 52 weeks of 2026-w49",
            "no other with its id or address goes before it",
            leads,
            (
                "order: locks by tag:locks; weight 0; no date; 1st of 6 fresh "
                "(pinned, then weight, then date, then id)"
            ),
            "in: 1st of 5 in the issue",
        ),
    )
    assert steps("locks-5")[1][-1] == "out: the issue is full with 5 items"
    assert steps("t.md") == (
        False,
        (
            "theme: tides by tag:tides",
            "not a draft",
            "has a text",
            "not_before 2026-11-12 00:00+01:00 has come",
            "not_after 2027-02-10 00:00+01:00 is still ahead",
            "dated 2026-11-12, which has come",
            "reserved by no issue file",
            "in no issue within 52 weeks of 2026-w49",
            "no other with its id or address goes before it",
            leads,
            (
                "tides is 2nd of 5 themes: never used, counted as 1 week, stock 1, below the 3 an "
                "issue should hold; score 1 * 6 + 1 = 7"
            ),
            (
                "order: tides by tag:tides; weight 0; dated 2026-11-12; 1st of 1 fresh "
                "(pinned, then weight, then date, then id)"
            ),
            "out: tides is 2nd of the themes with a score of 7; locks leads",
        ),
    )
    assert steps("d") == (False, ("theme: tides by tag:tides", "out: is a draft"))


def test_steps_of_a_skipped_and_of_a_borrowed_one() -> None:
    """The verdict names why nothing goes out, or why another theme's summary is in."""
    library = (*_items("locks", 2), *_items("tides", 1))

    def verdict(name: str, policy: Policy) -> str:
        told = explain(name, _slots(1)[0], library, themes=_THEMES, history=(), policy=policy)
        return told.steps[-1]

    assert verdict("locks-0", Policy(when_thin="skip")).startswith("out: too little to send")
    assert verdict("tides-0", Policy()) == (
        "in: 3rd of 3 in the issue, borrowed, since locks has 2 of 3 items"
    )


def test_an_unknown_id_is_refused_with_the_nearest() -> None:
    """The three nearest ids are named, or what to give instead."""

    def ask(name: str) -> None:
        library = (*_items("locks", 2), *_items("tides", 1))
        explain(name, _slots(1)[0], library, themes=_THEMES, history=(), policy=Policy())

    with pytest.raises(UsageError, match="no summary 'lock-1'\n  nearest: locks-1, locks-0"):
        ask("lock-1")
    with pytest.raises(UsageError, match="give the id of a summary, or its path"):
        ask("?")


@given(
    count=st.integers(2, 5),
    policy=st.builds(Policy, min_items=st.integers(1, 3), max_items=st.integers(3, 8)),
    rich=st.lists(st.booleans(), min_size=5, max_size=5),
    dice=st.randoms(use_true_random=False),
)
@settings(deadline=None, max_examples=40)
def test_no_theme_waits_longer_than_there_are_themes(
    *, count: int, policy: Policy, rich: list[bool], dice: Random
) -> None:
    """Of K themes that always have enough, each leads at least every K issues.

    Rich themes get many new summaries each week, poor ones just what keeps them going.
    """
    themes = tuple(Theme(id=ThemeId(name), label=name) for name in _NAMES[:count])
    library: list[Summary] = []
    led: list[str] = []
    history: History = ()
    fresh = dict.fromkeys([theme.id for theme in themes], 0)
    for week, slot in enumerate(_slots(4 * count)):
        for place, name in enumerate(fresh):
            new = max(0, policy.min_items - fresh[name]) + (dice.randrange(9) if rich[place] else 0)
            library += [_summary(f"{name}-{week}-{n}", "", themes=(name,)) for n in range(new)]
            fresh[name] += new
        issue = pick(slot, library, themes=themes, history=history, policy=policy).issue
        assert issue is not None
        led.append(issue.theme)
        fresh[issue.theme] -= len(issue.items)
        items = tuple(PastItem(id=item.id, url="") for item in issue.items)
        past = PastIssue(key=issue.key, at=slot.at, theme=issue.theme, items=items, published=True)
        history = (*history, past)

    for theme in themes:
        turns = [number for number, leader in enumerate(led) if leader == theme.id]
        assert turns[0] < count
        assert len(led) - turns[-1] <= count
        assert all(later - turn <= count for turn, later in pairwise(turns))


_URLS = st.sampled_from(
    ["", "", "https://a.example/1", "http://www.a.example/1/", "https://a.example/2"]
)
_MOMENTS = st.one_of(
    st.none(), st.integers(-40, 10).map(lambda days: _FIRST + timedelta(days=days))
)


@st.composite
def _libraries(draw: Callable[..., object]) -> list[Summary]:
    library = []
    for number in range(draw(st.integers(0, 14))):  # type: ignore[call-overload] # an int
        name = f"n{number}" if draw(st.integers(0, 9)) else "n0"  # now and then one id twice
        fields = {
            "path": f"p{number}.md",
            "date": draw(_MOMENTS),
            "weight": draw(st.sampled_from([0.0, 0.0, 1.0, -1.0])),
            "pin": draw(st.integers(0, 7)) == 0,
            "draft": draw(st.integers(0, 7)) == 0,
            "not_before": draw(_MOMENTS) if draw(st.booleans()) else None,
            "url": draw(_URLS),
            "source": draw(st.sampled_from(["", "Board", "Club"])),
            "authors": draw(st.sampled_from([(), ("Ada",), ("Ada", "Bo")])),
        }
        library.append(_summary(name, str(draw(st.sampled_from([*_NAMES, ""]))), **fields))
    return library


_POLICIES = st.builds(
    Policy,
    mode=st.sampled_from(["theme", "mixed"]),
    min_items=st.integers(1, 3),
    max_items=st.integers(3, 5),
    when_thin=st.sampled_from(["borrow", "short", "skip"]),
    max_per_source=st.sampled_from([None, 1, 2]),
    max_per_author=st.sampled_from([None, 1]),
)
_HISTORIES = st.lists(
    st.builds(
        PastIssue,
        key=st.sampled_from([IssueKey(f"2026-w{week}") for week in range(44, 52)]),
        at=st.just(_FIRST),
        theme=st.sampled_from([ThemeId(""), ThemeId("locks"), ThemeId("tides")]),
        items=st.lists(
            st.builds(
                PastItem,
                id=st.sampled_from([f"n{number}" for number in range(9)]),
                url=_URLS.map(canonical_url),
            ),
            max_size=2,
        ).map(tuple),
        published=st.booleans(),
    ),
    max_size=3,
).map(tuple)


@given(
    library=_libraries(),
    history=_HISTORIES,
    policy=_POLICIES,
    dice=st.randoms(use_true_random=False),
)
@settings(deadline=None, max_examples=100)
def test_what_holds_for_every_issue(
    *, library: list[Summary], history: History, policy: Policy, dice: Random
) -> None:
    """Any order of files gives one issue; sizes and caps hold; `explain` agrees with `pick`."""
    slot = _slots(1)[0]
    found = pick(slot, library, themes=_THEMES, history=history, policy=policy)
    shuffled = list(library)
    dice.shuffle(shuffled)

    assert pick(slot, shuffled, themes=_THEMES, history=history, policy=policy) == found
    assert (found.issue is None) is bool(found.skipped)
    ids = [item.id for item in found.issue.items] if found.issue else []
    assert len(ids) == len(set(ids)) <= policy.max_items
    for name in {summary.id for summary in library}:
        told = explain(name, slot, shuffled, themes=_THEMES, history=history, policy=policy)
        assert told.included is (name in ids)
        assert told.steps[-1].startswith("in: " if told.included else "out: ")


@given(_libraries(), _POLICIES, st.integers(1, 6))
@settings(deadline=None, max_examples=60)
def test_nothing_comes_twice_in_a_plan(library: list[Summary], policy: Policy, weeks: int) -> None:
    """No id and no address stands in two issues, or twice in one."""
    found = plan(_slots(weeks), library, themes=_THEMES, history=(), policy=policy)
    addresses = {summary.id: set[str]() for summary in library}
    for summary in library:
        addresses[summary.id].add(canonical_url(summary.url) if summary.url else "")

    ids = [item.id for selection in found if selection.issue for item in selection.issue.items]
    urls = [url for name in ids for url in addresses[name] if url and len(addresses[name]) == 1]
    assert len(ids) == len(set(ids))
    assert len(urls) == len(set(urls))
