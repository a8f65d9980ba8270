"""Tell what is coming and why; nothing is written."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from difflib import get_close_matches
from operator import attrgetter

from digest.content import Library
from digest.errors import UsageError
from digest.model import (
    History,
    Issue,
    IssueKey,
    PastIssue,
    Slot,
    Summary,
    ThemeId,
    canonical_url,
    issue_key,
    week_days,
)
from digest.picking import Explanation, Selection, Wish, explain, explain_theme, plan
from digest.picking.health import Health, health
from digest.publish.project import Known, Project, past_of
from digest.publish.wishes import filled, wish_of
from digest.publish.wording import count_text, moment_text, theme_text

__all__ = ["Explained", "Planned", "find_summary", "health_of", "late_issues", "plan_issues", "why"]


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
        decided=_coming_files(known, issue_key(now, project.settings.newsletter.zone)),
    )
    by_key = dict(zip((slot.issue for slot in open_slots), selections, strict=True))
    planned = tuple(
        _planned(project.slot(key), known.issues.get(key), by_key.get(key)) for key in keys
    )
    return planned, known.library


def _coming_files(known: Known, present: IssueKey) -> frozenset[IssueKey]:
    """Name the issues from a week on that are picked and not out, extra ones, too."""
    return frozenset(
        past.key for past in known.history if not past.published and past.key >= present
    )


def late_issues(project: Project, known: Known, *, now: datetime) -> tuple[str, ...]:
    """Say which issues of earlier weeks are picked and not out, and hold their summaries."""
    present = issue_key(now, project.settings.newsletter.zone)
    late = [
        (past.key, count_text(len(past.items), "summary", "summaries"))
        for past in known.history
        if not past.published and past.items and past.key[: len(present)] < present
    ]
    return tuple(
        f"{key} did not go out and holds {count}: send it, or `digest skip {key}` frees them"
        for key, count in late
    )


def _coming(project: Project, known: Known, *, now: datetime, weeks: int) -> list[IssueKey]:
    """Name the issues of the present week and of those after it that are not out yet.

    Extra issues of these weeks are among them, where there is a file.
    """
    zone = project.settings.newsletter.zone
    published = {past.key for past in known.history if past.published}
    keys: list[IssueKey] = []
    present = key = issue_key(now, zone)
    while len(keys) < weeks:
        if key not in published:
            keys.append(key)
        # By the calendar: a week has an hour more or less when the clocks change.
        monday = week_days(key)[0] + timedelta(weeks=1)
        key = issue_key(datetime.combine(monday, time(12), zone), zone)
    extra = {key for key in known.issues if len(key) > len(keys[0])} - published
    within = {key for key in extra if present <= key <= f"{keys[-1]}-~"}
    return sorted({*keys, *within})


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


def health_of(
    project: Project, planned: Sequence[Planned], *, late: tuple[str, ...] = ()
) -> Health:
    """Tell from a plan how the waiting summaries last, and which themes run dry or starve.

    Sentences on issues that are `late` go before what runs short.
    """
    told = health(
        [(one.slot, one.issue, one.selection) for one in planned],
        policy=project.settings.policy,
    )
    return replace(told, shortages=(*late, *told.shortages))


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """What was asked about and the answer; `summary` is None where it was a theme."""

    summary: Summary | None
    explanation: Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What is asked about: an issue, as its file and the history tell of it."""

    project: Project
    key: IssueKey
    library: Library
    history: History
    issue: Issue | None

    @property
    def out(self) -> PastIssue | None:
        """Give what was published under the key; None where nothing was."""
        return past_of(self.history, self.key)

    @property
    def wish(self) -> Wish:
        """Give what the file asks of the picker; what was picked is asked about as if anew."""
        if self.issue is None or self.issue.picked or self.out:
            return Wish()
        return wish_of(self.project, self.issue, self.library)

    @property
    def file(self) -> str:
        """Give the place of the issue file."""
        return self.project.shown(self.project.issue_file(self.key))

    def day(self, moment: datetime) -> str:
        """Write a moment in the newsletter's zone."""
        return moment_text(moment, self.project.settings.newsletter.zone)


def why(project: Project, name: str, *, key: IssueKey, now: datetime) -> Explained:
    """Explain, rule by rule, why a summary is in an issue or not, or a theme leads it or not.

    `name` is an id, a path, or a file name without its suffix; where no summary has it, a theme.
    What was published decides, else the issue file once it names items, else the rules. Raise
    UsageError where it fits nothing or several summaries.
    """
    library = project.library()
    scene = _Scene(
        project=project,
        key=key,
        library=library,
        history=project.history(library),
        issue=project.issue(key),
    )
    fits, wanted = _fits(project, name, library)
    themes = sorted(theme.id for theme in project.themes(library.summaries))
    theme = ThemeId(name.strip().lower())
    if not fits and theme in themes:
        return Explained(summary=None, explanation=_theme(scene, theme, now=now))
    if not fits and (near := get_close_matches(theme, themes, n=1, cutoff=0.7)):
        raise UsageError(
            f"there is neither a summary nor a theme {name!r}",
            fix=f"did you mean the theme {near[0]}?",
        )
    explanation = explain(
        fits[0].id if fits else wanted,
        project.due(key, now),
        library.summaries,
        themes=project.settings.themes,
        history=scene.history,
        policy=project.settings.policy,
        wish=scene.wish,
    )
    return Explained(summary=fits[0], explanation=_decided(scene, fits[0], explanation))


def find_summary(project: Project, name: str) -> str:
    """Give the id that a name means, as for `why`; one that fits no summary is an id itself."""
    fits, wanted = _fits(project, name, project.library())
    return fits[0].id if fits else wanted


def _fits(project: Project, name: str, library: Library) -> tuple[list[Summary], str]:
    """Find the summary that a name fits, and the name in NFC; UsageError where there are several.

    An id goes before a path, and a path before a file's name without its suffix.
    """
    wanted = unicodedata.normalize("NFC", name)
    wanted = wanted.removeprefix(f"{project.settings.content.folder}/")
    # A file may lie under the id of another, and two under one name in two folders.
    for name_of in (attrgetter("id"), attrgetter("path"), _stem):
        fits = [summary for summary in library.summaries if name_of(summary) == wanted]
        if fits:
            break
    if len(fits) > 1:
        raise UsageError(
            f"{name!r} fits several summaries",
            fix="name one of " + ", ".join(summary.path for summary in fits),
        )
    return fits, wanted


def _stem(summary: Summary) -> str:
    return summary.path.rpartition("/")[2].removesuffix(".md")


def _theme(scene: _Scene, theme: ThemeId, *, now: datetime) -> Explanation:
    project, issue, past = scene.project, scene.issue, scene.out
    explanation = explain_theme(
        theme,
        project.due(scene.key, now),
        scene.library.summaries,
        themes=project.settings.themes,
        history=scene.history,
        policy=project.settings.policy,
        wish=scene.wish,
    )
    if past is not None:
        leads = past.theme == theme and not past.freed
        said = f"{past.key}, published on {scene.day(past.at)}, has {theme_text(past.theme)}"
        before = (said, *_withdrawn(scene, past))
    elif issue is None or not (issue.picked or issue.skip):
        return explanation
    else:
        leads = not issue.skip and issue.theme == theme
        said = f"skips the week: {issue.skip}" if issue.skip else f"says {theme_text(issue.theme)}"
        before = (f"{scene.file} {said}",)
    return replace(explanation, included=leads, steps=(*before, *explanation.steps))


def _decided(scene: _Scene, summary: Summary, explanation: Explanation) -> Explanation:
    """Put before the rules what is published, which nothing changes any more, else the file."""
    past = scene.out
    if past is None:
        return _by_hand(scene, explanation)
    url = canonical_url(summary.url) if summary.url else ""
    held = any(item.id == summary.id or (url and item.url == url) for item in past.items)
    what = f"{past.key}, published on {scene.day(past.at)},"
    included = held and not past.freed
    verdict = "in" if included else "out"
    step = f"{verdict}: {what} {'has it' if held else 'does not have it'}"
    steps = (step, *_withdrawn(scene, past), *explanation.steps)
    return replace(explanation, included=included, steps=steps)


def _withdrawn(scene: _Scene, past: PastIssue) -> tuple[str, ...]:
    """Say what became of the items of an issue that was taken back; nothing of one that stands."""
    if past.withdrawn is None:
        return ()
    then = (
        "before any mail of it went out: what it held is free for other issues"
        if past.freed
        else "after mails of it went out: what it held counts as sent"
    )
    return (f"{past.key} was withdrawn on {scene.day(past.withdrawn)}, {then}",)


def _by_hand(scene: _Scene, explanation: Explanation) -> Explanation:
    """Put before the rules what the issue file says: once it names items, it decides."""
    issue, file = scene.issue, scene.file
    if issue is None or not (issue.picked or issue.skip):
        return explanation
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
