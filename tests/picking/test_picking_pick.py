"""The issue of one slot: its theme, its items, its order, its reasons."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from digest.errors import UsageError
from digest.model import (
    History,
    Issue,
    IssueKey,
    PastIssue,
    PastItem,
    Summary,
    Theme,
    ThemeId,
    WeeklyTime,
    week_days,
)
from digest.picking import Policy, Selection, pick

_SLOT = WeeklyTime(weekday=0, hour=9, minute=0).slot(IssueKey("2026-w49"), ZoneInfo("UTC"))
_LOCKS, _TIDES, _MILLS = (
    Theme(id=ThemeId(name), label=name.title(), match=(f"tag:{name}",))
    for name in ("locks", "tides", "mills")
)
_THEMES = (_LOCKS, _TIDES, _MILLS)


def _summary(name: str, theme: str, **fields: object) -> Summary:
    given = {"id": name, "path": f"{name}.md", "title": name, "body": name, "fingerprint": name}
    return Summary(**given | {"tags": (theme,)} | fields)  # type: ignore[arg-type] # a test's


def _several(theme: str, count: int, **fields: object) -> tuple[Summary, ...]:
    return tuple(_summary(f"{theme}-{number}", theme, **fields) for number in range(1, count + 1))


def _past(key: str, theme: str, *items: str) -> PastIssue:
    monday = week_days(IssueKey(key))[0]
    return PastIssue(
        key=IssueKey(key),
        at=datetime(monday.year, monday.month, monday.day, 9, tzinfo=UTC),
        theme=ThemeId(theme),
        items=tuple(PastItem(id=item, url="") for item in items),
        published=True,
    )


def _pick(
    *summaries: Summary,
    themes: tuple[Theme, ...] = _THEMES,
    history: History = (),
    policy: Policy | None = None,
    theme: str | None = None,
) -> Selection:
    return pick(
        _SLOT,
        summaries,
        themes=themes,
        history=history,
        policy=policy or Policy(),
        theme=None if theme is None else ThemeId(theme),
    )


def _issue(selection: Selection) -> Issue:
    assert selection.issue is not None
    assert selection.skipped == ""
    return selection.issue


def _ids(selection: Selection) -> list[str]:
    return [item.id for item in _issue(selection).items]


def _day(day: int, hour: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, tzinfo=UTC)


def test_order_within_a_theme() -> None:
    """Pinned first, then by weight, then newest first with the undated last, then by id."""
    found = _pick(
        _summary("b-undated", "locks"),
        _summary("a-undated", "locks"),
        _summary("old", "locks", date=_day(1)),
        _summary("new", "locks", date=_day(2, 8)),
        _summary("heavy", "locks", weight=0.5),
        _summary("pinned", "locks", pin=True, weight=-3.0),
    )

    assert _ids(found) == ["pinned", "heavy", "new", "old", "a-undated", "b-undated"]


def test_ties_are_broken_by_code_points() -> None:
    """Ids of one day stand by code points, so that no locale can change the order."""
    names = ["zebra", "Über", "café", "cafe", "物語", "Иван"]
    found = _pick(*(_summary(name, "locks", date=_day(3)) for name in names))

    assert _ids(found) == ["cafe", "café", "zebra", "Über", "Иван", "物語"]


def test_a_weight_that_is_no_number_counts_as_nought() -> None:
    """It cannot upset the order."""
    found = _pick(
        _summary("c", "locks", weight=float("nan")),
        _summary("b", "locks", weight=-1.0),
        _summary("a", "locks", weight=1.0),
    )

    assert _ids(found) == ["a", "c", "b"]


def test_reasons_hold_the_facts() -> None:
    """Each item says its theme and rule, its weight, its date, and its place."""
    found = _issue(
        _pick(
            _summary("a", "locks", date=_day(12), pin=True, weight=1.5),
            _summary("b", "locks"),
            _summary("c", "", themes=("locks",)),
        )
    )

    assert [item.reason for item in found.items] == [
        "locks by tag:locks; pinned; weight 1.5; dated 2026-11-12; 1st of 3 fresh",
        "locks by tag:locks; weight 0; no date; 2nd of 3 fresh",
        "locks by theme:locks; weight 0; no date; 3rd of 3 fresh",
    ]


def test_the_theme_that_waited_longest_leads() -> None:
    """One more week of waiting outweighs any stock, and the reason gives the numbers."""
    history = (_past("2026-w47", "locks"), _past("2026-w46", "tides"))
    found = _pick(*_several("locks", 6), *_several("tides", 3), history=history)

    assert _issue(found).theme == "tides"
    assert _issue(found).theme_reason == (
        "tides leads, 1st of 4 themes: 3 weeks from its last issue, stock 3; score 3 * 7 + 3 = 24"
    )
    assert [(score.theme, score.place, score.score) for score in found.scores[:2]] == [
        ("tides", 1, 24),
        ("locks", 2, 20),
    ]


def test_a_theme_never_used_waited_longer_than_any_other() -> None:
    """It counts as one week more than the longest."""
    history = (_past("2026-w40", "locks"), _past("2026-w48", "tides"))
    found = _pick(
        *_several("locks", 6), *_several("tides", 6), *_several("mills", 3), history=history
    )

    score = found.scores[0]
    assert (score.theme, score.weeks, score.waited, score.fresh) == ("mills", None, 10, 3)
    assert "never used, counted as 10 weeks" in _issue(found).theme_reason


def test_stock_decides_between_themes_that_waited_equally() -> None:
    """Stock counts up to what an issue can hold; then the order of the themes decides."""
    assert _issue(_pick(*_several("locks", 3), *_several("tides", 4))).theme == "tides"
    assert _issue(_pick(*_several("locks", 6), *_several("tides", 9))).theme == "locks"
    assert _issue(_pick(*_several("tides", 6), *_several("mills", 6))).theme == "tides"


def test_stock_is_what_the_caps_leave() -> None:
    """Six by one author are worth one where one by an author is the most."""
    policy = Policy(max_per_author=1)
    same = _several("locks", 6, authors=("Ada",))

    found = _pick(*same, *_several("tides", 3), policy=policy)

    assert _issue(found).theme == "tides"
    assert [(score.fresh, score.stock, score.thin) for score in found.scores[:2]] == [
        (3, 3, False),
        (6, 1, True),
    ]


def test_thin_themes_come_after_all_others() -> None:
    """However long it waited, a theme that cannot fill an issue leads none."""
    history = (_past("2026-w48", "locks"), _past("2026-w01", "tides"))
    found = _pick(*_several("locks", 3), *_several("tides", 2), history=history)

    assert _issue(found).theme == "locks"
    assert [score.theme for score in found.scores] == ["locks", "tides", "mills", "other"]
    assert [score.thin for score in found.scores] == [False, True, True, True]


def test_an_issue_in_the_weeks_after_counts_for_a_theme() -> None:
    """Where an older issue is made again, the theme of the next one is not repeated."""
    history = (_past("2026-w50", "locks"), _past("2026-w40", "tides"))
    found = _pick(*_several("locks", 6), *_several("tides", 6), history=history)

    assert _issue(found).theme == "tides"


def test_a_mixed_issue_used_the_themes_of_its_items() -> None:
    """A past issue without a theme counts for each theme it held, the slot's own for none."""
    history = (
        _past("2026-w48", "", "locks-1", "gone"),
        _past("2026-w49", "tides"),
    )
    found = _pick(*_several("locks", 6), *_several("tides", 6), history=history)

    weeks = {score.theme: score.weeks for score in found.scores}
    assert weeks == {"tides": None, "locks": 1, "mills": None, "other": None}


def test_what_matches_nothing_belongs_to_other() -> None:
    """The built-in last theme can lead an issue as any other."""
    found = _pick(*_several("", 3), *_several("locks", 2))

    assert _issue(found).theme == "other"
    assert _issue(found).items[0].reason.startswith("other by no matching rule; ")


def test_an_issue_holds_no_more_than_may_be() -> None:
    """What finds no room is left out, nearest first, with the reason."""
    found = _issue(_pick(*_several("locks", 8)))

    assert len(found.items) == 6
    assert [left.id for left in found.left_out] == ["locks-7", "locks-8"]
    assert found.left_out[0].reason == (
        "locks by tag:locks; weight 0; no date; 7th of 8 fresh; the issue is full with 6 items"
    )


def test_left_out_holds_the_twenty_nearest() -> None:
    """First the theme's own, then other themes' by their place, then what cannot be picked."""
    drafts = (_summary("draft-t", "tides", draft=True), _summary("draft-l", "locks", draft=True))
    few = _issue(_pick(*_several("locks", 7), *_several("tides", 4), *drafts))
    many = _issue(_pick(*_several("locks", 40), *drafts))

    assert [left.id for left in few.left_out] == [
        "locks-7",
        *(f"tides-{number}" for number in range(1, 5)),
        "draft-l",
        "draft-t",
    ]
    assert few.left_out[1].reason.endswith(
        "1st of 4 fresh; tides is 2nd of the themes with a score of 11; locks leads"
    )
    assert len(many.left_out) == 20


def test_caps_on_source_and_author() -> None:
    """A cap holds whatever the letter case; what has no source or author meets none."""
    board = _several("locks", 3, source="River Board", authors=("Ada", "Bo"))
    more = (
        _summary("other-case", "locks", source="RIVER BOARD"),
        _summary("second-author", "locks", authors=("Cy", "BO")),
        _summary("none", "locks"),
        _summary("none-too", "locks"),
    )
    source = _issue(_pick(*board, *more, policy=Policy(max_per_source=2)))
    author = _issue(_pick(*board, *more, policy=Policy(max_per_author=1)))

    assert [item.id for item in source.items] == [
        "locks-1",
        "locks-2",
        "none",
        "none-too",
        "second-author",
    ]
    assert source.left_out[0].reason.endswith(
        "3rd of 7 fresh; the issue already holds 2 of source River Board, the most that may be"
    )
    assert [item.id for item in author.items] == ["locks-1", "none", "none-too", "other-case"]
    assert [left.id for left in author.left_out] == ["locks-2", "locks-3", "second-author"]


def test_a_forced_theme_leads_whatever_its_score() -> None:
    """The reason says that it was asked for."""
    found = _issue(_pick(*_several("locks", 6), *_several("tides", 3), theme="tides"))

    assert found.theme == "tides"
    assert found.theme_reason.startswith("tides was asked for, 2nd of 4 themes: never used")
    assert [item.theme for item in found.items] == ["tides"] * 3


def test_a_forced_theme_without_items_sends_nothing() -> None:
    """An issue of a theme that gives nothing would be another theme's issue."""
    none = _pick(*_several("locks", 6), theme="tides")
    stale = _pick(*_several("locks", 6), _summary("t", "tides", draft=True), theme="tides")

    assert none.skipped == "nothing to send: there is no summary of theme tides"
    assert stale.skipped == (
        "nothing to send: no fresh one among 1 summary of theme tides (1 draft)"
    )


def test_an_unknown_theme_is_refused_with_the_nearest() -> None:
    """Themes that only files name are known too."""
    named = _summary("w", "", themes=("windmills",))

    assert _issue(_pick(named, theme="windmills")).theme == "windmills"
    with pytest.raises(UsageError, match="there is no theme 'tide'\n  did you mean tides"):
        _pick(named, theme="tide")
    with pytest.raises(UsageError, match="known themes: locks, tides, mills, windmills, other"):
        _pick(named, theme="xxx")


def test_a_mixed_issue_takes_from_all_themes_in_turn() -> None:
    """Sections stand by theme, the best score first, and each theme gives its best."""
    found = _pick(
        *_several("locks", 5),
        *_several("tides", 1),
        *_several("mills", 3),
        policy=Policy(mode="mixed"),
    )

    issue = _issue(found)
    assert issue.theme == ""
    assert issue.theme_reason == "mixed, as the settings ask: 9 fresh from 3 themes"
    assert [item.id for item in issue.items] == [
        "locks-1",
        "locks-2",
        "locks-3",
        "mills-1",
        "mills-2",
        "tides-1",
    ]
    assert [left.id for left in issue.left_out] == ["locks-4", "locks-5", "mills-3"]
    assert issue.left_out[0].reason.endswith("4th of 5 fresh; the issue is full with 6 items")


def test_pinned_items_come_first_in_a_mixed_issue() -> None:
    """Their section leads, and they count as their theme's turns."""
    pinned = tuple(_summary(f"pin-{n}", "tides", pin=True) for n in range(1, 4))
    found = _pick(
        *_several("locks", 4), *_several("tides", 4), *pinned, policy=Policy(mode="mixed")
    )
    full = _pick(
        *_several("locks", 4), *pinned, policy=Policy(mode="mixed", min_items=2, max_items=2)
    )

    assert _ids(found) == ["pin-1", "pin-2", "pin-3", "locks-1", "locks-2", "locks-3"]
    assert _ids(full) == ["pin-1", "pin-2"]
    assert _issue(full).left_out[0].id == "pin-3"


def test_caps_hold_in_a_mixed_issue() -> None:
    """A theme whose next one is over a cap gives the one after it."""
    found = _pick(
        *_several("locks", 3, source="Board"),
        *_several("tides", 1),
        policy=Policy(mode="mixed", max_per_source=1),
    )

    assert _ids(found) == ["locks-1", "tides-1"]
    assert found.shortages == ("the issue has 2 of 3 items",)
    assert "of source Board, the most that may be" in _issue(found).left_out[0].reason


@pytest.mark.parametrize("themes", [(), (Theme(id=ThemeId("other"), label="Rest"),)])
def test_without_declared_themes_an_issue_is_mixed(themes: tuple[Theme, ...]) -> None:
    """Also where files name themes of their own; a forced theme still leads."""
    named = tuple(_summary(f"{name}-1", "", themes=(name,)) for name in ("wind", "rain"))
    found = _pick(*named, themes=themes)

    assert _issue(found).theme == ""
    assert _issue(found).theme_reason == (
        "mixed, since no theme is declared: 2 fresh from 2 themes"
    )
    assert [(item.id, item.theme) for item in _issue(found).items] == [
        ("rain-1", "rain"),
        ("wind-1", "wind"),
    ]
    assert _issue(_pick(*named, themes=themes, theme="wind")).theme == "wind"
