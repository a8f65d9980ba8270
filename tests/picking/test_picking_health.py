"""How long the waiting summaries last, and which themes run dry or starve."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import Issue, IssueKey, Pick, Slot, Summary, Theme, ThemeId, issue_key
from digest.picking import Policy, Selection, ThemeScore, plan
from digest.picking.health import Health, ThemeHealth, health

_NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
_POLICY = Policy(min_items=3, max_items=4)
_THEMES = tuple(Theme(id=ThemeId(name), label=name.title()) for name in ("locks", "tides", "mills"))

# Fresh ones of each theme and the weeks the oldest of them waited; the lead and the items' themes.
_Stand = Mapping[str, tuple[int, int | None]]
_Week = tuple[_Stand, tuple[str, str] | None]
_Entry = tuple[Slot, Issue | None, Selection | None]


def _slots(count: int) -> tuple[Slot, ...]:
    moments = (_NOON + timedelta(weeks=number) for number in range(count))
    return tuple(Slot(issue=issue_key(at, ZoneInfo("UTC")), at=at) for at in moments)


def _issue(slot: Slot, lead: str, themes: str, *, skip: str = "") -> Issue:
    picks = (
        Pick(id=f"{slot.issue}-{number}", theme=ThemeId(theme), reason="")
        for number, theme in enumerate(themes.split())
    )
    return Issue(slot=slot, theme=ThemeId(lead), items=tuple(picks), skip=skip)


def _score(theme: str, fresh: int, oldest: int | None, *, place: int) -> ThemeScore:
    return ThemeScore(
        theme=ThemeId(theme),
        label=theme.title(),
        place=place,
        score=0.0,
        fresh=fresh,
        stock=min(fresh, _POLICY.max_items),
        weeks=None,
        waited=0,
        oldest=oldest,
        weight=1.0,
        thin=fresh < _POLICY.min_items,
    )


def _selection(stand: _Stand, issue: Issue | None) -> Selection:
    return Selection(
        issue=issue,
        shortages=(),
        skipped="" if issue else "too little",
        scores=tuple(
            _score(theme, fresh, oldest, place=place)
            for place, (theme, (fresh, oldest)) in enumerate(stand.items(), start=1)
        ),
        passed_over=(),
    )


def _planned(*weeks: _Week) -> list[_Entry]:
    """Plan weeks, each by what waits before it and by its issue: the lead, themes of its items."""
    found: list[_Entry] = []
    for slot, (stand, told) in zip(_slots(len(weeks)), weeks, strict=True):
        issue = _issue(slot, *told) if told else None
        found.append((slot, issue, _selection(stand, issue)))
    return found


def _of(found: Health, theme: str) -> ThemeHealth:
    return next(one for one in found.themes if one.theme == theme)


def test_the_queue_is_told_as_it_stands_before_the_first_pick() -> None:
    """Waiting, age, stock and the next issue of each theme, in the order of the first scores."""
    planned = _planned(
        ({"locks": (7, 5), "tides": (3, 9), "mills": (0, None)}, ("locks", "locks " * 4)),
        ({"tides": (3, 10), "locks": (3, 2), "mills": (0, None)}, ("tides", "tides " * 3)),
    )

    found = health(planned, policy=_POLICY)

    assert found == Health(
        waiting=10,
        oldest=9,
        weeks_of_stock=2.8,
        themes=(
            ThemeHealth(
                theme=ThemeId("locks"),
                label="Locks",
                waiting=7,
                oldest=5,
                stock=1.8,
                next=IssueKey("2026-w49"),
                dry=None,
                starving=False,
            ),
            ThemeHealth(
                theme=ThemeId("tides"),
                label="Tides",
                waiting=3,
                oldest=9,
                stock=0.8,
                next=IssueKey("2026-w50"),
                dry=None,
                starving=False,
            ),
            ThemeHealth(
                theme=ThemeId("mills"),
                label="Mills",
                waiting=0,
                oldest=None,
                stock=0.0,
                next=None,
                dry=None,
                starving=False,
            ),
        ),
        shortages=(),
    )


def test_a_theme_runs_dry_at_the_first_slot_with_nothing_left() -> None:
    """One that only has something later runs dry after that; one that never had is not told."""
    planned = _planned(
        ({"locks": (4, 1), "tides": (0, None), "mills": (0, None)}, ("locks", "locks " * 4)),
        ({"locks": (0, None), "tides": (3, 0), "mills": (0, None)}, ("tides", "tides " * 3)),
        ({"locks": (3, 0), "tides": (0, None), "mills": (0, None)}, ("locks", "locks " * 3)),
        ({"locks": (0, None), "tides": (0, None), "mills": (0, None)}, None),
    )

    found = health(planned, policy=_POLICY)

    assert [one.dry for one in found.themes] == ["2026-w50", "2026-w51", None]
    assert found.shortages == (
        "locks runs dry in 2026-w50",
        "tides runs dry in 2026-w51",
        "from 2026-w52 on nothing is left",
    )


def test_a_theme_starves_where_its_turn_should_have_come() -> None:
    """With as many slots as themes that have something, one that gives nothing starves."""
    stand: _Stand = {"locks": (9, 1), "mills": (2, 3), "tides": (0, None)}
    week = (stand, ("locks", "locks " * 3))

    assert not _of(health(_planned(week), policy=_POLICY), "mills").starving
    found = health(_planned(week, week), policy=_POLICY)

    assert [one.theme for one in found.themes if one.starving] == ["mills"]
    assert found.shortages == (
        "mills starves: 2 wait, the oldest for 3 weeks, and no planned issue takes one",
    )


def test_a_theme_starves_where_it_is_barred_and_waited_too_long() -> None:
    """In a plan that is too short for all turns, a thin theme is given `max_wait` weeks."""
    policy = Policy(min_items=3, max_items=4, max_wait=8)

    def starving(*oldest: int, mills: int = 1) -> list[str]:
        weeks: list[_Week] = [
            ({"locks": (9, 1), "tides": (9, 1), "mills": (mills, age)}, ("locks", "locks " * 3))
            for age in oldest
        ]
        found = health(_planned(*weeks), policy=policy)
        return [one for one in found.shortages if "starves" in one]

    assert starving(6, 7) == []
    assert starving(7, 8) == ["mills starves: 1 waits, for 7 weeks, and no planned issue takes one"]
    assert starving(7, 8, mills=3) == []


def test_a_summary_taken_in_anothers_issue_ends_the_starving() -> None:
    """A guest or a borrowed one counts as taken, but the theme has no issue of its own."""
    planned = _planned(
        ({"locks": (3, 1), "mills": (2, 31)}, ("locks", "locks locks locks mills")),
        ({"mills": (1, 30), "locks": (0, None)}, None),
    )

    mills = _of(health(planned, policy=_POLICY), "mills")

    assert (mills.next, mills.starving) == (None, False)


def test_a_mixed_issue_is_the_next_of_all_its_themes() -> None:
    """Where issues are mixed, the next issue of a theme is the first that has something of it."""
    stand: _Stand = {"locks": (3, 1), "tides": (3, 1), "mills": (3, 1)}
    planned = _planned((stand, ("", "locks tides tides")), (stand, ("", "mills " * 3)))

    found = health(planned, policy=_POLICY)

    assert [one.next for one in found.themes] == ["2026-w49", "2026-w49", "2026-w50"]


def test_issue_files_decide_their_slots() -> None:
    """An issue file may be a theme's next issue, unless it skips; what it holds is not waiting."""
    first, second, third = _slots(3)
    later = _issue(third, "tides", "tides tides tides")
    planned: list[_Entry] = [
        (first, _issue(first, "locks", "locks", skip="holidays"), None),
        (second, _issue(second, "mills", "mills mills"), None),
        (third, later, _selection({"tides": (3, 4), "mills": (1, 2), "locks": (0, None)}, later)),
    ]

    found = health(planned, policy=_POLICY)

    assert (found.waiting, found.oldest, found.weeks_of_stock) == (4, 4, 1.2)
    assert [one.next for one in found.themes] == ["2026-w51", "2026-w50", None]


@pytest.mark.parametrize("files", [0, 2])
def test_without_a_pick_nothing_is_known(files: int) -> None:
    """An empty plan, and one that issue files decide, give zeros and no sentence."""
    planned = [(slot, _issue(slot, "locks", "locks"), None) for slot in _slots(files)]

    assert health(planned, policy=_POLICY) == Health(
        waiting=0, oldest=None, weeks_of_stock=0.0, themes=(), shortages=()
    )


def test_stock_ends_at_the_first_issue_that_is_too_short() -> None:
    """Weeks of stock are counted up to a short issue, whatever comes after it."""
    full = ({"locks": (9, 1)}, ("locks", "locks " * 3))
    short = ({"locks": (2, 1)}, ("locks", "locks " * 2))

    assert health(_planned(full, short, full), policy=_POLICY).weeks_of_stock == 1.0
    assert health(_planned(short, full), policy=_POLICY).weeks_of_stock == 0.0
    assert health(_planned(full), policy=_POLICY).weeks_of_stock == 2.5


def test_repeats_leave_no_stock_below_nothing() -> None:
    """An issue filled with more than waits leaves nothing, not less."""
    planned = _planned(({"locks": (1, 1)}, ("locks", "locks " * 3)))

    assert health(planned, policy=_POLICY).weeks_of_stock == 1.0


def test_a_plan_that_ends_short_says_from_when_on() -> None:
    """Too little to the end is told from its beginning, and nothing at all from where that is."""
    full = ({"locks": (9, 1)}, ("locks", "locks " * 3))
    thin = ({"locks": (2, 1)}, None)
    short = ({"locks": (2, 1)}, ("locks", "locks " * 2))
    empty = ({"locks": (0, None)}, None)

    def tail(*weeks: _Week) -> tuple[str, ...]:
        told = health(_planned(*weeks), policy=_POLICY).shortages
        return tuple(sentence for sentence in told if sentence.startswith("from"))

    assert tail(full, thin, full) == ()
    assert tail(thin, full, short, thin) == ("from 2026-w51 on no issue reaches 3 items",)
    assert tail(full, short, empty, empty) == (
        "from 2026-w50 on no issue reaches 3 items",
        "from 2026-w51 on nothing is left",
    )
    assert tail(empty, full) == ()
    assert tail(empty) == ("from 2026-w49 on nothing is left",)


@settings(deadline=None, max_examples=60)
@given(
    counts=st.tuples(*[st.integers(0, 12)] * 3),
    weeks=st.integers(1, 12),
    when_thin=st.sampled_from(["borrow", "short", "skip"]),
    mode=st.sampled_from(["theme", "mixed"]),
)
def test_health_agrees_with_the_plan_it_is_told_from(
    counts: tuple[int, ...], weeks: int, when_thin: str, mode: str
) -> None:
    """For plans of any library: what is left, dry, starving and short is so in the plan."""
    policy = Policy(min_items=2, max_items=4, when_thin=when_thin, mode=mode)  # type: ignore[arg-type] # two of each
    library = tuple(
        Summary(
            id=f"{theme.id}-{number}",
            path=f"{theme.id}-{number}.md",
            title=f"{theme.id} {number}",
            body="words",
            fingerprint="",
            themes=(theme.id,),
            date=_NOON - timedelta(weeks=number),
        )
        for theme, count in zip(_THEMES, counts, strict=True)
        for number in range(count)
    )
    slots = _slots(weeks)
    selections = plan(slots, library, themes=_THEMES, history=(), policy=policy)
    planned = [(slot, found.issue, found) for slot, found in zip(slots, selections, strict=True)]

    found = health(planned, policy=policy)

    sizes = [len(one.issue.items) if one.issue else 0 for one in selections]
    assert found.waiting == sum(counts)
    if found.weeks_of_stock < weeks:
        assert sizes[int(found.weeks_of_stock)] < policy.min_items
    else:
        assert min(sizes) >= policy.min_items
        assert found.weeks_of_stock == round(weeks + (sum(counts) - sum(sizes)) / 4, 1)
    taken = [pick.theme for one in selections if one.issue for pick in one.issue.items]
    for theme, count in zip(_THEMES, counts, strict=True):
        told = _of(found, theme.id)
        assert told.waiting == count
        assert not (told.starving and theme.id in taken)
        assert (told.dry is None) == (not count or _left_before_last(theme, selections) > 0)
    assert len(found.shortages) == len(set(found.shortages))


def _left_before_last(theme: Theme, selections: tuple[Selection, ...]) -> int:
    return next(one.fresh for one in selections[-1].scores if one.theme == theme.id)
