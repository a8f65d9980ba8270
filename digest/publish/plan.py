"""Tell what is coming and why; nothing is written."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from digest.content import Library
from digest.errors import UsageError
from digest.model import Issue, IssueKey, Slot, Summary, ThemeId, issue_key, week_days
from digest.picking import Explanation, Selection, Wish, explain, explain_theme, plan
from digest.picking.health import Health, health
from digest.publish.project import Known, Project
from digest.publish.wishes import filled, wish_of

__all__ = ["Explained", "Planned", "find_summary", "health_of", "plan_issues", "why"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One coming issue: its slot and what is, or would be, in it.

    `state` is `planned`, `picked` where its file names the items, or `skipped` where its file says
    so. `selection` is what the rules give; None where the file decides.
    """

    slot: Slot
    state: str
    issue: Issue | None
    shortages: tuple[str, ...]
    skipped: str
    selection: Selection | None = None


def plan_issues(
    project: Project, *, now: datetime, weeks: int, known: Known | None = None
) -> tuple[tuple[Planned, ...], Library]:
    """Plan the next issues from the present week on, published ones left out; read-only.

    `known` is what was read already. Raise IssueFileError for a theme that nobody has.
    """
    known = known or project.known()
    keys = _coming(project, known, now=now, weeks=weeks)
    decided = {key: issue for key, issue in known.issues.items() if issue.picked or issue.skip}
    open_slots = tuple(project.due(key, now) for key in keys if key not in decided)
    selections = plan(
        open_slots,
        known.library.summaries,
        themes=project.settings.themes,
        history=known.history,
        policy=project.settings.policy,
        wishes={
            slot.issue: wish_of(project, known.issues[slot.issue], known.library)
            for slot in open_slots
            if slot.issue in known.issues
        },
    )
    by_key = dict(zip((slot.issue for slot in open_slots), selections, strict=True))
    planned = tuple(
        _planned(project.slot(key), known.issues.get(key), by_key.get(key)) for key in keys
    )
    return planned, known.library


def _coming(project: Project, known: Known, *, now: datetime, weeks: int) -> list[IssueKey]:
    """Name the issues of the present week and of those after it that are not out yet."""
    zone = project.settings.newsletter.zone
    published = {past.key for past in known.history if past.published}
    keys: list[IssueKey] = []
    key = issue_key(now, zone)
    while len(keys) < weeks:
        if key not in published:
            keys.append(key)
        # By the calendar: a week has an hour more or less when the clocks change.
        monday = week_days(key)[0] + timedelta(weeks=1)
        key = issue_key(datetime.combine(monday, time(12), zone), zone)
    return keys


def _planned(slot: Slot, issue: Issue | None, selection: Selection | None) -> Planned:
    if selection is None:
        skipped = f"skipped by hand: {issue.skip}" if issue and issue.skip else ""
        return Planned(
            slot=slot,
            state="skipped" if skipped else "picked",
            issue=None if skipped else issue,
            shortages=(),
            skipped=skipped,
        )
    picked = selection.issue
    return Planned(
        slot=slot,
        state="planned",
        issue=filled(issue, picked) if issue and picked else picked,
        shortages=selection.shortages,
        skipped=selection.skipped,
        selection=selection,
    )


def health_of(project: Project, planned: Sequence[Planned]) -> Health:
    """Tell from a plan how the waiting summaries last, and which themes run dry or starve."""
    return health(
        [(one.slot, one.issue, one.selection) for one in planned],
        policy=project.settings.policy,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """What was asked about and the answer; `summary` is None where it was a theme."""

    summary: Summary | None
    explanation: Explanation


def why(project: Project, name: str, *, key: IssueKey, now: datetime) -> Explained:
    """Explain, rule by rule, why a summary is in an issue or not, or a theme leads it or not.

    `name` is an id, a path, or a file name without its suffix; where no summary has it, a theme.
    Raise UsageError where it fits nothing or several summaries.
    """
    library = project.library()
    fits, wanted = _fits(project, name, library)
    issue = project.issue(key)
    themes = {theme.id for theme in project.themes(library.summaries)}
    if not fits and ThemeId(name) in themes:
        return Explained(
            summary=None,
            explanation=_theme(project, ThemeId(name), key=key, now=now, library=library),
        )
    explanation = explain(
        fits[0].id if fits else wanted,
        project.due(key, now),
        library.summaries,
        themes=project.settings.themes,
        history=project.history(library),
        policy=project.settings.policy,
        wish=_wish(project, issue, library),
    )
    return Explained(summary=fits[0], explanation=_by_hand(project, issue, explanation))


def find_summary(project: Project, name: str) -> str:
    """Give the id that a name means, as for `why`; one that fits no summary is an id itself."""
    fits, wanted = _fits(project, name, project.library())
    return fits[0].id if fits else wanted


def _fits(project: Project, name: str, library: Library) -> tuple[list[Summary], str]:
    """Find the summaries that a name fits; raise UsageError where there are several."""
    wanted = unicodedata.normalize("NFC", name)
    wanted = wanted.removeprefix(f"{project.settings.content.folder}/")
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
    return fits, wanted


def _wish(project: Project, issue: Issue | None, library: Library) -> Wish:
    """Give what an issue file asks of the picker; one that was picked is asked about as if anew."""
    return Wish() if issue is None or issue.picked else wish_of(project, issue, library)


def _theme(
    project: Project, theme: ThemeId, *, key: IssueKey, now: datetime, library: Library
) -> Explanation:
    issue = project.issue(key)
    explanation = explain_theme(
        theme,
        project.due(key, now),
        library.summaries,
        themes=project.settings.themes,
        history=project.history(library),
        policy=project.settings.policy,
        wish=_wish(project, issue, library),
    )
    if issue is None or not (issue.picked or issue.skip):
        return explanation
    file = project.shown(project.issue_file(key))
    said = f"skips the week: {issue.skip}" if issue.skip else f"says {issue.theme or 'mixed'}"
    leads = not issue.skip and issue.theme == theme
    return replace(explanation, included=leads, steps=(f"{file} {said}", *explanation.steps))


def _by_hand(project: Project, issue: Issue | None, explanation: Explanation) -> Explanation:
    """Put before the rules what the issue file says: once it names items, it decides."""
    if issue is None or not (issue.picked or issue.skip):
        return explanation
    file = project.shown(project.issue_file(issue.key))
    listed = not issue.skip and explanation.id in {pick.id for pick in issue.items}
    dropped = {one.id: one.reason for one in issue.dropped}
    if issue.skip:
        step = f"out: {file} skips the week: {issue.skip}"
    elif listed:
        step = f"in: {file} lists it"
    elif explanation.id in dropped:
        step = f"out: it was taken out of {file}: {dropped[explanation.id] or 'no reason given'}"
    elif explanation.included:
        step = f"out: {file} does not list it, though the rules would take it"
    else:
        step = f"{file} does not list it"
    return replace(explanation, included=listed, steps=(step, *explanation.steps))
