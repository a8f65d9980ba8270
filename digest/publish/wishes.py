"""What an issue file asks of the picker, and how what was picked comes into it."""

from __future__ import annotations

from dataclasses import replace

from digest.content import Library
from digest.errors import IssueFileError
from digest.model import Issue
from digest.picking import Wish
from digest.publish.project import Project

__all__ = ["filled", "wish_of"]


def wish_of(project: Project, issue: Issue, library: Library) -> Wish:
    """Give what an issue file asks of the picker: its theme, its items, what was dropped.

    Where it names no items, an empty theme leaves that to the rules. Raise IssueFileError for a
    theme that neither settings nor summaries have.
    """
    known = [theme.id for theme in project.themes(library.summaries)]
    if issue.theme and issue.theme not in known:
        raise IssueFileError(
            f"there is no theme {issue.theme!r}",
            where=project.shown(project.issue_file(issue.key)),
            fix=f"known themes: {', '.join(known)}",
        )
    dropped = tuple(one.id for one in issue.dropped)
    if issue.picked:
        return Wish(theme=issue.theme, keep=issue.items, dropped=dropped)
    return Wish(theme=issue.theme or None, dropped=dropped)


def filled(issue: Issue, picked: Issue) -> Issue:
    """Put what was picked for an issue into what its file says.

    One that named its items before, and has them still, stays as it is.
    """
    if issue.picked and [one.id for one in issue.items] == [one.id for one in picked.items]:
        return issue
    dropped = {one.id for one in issue.dropped}
    return replace(
        issue,
        theme=picked.theme,
        # Of one that was picked before, the theme was chosen for the reason that stands there.
        theme_reason=issue.theme_reason if issue.picked else picked.theme_reason,
        items=picked.items,
        left_out=tuple(one for one in picked.left_out if one.id not in dropped),
        picked=True,
    )
