"""Which fresh summaries an issue of all themes takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from digest.model import ThemeId
from digest.picking.choose import REPEAT, UNNEEDED, Choice, Offer, full_text
from digest.picking.policy import Policy
from digest.picking.shelf import times
from digest.picking.tally import Tally
from digest.picking.worth import Ranked, Taken, Walk, as_shown, greedy, rank

__all__ = ["choose_mixed"]


def choose_mixed(offer: Offer) -> Choice:
    """Fill an issue from all themes in turn: pinned summaries first, then each theme its best.

    A turn goes to the theme that has given least so far, pinned ones counted, then to the better
    score. Shown are sections by theme: those with a pinned summary first, then by score. What has
    been out before comes last, up to `min_items`.
    """
    policy, tally = offer.policy, Tally(offer.policy)
    for candidate in offer.kept:
        tally.add(candidate)
    room = offer.room - len(offer.kept)
    order = {score.theme: score.place for score in offer.scores}
    shelves = {
        theme: list(rank(offer.groups[theme], offer.situation))
        for theme in sorted(offer.groups, key=order.__getitem__)
    }
    pinned = [one for shelf in shelves.values() for one in shelf if one.candidate.summary.pin]
    walk = greedy(pinned, limit=room, tally=tally)
    taken, left = list(walk.taken), [*walk.refused, *((one, "") for one in walk.rest)]
    queues = {
        theme: [one for one in shelf if not one.candidate.summary.pin]
        for theme, shelf in shelves.items()
    }
    left += _in_turn(queues, taken, room=room, tally=tally)
    again = _repeats(
        offer, tally, room=min(policy.min_items, offer.room) - len(offer.kept) - len(taken)
    )
    left += again.refused
    left += ((one, UNNEEDED) for one in again.rest)
    return _shown([*taken, *again.taken], left, order=order, policy=policy, kept=len(offer.kept))


def _in_turn(
    queues: dict[ThemeId, list[Ranked]], taken: list[Taken], *, room: int, tally: Tally
) -> list[tuple[Ranked, str]]:
    """Let the themes give in turn, in the order given; give back what was left."""
    left: list[tuple[Ranked, str]] = []
    given = Counter(one.candidate.theme for one in taken)
    while len(taken) < room and any(queues.values()):
        theme = min((theme for theme in queues if queues[theme]), key=lambda name: given[name])
        walk = greedy(queues[theme], limit=1, tally=tally)
        queues[theme] = list(walk.rest)
        left += walk.refused
        taken += walk.taken
        given[theme] += len(walk.taken)
    return left + [(one, "") for queue in queues.values() for one in queue]


def _repeats(offer: Offer, tally: Tally, *, room: int) -> Walk:
    ranked = [one for group in offer.repeats.values() for one in rank(group, offer.situation)]
    ranked.sort(key=lambda one: (not one.candidate.summary.pin, -one.value))
    return greedy(ranked, limit=max(0, room), tally=tally, remark=REPEAT)


def _shown(
    taken: list[Taken],
    left: list[tuple[Ranked, str]],
    *,
    order: Mapping[ThemeId, int],
    policy: Policy,
    kept: int,
) -> Choice:
    pinned = {one.candidate.theme for one in taken if one.candidate.summary.pin}
    # The sort is stable: within a theme they stay as they are shown.
    shown = sorted(
        as_shown(taken),
        key=lambda one: (one.candidate.theme not in pinned, order[one.candidate.theme]),
    )
    total = kept + len(taken)
    lacking = f"the issue has {total} of {times(policy.min_items, 'item')}"
    return Choice(
        taken=tuple(shown),
        left=tuple((one, reason or full_text(total)) for one, reason in left),
        own=total,
        shortages=(lacking,) if total < policy.min_items else (),
    )
