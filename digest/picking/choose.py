"""Which fresh summaries an issue of one theme takes, and what is remarked on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from digest.model import ThemeId
from digest.picking.policy import Policy
from digest.picking.score import ThemeScore, figure
from digest.picking.shelf import Candidate, ordinal, times
from digest.picking.situation import Situation
from digest.picking.tally import Tally
from digest.picking.worth import Ranked, Taken, Walk, as_shown, greedy, rank

__all__ = [
    "REPEAT",
    "UNNEEDED",
    "Choice",
    "Groups",
    "Offer",
    "choose_themed",
    "full_text",
    "standing",
]

Groups = Mapping[ThemeId, tuple[Candidate, ...]]
REPEAT: Final = "a repeat, since too little is fresh"
UNNEEDED: Final = "has been out, and the issue needs no repeats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What an issue may be made of.

    `groups` are the fresh summaries by theme, `repeats` those that have been out, `kept` what
    people have put into the issue already; `scores` hold every theme, best first.
    `room` is how many items it may have.
    """

    situation: Situation
    groups: Groups
    repeats: Groups
    kept: tuple[Candidate, ...]
    scores: tuple[ThemeScore, ...]
    room: int

    @property
    def policy(self) -> Policy:
        """Give the rules."""
        return self.situation.policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was taken, in the order shown, and what was left of the themes that were asked.

    The remark on one that was left says why; it may be empty. `own` counts what the leading theme
    gave; `shortages` say what was lacking.
    """

    taken: tuple[Taken, ...]
    left: tuple[tuple[Ranked, str], ...]
    own: int
    shortages: tuple[str, ...]


@dataclass(slots=True)
class _Filling:
    """An issue while it is filled; `total` counts what people have put into it, too."""

    tally: Tally
    room: int
    total: int
    taken: list[Taken] = field(default_factory=list)
    left: list[tuple[Ranked, str]] = field(default_factory=list)

    def fill(self, ranked: Iterable[Ranked], *, limit: int, remark: str = "") -> Walk:
        """Take what adds most, up to a limit and as long as there is room."""
        most = max(0, min(limit, self.room - self.total))
        walk = greedy(ranked, limit=most, tally=self.tally, remark=remark)
        self.taken += walk.taken
        self.total += len(walk.taken)
        return walk

    def leave(self, walk: Walk, reason: str) -> None:
        """Keep what a walk left, with its refusals, and else the reason."""
        self.left += walk.refused
        self.left += ((one, reason) for one in walk.rest)


def choose_themed(lead: ThemeId, offer: Offer) -> Choice:
    """Fill an issue from its theme, then with a guest, then where it has too little from others.

    A guest is the longest waiting summary of a theme with too little to lead, once it has waited
    `max_wait` weeks. Only the policy `borrow` takes more from other themes, up to `min_items`;
    what has been out before comes last of all.
    """
    policy = offer.policy
    filling = _Filling(tally=Tally(policy), room=offer.room, total=len(offer.kept))
    for candidate in offer.kept:
        filling.tally.add(candidate)
    ranked = rank(offer.groups.get(lead, ()), offer.situation)
    overdue = _overdue(lead, offer)
    free = filling.room - filling.total
    # A guest takes the last place, never the only one, nor that of a pinned one.
    pinned = sum(one.candidate.summary.pin for one in ranked)
    hosting = bool(overdue) and free > max(1, pinned)
    walk = filling.fill(ranked, limit=free - hosting)
    guests = _host(overdue, filling, policy) if hosting else 0
    rest = filling.fill(walk.rest, limit=filling.room)
    own = sum(one.theme == lead for one in offer.kept) + len(walk.taken) + len(rest.taken)
    # What gave its place to a guest was there all the same.
    own += min(guests, len(rest.rest))
    lacking = f"{lead} has {own} of {times(policy.min_items, 'item')}"
    gave = _borrow(lead, offer, filling, remark=f"borrowed, since {lacking}")
    gave += _repeat(lead, offer, filling)
    full = full_text(filling.total)
    return Choice(
        taken=_sections(lead, filling.taken),
        left=(*walk.refused, *rest.refused, *((one, full) for one in rest.rest), *filling.left),
        own=own,
        shortages=_shortages(lacking, gave, total=filling.total, own=own, policy=policy),
    )


def _sections(lead: ThemeId, taken: Iterable[Taken]) -> tuple[Taken, ...]:
    """Put the leading theme's first, then those of each other theme, as they came in."""
    sections: dict[ThemeId, list[Taken]] = {lead: []}
    for one in taken:
        sections.setdefault(one.candidate.theme, []).append(one)
    return tuple(one for section in sections.values() for one in as_shown(section))


def full_text(count: int) -> str:
    """Say that there is no room left."""
    return f"the issue is full with {times(count, 'item')}"


def standing(score: ThemeScore, lead: ThemeId) -> str:
    """Say where a theme stands that does not lead."""
    place = f"{ordinal(score.place)} of the themes with a score of {figure(score.score)}"
    return f"{score.theme} is {place}; {lead} leads"


def _overdue(lead: ThemeId, offer: Offer) -> list[Ranked]:
    """Find what has waited too long for its theme to lead, the longest first.

    None where people have put such a one into the issue already.
    """
    thin = {score.theme for score in offer.scores if score.thin} - {lead}
    if any(one.theme in thin for one in offer.kept):
        return []
    most = offer.policy.max_wait
    found = [
        one
        for theme in sorted(thin)
        for one in rank(offer.groups.get(theme, ()), offer.situation)
        if one.waited >= most
    ]
    return sorted(found, key=lambda one: (-one.waited, -one.value, one.candidate.name))


def _host(overdue: Iterable[Ranked], filling: _Filling, policy: Policy) -> int:
    """Take the first that may join those in the issue; give how many were taken."""
    for one in overdue:
        walk = filling.fill([one], limit=1, remark=_welcome(one, policy))
        filling.leave(walk, "")
        if walk.taken:
            return 1
    return 0


def _welcome(guest: Ranked, policy: Policy) -> str:
    return (
        f"a guest, since {guest.candidate.theme} has too little to lead, and after "
        f"{times(policy.max_wait, 'week')} what waits for it goes out"
    )


def _borrow(lead: ThemeId, offer: Offer, filling: _Filling, *, remark: str) -> Counter[str]:
    """Fill up to the least number from the other themes, the best score first."""
    gave: Counter[str] = Counter()
    if offer.policy.when_thin != "borrow":
        return gave
    for score in offer.scores:
        lacking = offer.policy.min_items - filling.total
        if lacking <= 0:
            break
        if score.theme == lead:
            continue
        group = _without(offer.groups.get(score.theme, ()), filling)
        walk = filling.fill(rank(group, offer.situation), limit=lacking, remark=remark)
        gave[f"borrowed from {score.theme}"] += len(walk.taken)
        filling.leave(walk, standing(score, lead))
    return gave


def _without(group: Iterable[Candidate], filling: _Filling) -> tuple[Candidate, ...]:
    held = {one.candidate for one in filling.taken}
    return tuple(candidate for candidate in group if candidate not in held)


def _repeat(lead: ThemeId, offer: Offer, filling: _Filling) -> Counter[str]:
    """Fill up to the least number with what has been out, the leading theme's own first."""
    gave: Counter[str] = Counter()
    themes = [lead]
    if offer.policy.when_thin == "borrow":
        themes += [score.theme for score in offer.scores if score.theme != lead]
    for theme in themes:
        lacking = offer.policy.min_items - filling.total
        ranked = rank(offer.repeats.get(theme, ()), offer.situation)
        walk = filling.fill(ranked, limit=max(0, lacking), remark=REPEAT)
        gave["repeated"] += len(walk.taken)
        filling.leave(walk, UNNEEDED)
    return gave


def _shortages(
    lacking: str, gave: Mapping[str, int], *, total: int, own: int, policy: Policy
) -> tuple[str, ...]:
    if own >= policy.min_items or (total >= policy.min_items and not any(gave.values())):
        return ()
    told = ["; ".join([lacking, *(f"{count} {how}" for how, count in gave.items() if count)])]
    if policy.when_thin == "borrow" and total < policy.min_items:
        told.append(f"all themes together have {total} of {times(policy.min_items, 'item')}")
    return tuple(told)
