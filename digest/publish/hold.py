"""Hold an issue back, and let it go again."""

from __future__ import annotations

from digest.content import hold_text
from digest.delivery import DOUBTED
from digest.errors import GuardError
from digest.files import write_file
from digest.model import Issue, IssueKey, clean_line
from digest.publish.project import Project, editing, missing, past_of, taken_back
from digest.publish.send_guards import outbox_key

__all__ = ["hold_issue"]


def hold_issue(
    project: Project, key: IssueKey, *, reason: str, release: bool = False, dry_run: bool = False
) -> bool:
    """Write the reason to wait into an issue's file, or take it out; False where it says so.

    A process that sends the issue reads it between two messages; once released, the schedule goes
    on with a send that was stopped, whoever stopped it. Raise UsageError where there is no such
    file, GuardError where the issue was withdrawn, or is out and no mail of it is to go.
    """
    with project.writing(dry_run=dry_run):
        issue = project.issue(key)
        if issue is None:
            raise missing("issue file", key, f"run `digest build {key}` first")
        file = project.issue_file(key)
        if _is_withdrawn(project, issue):
            raise taken_back(project.shown(file))
        if not release and _is_done(project, issue):
            raise GuardError(
                "is out already, and no mail of it is to go: there is nothing to hold",
                where=project.shown(file),
                fix="put what is wrong right in another issue",
            )
        # The reason that stands there is better than none.
        line = "" if release else clean_line(reason) or issue.hold or "held"
        going = release and _let_go(project, key, dry_run=dry_run)
        if issue.hold == line:
            return going
        with editing(project, key):
            text = hold_text(file.read_bytes().decode(), line)
        if not dry_run:
            write_file(file, text.encode(), root=project.root)
        return True


def _is_withdrawn(project: Project, issue: Issue) -> bool:
    """Tell whether an issue was taken back, by its seal or by the database."""
    if issue.seal is not None and issue.seal.withdrawn is not None:
        return True
    past = past_of(project.stored(), issue.key)
    return past is not None and past.withdrawn is not None


def _let_go(project: Project, key: IssueKey, *, dry_run: bool) -> bool:
    """Let the schedule go on with a send that was stopped; False where there is none."""
    with project.ledger() as found:
        send = found.deliveries.send(key) if found else None
    if send is None or send.finished is not None or not send.paused:
        return False
    if not dry_run:
        with project.opened() as store:
            if send.paused == DOUBTED:
                store.deliveries.take_back(key)
            store.deliveries.pause(key, "")
    return True


def _is_done(project: Project, issue: Issue) -> bool:
    """Tell whether an issue is on the site and no mail of it can go any more."""
    with project.ledger() as store:
        send = store.deliveries.send(issue.key) if store else None
        handed = store.deliveries.send(outbox_key(issue.key)) if store else None
        ever = store.readers.ever() if store else False
    if send is not None:
        return all(one is None or one.finished is not None for one in (send, handed))
    if issue.seal is not None and issue.seal.sent is not None:
        return True
    return not ever and any(past.key == issue.key for past in project.stored())
