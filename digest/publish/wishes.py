"""What an issue file asks of the picker, and how what was picked comes into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from digest.content import Library
from digest.errors import IssueFileError, Problem
from digest.model import Issue
from digest.picking import Wish
from digest.publish.project import Project

__all__ = ["filled", "no_theme", "wish_of"]


def no_theme(name: str, known: Sequence[str], *, where: str = "") -> Problem:
    """Say that nobody has a theme of a name, and which may have been meant."""
    near = get_close_matches(name.strip().lower(), known, n=1)
    return Problem(
        what=f"there is no theme {name!r}",
        where=where,
        fix=f"did you mean {near[0]}?" if near else f"known themes: {', '.join(known)}",
    )


def wish_of(project: Project, issue: Issue, library: Library) -> Wish:
    """Give what an issue file asks of the picker: its theme, its items, what was dropped.

    Where it names no items, an empty theme leaves that to the rules. Raise IssueFileError for a
    theme that neither settings nor summaries have.
    """
    known = [theme.id for theme in project.themes(library.summaries)]
    if issue.theme and issue.theme not in known:
        where = project.shown(project.issue_file(issue.key))
        raise IssueFileError.of((no_theme(issue.theme, known, where=where),))
    dropped = tuple(one.id for one in issue.dropped)
    if issue.picked:
        # With items of other themes alone it is led by one of those.
        others = issue.items and all(one.theme not in {"", issue.theme} for one in issue.items)
        led = not issue.theme or not others
        return Wish(theme=issue.theme if led else None, keep=issue.items, dropped=dropped)
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
        theme_reason=issue.theme_reason if _same_theme(issue, picked) else picked.theme_reason,
        items=picked.items,
        left_out=tuple(one for one in picked.left_out if one.id not in dropped),
        picked=True,
    )


def _same_theme(issue: Issue, picked: Issue) -> bool:
    return issue.picked and issue.theme == picked.theme
