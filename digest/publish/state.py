"""Tell where all issues and summaries stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from digest.model import Issue, IssueKey, PastIssue, Send
from digest.picking import LIVES, Life, life
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
    queue: Mapping[Life, int]
    known: Known


def status(project: Project, *, now: datetime) -> State:
    """Count and list; read-only."""
    known = project.known()
    lives = life(
        known.library.summaries,
        at=now.astimezone(project.settings.newsletter.zone),
        themes=project.settings.themes,
        history=known.history,
        policy=project.settings.policy,
    )
    queue = dict.fromkeys(LIVES, 0)
    for _, state in lives:
        queue[state] += 1
    sends = {send.issue: send for send in known.sends}
    standings = [
        _standing(project, past, known, send=sends.get(past.key)) for past in known.history
    ]
    told = {past.key for past in known.history}
    standings += (_asked(issue) for key, issue in known.issues.items() if key not in told)
    standings.sort(key=lambda one: (one.since, one.key))
    return State(issues=tuple(standings), queue=queue, known=known)


def _asked(issue: Issue) -> Standing:
    """Tell where an issue stands whose file names no items: it is skipped, or not picked yet."""
    state = "skipped" if issue.skip else "planned"
    then = "" if issue.skip else f"digest build {issue.key}"
    return Standing(key=issue.key, number=None, state=state, since=issue.slot.at, next=then)


def _out(
    project: Project, past: PastIssue, issue: Issue | None, *, send: Send | None
) -> tuple[str, str]:
    """Give the state of an issue that is published, and what is to be done next."""
    if past.withdrawn:
        return "withdrawn", ""
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
