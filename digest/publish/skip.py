"""Leave out the issue of a week, or take that back."""

from __future__ import annotations

from digest.content import dump_issue, skip_text
from digest.errors import GuardError
from digest.files import write_file
from digest.model import Issue, IssueKey, ThemeId, clean_line
from digest.publish.project import Project

__all__ = ["skip_issue"]


def skip_issue(
    project: Project, key: IssueKey, *, reason: str, release: bool = False, dry_run: bool = False
) -> bool:
    """Write into an issue's file that there is none that week; False where it says so.

    Its summaries are free for other issues and it uses no number. Raise GuardError where the
    issue is published.
    """
    with project.writing(dry_run=dry_run):
        issue, file = project.issue(key), project.issue_file(key)
        sealed = issue is not None and issue.seal is not None
        if sealed or any(past.key == key for past in project.stored()):
            raise GuardError(
                "is published, and cannot be skipped any more",
                where=key,
                fix=f"`digest withdraw {key}` takes it back from site and feeds",
            )
        if issue is None and release:
            return False
        line = "" if release else clean_line(reason) or (issue.skip if issue else "") or "skipped"
        if issue is not None and issue.skip == line:
            return False
        if not dry_run:
            text = file.read_bytes().decode() if issue else _empty(project, key)
            write_file(file, skip_text(text, line).encode(), root=project.root)
        return True


def _empty(project: Project, key: IssueKey) -> str:
    """Give the text of an issue file that names no items."""
    return dump_issue(Issue(slot=project.slot(key), theme=ThemeId(""), items=(), picked=False))
