"""Tell which summaries fall under which theme, by which rule; nothing is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from digest.content import Library
from digest.model import Summary, Theme, ThemeId
from digest.picking import Life, life
from digest.picking.assign import assign_by, fitting, read_rules
from digest.picking.hints import Hint, hints
from digest.publish.project import Known, Project

__all__ = ["RuleUse", "ThemeUse", "Themed", "ThemesUsed", "themes_used"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Themed:
    """A summary under its theme: the rule that decided, empty where none did, and its life."""

    summary: Summary
    rule: str
    life: Life


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleUse:
    """A rule of a theme: how many summaries it decided, and how many it would fit.

    Those that it fits and did not decide have a theme by an earlier rule, or name one.
    """

    rule: str
    items: int
    fits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeUse:
    """A theme with its summaries in the order of paths; `declared` where the settings name it.

    `rules` are those of the settings in their order, then, as `theme:ID`, the naming by files
    where there is any.
    """

    theme: Theme
    declared: bool
    items: tuple[Themed, ...]
    rules: tuple[RuleUse, ...]

    def count(self, state: Life) -> int:
        """Count the summaries in one state of their life."""
        return sum(item.life == state for item in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemesUsed:
    """All themes, the declared ones first and `other` last, and words that could make a rule."""

    themes: tuple[ThemeUse, ...]
    hints: tuple[Hint, ...]
    library: Library


def themes_used(project: Project, *, now: datetime) -> ThemesUsed:
    """Count summaries by theme and rule; read-only. Raise IssueFileError, StoreError."""
    known = project.known()
    summaries = sorted(known.library.summaries, key=lambda summary: summary.path)
    rules = read_rules(project.settings.themes)
    lives = _lives(project, known, now=now)
    under: dict[ThemeId, list[Themed]] = {}
    fits: Counter[tuple[ThemeId, str]] = Counter()
    for summary in summaries:
        by = assign_by(rules, summary)
        item = Themed(summary=summary, rule=by.rule, life=lives[summary.path])
        under.setdefault(by.theme, []).append(item)
        fits.update({(rule.theme, rule.text) for rule in fitting(rules, summary)})
    declared = {theme.id for theme in project.settings.themes}
    themes = tuple(
        ThemeUse(
            theme=theme,
            declared=theme.id in declared,
            items=tuple(under.get(theme.id, ())),
            rules=_rules(theme, under.get(theme.id, ()), fits),
        )
        for theme in project.themes(known.library.summaries)
    )
    all_items = [item for items in under.values() for item in items]
    return ThemesUsed(
        themes=themes,
        hints=hints(
            [item.summary for item in all_items if not item.rule],
            [item.summary for item in all_items if item.rule],
            rules=rules,
        ),
        library=known.library,
    )


def _lives(project: Project, known: Known, *, now: datetime) -> dict[str, Life]:
    """Tell where each summary stands in its life, by its path."""
    found = life(
        known.library.summaries,
        at=now.astimezone(project.settings.newsletter.zone),
        themes=project.settings.themes,
        history=known.history,
        policy=project.settings.policy,
    )
    return {summary.path: state for summary, state in found}


def _rules(
    theme: Theme, items: Iterable[Themed], fits: Mapping[tuple[ThemeId, str], int]
) -> tuple[RuleUse, ...]:
    decided = Counter(item.rule for item in items)
    uses = [
        RuleUse(rule=rule, items=decided[rule], fits=fits.get((theme.id, rule), 0))
        for rule in dict.fromkeys(theme.match)
    ]
    named = f"theme:{theme.id}"
    if decided[named]:
        uses.append(RuleUse(rule=named, items=decided[named], fits=decided[named]))
    return tuple(uses)
