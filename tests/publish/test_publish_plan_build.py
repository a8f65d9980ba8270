"""What the plan foretells is what building and publishing then give, week after week."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import load_settings
from digest.errors import GuardError
from digest.model import Issue, IssueKey
from digest.publish.build import Built, build_issue
from digest.publish.plan import Planned, plan_issues, why
from digest.publish.project import Project
from digest.publish.release import publish_issue

_SETTINGS = """\
[newsletter]
name = "Harbour Notes"
slug = "harbour-notes"
timezone = "Europe/Berlin"
tag = "harbour.example,2026-01-01"
postal_address = "Harbour Notes, 1 Quay, 00000 Haven"

[site]
url = "https://harbour.example/"

[mail]
from = "Harbour Notes <letter@harbour.example>"

[[theme]]
id = "locks"
label = "Locks"
match = ["tag:locks"]

[[theme]]
id = "tides"
label = "Tides"
weight = 2
match = ["word:high water*"]

[selection]
"""
_WEEKS = 4
_DAYS = ("2026-05-04", "2026-11-02", "2026-11-23", "2026-12-02", "2026-12-16")
_REQUESTS = ("theme: tides", "skip: the harbour is closed", "dropped: [n0]", "subject: Ice")
_ITEM = """\
---
title: Note {number}
{keys}
---

{words} number {number}.
"""

_keys = st.lists(
    st.sampled_from(
        [
            *(f"date: {day}" for day in _DAYS),
            *(f"not_before: {day}" for day in _DAYS[2:]),
            "tags: locks",
            "tags: [locks, stone]",
            "source: Board",
            "authors: [Ada]",
            "authors: [Ada, Bo]",
            "weight: 3",
            "pin: yes",
            "draft: yes",
            "withdrawn: yes",
            "cooldown: 1",
            "supersedes: n0",
            "url: https://a.example/1",
            "url: https://a.example/2",
        ]
    ),
    max_size=4,
    unique_by=lambda line: line.partition(":")[0],
)
_notes = st.lists(
    st.tuples(_keys, st.sampled_from(["A note", "At high waters, a note"])), max_size=10
)
_selection = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(['"theme"', '"mixed"']),
        "min_items": st.integers(1, 3),
        "max_items": st.integers(3, 4),
        "when_thin": st.sampled_from(['"borrow"', '"short"', '"skip"']),
        "repeats": st.sampled_from(['"never"', '"fill"']),
        "repeat_window": st.sampled_from([1, 52]),
        "max_wait": st.sampled_from([1, 26]),
    },
    optional={
        "max_per_source": st.integers(1, 2),
        "max_per_author": st.just(1),
    },
)
_asked = st.dictionaries(
    st.sampled_from(["2026-w49", "2026-w50", "2026-w52"]), st.sampled_from(_REQUESTS), max_size=2
)
# The places of notes that people have chosen for a later week, or for a second issue of one.
_chosen = st.dictionaries(
    st.sampled_from(["2026-w51", "2026-w50-extra"]),
    st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True),
    max_size=2,
)


def _project(
    root: Path,
    notes: list[tuple[list[str], str]],
    selection: dict[str, object],
    asked: dict[str, str],
) -> Project:
    issues = root / "content/issues"
    issues.mkdir(parents=True)
    lines = "".join(f"{name} = {value}\n" for name, value in selection.items())
    (root / "digest.toml").write_text(_SETTINGS + lines, "utf-8")
    for number, (keys, words) in enumerate(notes):
        note = _ITEM.format(number=number, keys="\n".join(keys), words=words)
        (root / f"content/n{number}.md").write_text(note, "utf-8")
    for key, line in asked.items():
        (issues / f"{key}.md").write_text(f"---\n{line}\n---\n", "utf-8")
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


def _hashes(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def _choose(project: Project, chosen: dict[str, list[int]]) -> None:
    """Write issue files that name their items, as far as there are such notes."""
    for key, places in chosen.items():
        names = [f"n{place}" for place in places if (project.content / f"n{place}.md").is_file()]
        if names:
            text = f"---\nsubject: By hand\nitems: [{', '.join(names)}]\n---\n"
            project.issue_file(IssueKey(key)).write_text(text, "utf-8")


@given(notes=_notes, selection=_selection, asked=_asked, chosen=_chosen, refilled=st.booleans())
@settings(deadline=None, max_examples=30)
def test_a_plan_is_what_building_then_gives(
    *,
    notes: list[tuple[list[str], str]],
    selection: dict[str, object],
    asked: dict[str, str],
    chosen: dict[str, list[int]],
    refilled: bool,
) -> None:
    """Themes, items, reasons and shortages of each week, and nothing written by the plan or why.

    Where people wrote an issue file, it decides: one with items is in the plan and is built as it
    stands, whatever the rules say of them, and the weeks around it do without what it holds; of one
    without items its theme, what it drops and its skip hold. A second issue of a week, which no
    plan lists, takes what its file names. A refill makes a file's items what the plan has of that
    week; one of what was just built by the plan changes nothing.
    """
    with TemporaryDirectory() as folder:
        project = _project(Path(folder), notes, selection, asked)
        first = project.slot(IssueKey("2026-w49")).at
        _choose(project, chosen)
        for key in map(IssueKey, chosen if refilled else ()):
            if project.issue_file(key).is_file():
                build_issue(project, key, now=first, refill=True)
        before = _hashes(project.root)

        planned, library = plan_issues(project, now=first, weeks=_WEEKS)

        for summary in library.summaries:
            why(project, summary.path, key=IssueKey("2026-w50"), now=first)
        assert _hashes(project.root) == before
        for week in planned:
            if not _live(project, week):
                break


def _live(project: Project, week: Planned) -> bool:
    """Build and publish an issue that was planned, and a second one of its week.

    Give False where what people chose may not go out: the plan had it as published.
    """
    key, now = week.slot.issue, week.slot.at
    extra = IssueKey(f"{key}-extra")
    dry = build_issue(project, key, now=now, dry_run=True)
    built = build_issue(project, key, now=now)

    assert _told(dry) == _told(built)
    assert built.skipped == week.skipped
    assert (built.issue is None) == (week.issue is None)
    if built.issue is not None and week.issue is not None:
        if week.state == "picked":
            _assert_by_hand(built.issue, week.issue)
        else:
            assert _choice(built.issue) == _choice(week.issue)
            assert built.shortages == week.shortages
            again = build_issue(project, key, now=now, refill=True, dry_run=True)
            assert again.issue is not None
            assert again.issue.items == built.issue.items
    out = built.issue is None or _published(project, key, now)
    if project.issue_file(extra).is_file():
        build_issue(project, extra, now=now)
        out = _published(project, extra, now) and out
    return out


def _choice(issue: Issue) -> tuple[object, ...]:
    return issue.items, issue.theme, issue.theme_reason, issue.left_out


def _assert_by_hand(built: Issue, planned: Issue) -> None:
    """Compare an issue whose file names its items; their themes are made out by the build."""
    assert [item.id for item in built.items] == [item.id for item in planned.items]
    assert [item.reason for item in built.items] == [item.reason for item in planned.items]
    assert (built.theme, built.subject) == (planned.theme, planned.subject)


def _published(project: Project, key: IssueKey, now: datetime) -> bool:
    try:
        publish_issue(project, key, now=now)
    except GuardError:
        return False
    return True


def _told(built: Built) -> tuple[object, ...]:
    return built.state, built.issue, built.skipped, built.shortages, built.passed_over
