"""What all questions about one slot look at."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from digest.model import History, Slot
from digest.picking.claims import Claim, Claims, claims
from digest.picking.policy import Policy
from digest.picking.shelf import WEEK, Candidate, seconds

__all__ = ["NO_SUCCESSORS", "Situation", "Successors", "situate", "succeed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Successors:
    """Which summaries take the place of others.

    `of` gives, for an id, the summaries that supersede it, directly or by others in between;
    `replaces` gives the ids that one of them takes the place of.
    """

    of: Mapping[str, tuple[Candidate, ...]]
    replaces: Mapping[str, frozenset[str]]


NO_SUCCESSORS = Successors(of={}, replaces={})


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A slot, the rules, and what other issues hold.

    `held` is what other issues hold, published ones and those whose files reserve it. `dropped`
    are ids that people took out of this issue. In seconds of POSIX time `at` is the slot, `begun`
    the first issue of all, and `oldest` the moment before which a summary is too old.
    """

    slot: Slot
    policy: Policy
    at: int
    begun: int
    oldest: int | None
    held: Claims
    successors: Successors
    dropped: frozenset[str]

    def besides(self, candidate: Candidate) -> frozenset[str]:
        """Give the ids whose place a summary takes: what became of them is not held against it."""
        return self.successors.replaces.get(candidate.name, frozenset())

    def last(self, candidate: Candidate) -> Claim | None:
        """Give the nearest published issue that holds a summary; None where it never was out."""
        # Nearly all were never out: they are told by a look.
        if not self.held.has(candidate):
            return None
        return self.held.of(candidate, besides=self.besides(candidate), published=True)

    def reserved(self, candidate: Candidate) -> Claim | None:
        """Give the nearest issue not yet published whose file holds a summary, else None."""
        return self.held.of(candidate, besides=self.besides(candidate), published=False)

    def window(self, candidate: Candidate) -> int | None:
        """Give the weeks that must lie between two issues of a summary; None means once only."""
        if candidate.summary.cooldown is not None:
            return candidate.summary.cooldown
        return self.policy.repeat_window if self.policy.repeats == "fill" else None

    def since(self, candidate: Candidate) -> int | None:
        """Give the second from which a summary waits; None where it has no date."""
        claim = self.last(candidate)
        if claim is None:
            return candidate.opens
        back = seconds(claim.past.at) + (self.window(candidate) or 0) * WEEK
        return max(back, candidate.opens or back)


def situate(
    slot: Slot,
    history: History,
    policy: Policy,
    *,
    successors: Successors = NO_SUCCESSORS,
    dropped: frozenset[str] = frozenset(),
    afresh: bool = True,
) -> Situation:
    """Gather what is known at a slot.

    With `afresh` the slot's own issue holds nothing, since it is being made. One that was taken
    back before any mail holds nothing either.
    """
    others = [
        past for past in history if not past.freed and not (afresh and past.key == slot.issue)
    ]
    window = policy.repeat_window if policy.similarity else 0
    at = seconds(slot.at)
    return Situation(
        slot=slot,
        policy=policy,
        at=at,
        begun=min((seconds(past.at) for past in others), default=at),
        oldest=None if policy.max_age is None else at - policy.max_age * WEEK,
        held=claims(others, key=slot.issue, window=window),
        successors=successors,
        dropped=frozenset(unicodedata.normalize("NFC", name) for name in dropped),
    )


def succeed(shelf: tuple[Candidate, ...]) -> Successors:
    """Find which summaries take the place of which; drafts and withdrawn ones take none."""
    named = {
        candidate.name: tuple(
            unicodedata.normalize("NFC", name) for name in candidate.summary.supersedes
        )
        for candidate in shelf
        if candidate.summary.supersedes
    }
    if not named:
        return NO_SUCCESSORS
    replaces = {name: _all_before(name, named) for name in named}
    of: dict[str, tuple[Candidate, ...]] = {}
    heirs = [one for one in shelf if one.name in named]
    for heir in heirs:
        if heir.summary.draft or heir.summary.withdrawn:
            continue
        for name in sorted(replaces[heir.name]):
            # Two that claim each other's place keep their own.
            if heir.name not in replaces.get(name, ()):
                of[name] = (*of.get(name, ()), heir)
    # Who says it by itself is named before who does by others.
    told = {
        name: tuple(sorted(found, key=lambda heir: name not in named[heir.name]))
        for name, found in of.items()
    }
    return Successors(of=told, replaces=replaces)


def _all_before(name: str, named: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Give the ids whose place a summary takes, directly or by others in between."""
    found: set[str] = set()
    waiting = list(named[name])
    while waiting:
        one = waiting.pop()
        if one not in found and one != name:
            found.add(one)
            waiting += named.get(one, ())
    return frozenset(found)
