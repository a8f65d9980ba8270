"""What all questions about one slot look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from digest.model import IssueKey, Slot
from digest.picking.alike import Alike
from digest.picking.claims import Claim, Claims, week_of
from digest.picking.heirs import Heirs
from digest.picking.kin import NO_KIN, Kin
from digest.picking.policy import Policy
from digest.picking.shelf import WEEK, Candidate, nfc, seconds

__all__ = ["Situation", "Twin", "situate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """A claim whose text is like that of a summary, and how like, 0 to 1."""

    claim: Claim
    likeness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A slot, the rules, and what other issues hold.

    `held` is what issues hold, published ones and those whose files reserve it; what the issue
    `own` holds does not count. `twins` gives the texts of the repeat window that are like that of
    a summary. `dropped` are ids that people took out of this issue. `week` is the week of the
    slot; in seconds of POSIX time `at` is the slot, `begun` the first issue of all, and `oldest`
    the moment before which a summary is too old.
    """

    slot: Slot
    policy: Policy
    own: IssueKey | None
    week: int
    at: int
    begun: int
    oldest: int | None
    held: Claims
    twins: Mapping[Candidate, tuple[Twin, ...]]
    heirs: Heirs
    dropped: frozenset[str]

    def besides(self, candidate: Candidate) -> frozenset[str]:
        """Give the ids whose place a summary takes: what became of them is not held against it.

        What was out under an address of theirs by an id that no file has now is one of them.
        """
        names = self.heirs.replaces.get(candidate.name)
        if names is None:
            return frozenset()
        urls = self.heirs.urls.get(candidate.name, ())
        under = {claim.name for url in urls for claim in self.held.urls.get(url, ())}
        return names | (under - self.heirs.names)

    def last(self, candidate: Candidate) -> Claim | None:
        """Give the nearest published issue that holds a summary; None where it never was out."""
        return next((claim for claim in self._claims(candidate) if claim.past.published), None)

    def reserved(self, candidate: Candidate) -> Claim | None:
        """Give the nearest issue not yet published whose file holds a summary, else None."""
        return next((claim for claim in self._claims(candidate) if not claim.past.published), None)

    def _claims(self, candidate: Candidate) -> list[Claim]:
        """Give the claims of other issues on a summary, the nearest first."""
        # Nearly all are in no issue: they are told by a look.
        if not self.held.has(candidate):
            return []
        besides = self.besides(candidate)
        asked = [
            claim
            for claim in self.held.on(candidate, texts=self.policy.similarity > 0)
            if claim.past.key != self.own and claim.name not in besides
        ]
        # The sort is stable: of one issue that by the id comes first.
        return sorted(asked, key=lambda one: (one.weeks(self.week), one.past.key))

    def window(self, candidate: Candidate) -> int | None:
        """Give the weeks that must lie between two issues of a summary; None means once only."""
        if candidate.summary.cooldown is not None:
            return candidate.summary.cooldown
        return self.policy.repeat_window if self.policy.repeats == "fill" else None

    def since(self, candidate: Candidate) -> int | None:
        """Give the second from which a summary waits; None where it has no date."""
        # Asked of all in every slot, and nearly all are in no issue.
        claim = self.last(candidate) if self.held.has(candidate) else None
        if claim is None:
            return candidate.opens
        back = seconds(claim.past.at) + (self.window(candidate) or 0) * WEEK
        return max(back, candidate.opens or back)


def situate(
    slot: Slot,
    held: Claims,
    policy: Policy,
    *,
    kin: Kin = NO_KIN,
    dropped: Iterable[str] = (),
    afresh: bool = True,
) -> Situation:
    """Gather what is known at a slot; with `afresh` its own issue holds nothing, as it is made."""
    at, week = seconds(slot.at), week_of(slot.issue)
    own = slot.issue if afresh else None
    return Situation(
        slot=slot,
        policy=policy,
        own=own,
        week=week,
        at=at,
        begun=min(at, held.begun if held.begun is not None else at),
        oldest=None if policy.max_age is None else at - policy.max_age * WEEK,
        held=held,
        twins=_twins(held, kin.alike, week=week, window=policy.repeat_window, own=own),
        heirs=kin.heirs,
        dropped=frozenset(map(nfc, dropped)),
    )


def _twins(
    held: Claims, alike: Alike, *, week: int, window: int, own: IssueKey | None
) -> Mapping[Candidate, tuple[Twin, ...]]:
    found: dict[Candidate, tuple[Twin, ...]] = {}
    for claim in held.within(week, window):
        if claim.past.key != own:
            for candidate, share in alike.to(claim.item.sketch):
                twin = Twin(claim=claim, likeness=share)
                found[candidate] = (*found.get(candidate, ()), twin)
    return MappingProxyType(found)
