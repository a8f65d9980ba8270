"""Build an issue: pick where nobody has picked yet, render, and keep the edition."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from digest.content import Library
from digest.errors import GuardError
from digest.model import Edition, Issue, IssueKey, PastIssue, ThemeId
from digest.picking import Selection, pick
from digest.publish.drafts import draft, frozen, placed
from digest.publish.editions import Kept, material_from
from digest.publish.project import Project

__all__ = ["Built", "build_issue"]


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
    project: Project,
    key: IssueKey,
    *,
    now: datetime,
    theme: ThemeId | None = None,
    dry_run: bool = False,
) -> Built:
    """Build one issue into its outbox folder; what is public does not change.

    Summaries whose files cannot be read are left out and reported in the library's problems.
    Raise IssueFileError for one that names a summary nobody has, GuardError for a
    theme asked for after the picking.
    """
    with project.writing(dry_run=dry_run):
        library = project.library(write_cache=not dry_run)
        history = project.history(library)
        out = [past for past in history if past.key == key and past.published]
        if out:
            return _published(project, out[0], library, dry_run=dry_run)
        selection = _chosen(project, key, theme) or pick(
            project.due(key, now),
            library.summaries,
            themes=project.settings.themes,
            history=history,
            policy=project.settings.policy,
            theme=theme,
        )
        built = _picked(key, library, selection)
        if built.issue is None:
            return built
        issue = placed(project, built.issue, library)
        kept, changed = draft(project, issue, library, history=history, dry_run=dry_run)
        return replace(built, state="built", issue=issue, kept=kept, changed=changed)


def _picked(key: IssueKey, library: Library, selection: Selection) -> Built:
    return Built(
        key=key,
        state="skipped",
        library=library,
        issue=selection.issue,
        skipped=selection.skipped,
        shortages=selection.shortages,
        passed_over=selection.passed_over,
    )


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


def _published(project: Project, past: PastIssue, library: Library, *, dry_run: bool) -> Built:
    kept = frozen(project, past, library, dry_run=dry_run)
    # Where its issue file is gone, the edition remembers it.
    issue = project.issue(past.key) or material_from(kept).issue
    return Built(key=past.key, state="published", library=library, issue=issue, kept=kept)
