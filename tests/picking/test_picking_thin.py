"""Too little for an issue, or nothing at all."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

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


def test_a_thin_issue_borrows_up_to_the_least() -> None:
    """Items of the next themes follow as further sections, and the shortage is told."""
    found = _pick(
        *_several("locks", 1, pin=True),
        *_several("tides", 1),
        *_several("mills", 2),
        policy=Policy(min_items=4),
        theme="tides",
    )

    issue = _issue(found)
    assert [(item.id, item.theme) for item in issue.items] == [
        ("tides-1", "tides"),
        ("mills-1", "mills"),
        ("mills-2", "mills"),
        ("locks-1", "locks"),
    ]
    assert issue.items[1].reason.endswith("1st of 2 fresh; borrowed, since tides has 1 of 4 items")
    assert found.shortages == (
        "tides has 1 of 4 items; 2 borrowed from mills; 1 borrowed from locks",
    )


def test_borrowing_stops_at_the_least() -> None:
    """No more is borrowed than makes a whole issue, and caps hold for it as well."""
    lead = _several("locks", 2, source="Board")
    found = _pick(
        *lead,
        *_several("tides", 9, source="Board"),
        _summary("free", "tides"),
        policy=Policy(max_per_source=2),
        theme="locks",
    )

    assert _ids(found) == ["locks-1", "locks-2", "free"]
    assert found.shortages == ("locks has 2 of 3 items; 1 borrowed from tides",)


def test_an_issue_that_stays_thin_says_so() -> None:
    """Where all themes together have too little, it goes out with what there is."""
    found = _pick(*_several("locks", 1), *_several("tides", 1))

    assert _ids(found) == ["locks-1", "tides-1"]
    assert found.shortages == (
        "locks has 1 of 3 items; 1 borrowed from tides",
        "all themes together have 2 of 3 items",
    )


def test_short_goes_out_with_what_there_is() -> None:
    """Nothing is borrowed."""
    found = _pick(*_several("locks", 2), *_several("tides", 1), policy=Policy(when_thin="short"))

    assert _ids(found) == ["locks-1", "locks-2"]
    assert found.shortages == ("locks has 2 of 3 items",)


def test_skip_sends_nothing_thin() -> None:
    """The reason and the scores are still told."""
    found = _pick(*_several("locks", 2), policy=Policy(when_thin="skip"))
    mixed = _pick(*_several("locks", 1), policy=Policy(when_thin="skip", mode="mixed"))

    assert found.issue is None
    assert found.skipped == (
        "too little to send: locks has 2 of 3 items, and thin issues are skipped"
    )
    assert found.shortages == ("locks has 2 of 3 items",)
    assert found.scores[0].theme == "locks"
    assert "a mixed issue has 1 of 3 items" in mixed.skipped


def test_nothing_to_send() -> None:
    """No fresh summary at all: no issue, and the counts say why."""
    history = (_past("2026-w48", "locks", "locks-1", "locks-2"),)
    empty = _pick()
    stale = _pick(
        *_several("locks", 2),
        _summary("draft", "tides", draft=True),
        history=history,
        policy=Policy(when_thin="skip"),
    )

    assert (empty.issue, empty.skipped) == (None, "nothing to send: there is no summary")
    assert stale.issue is None
    assert stale.skipped == (
        "nothing to send: no fresh one among 3 summaries (1 draft, 2 already sent)"
    )
    assert stale.passed_over == ("1 draft", "2 already sent")
