"""Tell where all issues and summaries stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from digest.model import Issue, IssueKey, PastIssue, Send, Summary
from digest.publish.project import Known, Project

__all__ = ["Standing", "State", "status"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where one issue stands; `next` is what to do, empty where nothing is."""

    key: IssueKey
    number: int | None
    state: str
    since: datetime
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All issues, oldest first, and the count of summaries in each state of their life.

    `known` is what it was told from.
    """

    issues: tuple[Standing, ...]
    queue: dict[str, int]
    known: Known


def status(project: Project, *, now: datetime) -> State:
    """Count and list; read-only."""
    known = project.known()
    taken = {item.id: past.published for past in known.history for item in past.items}
    queue = dict.fromkeys(("waiting", "reserved", "published", "embargoed", "expired", "draft"), 0)
    for summary in known.library.summaries:
        queue[_life(summary, taken.get(summary.id), now)] += 1
    sends = {send.issue: send for send in known.sends}
    standings = tuple(
        _standing(project, past, known, send=sends.get(past.key)) for past in known.history
    )
    return State(issues=standings, queue=queue, known=known)


def _out(
    project: Project, past: PastIssue, issue: Issue | None, *, send: Send | None
) -> tuple[str, str]:
    """Give the state of an issue that is published, and what is to be done next."""
    sealed = issue.seal.sent if issue and issue.seal else None
    page = project.outbox / "site" / f"{past.key}.html"
    done = page.is_file() and issue is not None and issue.seal is not None
    then = "" if done else f"digest publish {past.key}"
    if send is None:
        return ("sent" if sealed else "published"), then
    if send.finished is None:
        if issue is not None and issue.hold:
            return "paused", f"digest hold {past.key} --release"
        return ("paused" if send.paused else "sending"), f"digest send {past.key}"
    return "sent", then


def _standing(project: Project, past: PastIssue, known: Known, *, send: Send | None) -> Standing:
    issue = known.issues.get(past.key)
    number: int | None = None
    if past.published:
        number = past.number
        state, then = _out(project, past, issue, send=send)
    elif issue is not None and issue.hold:
        state, then = "held", f"digest hold {past.key} --release"
    elif project.folder(past.key).is_dir():
        state, then = "draft", f"digest {'send' if known.readers else 'publish'} {past.key}"
    else:
        state, then = "planned", f"digest build {past.key}"
    return Standing(key=past.key, number=number, state=state, since=past.at, next=then)


def _life(summary: Summary, published: bool | None, now: datetime) -> str:  # noqa: FBT001 - a fact
    if published is not None:
        return "published" if published else "reserved"
    if summary.draft:
        return "draft"
    if summary.not_after is not None and summary.not_after <= now:
        return "expired"
    starts = [moment for moment in (summary.not_before, summary.date) if moment is not None]
    return "embargoed" if any(moment > now for moment in starts) else "waiting"
