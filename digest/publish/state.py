"""Tell where all issues and summaries stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from digest.content import Library
from digest.model import Issue, IssueKey, PastIssue, Summary
from digest.publish.project import Project

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
    """All issues, oldest first, and the count of summaries in each state of their life."""

    issues: tuple[Standing, ...]
    queue: dict[str, int]
    library: Library


def status(project: Project, *, now: datetime) -> State:
    """Count and list; read-only."""
    library = project.library()
    history = project.history(library)
    files = project.issues()
    standings = tuple(_standing(project, past, files.get(past.key)) for past in history)
    taken = {item.id: past.published for past in history for item in past.items}
    queue = dict.fromkeys(("waiting", "reserved", "published", "embargoed", "expired", "draft"), 0)
    for summary in library.summaries:
        queue[_life(summary, taken.get(summary.id), now)] += 1
    return State(issues=standings, queue=queue, library=library)


def _standing(project: Project, past: PastIssue, issue: Issue | None) -> Standing:
    number: int | None = None
    if past.published:
        state, number = "published", past.number
        page = project.outbox / "site" / f"{past.key}.html"
        done = page.is_file() and issue is not None and issue.seal is not None
        then = "" if done else f"digest publish {past.key}"
    elif issue is not None and issue.hold:
        state, then = "held", f"release it in {project.shown(project.issue_file(past.key))}"
    elif project.folder(past.key).is_dir():
        state, then = "draft", f"digest publish {past.key}"
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
