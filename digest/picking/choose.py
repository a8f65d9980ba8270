"""Which fresh summaries an issue takes, in which order, and what is remarked on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from digest.model import ThemeId
from digest.picking.policy import Policy
from digest.picking.score import ThemeScore
from digest.picking.shelf import Candidate, ordinal, times
from digest.picking.tally import Tally, take

__all__ = ["Choice", "Groups", "Remarked", "choose_mixed", "choose_themed"]

Groups = Mapping[ThemeId, tuple[Candidate, ...]]
Remarked = tuple[Candidate, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was taken, in the order shown, and what was left, nearest first.

    A remark says what facts and place do not: why a summary was borrowed or left; it may be
    empty. `own` counts what the leading theme gave; `shortages` say what was lacking.
    """

    taken: tuple[Remarked, ...]
    left: tuple[Remarked, ...]
    own: int
    shortages: tuple[str, ...]


def choose_themed(
    lead: ThemeId, groups: Groups, *, scores: tuple[ThemeScore, ...], policy: Policy
) -> Choice:
    """Fill an issue from its theme, and where that has too little, from the next themes by score.

    Only the policy `borrow` takes from other themes, and only up to `min_items`.
    """
    tally = Tally(policy)
    own = take(groups[lead], limit=policy.max_items, tally=tally)
    taken: list[Remarked] = [(candidate, "") for candidate in own.taken]
    left = _with_room_reason(own.refused, f"the issue is full with {times(len(taken), 'item')}")
    lacking = f"{lead} has {len(taken)} of {times(policy.min_items, 'item')}"
    sources: Counter[ThemeId] = Counter()
    for score in scores:
        if score.theme == lead:
            continue
        room = policy.min_items - len(taken) if policy.when_thin == "borrow" else 0
        walk = take(groups.get(score.theme, ()), limit=max(0, room), tally=tally)
        taken += [(candidate, f"borrowed, since {lacking}") for candidate in walk.taken]
        sources[score.theme] += len(walk.taken)
        left += _with_room_reason(walk.refused, f"{_standing(score)}; {lead} leads")
    return Choice(
        taken=tuple(taken),
        left=tuple(left),
        own=len(own.taken),
        shortages=_shortages(lacking, len(own.taken), sources, policy=policy),
    )


def _with_room_reason(refused: Iterable[Remarked], no_room: str) -> list[Remarked]:
    return [(candidate, reason or no_room) for candidate, reason in refused]


def _standing(score: ThemeScore) -> str:
    return f"{score.theme} is {ordinal(score.place)} of the themes with a score of {score.score}"


def _shortages(
    lacking: str, own: int, sources: Mapping[ThemeId, int], *, policy: Policy
) -> tuple[str, ...]:
    if own >= policy.min_items:
        return ()
    gave = [f"{count} borrowed from {theme}" for theme, count in sources.items() if count]
    told = ["; ".join([lacking, *gave])]
    total = own + sum(sources.values())
    if policy.when_thin == "borrow" and total < policy.min_items:
        told.append(f"all themes together have {total} of {times(policy.min_items, 'item')}")
    return tuple(told)


def choose_mixed(groups: Groups, *, scores: tuple[ThemeScore, ...], policy: Policy) -> Choice:
    """Fill an issue from all themes in turn: pinned summaries first, then each theme its best.

    A turn goes to the theme that has given least so far, pinned ones counted, then to the better
    score. Shown are sections by theme: those with a pinned summary first, then by score.
    """
    tally = Tally(policy)
    order = {score.theme: score.place for score in scores}
    shelves = sorted(groups.items(), key=lambda group: order[group[0]])
    pinned = [candidate for _, group in shelves for candidate in group if candidate.summary.pin]
    walk = take(pinned, limit=policy.max_items, tally=tally)
    taken, refused = list(walk.taken), list(walk.refused)
    queues = {
        theme: [candidate for candidate in reversed(group) if not candidate.summary.pin]
        for theme, group in shelves
    }
    given = Counter(candidate.theme for candidate in taken)
    while len(taken) < policy.max_items and any(queues.values()):
        theme = min((theme for theme in queues if queues[theme]), key=lambda name: given[name])
        candidate = queues[theme].pop()
        if reason := tally.refusal(candidate):
            refused.append((candidate, reason))
            continue
        taken.append(candidate)
        tally.add(candidate)
        given[theme] += 1
    refused += [(candidate, "") for queue in queues.values() for candidate in reversed(queue)]
    return _mixed_choice(taken, refused, order=order, policy=policy)


def _mixed_choice(
    taken: list[Candidate],
    refused: list[Remarked],
    *,
    order: Mapping[ThemeId, int],
    policy: Policy,
) -> Choice:
    pinned = {candidate.theme for candidate in taken if candidate.summary.pin}
    # The sort is stable: within a theme the order of the shelf stays.
    shown = sorted(taken, key=lambda found: (found.theme not in pinned, order[found.theme]))
    full = f"the issue is full with {times(len(taken), 'item')}"
    lacking = f"the issue has {len(taken)} of {times(policy.min_items, 'item')}"
    return Choice(
        taken=tuple((candidate, "") for candidate in shown),
        left=tuple(_with_room_reason(refused, full)),
        own=len(taken),
        shortages=(lacking,) if len(taken) < policy.min_items else (),
    )
