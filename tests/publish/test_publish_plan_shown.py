"""A plan in texts and numbers: what the calendar, the queue and each issue are told with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from digest.config import load_settings
from digest.content import Library
from digest.model import Issue, IssueKey, Pick, Slot, Summary, Theme, ThemeId
from digest.picking.health import Health, ThemeHealth
from digest.publish.plan import Planned
from digest.publish.plan_shown import ItemShown, ThemeShown, show_plan
from digest.publish.project import Project

_THEMES = """
[[theme]]
id = "mills"
label = "Mills"
colour = "teal"

[[theme]]
id = "boats"
label = "Boats"
colour = "rust"
"""
_ZONE = ZoneInfo("Europe/Berlin")
_MILLS, _BOATS = ThemeId("mills"), ThemeId("boats")


@pytest.fixture
def project(newsletter: Callable[..., Path]) -> Project:
    """Give a newsletter with two themes and no content."""
    root = newsletter({}, settings=_THEMES)
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


def _summary(name: str, *, url: str = "", themes: tuple[str, ...] = ()) -> Summary:
    return Summary(
        id=name,
        path=f"{name}.md",
        title=f"The {name}",
        body="x",
        fingerprint="0",
        url=url or f"https://{name}.example/",
        themes=themes,
    )


def _slot(week: int = 3) -> Slot:
    at = datetime(2027, 1, 4, 9, tzinfo=_ZONE) + timedelta(weeks=week - 1)
    return Slot(issue=IssueKey(f"2027-w{week:02d}"), at=at)


def _planned(*picks: tuple[str, ThemeId], lead: ThemeId = _MILLS) -> Planned:
    items = tuple(Pick(id=name, theme=theme, reason=f"why {name}") for name, theme in picks)
    issue = Issue(slot=_slot(), theme=lead, items=items, theme_reason="its turn")
    return Planned(slot=_slot(), state="planned", issue=issue, shortages=(), skipped="")


_UNKNOWN = Health(waiting=0, oldest=None, weeks_of_stock=0.0, themes=(), shortages=())
_FULL = _planned(("wheel", _MILLS), ("race", _MILLS), ("keel", _BOATS))
_LIBRARY = Library(summaries=tuple(map(_summary, ("wheel", "race", "keel"))))


def test_a_week_of_the_calendar_counts_by_theme(project: Project) -> None:
    """A column knows who leads and how many items each theme gives."""
    (week,) = show_plan(project, [_FULL], _LIBRARY, health=_UNKNOWN).weeks

    assert (week.key, week.day, week.state) == ("2027-w03", "18 Jan", "planned")
    assert (week.lead, week.counts) == (_MILLS, ((_MILLS, 2), (_BOATS, 1)))
    assert (week.thin, week.skipped) == (False, "")


def test_the_day_is_that_of_the_newsletter(project: Project) -> None:
    """A slot told in another zone has the day that readers have."""
    slot = replace(_slot(), at=datetime(2027, 1, 17, 14, tzinfo=ZoneInfo("America/Los_Angeles")))
    shown = show_plan(project, [replace(_FULL, slot=slot)], _LIBRARY, health=_UNKNOWN)

    assert shown.weeks[0].day == "17 Jan"
    assert shown.issues[0].at.startswith("Sun 17 Jan 2027 23:00 Europe/Berlin")


def test_an_issue_tells_its_items(project: Project) -> None:
    """Title, address, file and reason of each; the theme where it is not the issue's own."""
    (issue,) = show_plan(project, [_FULL], _LIBRARY, health=_UNKNOWN).issues

    assert issue.theme is not None
    assert (issue.theme.label, issue.theme_reason) == ("Mills", "its turn")
    wheel, _, keel = issue.items
    assert wheel == ItemShown(
        title="The wheel",
        url="https://wheel.example/",
        path="content/wheel.md",
        theme=None,
        reason="why wheel",
    )
    assert keel.theme == Theme(id=_BOATS, label="Boats", colour="rust")


def test_a_mixed_issue_names_the_theme_of_each_item(project: Project) -> None:
    """Where nobody leads no item is the issue's own."""
    entry = _planned(("wheel", _MILLS), lead=ThemeId(""))
    shown = show_plan(project, [entry], _LIBRARY, health=_UNKNOWN)

    assert (shown.issues[0].theme, shown.weeks[0].lead) == (None, "")
    assert [item.theme.id for item in shown.issues[0].items if item.theme] == [_MILLS]


def test_a_summary_that_is_gone_keeps_its_id(project: Project) -> None:
    """An issue file may list what has no file any more."""
    (issue,) = show_plan(project, [_FULL], Library(summaries=()), health=_UNKNOWN).issues

    assert [(item.title, item.url, item.path) for item in issue.items] == [
        ("wheel", "", ""),
        ("race", "", ""),
        ("keel", "", ""),
    ]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "mailto:a@b.example", "data:text/html,x"])
def test_only_web_pages_are_linked(project: Project, url: str) -> None:
    """An address of another kind is left out."""
    library = Library(summaries=(_summary("wheel", url=url),))
    (issue,) = show_plan(project, [_planned(("wheel", _MILLS))], library, health=_UNKNOWN).issues

    assert issue.items[0].url == ""


def test_an_issue_with_too_little_is_thin(project: Project) -> None:
    """Fewer items than an issue should hold, or a shortage that was told."""
    few = _planned(("wheel", _MILLS))
    short = replace(_FULL, shortages=("mills has 2 of 3 items; 1 borrowed from boats",))
    shown = show_plan(project, [_FULL, few, short], _LIBRARY, health=_UNKNOWN)

    assert [week.thin for week in shown.weeks] == [False, True, True]
    assert [len(issue.shortages) for issue in shown.issues] == [0, 0, 1]


def test_a_skipped_week_has_its_reason_and_nothing_else(project: Project) -> None:
    """Neither theme nor items, and it is not called thin."""
    entry = replace(_FULL, state="skipped", issue=None, skipped="a feast")
    shown = show_plan(project, [entry], _LIBRARY, health=_UNKNOWN)

    assert shown.weeks[0].word == "skipped"
    assert (shown.weeks[0].skipped, shown.issues[0].skipped) == ("a feast", "a feast")
    assert (shown.weeks[0].counts, shown.weeks[0].lead, shown.weeks[0].thin) == ((), "", False)
    assert (shown.issues[0].theme, shown.issues[0].items) == (None, ())


def test_more_may_be_known_of_an_issue(project: Project) -> None:
    """A state that is given goes before that of the plan."""
    states = {IssueKey("2027-w03"): "held"}
    shown = show_plan(project, [_FULL], _LIBRARY, health=_UNKNOWN, states=states)

    assert (shown.weeks[0].state, shown.issues[0].state) == ("held", "held")


_HEALTH = Health(
    waiting=7,
    oldest=31,
    weeks_of_stock=1.5,
    themes=(
        ThemeHealth(
            theme=_MILLS,
            label="Mills",
            waiting=7,
            oldest=31,
            stock=1.2,
            next=IssueKey("2027-w03"),
            dry=IssueKey("2027-w05"),
            starving=True,
        ),
        ThemeHealth(
            theme=ThemeId("other"),
            label="Other",
            waiting=0,
            oldest=None,
            stock=0.0,
            next=None,
            dry=None,
            starving=False,
        ),
    ),
    shortages=("mills runs dry in 2027-w05",),
)


def test_the_queue_is_told(project: Project) -> None:
    """One sentence for all, a row for each theme, and the shortages as they are."""
    shown = show_plan(project, [_FULL], _LIBRARY, health=_HEALTH)

    assert shown.queue == "7 items wait, the oldest for 31 weeks. Stock for 1.5 weeks."
    assert shown.rows == (
        ThemeShown(
            theme=Theme(id=_MILLS, label="Mills", colour="teal"),
            waiting=7,
            oldest="31 weeks",
            stock="1.2",
            next="2027-w03",
            dry="2027-w05",
            starving=True,
        ),
    )
    assert shown.shortages == ("mills runs dry in 2027-w05",)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"waiting": 0, "oldest": None}, "Nothing waits."),
        (
            {"waiting": 1, "oldest": 1, "weeks_of_stock": 1.0},
            "1 item waits for 1 week. Stock",
        ),
        ({"waiting": 2, "oldest": None}, "2 items wait. Stock"),
        ({"themes": ()}, ""),
    ],
)
def test_the_sentence_of_the_queue_fits_what_waits(
    project: Project, changes: dict[str, object], told: str
) -> None:
    """One, none or many; without a theme nothing is known and nothing said."""
    known = replace(_HEALTH, **changes)  # type: ignore[arg-type] # named by each case
    queue = show_plan(project, [_FULL], _LIBRARY, health=known).queue

    assert queue.startswith(told)
    assert bool(queue) == bool(told)


def test_where_files_decide_all_nothing_is_known_of_the_queue(project: Project) -> None:
    """Then there is no table and no sentence."""
    shown = show_plan(project, [_FULL], _LIBRARY, health=_UNKNOWN)

    assert (shown.queue, shown.rows, shown.shortages) == ("", (), ())


def test_themes_of_the_calendar_are_the_declared_and_the_used(project: Project) -> None:
    """One that only files name, and `other`, have a row where something of theirs is there."""
    library = Library(summaries=(_summary("wheel"), _summary("old", themes=("maps",))))
    idle = show_plan(project, [_FULL], library, health=_UNKNOWN)
    used = show_plan(project, [_planned(("old", ThemeId("maps")))], library, health=_UNKNOWN)

    assert [theme.label for theme in idle.themes] == ["Mills", "Boats"]
    assert [theme.label for theme in used.themes] == ["Mills", "Boats", "Maps"]


def test_a_theme_of_an_issue_file_that_is_unknown_is_named_by_its_id(project: Project) -> None:
    """What somebody wrote by hand has a name all the same."""
    (issue,) = show_plan(
        project, [_planned(lead=ThemeId("long-ago"))], _LIBRARY, health=_UNKNOWN
    ).issues

    assert issue.theme is not None
    assert issue.theme.label == "Long ago"
