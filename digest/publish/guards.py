"""What the schedule asks before it lets an issue go out unseen."""

from __future__ import annotations

from datetime import datetime

from digest.checks import stopping
from digest.publish.build import Built
from digest.publish.inspect import findings_of
from digest.publish.memory import Memory
from digest.publish.project import Project
from digest.publish.send_guards import list_change

__all__ = ["faults", "reason_to_wait"]


def faults(project: Project, built: Built, *, now: datetime) -> str:
    """Name on one line the findings that stop an issue; empty where none does."""
    if built.issue is None or built.kept is None or built.state == "published":
        return ""
    findings = findings_of(
        project,
        built.issue,
        built.kept,
        library=built.library,
        history=project.history(built.library),
        at=now,
    )
    return "; ".join(
        f"{one.rule}: {one.message} ({one.place})"
        for one in stopping(findings, strict=project.settings.checks.strict)
    )


def reason_to_wait(memory: Memory, *, max_change: int) -> str:
    """Say why a person should look at who would get an issue; empty where nobody need.

    A first send is a person's; after it the audience may change by `max_change` percent.
    """
    if not any(send.by == "hand" for send in memory.sends):
        return "no issue was sent by hand yet, and the first one is yours to send"
    if memory.active == 0:
        return "there is no active reader, so nobody would get it"
    finished = [send for send in memory.sends if send.finished is not None]
    before = finished[-1].audience if finished else memory.active
    return list_change(memory.active, before, max_change=max_change)
