"""Tell what changed in the plan since a git revision; nothing is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from digest.config import Settings, load_settings
from digest.errors import FilesError, Problem, UsageError
from digest.files.revision import find_commit, read_revision
from digest.model import History, Issue, IssueKey, Summary
from digest.picking.compare import Change, compare
from digest.publish.plan import health_of, plan_issues
from digest.publish.project import Known, Project

__all__ = ["Against", "Plan", "plan_against"]

_WILD: Final = re.compile(r"[*?]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One of the two plans: its summaries by id, and what is short in it, as sentences.

    `problems` are of files that could not be read.
    """

    summaries: Mapping[str, Summary]
    shortages: tuple[str, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """What changed in the plan since a revision.

    `issues` names those that were compared, `changes` leads from the revision (`before`) to the
    present (`after`).
    """

    revision: str
    issues: tuple[IssueKey, ...]
    changes: tuple[Change, ...]
    before: Plan
    after: Plan

    @property
    def new(self) -> tuple[str, ...]:
        """Give what is short now and was not before."""
        return tuple(one for one in self.after.shortages if one not in self.before.shortages)

    @property
    def gone(self) -> tuple[str, ...]:
        """Give what was short before and is no more."""
        return tuple(one for one in self.before.shortages if one not in self.after.shortages)


def plan_against(
    project: Project,
    revision: str,
    *,
    now: datetime,
    weeks: int,
    environ: Mapping[str, str],
    overrides: tuple[str, ...],
) -> Against:
    """Plan the next issues twice, from the files at a git revision and from the present ones.

    Environment and `--set` lie over the settings of both; what was published is what is known of
    that at present. Raise UsageError where there is no such revision, no newsletter in it, or
    what it says cannot be planned, and FilesError where git cannot be asked.
    """
    commit = find_commit(project.root, revision, environ=environ)
    known = project.known()
    present, after = _plan(project, known, now=now, weeks=weeks)
    with TemporaryDirectory(prefix="digest-") as folder, _placed(revision):
        root = Path(folder).resolve()
        past = _lay(project, commit, root=root, environ=environ, overrides=overrides)
        told = past.known()
        history = _history(told.history, known.history)
        earlier, before = _plan(past, replace(told, history=history), now=now, weeks=weeks)
    both = tuple(key for key in present if key in earlier)
    return Against(
        revision=revision,
        issues=both,
        changes=compare({key: earlier[key] for key in both}, {key: present[key] for key in both}),
        before=replace(before, problems=_at(revision, before.problems)),
        after=after,
    )


def _plan(
    project: Project, known: Known, *, now: datetime, weeks: int
) -> tuple[dict[IssueKey, Issue | None], Plan]:
    planned, library = plan_issues(project, now=now, weeks=weeks, known=known)
    issues = {one.slot.issue: one.issue for one in planned}
    return issues, Plan(
        summaries={summary.id: summary for summary in library.summaries},
        shortages=(
            *(f"{one.slot.issue}: {sentence}" for one in planned for sentence in one.shortages),
            *health_of(project, planned).shortages,
        ),
        problems=library.problems,
    )


def _history(at_revision: History, present: History) -> History:
    """Give what is out by all that is known now, and what the files of a revision reserve."""
    out = {past.key: past for past in present if past.published}
    told = {past.key: past for past in at_revision} | out
    return tuple(sorted(told.values(), key=lambda past: (past.at, past.key)))


def _lay(
    project: Project,
    commit: str,
    *,
    root: Path,
    environ: Mapping[str, str],
    overrides: tuple[str, ...],
) -> Project:
    """Lay down what a plan is made from, and give the newsletter that it makes."""
    name = project.settings.file_name

    def lay(paths: tuple[str, ...], endings: tuple[str, ...] = ("",)) -> None:
        files = read_revision(project.root, commit, paths, environ=environ, endings=endings)
        for path, data in files:
            _write(root / path, data)

    lay((name,))
    if not (root / name).is_file():
        raise UsageError("is not there", where=name, fix="compare with a later revision")
    settings = load_settings(root, file=Path(name), environ=environ, overrides=overrides)
    lay((settings.content.folder,), _endings(settings))
    past = Project(settings=_unpublished(settings))
    past.content.mkdir(parents=True, exist_ok=True)
    return past


def _endings(settings: Settings) -> tuple[str, ...]:
    """Give how the names of all files end that are read, so that no others are laid down."""
    return (".md", *(_WILD.split(pattern)[-1] for pattern in settings.content.include))


def _unpublished(settings: Settings) -> Settings:
    """Give settings that lead to no database: what was published is known already."""
    url = f"sqlite:///{settings.root / 'private' / 'digest.db'}"
    return replace(settings, store_url=url, store_password=None)


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise FilesError(
            f"the files of a revision cannot be laid down: {error.strerror}",
            fix="free some space in the folder for temporary files, or let TMPDIR name another",
        ) from error


@contextmanager
def _placed(revision: str) -> Iterator[None]:
    """Say of what is wrong at a revision that it is there: `REV:file:line`, as git writes it."""
    try:
        yield
    except UsageError as error:
        raise type(error).of(_at(revision, error.problems)) from error


def _at(revision: str, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    return tuple(
        replace(problem, where=f"{revision}:{problem.where}") if problem.where else problem
        for problem in problems
    )
