"""Read the newsletter anew for each page, and put together what the page shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from digest.content import Library
from digest.desk.findings import sorted_out
from digest.desk.measure import gmail_warning, measured
from digest.desk.shown import Bar, Checked, Home, IssueLine, IssuePage, ItemLine
from digest.desk.words import WORDS, counted, moment, say, wait
from digest.errors import DigestError, FilesError
from digest.model import History, Issue, IssueKey, Theme, ThemeId, theme_label
from digest.publish.editions import Kept, Material, material_from, read_kept, read_sources
from digest.publish.inspect import findings_of
from digest.publish.plan import plan_issues
from digest.publish.project import Project
from digest.publish.state import Standing, status

__all__ = ["Missing", "read_edition", "read_home", "read_issue"]

_STATES: Final = (
    "planned",
    "draft",
    "approved",
    "published",
    "sending",
    "sent",
    "held",
    "skipped",
    "withdrawn",
)
# States of an issue that still waits for its slot.
_WAITING: Final = frozenset({"planned", "draft", "approved", "held"})
_WEEKS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """An issue without an edition, and the command that makes it."""

    key: IssueKey
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What is read once for a page."""

    project: Project
    now: datetime
    library: Library
    history: History
    standing: Standing
    kept: Kept
    material: Material
    issue: Issue


def read_home(project: Project, *, now: datetime) -> Home:
    """List all issues by state, and the next weeks that have none yet."""
    state = status(project, now=now)
    history = project.history(state.library)
    titles = {past.key: past.items[0].title for past in history if past.items}
    lines = {name: list[IssueLine]() for name in _STATES}
    for standing in reversed(state.issues):
        line = _issue_line(project, standing, titles.get(standing.key, ""), now=now)
        lines.setdefault(standing.state, []).append(line)
    known = {standing.key for standing in state.issues}
    lines["planned"] += _coming(project, known, now=now)
    return Home(
        groups=tuple((name, _state_word(name), tuple(group)) for name, group in lines.items()),
        problems=state.library.problems,
    )


def _issue_line(project: Project, standing: Standing, title: str, *, now: datetime) -> IssueLine:
    return IssueLine(
        key=standing.key,
        number=say("number", n=standing.number) if standing.number is not None else "",
        title=title,
        at=moment(standing.since, project.settings.newsletter.zone),
        wait=wait(standing.since, now),
    )


def _coming(project: Project, known: set[IssueKey], *, now: datetime) -> list[IssueLine]:
    planned, library = plan_issues(project, now=now, weeks=_WEEKS)
    titles = {summary.id: summary.title for summary in library.summaries}
    leads = {
        entry.slot.issue: titles.get(pick.id, "")
        for entry in planned
        for pick in (entry.issue.items[:1] if entry.issue else ())
    }
    return [
        IssueLine(
            key=entry.slot.issue,
            number="",
            title=leads.get(entry.slot.issue, entry.skipped),
            at=moment(entry.slot.at, project.settings.newsletter.zone),
            wait=wait(entry.slot.at, now),
        )
        for entry in planned
        if entry.slot.issue not in known
    ]


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
        return Missing(key=key, command=f"digest build {key}")
    material = material_from(kept)
    scene = _Scene(
        project=project,
        now=now,
        library=state.library,
        history=project.history(state.library),
        standing=standing,
        kept=kept,
        material=material,
        # Where its issue file is gone, the edition remembers it.
        issue=project.issue(key) or material.issue,
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
        facts=measured(scene.kept),
        warning=gmail_warning(edition.files["issue.html"]),
        theme=_theme(scene, issue.theme).label if issue.theme else "",
        theme_reason=issue.theme_reason,
        items=items,
        left_out=_left_out(scene),
        moved=_moved(scene),
        checked=_checked(scene, items),
        settings_file=scene.project.settings.file_name,
        problems=scene.library.problems,
    )


def _bar(scene: _Scene) -> Bar:
    standing, project = scene.standing, scene.project
    waiting = standing.state in _WAITING
    at = project.slot(standing.key).at if waiting else standing.since
    return Bar(
        state=standing.state,
        state_word=_state_word(standing.state),
        number=say("number", n=scene.kept.edition.number),
        when=WORDS["when_due" if waiting else "when_done"],
        at=moment(at, project.settings.newsletter.zone),
        wait=wait(at, scene.now),
        readers=_readers(project),
        transport=_transport(project),
        next=standing.next,
        hold=scene.issue.hold,
    )


def _state_word(state: str) -> str:
    return WORDS.get(f"state_{state}", state.capitalize())


def _readers(project: Project) -> str:
    """Say how many get the mail; who they are is no business of this page."""
    active = project.readers()
    return WORDS["no_readers"] if active is None else counted("reader", active)


def _transport(project: Project) -> str:
    transport = project.settings.transport
    if transport.kind == "outbox" or transport.smtp is None:
        return WORDS["by_outbox"]
    return f"{transport.smtp.host}:{transport.smtp.port}"


def _theme(scene: _Scene, theme: str) -> Theme:
    """Give a theme of the edition, as plain as may be where it did not keep it."""
    kept = {one.id: one for one in scene.material.themes}
    return kept.get(ThemeId(theme)) or Theme(id=ThemeId(theme), label=theme_label(theme))


def _items(scene: _Scene) -> tuple[ItemLine, ...]:
    main = scene.material.issue.theme
    reasons = {pick.id: pick.reason for pick in scene.material.issue.items}
    content = scene.project.settings.content.folder
    paths = {summary.id: f"{content}/{summary.path}" for summary in scene.library.summaries}
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
    titles = {summary.id: summary.title for summary in scene.library.summaries}
    return tuple((titles.get(one.id, one.id), one.reason) for one in scene.issue.left_out)


def _moved(scene: _Scene) -> tuple[str, ...]:
    """Name the files that no longer say what the edition was built from; none once it is out."""
    if scene.standing.state not in _WAITING:
        return ()
    project, built, issue = scene.project, scene.material.issue, scene.issue
    moved = [project.shown(project.issue_file(issue.key))] if _said(issue) != _said(built) else []
    for path, data in scene.material.sources.items():
        try:
            now = read_sources(project.content, (path,), root=project.root)[path]
        except FilesError:
            now = b""
        if now != data:
            moved.append(f"{project.settings.content.folder}/{path}")
    return tuple(moved)


def _said(issue: Issue) -> tuple[object, ...]:
    """Give what readers would see of an issue file."""
    items = tuple(pick.id for pick in issue.items)
    return issue.subject, issue.preheader, issue.title, issue.introduction, issue.theme, items


def _checked(scene: _Scene, items: tuple[ItemLine, ...]) -> Checked:
    project, key = scene.project, scene.standing.key
    out = [past.at for past in scene.history if past.key == key and past.published]
    try:
        findings = findings_of(
            project,
            scene.issue,
            scene.kept,
            library=scene.library,
            history=scene.history,
            # One that is out is judged as of the moment it went out.
            at=out[0] if out else project.due(key, scene.now).at,
        )
    except DigestError as error:
        return Checked(failed=error.problems)
    return sorted_out(
        findings,
        ignored=frozenset(project.settings.checks.ignore),
        anchors={item.path: f"item-{item.place}" for item in items if item.path},
    )
