"""What another policy would have picked for issues that are out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from digest.config import load_settings
from digest.errors import UsageError
from digest.model import (
    IssueKey,
    PastIssue,
    PastItem,
    ThemeId,
    canonical_url,
    issue_key,
    sketch,
)
from digest.picking import Policy
from digest.publish.backtest import Backtest, Gone, backtest
from digest.publish.build import build_issue
from digest.publish.project import Project
from digest.publish.release import publish_issue

Make = Callable[..., Path]

_THEMES = ("locks", "tides", "mills")
_SETTINGS = "[selection]\nmin_items = 2\nmax_items = 3\n" + "".join(
    f'[[theme]]\nid = "{theme}"\n' for theme in _THEMES
)
_MONDAY = datetime.fromisoformat("2026-11-30T08:00:00+01:00")


def _item(title: str, theme: str, *, day: str = "2026-11-02", more: str = "") -> str:
    # Texts differ from each other, or they would be held back as alike.
    words = (sha256(f"{title} {place}".encode()).hexdigest()[:6] for place in range(30))
    text = " ".join(words)
    return f"---\ntitle: {title}\ndate: {day}\ntheme: {theme}\n{more}---\n\n{text}\n"


def _library(per_theme: int) -> dict[str, str | bytes]:
    return {
        f"content/{theme}-{number}.md": _item(
            f"{theme} {number}", theme, day=f"2026-11-{number + 1:02d}"
        )
        for theme in _THEMES
        for number in range(per_theme)
    }


def _project(root: Path) -> Project:
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


@pytest.fixture
def project(newsletter: Make) -> Project:
    """Give a newsletter with five summaries of each of three themes, and no issue."""
    return _project(newsletter(_library(5), settings=_SETTINGS))


def _past(project: Project, week: int, theme: str, items: Iterable[str | PastItem]) -> PastIssue:
    """Write down that an issue went out at its time, and give it."""
    at = _MONDAY + timedelta(weeks=week, hours=1)
    key = issue_key(at, project.settings.newsletter.zone)
    past = PastIssue(
        key=key,
        at=at,
        theme=ThemeId(theme),
        items=tuple(
            item if isinstance(item, PastItem) else PastItem(id=item, url="", title=f"old {item}")
            for item in items
        ),
        published=True,
        number=week + 1,
        edition=sha256(key.encode()).hexdigest(),
    )
    with project.opened() as store:
        store.record(past)
    return past


def _try(
    project: Project,
    *,
    policy: Policy | None = None,
    start: str | None = None,
    end: str | None = None,
    told: list[tuple[int, int]] | None = None,
) -> Backtest:
    return backtest(
        project,
        start=IssueKey(start) if start else None,
        end=IssueKey(end) if end else None,
        policy=policy or project.settings.policy,
        themes=project.settings.themes,
        progress=lambda done, total: (told if told is not None else []).append((done, total)),
    )


def _tree(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("mode", ["theme", "mixed"])
def test_the_same_policy_changes_nothing(newsletter: Make, mode: str) -> None:
    """Issues that were picked by a policy are picked again by it, and nothing is written."""
    settings = _SETTINGS.replace("[selection]\n", f'[selection]\nmode = "{mode}"\n')
    root = newsletter(_library(5), settings=settings)
    project, told = _project(root), list[tuple[int, int]]()
    for week in range(6):
        now = _MONDAY + timedelta(weeks=week)
        key = project.key(None, now=now)
        if build_issue(project, key, now=now).issue:
            publish_issue(project, key, now=now)
    before = _tree(root)

    found = _try(project, told=told)

    assert _tree(root) == before
    assert (found.changes, found.gone, found.skipped) == ((), (), {})
    assert found.compared == found.sent.issues == len(told) - 1 >= 5
    assert told == [(done, found.compared) for done in range(found.compared + 1)]
    assert found.sent == found.picked
    assert found.sent.repeats == 0
    within = _try(project, start="2026-w51", end="2026-w52")
    assert (within.compared, within.changes) == (2, ())


def test_another_policy_feeds_its_own_picks_forward(project: Project) -> None:
    """What another policy took earlier it does not take again, and what it left it may."""
    _past(project, 0, "locks", ["locks-0", "locks-1"])
    _past(project, 1, "tides", ["tides-0", "tides-1"])
    _past(project, 2, "locks", ["locks-2", "locks-0"])

    found = _try(project, policy=Policy(min_items=1, max_items=1))

    assert [change.key for change in found.changes] == ["2026-w49", "2026-w50", "2026-w51"]
    assert [change.theme_after for change in found.changes] == ["locks", "tides", "mills"]
    assert [[pick.id for pick in change.went] for change in found.changes] == [
        ["locks-1"],
        ["tides-1"],
        ["locks-2", "locks-0"],
    ]
    assert [[pick.id for pick in change.came] for change in found.changes] == [[], [], ["mills-0"]]
    assert found.changes[2].came[0].reason
    assert (found.sent.repeats, found.sent.nearest_repeat, found.picked.repeats) == (1, 2, 0)
    assert found.titles["mills-0"] == "mills 0"


def test_an_issue_that_would_not_have_been(project: Project) -> None:
    """A policy that skips says why; the others go on."""
    _past(project, 0, "locks", ["locks-0"])
    _past(project, 1, "locks", ["locks-1"])

    found = _try(project, policy=Policy(min_items=6, max_items=6, when_thin="skip"))

    assert [change.skipped_after for change in found.changes] == [True, True]
    assert found.skipped.keys() == {"2026-w49", "2026-w50"}
    assert all(found.skipped.values())
    assert (found.picked.issues, found.sent.issues) == (0, 2)


def test_what_was_sent_before_the_range_counts_as_sent(project: Project) -> None:
    """Items and themes of earlier issues are not fresh; waits and repeats may begin there."""
    _past(project, 0, "locks", ["locks-0", "locks-1"])
    _past(project, 1, "tides", ["tides-0", "tides-1"])
    _past(project, 2, "locks", ["locks-0", "mills-0"])
    _past(project, 3, "mills", ["mills-1"])

    found = _try(project, start="2026-w51", end="2026-w51")

    (change,) = found.changes
    assert (found.compared, change.key, change.theme_after) == (1, "2026-w51", "mills")
    assert {pick.id for pick in change.came} == {"mills-1", "mills-2"}
    assert (found.sent.led, found.sent.longest_wait) == ((("locks", 1),), (("locks", 2),))
    assert (found.sent.repeats, found.sent.nearest_repeat) == (1, 2)
    assert _try(project, start="2027-w10").compared == 0
    with pytest.raises(UsageError, match=r"2026-w52 is after 2026-w51"):
        _try(project, start="2026-w52", end="2026-w51")


def test_extra_issues_belong_to_their_week(project: Project) -> None:
    """A range of weeks holds all issues of its first and of its last."""
    past = _past(project, 0, "locks", ["locks-0"])
    extra = replace(past, key=IssueKey("2026-w49-more"), at=past.at + timedelta(hours=2), number=2)
    with project.opened() as store:
        store.record(
            replace(extra, theme=ThemeId("tides"), items=(PastItem(id="tides-0", url=""),))
        )
    _past(project, 2, "mills", ["mills-0"])

    assert _try(project, start="2026-w49", end="2026-w49").compared == 2
    assert _try(project, start="2026-w49-more", end="2026-w50").compared == 2
    assert _try(project, start="2026-w50").compared == 1


def test_issues_taken_back_before_any_mail_count_as_never_made(project: Project) -> None:
    """What was freed is left out and its items are fresh; what was mailed before is compared."""
    _past(project, 0, "locks", ["locks-0", "locks-1", "locks-2"])
    _past(project, 1, "tides", ["tides-0", "tides-1", "tides-2"])
    _past(project, 2, "mills", ["mills-0", "mills-1", "mills-2"])
    with project.opened() as store:
        store.withdraw(IssueKey("2026-w49"), at=_MONDAY + timedelta(weeks=3), freed=True)
        store.withdraw(IssueKey("2026-w50"), at=_MONDAY + timedelta(weeks=3), freed=False)

    found = _try(project)

    assert found.compared == 2
    assert [change.theme_after for change in found.changes] == ["locks", "tides"]
    assert "locks-0" in {pick.id for pick in found.changes[0].came}


def test_issue_files_that_are_not_out_reserve_nothing(newsletter: Make) -> None:
    """An issue that is only drafted is not compared, and did not hold its items at that time."""
    draft = "---\ntheme: locks\nitems:\n  - locks-0\n  - locks-1\n  - locks-2\n---\n"
    files = {**_library(3), "content/issues/2027-w05.md": draft}
    project = _project(newsletter(files, settings=_SETTINGS))
    _past(project, 0, "locks", ["locks-2", "locks-1", "locks-0"])

    found = _try(project)

    assert (found.compared, found.changes) == (1, ())


def test_a_late_issue_is_picked_for_when_it_went_out(newsletter: Make) -> None:
    """What was written between the slot and the publishing could be in it, and may be."""
    late = {f"content/late-{n}.md": _item(f"late {n}", "locks", day="2026-12-02") for n in range(2)}
    project = _project(newsletter(late, settings=_SETTINGS))
    past = _past(project, 0, "locks", ["late-0"])
    second = replace(past, key=IssueKey("2026-w50"), number=2, at=past.at + timedelta(weeks=1))

    assert _try(project).skipped.keys() == {"2026-w49"}
    with project.opened() as store:
        store.record(replace(second, key=IssueKey("2026-w48")))
    found = _try(project, end="2026-w48")
    assert not found.skipped
    assert [pick.id for change in found.changes for pick in change.came] == ["late-1"]


def test_a_renamed_file_is_the_same_item(newsletter: Make) -> None:
    """What was sent is told by its id in any form, else by its address, else by its text."""
    files = {
        "content/café.md": _item("one", "locks"),
        "content/b.md": _item("two", "locks", more="url: https://b.example/page\n"),
        "content/c.md": _item("three", "locks", more="url: https://c.example/new\n"),
    }
    project = _project(newsletter(files, settings=_SETTINGS))
    summaries = {summary.path: summary for summary in project.library().summaries}
    items = [
        PastItem(id=unicodedata.normalize("NFD", "café"), url=""),
        PastItem(id="old-b", url=canonical_url("http://www.b.example/page/")),
        PastItem(id="old-c", url="https://c.example/old", sketch=sketch(summaries["c.md"])),
    ]
    _past(project, 0, "locks", items)

    found = _try(project)

    assert found.gone == ()
    assert not [change for change in found.changes if change.came or change.went]
    blind = _try(project, policy=replace(project.settings.policy, similarity=0))
    assert [one.id for one in blind.gone] == ["old-c"]


def test_what_has_no_file_any_more_is_told(project: Project) -> None:
    """Such an item cannot be picked again: it went, and is named with its title or id."""
    other = replace(project.library().summaries[0], title="", body=" ".join(map(str, range(99))))
    lost = (
        PastItem(id="lost", url="https://lost.example/1", title="Lost locks"),
        PastItem(id="bare", url="", sketch=sketch(other)),
    )
    _past(project, 0, "locks", ["locks-0", "locks-1", *lost])

    found = _try(project)

    key = IssueKey("2026-w49")
    assert found.gone == (
        Gone(issue=key, id="lost", title="Lost locks"),
        Gone(issue=key, id="bare", title="bare"),
    )
    (change,) = found.changes
    assert [pick.id for pick in change.went] == ["lost", "bare"]
    assert [pick.id for pick in change.came] == ["locks-2"]
    assert found.titles["lost"] == "Lost locks"


def test_two_files_that_became_one_are_one_item(newsletter: Make) -> None:
    """An issue that held both is compared as holding one."""
    files = {
        "content/both.md": _item("both", "locks", more="url: https://b.example/1\n"),
        "content/other.md": _item("other", "locks", day="2026-11-03"),
    }
    project = _project(newsletter(files, settings=_SETTINGS))
    old = PastItem(id="half", url="https://b.example/1")
    _past(project, 0, "locks", ["other", "both", old])

    assert _try(project).changes == ()


def test_files_that_cannot_be_read_are_problems(newsletter: Make) -> None:
    """The others are looked at all the same; what was in the unreadable one counts as gone."""
    files = {**_library(3), "content/bad.md": b"---\ntitle: [\n---\n"}
    project = _project(newsletter(files, settings=_SETTINGS))
    _past(project, 0, "locks", ["bad", "locks-0"])

    found = _try(project)

    assert [problem.where for problem in found.library.problems] == ["content/bad.md:3"]
    assert [one.id for one in found.gone] == ["bad"]
