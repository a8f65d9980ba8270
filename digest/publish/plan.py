"""Tell what is coming and why; nothing is written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from digest.content import Library
from digest.errors import UsageError
from digest.model import Issue, IssueKey, Slot, Summary, issue_key, week_days
from digest.picking import Explanation, Selection, explain, plan
from digest.publish.project import Known, Project

__all__ = ["Planned", "plan_issues", "why"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One coming issue: its slot and what is, or would be, in it. `state` is planned or picked."""

    slot: Slot
    state: str
    issue: Issue | None
    shortages: tuple[str, ...]
    skipped: str


def plan_issues(
    project: Project, *, now: datetime, weeks: int, known: Known | None = None
) -> tuple[tuple[Planned, ...], Library]:
    """Plan the next issues from the present week on, published ones left out; read-only.

    `known` is what was read already.
    """
    known = known or project.known()
    published = {past.key for past in known.history if past.published}
    newsletter, picked = project.settings.newsletter, known.issues
    keys: list[IssueKey] = []
    key = issue_key(now, newsletter.zone)
    while len(keys) < weeks:
        if key not in published:
            keys.append(key)
        # By the calendar: a week has an hour more or less when the clocks change.
        monday = week_days(key)[0] + timedelta(weeks=1)
        key = issue_key(datetime.combine(monday, time(12), newsletter.zone), newsletter.zone)
    open_slots = tuple(project.due(key, now) for key in keys if key not in picked)
    selections = plan(
        open_slots,
        known.library.summaries,
        themes=project.settings.themes,
        history=known.history,
        policy=project.settings.policy,
    )
    by_key = dict(zip((slot.issue for slot in open_slots), selections, strict=True))
    return tuple(
        _planned(project.slot(key), picked.get(key), by_key.get(key)) for key in keys
    ), known.library


def _planned(slot: Slot, issue: Issue | None, selection: Selection | None) -> Planned:
    if selection is None:
        return Planned(slot=slot, state="picked", issue=issue, shortages=(), skipped="")
    return Planned(
        slot=slot,
        state="planned",
        issue=selection.issue,
        shortages=selection.shortages,
        skipped=selection.skipped,
    )


def why(
    project: Project, name: str, *, key: IssueKey, now: datetime
) -> tuple[Summary, Explanation]:
    """Explain, rule by rule, why a summary is in an issue or not.

    `name` is an id, a path, or a file name without its suffix. Raise UsageError where it fits
    no summary or several.
    """
    library = project.library()
    wanted = name.removeprefix(f"{project.settings.content.folder}/")
    fits = [
        summary
        for summary in library.summaries
        if wanted in {summary.id, summary.path, summary.path.rpartition("/")[2].removesuffix(".md")}
    ]
    if len(fits) > 1:
        raise UsageError(
            f"{name!r} fits several summaries",
            fix="name one of " + ", ".join(summary.path for summary in fits),
        )
    explanation = explain(
        fits[0].id if fits else wanted,
        project.due(key, now),
        library.summaries,
        themes=project.settings.themes,
        history=project.history(library),
        policy=project.settings.policy,
    )
    return fits[0], _by_hand(project, project.issue(key), explanation)


def _by_hand(project: Project, issue: Issue | None, explanation: Explanation) -> Explanation:
    """Put before the rules what the issue file says: once it is there, it decides."""
    if issue is None:
        return explanation
    file = project.shown(project.issue_file(issue.key))
    listed = explanation.id in {pick.id for pick in issue.items}
    if listed:
        step = f"in: {file} lists it"
    elif explanation.included:
        step = f"out: {file} does not list it, though the rules would take it"
    else:
        step = f"{file} does not list it"
    return replace(explanation, included=listed, steps=(step, *explanation.steps))
