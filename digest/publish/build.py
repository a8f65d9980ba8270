"""Build an issue: pick where nobody has picked yet, render, and keep the edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from digest.content import Library, dump_issue, seal_text
from digest.errors import ContentError, GuardError, Problem
from digest.files import tree_changes, write_file, write_tree
from digest.model import Edition, History, Issue, IssueKey, PastIssue, Summary, ThemeId
from digest.picking import Selection, pick
from digest.publish.editions import Kept, Material, keep, read_kept, read_sources
from digest.publish.project import Project

__all__ = ["Built", "build_issue", "draft", "seal_issue", "settle", "whole_seconds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What came of a build.

    `state` is `built`, `published` (nothing was done) or `skipped` (nothing to send; `skipped`
    says why and `issue` and `kept` are None). `passed_over` counts what a pick looked at and could
    not take. `changed` names the files written, or, in a dry
    run, those that would be.
    """

    key: IssueKey
    state: str
    library: Library
    issue: Issue | None = None
    kept: Kept | None = None
    skipped: str = ""
    shortages: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def edition(self) -> Edition | None:
        """Give the edition, where there is one."""
        return self.kept.edition if self.kept else None


def build_issue(
    project: Project, key: IssueKey, *, theme: ThemeId | None = None, dry_run: bool = False
) -> Built:
    """Build one issue into its outbox folder; what is public does not change.

    Summaries whose files cannot be read are left out and reported in the library's problems.
    Raise ContentError for an issue file that names a summary nobody has, GuardError for a
    theme asked for after the picking.
    """
    with project.writing(dry_run=dry_run):
        library = project.library(write_cache=not dry_run)
        history = project.history(library)
        past = next((past for past in history if past.key == key and past.published), None)
        if past is not None:
            return _published(project, past, library)
        selection = _chosen(project, key, theme) or pick(
            project.slot(key),
            library.summaries,
            themes=project.settings.themes,
            history=history,
            policy=project.settings.policy,
            theme=theme,
        )
        built = Built(
            key=key,
            state="skipped",
            library=library,
            issue=selection.issue,
            skipped=selection.skipped,
            shortages=selection.shortages,
            passed_over=selection.passed_over,
        )
        if selection.issue is None:
            return built
        kept, changed = draft(project, selection.issue, library, history=history, dry_run=dry_run)
        return replace(built, state="built", kept=kept, changed=changed)


def _chosen(project: Project, key: IssueKey, theme: ThemeId | None) -> Selection | None:
    """Give what the issue file says; None where nobody has picked yet."""
    issue = project.issue(key)
    if issue is None:
        return None
    if theme is not None and theme != issue.theme:
        raise GuardError(
            f"is already picked, with the theme {issue.theme or 'mixed'}",
            where=project.shown(project.issue_file(key)),
            fix="edit its `theme` and `items`, or remove the file and build again",
        )
    return Selection(issue=issue, shortages=(), skipped="", scores=())


def _published(project: Project, past: PastIssue, library: Library) -> Built:
    return Built(
        key=past.key,
        state="published",
        library=library,
        issue=project.issue(past.key),
        kept=read_kept(project.folder(past.key), root=project.root),
    )


def draft(
    project: Project, issue: Issue, library: Library, *, history: History, dry_run: bool
) -> tuple[Kept, tuple[str, ...]]:
    """Render an issue that is not out yet and write its edition; give it and what changed."""
    others = tuple(past for past in history if past.key != issue.key)
    summaries = _picked(project, issue, library)
    material = Material(
        issue=issue,
        number=project.number(others),
        newsletter=project.settings.newsletter,
        themes=project.themes(library.summaries),
        sources=read_sources(
            project.content,
            tuple(summaries[pick.id].path for pick in issue.items),
            root=project.root,
        ),
        options=project.options,
        templates=project.templates(),
    )
    kept = keep(material)
    return kept, settle(project, issue, kept, dry_run=dry_run)


def _picked(project: Project, issue: Issue, library: Library) -> Mapping[str, Summary]:
    by_id = {summary.id: summary for summary in library.summaries}
    lost = [pick.id for pick in issue.items if pick.id not in by_id]
    if lost:
        file = project.shown(project.issue_file(issue.key))
        raise ContentError.of(
            tuple(
                Problem(
                    what=f"no summary has the id {item!r}",
                    where=file,
                    fix="put its file back, or take it out of `items`",
                )
                for item in lost
            )
        )
    return by_id


def settle(project: Project, issue: Issue, kept: Kept, *, dry_run: bool) -> tuple[str, ...]:
    """Write an edition's folder and, where there is none yet, its issue file."""
    folder, file = project.folder(issue.key), project.issue_file(issue.key)
    name = project.shown(folder)
    if dry_run:
        changed = tree_changes(folder, kept.files, root=project.root)
        new = () if file.exists() else (project.shown(file),)
    else:
        # The edition first: an issue file without one is only a pick, and a pick is repeatable.
        changed = write_tree(folder, kept.files, root=project.root, keep=("messages",))
        new = ()
        if not file.exists():
            write_file(file, dump_issue(issue).encode(), root=project.root)
            new = (project.shown(file),)
    return (*new, *(f"{name}/{path}" for path in changed))


def seal_issue(project: Project, issue: Issue) -> bool:
    """Write an issue's seal into its file, all else left as people wrote it."""
    file = project.issue_file(issue.key)
    if issue.seal is None:
        return False
    text = file.read_text("utf-8") if file.exists() else dump_issue(replace(issue, seal=None))
    return write_file(file, seal_text(text, issue.seal).encode(), root=project.root)


def whole_seconds(moment: datetime) -> datetime:
    """Drop the fraction: feeds and seals keep whole seconds."""
    return moment.replace(microsecond=0)
