"""Tell what another policy would have picked for issues that are out; nothing is written."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from digest.content import Library
from digest.errors import UsageError
from digest.model import (
    History,
    Issue,
    IssueKey,
    PastIssue,
    PastItem,
    Pick,
    Slot,
    Summary,
    Theme,
    canonical_url,
    handles,
    likeness,
    sketch,
)
from digest.picking import Policy, plan
from digest.picking.compare import Balance, Change, Told, balance, compare
from digest.publish.project import Project

__all__ = ["Backtest", "Gone", "backtest"]

_WEEK: Final = len("2026-w49")  # of an issue's key, which sorts as the calendar does


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A summary that was sent in an issue, and no file that can be read holds it any more."""

    issue: IssueKey
    id: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Backtest:
    """What another policy would have picked, beside what was sent.

    `compared` counts the issues looked at; `changes` leads from what was sent to what was picked.
    `skipped` says why an issue would not have been. `titles` are by id.
    """

    compared: int
    changes: tuple[Change, ...]
    skipped: Mapping[IssueKey, str]
    titles: Mapping[str, str]
    sent: Balance
    picked: Balance
    gone: tuple[Gone, ...]
    library: Library


class _Files:
    """The summaries as they are now, to find what a sent one is among them."""

    def __init__(self, summaries: Sequence[Summary], *, similarity: float) -> None:
        self._summaries = summaries
        self._similarity = similarity
        self._ids = {summary.id for summary in summaries}
        self._by_url = {canonical_url(summary.url): summary.id for summary in summaries}

    @cached_property
    def _by_trait(self) -> Mapping[int | bytes, Sequence[tuple[str, bytes]]]:
        """Give ids and sketches by their traits.

        They are made for renamed files without an address only: most newsletters have none.
        """
        found: dict[int | bytes, list[tuple[str, bytes]]] = {}
        for summary in self._summaries:
            sketched = sketch(summary)
            for trait in _traits(sketched):
                found.setdefault(trait, []).append((summary.id, sketched))
        return found

    def id_of(self, item: PastItem) -> str | None:
        """Give the present id of what was sent, None where no file that can be read holds it.

        It is told by its id, else by its address, else by its text.
        """
        name = _own(item)
        if name in self._ids:
            return name
        by_url = self._by_url.get(item.url) if item.url else None
        return by_url or self._alike(item)

    def _alike(self, item: PastItem) -> str | None:
        if not item.sketch or not self._similarity:
            return None
        near = {one for trait in _traits(item.sketch) for one in self._by_trait.get(trait, ())}
        found = [(-likeness(item.sketch, other), name) for name, other in near]
        nearest, name = min(found, default=(0.0, ""))
        return name if -nearest >= self._similarity else None


def _traits(sketched: bytes) -> tuple[int | bytes, ...]:
    """Give what two texts must share one of to be alike."""
    return (sketched, *handles(sketched))


def backtest(
    project: Project,
    *,
    start: IssueKey | None,
    end: IssueKey | None,
    policy: Policy,
    themes: tuple[Theme, ...],
    progress: Callable[[int, int], None],
) -> Backtest:
    """Pick the published issues of some weeks again, and compare with what was sent; read-only.

    `start` and `end` name the first and the last week, None the first and the last there is. Each
    issue is picked for the moment at which it went out, from the summaries as they are now, after
    the issues that were sent before `start` and those picked here so far. Issues that were taken
    back before any mail went out count as never made, and what people chose or took out by hand
    is not done again. `progress` is told how many of how many are done. Raise UsageError where
    `start` is after `end`.
    """
    library = project.library()
    files = _Files(library.summaries, similarity=policy.similarity)
    earlier, within = _part(project, project.history(library), start=start, end=end)
    sent = {past.key: _as_issue(project, past, files) for past in within}
    slots = _watched([issue.slot for issue in sent.values()], progress)
    selections = plan(slots, library.summaries, themes=themes, history=earlier, policy=policy)
    picked = dict(zip(sent, selections, strict=True))
    before = tuple(_told(_as_issue(project, past, files)) for past in earlier)
    return Backtest(
        compared=len(sent),
        changes=compare(sent, {key: found.issue for key, found in picked.items()}),
        skipped={key: found.skipped for key, found in picked.items() if found.skipped},
        titles=_titles(library, within),
        sent=_balance(sent.values(), before),
        picked=_balance((found.issue for found in picked.values()), before),
        gone=tuple(_gone(within, files)),
        library=library,
    )


def _balance(issues: Iterable[Issue | None], before: Sequence[Told]) -> Balance:
    return balance([_told(issue) for issue in issues if issue is not None], earlier=before)


def _part(
    project: Project, history: History, *, start: IssueKey | None, end: IssueKey | None
) -> tuple[History, History]:
    """Give the issues sent before the range and those in it, as they went out."""
    if start and end and start[:_WEEK] > end[:_WEEK]:
        raise UsageError(f"{start} is after {end}", fix="name the earlier issue first")
    sent = [past for past in history if past.published and not past.freed]
    ordered = sorted(sent, key=lambda past: (project.due(past.key, past.at).at, past.key))
    first, last = (start or "")[:_WEEK], (end or "~")[:_WEEK]
    earlier = tuple(past for past in ordered if past.key[:_WEEK] < first)
    return earlier, tuple(past for past in ordered if first <= past.key[:_WEEK] <= last)


def _as_issue(project: Project, past: PastIssue, files: _Files) -> Issue:
    # Two files that became one are one item.
    names = dict.fromkeys(files.id_of(item) or _own(item) for item in past.items)
    return Issue(
        slot=project.due(past.key, past.at),
        theme=past.theme,
        items=tuple(Pick(id=name, theme=past.theme, reason="") for name in names),
    )


def _own(item: PastItem) -> str:
    return unicodedata.normalize("NFC", item.id)


def _told(issue: Issue) -> Told:
    return issue.key, issue.theme, tuple(pick.id for pick in issue.items)


def _watched(slots: Sequence[Slot], progress: Callable[[int, int], None]) -> Iterator[Slot]:
    """Give slots one by one, and tell each time how many are done."""
    for done, slot in enumerate(slots):
        progress(done, len(slots))
        yield slot
    progress(len(slots), len(slots))


def _titles(library: Library, issues: History) -> dict[str, str]:
    titles = {_own(item): item.title for past in issues for item in past.items if item.title}
    return titles | {summary.id: summary.title for summary in library.summaries}


def _gone(issues: History, files: _Files) -> Iterator[Gone]:
    for past in issues:
        for item in past.items:
            if files.id_of(item) is None:
                yield Gone(issue=past.key, id=_own(item), title=item.title or _own(item))
