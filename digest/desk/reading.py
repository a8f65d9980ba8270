"""Read the newsletter anew for each page, and put together what the page shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from digest.desk.findings import sorted_out
from digest.desk.measure import gmail_warning, measured
from digest.desk.shown import Bar, Checked, Home, IssueLine, IssuePage, ItemLine
from digest.desk.words import WORDS, say, state_word, wait
from digest.errors import DigestError
from digest.model import Issue, IssueKey, Theme, ThemeId, host_and_port, theme_label
from digest.publish.changes import edited_since, stale_sources
from digest.publish.editions import Kept, Material, material_from, read_kept
from digest.publish.inspect import findings_at
from digest.publish.plan import health_of, late_issues, plan_issues
from digest.publish.plan_shown import IssueShown, show_plan
from digest.publish.project import Known, Project
from digest.publish.state import Standing, status
from digest.publish.wording import count_text, moment_text

__all__ = ["Missing", "read_edition", "read_home", "read_issue"]

# What an editor may have to do something about comes first.
_STATES: Final = (
    "held",
    "draft",
    "approved",
    "paused",
    "sending",
    "planned",
    "published",
    "sent",
    "skipped",
    "withdrawn",
)
# States of an issue that still waits for its slot.
_WAITING: Final = frozenset({"planned", "draft", "approved", "held"})
_WEEKS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """An issue without an edition: why there is none, or the command that makes it."""

    key: IssueKey
    skipped: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What is read once for a page."""

    project: Project
    now: datetime
    known: Known
    standing: Standing
    kept: Kept
    material: Material
    issue: Issue


def read_home(project: Project, *, now: datetime) -> Home:
    """List all issues by state, and the next weeks that have none yet.

    Of those that wait the nearest comes first, of those that are out the newest.
    """
    state = status(project, now=now)
    planned, library = plan_issues(project, now=now, weeks=_WEEKS, known=state.known)
    titles = {past.key: past.items[0].title for past in state.known.history if past.items}
    lines = {name: list[IssueLine]() for name in _STATES}
    for standing in reversed(state.issues):
        title = _skipped(state.known, standing.key) or titles.get(standing.key, "")
        line = _issue_line(project, standing, title, now=now)
        lines.setdefault(standing.state, []).append(line)
    listed = {standing.key: standing.state for standing in state.issues}
    late = late_issues(project, state.known, now=now)
    health = health_of(project, planned, late=late)
    plan = show_plan(project, planned, library, health=health, states=listed)
    lines["planned"] += [
        _coming_line(shown, entry.slot.at, now=now)
        for shown, entry in zip(plan.issues, planned, strict=True)
        if shown.key not in listed
    ]
    for name in _WAITING:
        lines[name].sort(key=lambda line: line.key)
    return Home(
        plan=plan,
        groups=tuple((name, state_word(name), tuple(group)) for name, group in lines.items()),
        problems=state.known.library.problems,
    )


def _issue_line(project: Project, standing: Standing, title: str, *, now: datetime) -> IssueLine:
    return IssueLine(
        key=standing.key,
        number=say("number", n=standing.number) if standing.number is not None else "",
        title=title,
        at=moment_text(standing.since, project.settings.newsletter.zone),
        wait=wait(standing.since, now),
    )


def _skipped(known: Known, key: IssueKey) -> str:
    """Say why an issue file wants no issue that week; empty where it does not say so."""
    issue = known.issues.get(key)
    return say("by_hand", reason=issue.skip) if issue and issue.skip else ""


def _coming_line(shown: IssueShown, at: datetime, *, now: datetime) -> IssueLine:
    first = shown.items[0].title if shown.items else ""
    return IssueLine(
        key=shown.key,
        number="",
        title=say("no_issue", reason=shown.skipped) if shown.skipped else first,
        at=shown.at,
        wait=wait(at, now),
    )


def read_edition(project: Project, key: IssueKey) -> Kept | None:
    """Read an edition, proved whole; None where there is none. Raise FilesError."""
    folder = project.folder(key)
    return read_kept(folder, root=project.root) if folder.is_dir() else None


def read_issue(project: Project, key: IssueKey, *, now: datetime) -> IssuePage | Missing:
    """Read all that the page of an issue shows; what its checks meet stops nothing else."""
    state = status(project, now=now)
    standing = next((one for one in state.issues if one.key == key), None)
    kept = read_edition(project, key)
    if kept is None or standing is None:
        skipped = _skipped(state.known, key)
        return Missing(key=key, skipped=skipped, command=f"digest build {key}")
    material = material_from(kept)
    scene = _Scene(
        project=project,
        now=now,
        known=state.known,
        standing=standing,
        kept=kept,
        material=material,
        # Where its issue file is gone, the edition remembers it.
        issue=state.known.issues.get(key) or material.issue,
    )
    return _issue_page(scene)


def _issue_page(scene: _Scene) -> IssuePage:
    edition, issue = scene.kept.edition, scene.material.issue
    newsletter, items = scene.material.newsletter, _items(scene)
    return IssuePage(
        key=edition.key,
        title=edition.title,
        bar=_bar(scene),
        kept=scene.kept,
        sender=newsletter.sender.name or newsletter.name,
        address=newsletter.sender.address,
        facts=measured(scene.kept, scene.material),
        warning=gmail_warning(edition.files["issue.html"]),
        theme=_theme(scene, issue.theme).label if issue.theme else "",
        theme_reason=issue.theme_reason,
        items=items,
        left_out=_left_out(scene),
        moved=_moved(scene),
        checked=_checked(scene, items),
        settings_file=scene.project.settings.file_name,
        problems=scene.known.library.problems,
    )


def _bar(scene: _Scene) -> Bar:
    standing, project = scene.standing, scene.project
    waiting = standing.state in _WAITING
    at = project.slot(standing.key).at if waiting else standing.since
    return Bar(
        state=standing.state,
        state_word=state_word(standing.state),
        number=say("number", n=scene.kept.edition.number),
        when=WORDS["when_due" if waiting else "when_done"],
        at=moment_text(at, project.settings.newsletter.zone),
        wait=wait(at, scene.now),
        readers=_readers(scene.known.readers),
        transport=_transport(project),
        next=standing.next,
        hold=scene.issue.hold,
        skipped=_skipped(scene.known, standing.key),
    )


def _readers(active: int | None) -> str:
    """Say how many get the mail; who they are is no business of this page."""
    return WORDS["no_readers"] if active is None else count_text(active, WORDS["reader"])


def _transport(project: Project) -> str:
    transport = project.settings.transport
    if transport.kind == "outbox" or transport.smtp is None:
        return WORDS["by_outbox"]
    return host_and_port(transport.smtp.host, transport.smtp.port)


def _theme(scene: _Scene, theme: str) -> Theme:
    """Give a theme of the edition, as plain as may be where it did not keep it."""
    kept = {one.id: one for one in scene.material.themes}
    return kept.get(ThemeId(theme)) or Theme(id=ThemeId(theme), label=theme_label(theme))


def _items(scene: _Scene) -> tuple[ItemLine, ...]:
    main = scene.material.issue.theme
    reasons = {pick.id: pick.reason for pick in scene.material.issue.items}
    content = scene.project.settings.content.folder
    paths = {summary.id: f"{content}/{summary.path}" for summary in scene.known.library.summaries}
    return tuple(
        ItemLine(
            place=place,
            title=item.title,
            url=item.url,
            theme=None if item.theme == main else _theme(scene, item.theme),
            path=paths.get(item.id, ""),
            reason=reasons.get(item.id, ""),
        )
        for place, item in enumerate(scene.kept.edition.items, start=1)
    )


def _left_out(scene: _Scene) -> tuple[tuple[str, str], ...]:
    titles = {summary.id: summary.title for summary in scene.known.library.summaries}
    return tuple((titles.get(one.id, one.id), one.reason) for one in scene.issue.left_out)


def _moved(scene: _Scene) -> tuple[str, ...]:
    """Name the files that no longer say what the edition was built from; none once it is out."""
    if scene.standing.state not in _WAITING:
        return ()
    project, issue = scene.project, scene.issue
    edited = edited_since(issue, scene.material.issue)
    return (
        *([project.shown(project.issue_file(issue.key))] if edited else []),
        *stale_sources(project, scene.kept, lost=True),
    )


def _checked(scene: _Scene, items: tuple[ItemLine, ...]) -> Checked:
    project = scene.project
    try:
        findings = findings_at(project, scene.issue, scene.kept, known=scene.known, now=scene.now)
    except DigestError as error:
        return Checked(failed=error.problems)
    return sorted_out(
        findings,
        ignored=frozenset(project.settings.checks.ignore),
        anchors={item.path: f"item-{item.place}" for item in items if item.path},
    )
