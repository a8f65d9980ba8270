"""An issue and its edition on disk: what it is made of, drafted, frozen, sealed."""

from __future__ import annotations

from dataclasses import replace

from digest.content import Library, dump_issue, items_text, seal_text
from digest.errors import DigestError, FilesError, GuardError
from digest.files import tree_changes, write_file, write_tree
from digest.model import History, Issue, PastIssue
from digest.picking import assign
from digest.publish.editions import Kept, keep, read_kept
from digest.publish.ingredients import material_of
from digest.publish.project import Project, editing

__all__ = ["draft", "frozen", "placed", "seal_issue", "settle"]


def placed(project: Project, issue: Issue, library: Library) -> Issue:
    """Give an issue its own slot, and each item named without a theme the one it belongs to."""
    by_id = {summary.id: summary for summary in library.summaries}
    themes = project.settings.themes
    items = tuple(
        pick
        if pick.theme or pick.id not in by_id
        else replace(pick, theme=assign(by_id[pick.id], themes).theme)
        for pick in issue.items
    )
    return replace(issue, slot=project.slot(issue.key), items=items)


def draft(
    project: Project, issue: Issue, library: Library, *, history: History, dry_run: bool
) -> tuple[Kept, tuple[str, ...]]:
    """Render an issue that is not out yet and write its edition; give it and what changed.

    Where its file tells of another choice than the issue, the issue's is written into it.
    """
    others = tuple(past for past in history if past.key != issue.key)
    kept = keep(material_of(project, issue, library, number=project.number(others)))
    text = _picked_text(project, issue)
    changed = settle(project, issue, kept, dry_run=dry_run)
    file = project.issue_file(issue.key)
    if text is None:
        return kept, changed
    if not dry_run:
        write_file(file, text, root=project.root)
    return kept, (project.shown(file), *changed)


def _picked_text(project: Project, issue: Issue) -> bytes | None:
    """Give an issue file's text with the items of an issue; None where it has them, or is none."""
    found = project.issue(issue.key)
    if found is None or _choice(found) == _choice(issue):
        return None
    data = project.issue_file(issue.key).read_bytes()
    with editing(project, issue.key):
        return items_text(data.decode(), issue).encode()


def _choice(issue: Issue) -> tuple[object, ...]:
    # Themes of items are made out only when the edition is: they are no choice.
    items = tuple((pick.id, pick.repeat) for pick in issue.items)
    return (issue.picked, items, issue.dropped, issue.theme)


def settle(project: Project, issue: Issue, kept: Kept, *, dry_run: bool) -> tuple[str, ...]:
    """Write an edition's folder and, where there is none yet, its issue file."""
    folder, file = project.folder(issue.key), project.issue_file(issue.key)
    name = project.shown(folder)
    if dry_run:
        changed = tree_changes(folder, kept.files, root=project.root, keep=_MESSAGES)
        new = () if file.is_file() else (project.shown(file),)
    else:
        # The edition first: an issue file without one is only a pick, and a pick is repeatable.
        changed = write_tree(folder, kept.files, root=project.root, keep=_MESSAGES)
        new = ()
        if not file.is_file():
            write_file(file, dump_issue(issue).encode(), root=project.root)
            new = (project.shown(file),)
    return (*new, *(f"{name}/{path}" for path in changed))


def seal_issue(project: Project, issue: Issue) -> bool:
    """Write an issue's seal into its file, all else left as people wrote it."""
    file = project.issue_file(issue.key)
    if issue.seal is None:
        return False
    # By bytes: line ends stay as people wrote them.
    text = file.read_bytes().decode() if file.is_file() else dump_issue(replace(issue, seal=None))
    return write_file(file, seal_text(text, issue.seal).encode(), root=project.root)


def frozen(project: Project, past: PastIssue, library: Library, *, dry_run: bool) -> Kept:
    """Give the edition of a published issue.

    Where its folder is gone, it is built again from the content of today, and taken if that gives
    the very bytes that were published. Raise FilesError where it cannot be had, GuardError where
    another one lies in its place.
    """
    folder = project.folder(past.key)
    if not folder.is_dir():
        return _again(project, past, library, dry_run=dry_run)
    kept = read_kept(folder, root=project.root, fix=_GONE)
    if kept.fingerprint != past.edition:
        raise GuardError(
            "is not the edition that was published; a published issue never changes",
            where=project.shown(folder),
            fix=_GONE,
        )
    return kept


_MESSAGES = ("messages",)
_GONE = "put the folder back from a backup or from git; what is published is never made anew"


def _again(project: Project, past: PastIssue, library: Library, *, dry_run: bool) -> Kept:
    lost = FilesError(
        "is gone, and today's content, settings and look do not give it again",
        where=project.shown(project.folder(past.key)),
        fix=_GONE,
    )
    issue = project.issue(past.key)
    if issue is None:
        raise lost
    try:
        issue = placed(project, replace(issue, seal=None), library)
        kept = keep(material_of(project, issue, library, number=past.number))
    except DigestError as error:
        raise lost from error
    if kept.fingerprint != past.edition:
        raise lost
    settle(project, issue, kept, dry_run=dry_run)
    return kept
