"""Which summaries may be in an issue at all, and what stands against the others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from digest.model import likeness
from digest.picking.claims import Claim
from digest.picking.shelf import Candidate, has_text, times
from digest.picking.situation import Situation, Twin

__all__ = [
    "RULES",
    "TWIN",
    "Fresh",
    "FreshRule",
    "Setback",
    "same_page",
    "setback",
    "setback_by",
    "sift",
]

TWIN: Final = "twin"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 24 * 3600  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Setback:
    """What stands against a summary: `kind` to count it by, `reason` as a sentence."""

    kind: str
    reason: str


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
    """A shelf parted in three, each in its order.

    `fresh` may be picked; `repeats` have been out, and may fill a thin issue; against the `stale`
    ones something stands.
    """

    fresh: tuple[Candidate, ...]
    repeats: tuple[Candidate, ...]
    stale: tuple[tuple[Candidate, Setback], ...]


def _moment(moment: datetime) -> str:
    return moment.isoformat(sep=" ", timespec="minutes")


def _later(one: datetime, other: datetime) -> bool:
    # Two moments of one zone would compare by the wall clock, which in autumn shows an hour twice.
    return one - _EPOCH > other - _EPOCH


def _said(flag: bool, reason: str) -> str:  # noqa: FBT001 - the answer to a rule's question
    return reason if flag else ""


def _withdrawn(candidate: Candidate, _: Situation) -> str:
    return _said(candidate.summary.withdrawn, "is withdrawn by its file")


def _draft(candidate: Candidate, _: Situation) -> str:
    return _said(candidate.summary.draft, "is a draft")


def _empty(candidate: Candidate, _: Situation) -> str:
    return _said(not has_text(candidate.summary), "has no text")


def _superseded(candidate: Candidate, situation: Situation) -> str:
    for heir in situation.heirs.of.get(candidate.name, ()):
        if _stands(heir, situation):
            return f"is superseded by {heir.summary.id}"
    return ""


def _stands(heir: Candidate, situation: Situation) -> bool:
    """Tell whether a summary may be in an issue by now, or was: else it takes nobody's place."""
    if situation.last(heir) or situation.reserved(heir):
        return True
    rules = (_early, _lapsed, _dated, _too_old)
    return not any(rule(heir, situation) for rule in rules)


def _early(candidate: Candidate, situation: Situation) -> str:
    start = candidate.summary.not_before
    if start is None or not _later(start, situation.slot.at):
        return ""
    return f"is held back until {_moment(start)}; the issue is for {_moment(situation.slot.at)}"


def _lapsed(candidate: Candidate, situation: Situation) -> str:
    end = candidate.summary.not_after
    if end is None or _later(end, situation.slot.at):
        return ""
    return f"lapsed at {_moment(end)}; the issue is for {_moment(situation.slot.at)}"


def _dated(candidate: Candidate, situation: Situation) -> str:
    summary = candidate.summary
    if summary.date is None or not _later(summary.date, situation.slot.at):
        return ""
    day = summary.date.date().isoformat() if summary.day_only else _moment(summary.date)
    return f"is dated {day}; the issue is for {_moment(situation.slot.at)}"


def _too_old(candidate: Candidate, situation: Situation) -> str:
    if situation.oldest is None or candidate.opens is None or candidate.opens >= situation.oldest:
        return ""
    age = times((situation.at - candidate.opens) // _DAY, "day")
    return f"is {age} old; max_age is {times(situation.policy.max_age or 0, 'week')}"


def _subject(claim: Claim, candidate: Candidate) -> str:
    """Begin the sentence about a claim: it is by the id, or by the address under another id."""
    if claim.name == candidate.name:
        return ""
    what = "address" if claim.item.url and claim.item.url == candidate.url else "text"
    return f"its {what}, as {claim.item.id}, "


def _reserved(candidate: Candidate, situation: Situation) -> str:
    claim = situation.reserved(candidate)
    if claim is None:
        return ""
    return f"{_subject(claim, candidate)}is reserved by the issue file of {claim.past.key}"


def _away(claim: Claim, situation: Situation) -> str:
    weeks = claim.weeks(situation.week)
    if not weeks:
        return "the same week"
    way = "ago" if claim.past.key < situation.slot.issue else "ahead"
    return f"{times(weeks, 'week')} {way}"


def _sent(candidate: Candidate, situation: Situation) -> str:
    claim = situation.last(candidate)
    if claim is None:
        return ""
    window = situation.window(candidate)
    if window is not None and claim.weeks(situation.week) >= window:
        return ""
    was = f"{_subject(claim, candidate)}was in {claim.past.key}, {_away(claim, situation)}"
    if window is None:
        return f"{was}; a summary goes out once"
    whose = "its cooldown" if candidate.summary.cooldown is not None else "the repeat window"
    return f"{was}; {whose} is {times(window, 'week')}"


def _dropped(candidate: Candidate, situation: Situation) -> str:
    return _said(
        candidate.name in situation.dropped,
        f"was taken out of {situation.slot.issue} by hand",
    )


def _own(candidate: Candidate, situation: Situation) -> frozenset[str]:
    """Give the ids whose texts are not held against a summary: its own, and those it replaces."""
    own = {candidate.name}
    if candidate.url:
        own.update(claim.name for claim in situation.held.urls.get(candidate.url, ()))
    return situation.besides(candidate) | own


def _alike(candidate: Candidate, situation: Situation) -> str:
    # Asked of every summary of every slot: nearly all are like nothing, and leave here.
    twins = situation.twins.get(candidate)
    if twins is None:
        return ""
    own = _own(candidate, situation)
    others = [twin for twin in twins if twin.claim.name not in own]
    if not others:
        return ""
    twin = min(others, key=lambda one: _order(one, situation))
    claim, least = twin.claim, situation.policy.similarity
    state = "which was" if claim.past.published else "reserved"
    share = f"{twin.likeness:.2f} alike, and {least:g} is too much"
    return (
        f"its text is that of {claim.item.id}, {state} in {claim.past.key}, "
        f"{_away(claim, situation)} ({share})"
    )


def _order(twin: Twin, situation: Situation) -> tuple[float, int, str, str]:
    """Order twins: most alike first, then the nearest issue, then by id."""
    claim = twin.claim
    return (-twin.likeness, claim.weeks(situation.week), claim.past.key, claim.name)


def _not_superseded(_: Candidate, __: Situation) -> str:
    return "superseded by no other"


def _not_early(candidate: Candidate, _: Situation) -> str:
    start = candidate.summary.not_before
    return f"not_before {_moment(start)} has come" if start else "no not_before"


def _not_lapsed(candidate: Candidate, _: Situation) -> str:
    end = candidate.summary.not_after
    return f"not_after {_moment(end)} is still ahead" if end else "no not_after"


def _has_come(candidate: Candidate, _: Situation) -> str:
    day = candidate.summary.date
    return f"dated {day.date().isoformat()}, which has come" if day else "no date"


def _not_too_old(_: Candidate, situation: Situation) -> str:
    most = situation.policy.max_age
    return f"not older than {times(most, 'week')}" if most else "no max_age is set"


def _not_sent(candidate: Candidate, situation: Situation) -> str:
    claim = situation.last(candidate)
    if claim is None:
        return "in no issue so far"
    window = times(situation.window(candidate) or 0, "week")
    return f"was in {claim.past.key}, {_away(claim, situation)}; it may come again after {window}"


def _not_alike(candidate: Candidate, situation: Situation) -> str:
    policy = situation.policy
    if not policy.similarity:
        return "texts are not compared (similarity is 0)"
    told = f"no text {policy.similarity:g} alike within {times(policy.repeat_window, 'week')}"
    own = _own(candidate, situation)
    near = [
        Twin(claim=claim, likeness=likeness(candidate.sketch, claim.item.sketch))
        for claim in situation.held.near(candidate)
        if claim.weeks(situation.week) < policy.repeat_window
        and claim.past.key != situation.own
        and claim.name not in own
    ]
    if not near:
        return told
    nearest = min(near, key=lambda one: _order(one, situation))
    return f"{told}; the nearest is that of {nearest.claim.item.id} with {nearest.likeness:.2f}"


def _always(text: str) -> Callable[[Candidate, Situation], str]:
    return lambda _, __: text


# In the order in which they are asked; the first answer is the one that is told.
RULES: Final = (
    FreshRule(kind="withdrawn", against=_withdrawn, passed=_always("not withdrawn")),
    FreshRule(kind="draft", against=_draft, passed=_always("not a draft")),
    FreshRule(kind="empty", against=_empty, passed=_always("has a text")),
    FreshRule(kind="superseded", against=_superseded, passed=_not_superseded),
    FreshRule(kind="held back", against=_early, passed=_not_early),
    FreshRule(kind="lapsed", against=_lapsed, passed=_not_lapsed),
    FreshRule(kind="dated later", against=_dated, passed=_has_come),
    FreshRule(kind="too old", against=_too_old, passed=_not_too_old),
    FreshRule(
        kind="reserved", against=_reserved, passed=_always("reserved by no other issue file")
    ),
    FreshRule(kind="already sent", against=_sent, passed=_not_sent),
    FreshRule(kind="dropped", against=_dropped, passed=_always("taken out by nobody")),
    FreshRule(kind="alike", against=_alike, passed=_not_alike),
)


def setback(candidate: Candidate, situation: Situation) -> Setback | None:
    """Find the first rule that stands against a summary; None where none does."""
    return setback_by(tuple(rule.kind for rule in RULES), candidate, situation)


def setback_by(
    kinds: Collection[str], candidate: Candidate, situation: Situation
) -> Setback | None:
    """Find the first rule of some kinds that stands against a summary; None where none does."""
    for rule in RULES:
        if rule.kind in kinds and (reason := rule.against(candidate, situation)):
            return Setback(kind=rule.kind, reason=reason)
    return None


def _plainly_fresh(candidate: Candidate, situation: Situation) -> bool:
    """Tell in one look whether nothing can stand against a summary; no means: ask the rules.

    Nearly all of a large library are told by this, many times faster than by the rules.
    """
    name, held, opens = candidate.name, situation.held, candidate.opens
    if opens is None:
        timely = situation.oldest is None
    else:
        timely = opens < situation.at and (situation.oldest is None or opens >= situation.oldest)
    return (
        timely
        and (candidate.closes is None or situation.at < candidate.closes)
        and not candidate.barred
        and not held.has(candidate)
        and name not in situation.dropped
        and name not in situation.heirs.of
        and candidate not in situation.twins
    )


def sift(
    shelf: Iterable[Candidate], situation: Situation, *, shared: frozenset[str] | None = None
) -> Fresh:
    """Part a shelf into what may be in the issue of a slot and what may not, with the reasons.

    Of several fresh summaries with one id or one address only the first on the shelf stays.
    `shared` are the names that several of the shelf have; None where that is not known.
    """
    fresh: list[Candidate] = []
    repeats: list[Candidate] = []
    stale: list[tuple[Candidate, Setback]] = []
    kept: dict[str, Candidate] = {}
    for candidate in shelf:
        plain = _plainly_fresh(candidate, situation)
        against = None if plain else setback(candidate, situation)
        if against is None and (shared is None or not shared.isdisjoint(candidate.names)):
            against = _twin(candidate, kept)
        if against is not None:
            stale.append((candidate, against))
        elif plain or candidate.summary.cooldown is not None or not situation.last(candidate):
            fresh.append(candidate)
        else:
            repeats.append(candidate)
    return Fresh(fresh=tuple(fresh), repeats=tuple(repeats), stale=tuple(stale))


def same_page(other: Candidate, how: str) -> Setback:
    """Say that a summary has the id or the address of another, and how that stands in its way."""
    return Setback(kind=TWIN, reason=f"is the same page as {other.summary.path}, {how}")


def _twin(candidate: Candidate, kept: dict[str, Candidate]) -> Setback | None:
    """Find what has a name of a fresh summary and goes before it; else remember its names."""
    for name in candidate.names:
        if name in kept:
            return same_page(kept[name], "which goes before it")
    kept.update(dict.fromkeys(candidate.names, candidate))
    return None
