"""How many of a source or an author an issue already holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from digest.picking.assign import fold
from digest.picking.policy import Policy
from digest.picking.shelf import Candidate

__all__ = ["Tally", "Walk", "take"]


class Tally:
    """Count the sources and authors of what was taken, and refuse what goes over a cap."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._held: Counter[tuple[str, str]] = Counter()

    def refusal(self, candidate: Candidate) -> str:
        """Give the reason why a candidate would go over a cap, empty where it would not."""
        for kind, name, cap in self._capped(candidate):
            if self._held[kind, fold(name)] >= cap:
                return f"the issue already holds {cap} of {kind} {name}, the most that may be"
        return ""

    def add(self, candidate: Candidate) -> None:
        """Count a candidate that was taken."""
        self._held.update({(kind, fold(name)) for kind, name, _ in self._capped(candidate)})

    def _capped(self, candidate: Candidate) -> Iterator[tuple[str, str, int]]:
        source, author = self._policy.max_per_source, self._policy.max_per_author
        if source is not None and candidate.summary.source:
            yield "source", candidate.summary.source, source
        if author is not None:
            for name in candidate.summary.authors:
                yield "author", name, author


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What a walk along candidates took and what it refused, both in their order.

    The reason of a refusal is the cap it would break, empty where only room was lacking.
    """

    taken: tuple[Candidate, ...]
    refused: tuple[tuple[Candidate, str], ...]


def take(candidates: Iterable[Candidate], *, limit: int, tally: Tally) -> Walk:
    """Take candidates in their order while caps and limit allow; `tally` goes on counting."""
    taken: list[Candidate] = []
    refused: list[tuple[Candidate, str]] = []
    for candidate in candidates:
        full = len(taken) == limit
        reason = "" if full else tally.refusal(candidate)
        if full or reason:
            refused.append((candidate, reason))
        else:
            taken.append(candidate)
            tally.add(candidate)
    return Walk(taken=tuple(taken), refused=tuple(refused))
