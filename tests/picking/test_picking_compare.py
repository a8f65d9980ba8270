"""What differs between two ways of picking, and how even each of them is."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import Issue, IssueKey, LeftOut, Pick, Slot, ThemeId, week_days
from digest.picking.compare import Balance, Change, Told, balance, compare

_NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
_KEYS = (
    *(IssueKey(f"2026-w{week:02d}") for week in range(44, 54)),
    IssueKey("2026-w49-more"),
    IssueKey("2027-w01"),
)


def _pick(name: str) -> Pick:
    return Pick(id=name, theme=ThemeId("locks"), reason=f"why {name}")


def _issue(key: str, names: str, *, theme: str = "locks", skip: str = "") -> Issue:
    return Issue(
        slot=Slot(issue=IssueKey(key), at=_NOON),
        theme=ThemeId(theme),
        items=tuple(map(_pick, names)),
        skip=skip,
    )


def _only(before: Issue | None, after: Issue | None) -> Change:
    (change,) = compare({_KEYS[0]: before}, {_KEYS[0]: after})
    return change


def test_items_that_came_and_went_are_told_in_the_order_of_their_issue() -> None:
    """What is in both is not told; picks keep their reasons."""
    change = _only(_issue(_KEYS[0], "dabc"), _issue(_KEYS[0], "zbyd", theme="tides"))

    assert change == Change(
        key=_KEYS[0],
        theme_before=ThemeId("locks"),
        theme_after=ThemeId("tides"),
        came=(_pick("z"), _pick("y")),
        went=(_pick("a"), _pick("c")),
        moved=False,
        skipped_before=False,
        skipped_after=False,
    )


def test_another_order_is_a_move() -> None:
    """The same items in another order are told as moved, not as coming and going."""
    change = _only(_issue(_KEYS[0], "abc"), _issue(_KEYS[0], "acb"))

    assert (change.moved, change.came, change.went) == (True, (), ())


def test_another_theme_alone_is_a_change() -> None:
    """The same items under another theme make an issue that differs, and none has moved."""
    change = _only(_issue(_KEYS[0], "ab"), _issue(_KEYS[0], "ab", theme=""))

    assert (change.theme_before, change.theme_after) == ("locks", "")
    assert (change.moved, change.came, change.went) == (False, (), ())


def test_reasons_alone_are_no_change() -> None:
    """Other reasons, and others left out, leave the issue the same."""
    before = _issue(_KEYS[0], "a")
    after = Issue(
        slot=before.slot,
        theme=before.theme,
        items=(Pick(id="a", theme=ThemeId("locks"), reason="another"),),
        left_out=(LeftOut(id="b", reason="full"),),
        theme_reason="another",
    )

    assert compare({_KEYS[0]: before}, {_KEYS[0]: after}) == ()


def test_no_issue_is_the_same_however_it_is_told() -> None:
    """None, a missing key and a reason to skip are one thing; what such a file lists is free."""
    skipped = _issue(_KEYS[0], "ab", skip="holidays")

    assert compare({_KEYS[0]: skipped, _KEYS[1]: None}, {_KEYS[2]: None}) == ()
    change = _only(skipped, _issue(_KEYS[0], "ab"))
    assert (change.skipped_before, change.skipped_after) == (True, False)
    assert (change.theme_before, change.came) == ("", (_pick("a"), _pick("b")))
    assert _only(_issue(_KEYS[0], ""), None).skipped_after


_ISSUES = st.builds(
    lambda names, theme, skip: _issue(_KEYS[0], "".join(names), theme=theme, skip=skip),
    st.lists(st.sampled_from("abcdef"), unique=True, max_size=4),
    st.sampled_from(["", "locks", "tides"]),
    st.sampled_from(["", "", "holidays"]),
)
_PLANS = st.dictionaries(st.sampled_from(_KEYS), st.none() | _ISSUES)


def _ids(issue: Issue | None) -> set[str]:
    return {pick.id for pick in issue.items} if issue and not issue.skip else set()


@settings(deadline=None, max_examples=100)
@given(before=_PLANS, after=_PLANS)
def test_a_change_leads_from_one_side_to_the_other(
    before: dict[IssueKey, Issue | None], after: dict[IssueKey, Issue | None]
) -> None:
    """Taking out what went and adding what came gives the other side; seen from there, inverted."""
    assert compare(before, before) == ()
    there, back = compare(before, after), compare(after, before)
    assert [change.key for change in there] == sorted(change.key for change in back)
    for change, inverse in zip(there, back, strict=True):
        came, went = ({pick.id for pick in picks} for picks in (change.came, change.went))
        assert (_ids(before.get(change.key)) - went) | came == _ids(after.get(change.key))
        assert not came & went
        assert not change.moved or not came | went
        assert (inverse.came, inverse.went) == (change.went, change.came)
        assert (inverse.theme_after, inverse.skipped_after, inverse.moved) == (
            change.theme_before,
            change.skipped_before,
            change.moved,
        )
    untouched = (before.keys() | after.keys()) - {change.key for change in there}
    assert all(_ids(before.get(key)) == _ids(after.get(key)) for key in untouched)


def _told(key: str, theme: str, names: str) -> Told:
    return IssueKey(key), ThemeId(theme), tuple(names)


def test_balance_counts_leads_waits_and_repeats() -> None:
    """Leads and waits come most first, then by id; a mixed issue leads nothing."""
    issues = (
        _told("2026-w50", "tides", "ab"),
        _told("2026-w51", "locks", "c"),
        _told("2026-w52", "", "da"),
        _told("2026-w53", "mills", "e"),
        _told("2027-w01", "tides", "c"),
        _told("2027-w02", "locks", "ca"),
    )

    assert balance(issues) == Balance(
        issues=6,
        led=((ThemeId("locks"), 2), (ThemeId("tides"), 2), (ThemeId("mills"), 1)),
        longest_wait=((ThemeId("locks"), 4), (ThemeId("tides"), 4)),
        repeats=4,
        nearest_repeat=1,
    )


def test_balance_of_nothing() -> None:
    """No issues have no leads, no waits and no repeats."""
    assert balance(()) == Balance(issues=0, led=(), longest_wait=(), repeats=0, nearest_repeat=None)


def test_waits_and_repeats_may_begin_before() -> None:
    """Issues that went out before count only where a wait or a repeat ends after them."""
    earlier = (_told("2026-w40", "tides", "ab"), _told("2026-w41", "tides", "b"))

    found = balance((_told("2026-w44", "tides", "a"),), earlier=earlier)

    assert found == Balance(
        issues=1,
        led=((ThemeId("tides"), 1),),
        longest_wait=((ThemeId("tides"), 3),),
        repeats=1,
        nearest_repeat=4,
    )


_RUNS = st.lists(
    st.tuples(
        st.sampled_from(_KEYS),
        st.sampled_from(["", "locks", "tides"]).map(ThemeId),
        st.lists(st.sampled_from("abcdef"), unique=True, max_size=3).map(tuple),
    ),
    unique_by=lambda told: told[0],
).map(sorted)


def _weeks(keys: list[IssueKey]) -> list[int]:
    mondays = [week_days(key)[0].toordinal() for key in keys]
    return [(after - before) // 7 for before, after in pairwise(mondays)]


@settings(deadline=None, max_examples=100)
@given(issues=_RUNS, cut=st.integers(0, 12))
def test_balance_agrees_with_counting(issues: list[Told], cut: int) -> None:
    """Numbers are those of plain counting, and earlier issues take theirs out of the whole."""
    found, before = balance(issues), balance(issues[:cut])
    leads = Counter(theme for _, theme, _ in issues if theme)
    names = [name for _, _, ids in issues for name in ids]
    distances = [
        weeks
        for name in set(names)
        for weeks in _weeks([key for key, _, ids in issues if name in ids])
    ]
    assert dict(found.led) == leads
    assert dict(found.longest_wait) == {
        theme: max(_weeks([key for key, led, _ in issues if led == theme]))
        for theme, count in leads.items()
        if count > 1
    }
    assert found.repeats == len(names) - len(set(names)) == len(distances)
    assert found.nearest_repeat == min(distances, default=None)
    after = balance(issues[cut:], earlier=issues[:cut])
    assert after.issues + before.issues == found.issues
    assert after.repeats + before.repeats == found.repeats
    assert Counter(dict(after.led)) + Counter(dict(before.led)) == leads
