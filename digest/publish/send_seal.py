"""What an issue file says of its send: that its mails go out, and that they are to stop."""

from __future__ import annotations

import errno
from dataclasses import replace
from datetime import datetime
from typing import Final

from digest.delivery import Watch
from digest.errors import DigestError, IssueFileError, LockError
from digest.model import Issue, IssueKey, Send
from digest.publish.drafts import seal_issue
from digest.publish.project import Project

__all__ = ["HoldWatch", "reopen_seal", "seal_end", "seal_sent"]

_SEAL_TRIES: Final = 10
# Want of this process or machine, not of the file.
_PASSING: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


class HoldWatch:
    """Tells whether somebody held the issue back meanwhile, or withdrew it, by its file."""

    def __init__(self, project: Project, key: IssueKey) -> None:
        self._project, self._key = project, key
        self._file = project.issue_file(key)  # asked for at each step
        self._seen, self._hold = (-1, -1), ""  # read when it is asked first

    def _stamp(self) -> tuple[int, int]:
        try:
            found = self._file.stat()
        except OSError:
            return (0, 0)
        return (found.st_mtime_ns, found.st_size)

    def __call__(self) -> str:
        """Give the reason, empty without one; the file is read where it was changed."""
        if (stamp := self._stamp()) != self._seen:
            self._seen = stamp
            try:
                self._hold = _reason(self._project.issue(self._key))
            except IssueFileError as error:
                if _is_passing(error):
                    self._seen = (-1, -1)  # asked again: no word on what it says
                    return self._hold
                self._hold = f"held: {error.brief}"  # nobody knows what it says
        return self._hold


def _is_passing(error: BaseException | None) -> bool:
    """Tell whether an error came of what this process lacks, and says nothing of the file."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _PASSING:
            return True
        error = error.__cause__ or error.__context__
    return False


def _reason(issue: Issue | None) -> str:
    """Say why an issue that is being sent must not go on; empty where nothing stands against it."""
    if issue is None:
        return ""
    if issue.seal is not None and issue.seal.withdrawn is not None:
        return "withdrawn"
    return f"held: {issue.hold}" if issue.hold else ""


def seal_end(project: Project, send: Send, *, watch: Watch) -> None:
    """Note the end in the issue file; where that cannot be, the next publishing does it.

    Nothing of it undoes what was sent.
    """
    for _ in range(_SEAL_TRIES):
        try:
            return seal_sent(project, send, ended=watch.clock())
        except LockError:
            watch.pause(1.0)
        except DigestError:
            return None
    return None


def seal_sent(project: Project, send: Send, *, ended: datetime | None = None) -> None:
    """Note in the issue file that its mails go out, before the first one does, and their end.

    It tells a later database that is an old copy.
    """
    zone = project.settings.newsletter.zone
    with project.writing():
        issue = project.issue(send.issue)
        if issue is None or issue.seal is None:
            return
        seal = replace(issue.seal, sent=issue.seal.sent or send.began.astimezone(zone))
        if ended is not None:
            seal = replace(seal, ended=ended.astimezone(zone))
        if seal != issue.seal:
            seal_issue(project, replace(issue, seal=seal))


def reopen_seal(project: Project, send: Send) -> None:
    """Take the end out of the seal, before the ledger lets a row go once more.

    Only under the newsletter's lock, to the end of both: who publishes puts it back by the ledger.
    """
    issue = project.issue(send.issue)
    if issue is not None and issue.seal is not None and issue.seal.ended is not None:
        seal_issue(project, replace(issue, seal=replace(issue.seal, ended=None)))
