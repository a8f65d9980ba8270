"""Leave out the issue of a week, or take that back."""

from __future__ import annotations

from dataclasses import replace

from digest.content import dump_issue, items_text, skip_text
from digest.errors import GuardError
from digest.files import write_file
from digest.model import Issue, IssueKey, LeftOut, ThemeId, clean_line
from digest.picking import already_out
from digest.publish.project import Project, editing, past_of, taken_back

__all__ = ["skip_issue"]


def skip_issue(
    project: Project, key: IssueKey, *, reason: str, release: bool = False, dry_run: bool = False
) -> tuple[bool, tuple[LeftOut, ...]]:
    """Write into an issue's file that there is none that week, or take that out; tell what changed.

    The first part is False where the file said so before. Its summaries are free for other issues
    and it uses no number. With `release` those that another issue holds by now, and that may not
    go out again, are taken out of it, which the second part tells; where that leaves none, it is
    picked anew. Raise GuardError where the issue is published.
    """
    with project.writing(dry_run=dry_run):
        issue, file = project.issue(key), project.issue_file(key)
        _refuse_published(project, key, issue)
        if issue is None and release:
            return False, ()
        line = "" if release else clean_line(reason) or (issue.skip if issue else "") or "skipped"
        if issue is not None and issue.skip == line:
            return False, ()
        gone = _elsewhere(project, issue) if issue and release else ()
        with editing(project, key):
            text = skip_text(file.read_bytes().decode() if issue else _empty(project, key), line)
            if issue and gone:
                text = items_text(text, _without(issue, gone))
        if not dry_run:
            write_file(file, text.encode(), root=project.root)
        return True, gone


def _refuse_published(project: Project, key: IssueKey, issue: Issue | None) -> None:
    seal = issue.seal if issue is not None else None
    out = past_of(project.stored(), key)
    if (seal and seal.withdrawn) or (out and out.withdrawn):
        raise taken_back(key)
    if seal or out:
        raise GuardError(
            "is published, and cannot be skipped or released any more",
            where=key,
            fix=f"`digest withdraw {key}` takes it back from site and feeds",
        )


def _empty(project: Project, key: IssueKey) -> str:
    """Give the text of an issue file that names no items."""
    return dump_issue(Issue(slot=project.slot(key), theme=ThemeId(""), items=(), picked=False))


def _elsewhere(project: Project, issue: Issue) -> tuple[LeftOut, ...]:
    """Find the items of an issue that another one holds, by the rules of picking."""
    library = project.library()
    reasons = already_out(
        library.summaries,
        slot=project.slot(issue.key),
        themes=project.settings.themes,
        history=project.history(library),
        policy=project.settings.policy,
        reserved=True,
    )
    return tuple(
        LeftOut(id=item.id, reason=f"taken out: {reasons[item.id]}")
        for item in issue.items
        if item.id in reasons
    )


def _without(issue: Issue, gone: tuple[LeftOut, ...]) -> Issue:
    """Take items out of an issue; one that has none left is to be picked anew."""
    names = {one.id for one in gone}
    items = tuple(one for one in issue.items if one.id not in names)
    left_out = (*gone, *(one for one in issue.left_out if one.id not in names))
    if items:
        return replace(issue, items=items, left_out=left_out)
    # A theme that the rules gave it has a reason; it goes with what it was given for.
    theme = ThemeId("") if issue.theme_reason else issue.theme
    return replace(issue, theme=theme, theme_reason="", items=(), left_out=left_out, picked=False)
