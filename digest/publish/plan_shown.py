"""The plan as people see it, in plain texts and numbers: for the desk and for a page of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from digest.content import Library
from digest.model import Issue, IssueKey, Pick, Summary, Theme, ThemeId, theme_label
from digest.picking import themes_in_order
from digest.picking.health import Health, ThemeHealth
from digest.publish.plan import Planned
from digest.publish.project import Project
from digest.publish.wording import count_text, moment_text, queue_text
from digest.site import CalendarWeek

__all__ = ["IssueShown", "ItemShown", "PlanShown", "ThemeShown", "show_plan"]

_NO_STATES: Final[Mapping[IssueKey, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemShown:
    """One item of a coming issue.

    `url` is empty where it leads to no web page, `path` where there is no file any more. `theme`
    is None where it is the issue's own.
    """

    title: str
    url: str
    path: str
    theme: Theme | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueShown:
    """One coming issue; `theme` is None where it is mixed, `skipped` why there is none."""

    key: str
    at: str
    state: str
    theme: Theme | None
    theme_reason: str
    items: tuple[ItemShown, ...]
    shortages: tuple[str, ...]
    skipped: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeShown:
    """How one theme stands in the queue; texts are empty where there is nothing to say."""

    theme: Theme
    waiting: int
    oldest: str
    stock: str
    next: str
    dry: str
    starving: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanShown:
    """The coming issues, and how the queue stands.

    `weeks` and `themes` are what the calendar is drawn from. `queue` is one sentence, empty where
    nothing is known of the queue; `shortages` are sentences.
    """

    weeks: tuple[CalendarWeek, ...]
    themes: tuple[Theme, ...]
    issues: tuple[IssueShown, ...]
    queue: str
    rows: tuple[ThemeShown, ...]
    shortages: tuple[str, ...]


def show_plan(
    project: Project,
    planned: Sequence[Planned],
    library: Library,
    *,
    health: Health,
    states: Mapping[IssueKey, str] = _NO_STATES,
) -> PlanShown:
    """Put a plan into texts and numbers.

    `states` are those of issues of which more is known than the plan tells, such as that one is
    held.
    """
    themes = themes_in_order(project.settings.themes, library.summaries)
    scene = _Scene(
        project=project,
        themes={theme.id: theme for theme in themes},
        summaries={summary.id: summary for summary in library.summaries},
        states=states,
    )
    weeks = tuple(map(scene.week, planned))
    rows = tuple(map(scene.row, health.themes))
    # Of those that nobody declared only such as have something stand there.
    busy = {theme for week in weeks for theme, _ in week.counts}
    busy |= {row.theme.id for row in rows if row.waiting}
    busy |= {theme.id for theme in project.settings.themes}
    return PlanShown(
        weeks=weeks,
        themes=tuple(theme for theme in themes if theme.id in busy),
        issues=tuple(map(scene.issue, planned)),
        queue=queue_text(health) if health.themes else "",
        rows=tuple(row for row in rows if row.theme.id in busy),
        shortages=health.shortages,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What all parts of a plan are told with: themes and summaries by their ids."""

    project: Project
    themes: Mapping[ThemeId, Theme]
    summaries: Mapping[str, Summary]
    states: Mapping[IssueKey, str]

    def week(self, entry: Planned) -> CalendarWeek:
        issue = entry.issue
        items = issue.items if issue else ()
        few = len(items) < self.project.settings.policy.min_items
        return CalendarWeek(
            key=entry.slot.issue,
            at=entry.slot.at.astimezone(self.project.settings.newsletter.zone),
            state=self.states.get(entry.slot.issue, entry.state),
            lead=issue.theme if issue else ThemeId(""),
            counts=tuple(Counter(pick.theme for pick in items).items()),
            thin=issue is not None and (few or bool(entry.shortages)),
            skipped=entry.skipped,
        )

    def issue(self, entry: Planned) -> IssueShown:
        issue = entry.issue
        return IssueShown(
            key=entry.slot.issue,
            at=moment_text(entry.slot.at, self.project.settings.newsletter.zone),
            state=self.states.get(entry.slot.issue, entry.state),
            theme=self.theme(issue.theme) if issue and issue.theme else None,
            theme_reason=issue.theme_reason if issue else "",
            items=tuple(self.item(pick, issue) for pick in issue.items) if issue else (),
            shortages=entry.shortages,
            skipped=entry.skipped,
        )

    def item(self, pick: Pick, issue: Issue) -> ItemShown:
        summary = self.summaries.get(pick.id)
        url = summary.url if summary else ""
        folder = self.project.settings.content.folder
        return ItemShown(
            title=summary.title if summary else pick.id,
            url=url if url.lower().startswith(("http://", "https://")) else "",
            path=f"{folder}/{summary.path}" if summary else "",
            theme=None if pick.theme == issue.theme else self.theme(pick.theme),
            reason=pick.reason,
        )

    def row(self, one: ThemeHealth) -> ThemeShown:
        return ThemeShown(
            theme=self.theme(one.theme),
            waiting=one.waiting,
            oldest="" if one.oldest is None else count_text(one.oldest, "week"),
            stock=f"{one.stock:.1f}",
            next=one.next or "",
            dry=one.dry or "",
            starving=one.starving,
        )

    def theme(self, theme: ThemeId) -> Theme:
        """Give a theme by its id, as plain as may be where nobody declared it."""
        return self.themes.get(theme) or Theme(id=theme, label=theme_label(theme))
