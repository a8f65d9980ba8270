"""What the plan foretells is what building and publishing then give, week after week."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from digest.config import load_settings
from digest.model import IssueKey
from digest.publish.build import Built, build_issue
from digest.publish.plan import plan_issues, why
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
    }
)
_asked = st.dictionaries(
    st.sampled_from(["2026-w49", "2026-w50", "2026-w52"]), st.sampled_from(_REQUESTS), max_size=2
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


@given(notes=_notes, selection=_selection, asked=_asked)
@settings(deadline=None, max_examples=20)
def test_a_plan_is_what_building_then_gives(
    notes: list[tuple[list[str], str]], selection: dict[str, object], asked: dict[str, str]
) -> None:
    """Themes, items, reasons and shortages of each week, and nothing written by the plan or why."""
    with TemporaryDirectory() as folder:
        project = _project(Path(folder), notes, selection, asked)
        first = project.slot(IssueKey("2026-w49")).at
        before = _hashes(project.root)

        planned, library = plan_issues(project, now=first, weeks=_WEEKS)

        for summary in library.summaries:
            why(project, summary.path, key=IssueKey("2026-w50"), now=first)
        assert _hashes(project.root) == before
        for week in planned:
            dry = build_issue(project, week.slot.issue, now=week.slot.at, dry_run=True)
            built = build_issue(project, week.slot.issue, now=week.slot.at)
            assert _told(dry) == _told(built)
            assert built.skipped == week.skipped
            assert (built.issue is None) == (week.issue is None)
            if built.issue is None or week.issue is None:
                continue
            assert built.issue.items == week.issue.items
            assert built.issue.theme == week.issue.theme
            assert built.issue.theme_reason == week.issue.theme_reason
            assert built.issue.left_out == week.issue.left_out
            assert built.shortages == week.shortages
            publish_issue(project, week.slot.issue, now=week.slot.at)


def _told(built: Built) -> tuple[object, ...]:
    return built.state, built.issue, built.skipped, built.shortages, built.passed_over
