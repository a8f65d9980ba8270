"""Hold an issue back, and let it go again."""

from __future__ import annotations

from digest.content import hold_text
from digest.errors import GuardError
from digest.files import write_file
from digest.model import IssueKey, clean_line
from digest.publish.project import Project, missing

__all__ = ["hold_issue"]


def hold_issue(
    project: Project, key: IssueKey, *, reason: str, release: bool = False, dry_run: bool = False
) -> bool:
    """Write the reason to wait into an issue's file, or take it out; False where it says so.

    Raise UsageError where there is no such file, GuardError where the issue is out already.
    """
    with project.writing(dry_run=dry_run):
        issue = project.issue(key)
        if issue is None:
            raise missing("issue file", key, f"run `digest build {key}` first")
        file = project.issue_file(key)
        published = issue.seal is not None or any(past.key == key for past in project.stored())
        if published and not release:
            raise GuardError(
                "is out already, and cannot be held any more",
                where=project.shown(file),
                fix="what is being sent is stopped by Ctrl-C where `digest send` runs",
            )
        line = "" if release else clean_line(reason) or "held"
        if issue.hold == line:
            return False
        text = hold_text(file.read_bytes().decode(), line)
        if not dry_run:
            write_file(file, text.encode(), root=project.root)
        return True
