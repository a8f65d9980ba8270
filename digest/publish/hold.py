"""Hold an issue back, and let it go again."""

from __future__ import annotations

from digest.content import hold_text
from digest.errors import GuardError
from digest.files import write_file
from digest.model import IssueKey, Send, clean_line
from digest.publish.project import Project, missing

__all__ = ["hold_issue"]


def hold_issue(
    project: Project, key: IssueKey, *, reason: str, release: bool = False, dry_run: bool = False
) -> bool:
    """Write the reason to wait into an issue's file, or take it out; False where it says so.

    An issue that is going out by mail stops between two messages, and goes on once released.
    Raise UsageError where there is no such file, GuardError where the issue is out and no mail of
    it is to go.
    """
    line = "" if release else clean_line(reason) or "held"
    with project.writing(dry_run=dry_run):
        issue = project.issue(key)
        if issue is None:
            raise missing("issue file", key, f"run `digest build {key}` first")
        file = project.issue_file(key)
        send = _open_send(project, key)
        if send is None and not release and _is_out(project, key):
            raise GuardError(
                "is out already, and no mail of it is to go: there is nothing to hold",
                where=project.shown(file),
                fix="put what is wrong right in another issue",
            )
        if issue.hold and not (release or reason):
            line = issue.hold  # the reason that stands there is better than none
        changed = issue.hold != line
        if changed and not dry_run:
            text = hold_text(file.read_bytes().decode(), line)
            write_file(file, text.encode(), root=project.root)
    if send is not None and send.paused != line:
        changed = True
        if not dry_run:
            # After the lock: who sends holds another one, and may hold it for hours.
            with project.opened() as store:
                store.deliveries.pause(key, line)
    return changed


def _open_send(project: Project, key: IssueKey) -> Send | None:
    with project.ledger() as store:
        send = store.deliveries.send(key) if store else None
    return send if send is not None and send.finished is None else None


def _is_out(project: Project, key: IssueKey) -> bool:
    """Tell whether an issue is published, and not only by a crash that left no seal."""
    issue = project.issue(key)
    sealed = issue is not None and issue.seal is not None
    return sealed or any(past.key == key for past in project.stored())
