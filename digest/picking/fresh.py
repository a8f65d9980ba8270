"""Which summaries may be in an issue at all, and what stands against the others."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from digest.model import History, IssueKey, PastIssue, PastItem, Slot, week_days
from digest.picking.policy import Policy
from digest.picking.shelf import Candidate, times

__all__ = [
    "RULES",
    "TWIN",
    "Fresh",
    "FreshRule",
    "Setback",
    "Situation",
    "sift",
    "situate",
    "weeks_apart",
]

TWIN: Final = "twin"

_Taken = tuple[PastIssue, PastItem]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setback:
    """What stands against a summary: `kind` to count it by, `reason` as a sentence."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """The slot, and what earlier and reserved issues have taken, by id and by address."""

    slot: Slot
    window: int
    ids: dict[str, _Taken]
    urls: dict[str, _Taken]


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshRule:
    """One question asked of every summary.

    `against` answers with a reason, empty where nothing stands against it; `passed` says so.
    """

    kind: str
    against: Callable[[Candidate, Situation], str]
    passed: Callable[[Candidate, Situation], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """A shelf parted in two, both in its order: what may be picked, and what may not."""

    fresh: tuple[Candidate, ...]
    stale: tuple[tuple[Candidate, Setback], ...]


def weeks_apart(one: IssueKey, other: IssueKey) -> int:
    """Count the weeks between two issues by the calendar, whichever comes first."""
    return abs((week_days(one)[0] - week_days(other)[0]).days) // 7


def situate(slot: Slot, history: History, policy: Policy) -> Situation:
    """Find what is taken at a slot: by issues within the window on either side, or reserved.

    The slot's own issue takes nothing, since it is being made again. Of several issues with one
    summary the nearest is named.
    """
    ids: dict[str, _Taken] = {}
    urls: dict[str, _Taken] = {}
    others = [past for past in history if past.key != slot.issue]
    for past in sorted(others, key=lambda past: (weeks_apart(past.key, slot.issue), past.key)):
        if past.published and weeks_apart(past.key, slot.issue) >= policy.repeat_window:
            continue
        for item in past.items:
            ids.setdefault(unicodedata.normalize("NFC", item.id), (past, item))
            if item.url:
                urls.setdefault(item.url, (past, item))
    return Situation(slot=slot, window=policy.repeat_window, ids=ids, urls=urls)


def _moment(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="minutes")


def _draft(candidate: Candidate, _: Situation) -> str:
    return "is a draft" if candidate.summary.draft else ""


def _empty(candidate: Candidate, _: Situation) -> str:
    summary = candidate.summary
    return "" if (summary.summary + summary.body).strip() else "has no text"


def _early(candidate: Candidate, situation: Situation) -> str:
    start = candidate.summary.not_before
    if start is None or start <= situation.slot.at:
        return ""
    return f"is held back until {_moment(start)}; the issue is for {_moment(situation.slot.at)}"


def _lapsed(candidate: Candidate, situation: Situation) -> str:
    end = candidate.summary.not_after
    if end is None or situation.slot.at < end:
        return ""
    return f"lapsed at {_moment(end)}; the issue is for {_moment(situation.slot.at)}"


def _dated(candidate: Candidate, situation: Situation) -> str:
    summary = candidate.summary
    if summary.date is None or summary.date <= situation.slot.at:
        return ""
    day = summary.date.date().isoformat() if summary.day_only else _moment(summary.date)
    return f"is dated {day}; the issue is for {_moment(situation.slot.at)}"


def _claim(candidate: Candidate, situation: Situation) -> tuple[PastIssue | None, str]:
    """Find the issue that has a summary, and how the sentence about it begins."""
    found = situation.ids.get(candidate.summary.id)
    if found is not None:
        return found[0], ""
    found = situation.urls.get(candidate.url) if candidate.url else None
    return (found[0], f"its address, as {found[1].id}, ") if found else (None, "")


def _reserved(candidate: Candidate, situation: Situation) -> str:
    past, subject = _claim(candidate, situation)
    if past is None or past.published:
        return ""
    return f"{subject}is reserved by the issue file of {past.key}"


def _sent(candidate: Candidate, situation: Situation) -> str:
    past, subject = _claim(candidate, situation)
    if past is None or not past.published:
        return ""
    weeks = weeks_apart(past.key, situation.slot.issue)
    away = f"{times(weeks, 'week')} {'ago' if past.key < situation.slot.issue else 'ahead'}"
    distance = away if weeks else "the same week"
    window = times(situation.window, "week")
    return f"{subject}was in {past.key}, {distance}; the repeat window is {window}"


def _not_draft(_: Candidate, __: Situation) -> str:
    return "not a draft"


def _not_empty(_: Candidate, __: Situation) -> str:
    return "has a text"


def _not_early(candidate: Candidate, _: Situation) -> str:
    start = candidate.summary.not_before
    return f"not_before {_moment(start)} has come" if start else "no not_before"


def _not_lapsed(candidate: Candidate, _: Situation) -> str:
    end = candidate.summary.not_after
    return f"not_after {_moment(end)} is still ahead" if end else "no not_after"


def _has_come(candidate: Candidate, _: Situation) -> str:
    day = candidate.summary.date
    return f"dated {day.date().isoformat()}, which has come" if day else "no date"


def _not_reserved(_: Candidate, __: Situation) -> str:
    return "reserved by no issue file"


def _not_sent(_: Candidate, situation: Situation) -> str:
    return f"in no issue within {times(situation.window, 'week')} of {situation.slot.issue}"


# In the order in which they are asked; the first answer is the one that is told.
RULES: Final = (
    FreshRule(kind="draft", against=_draft, passed=_not_draft),
    FreshRule(kind="empty", against=_empty, passed=_not_empty),
    FreshRule(kind="held back", against=_early, passed=_not_early),
    FreshRule(kind="lapsed", against=_lapsed, passed=_not_lapsed),
    FreshRule(kind="dated later", against=_dated, passed=_has_come),
    FreshRule(kind="reserved", against=_reserved, passed=_not_reserved),
    FreshRule(kind="already sent", against=_sent, passed=_not_sent),
)


def _setback(candidate: Candidate, situation: Situation) -> Setback | None:
    for rule in RULES:
        if reason := rule.against(candidate, situation):
            return Setback(kind=rule.kind, reason=reason)
    return None


def sift(shelf: Iterable[Candidate], situation: Situation) -> Fresh:
    """Part a shelf into what may be in the issue of a slot and what may not, with the reasons.

    Of several fresh summaries with one id or one address only the first on the shelf stays.
    """
    fresh: list[Candidate] = []
    stale: list[tuple[Candidate, Setback]] = []
    kept: dict[str, Candidate] = {}
    for candidate in shelf:
        setback = _setback(candidate, situation)
        # An id never starts with this mark, so that it cannot be taken for an address.
        names = [f"\0{candidate.summary.id}", *([candidate.url] if candidate.url else [])]
        twin = next((kept[name] for name in names if name in kept), None)
        if setback is None and twin is not None:
            reason = f"is the same page as {twin.summary.path}, which goes before it"
            setback = Setback(kind=TWIN, reason=reason)
        if setback is None:
            fresh.append(candidate)
            kept.update((name, candidate) for name in names)
        else:
            stale.append((candidate, setback))
    return Fresh(fresh=tuple(fresh), stale=tuple(stale))
