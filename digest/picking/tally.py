"""What an issue holds already: how much of a source or an author, and which words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from digest.model import likeness
from digest.picking.assign import fold
from digest.picking.policy import Policy
from digest.picking.shelf import Candidate

__all__ = ["Tally", "features"]

# Points of redundancy, and how many of a kind count: 20 + 2 * 15 + 5 * 10 is 100 at most, and no
# summary is worth less, so that taking one more never makes an issue worse.
_SOURCE: Final = 20
_AUTHOR: Final = 15
_AUTHORS: Final = 2
_TAG: Final = 10
_TAGS: Final = 5


def features(candidate: Candidate) -> dict[str, int]:
    """Give what a summary may have in common with others, with the points for each.

    The tag that its theme's rule asks for, or is called after, says nothing new of it.
    """
    return {fold(told): points for told, points in _named(candidate)}


def _named(candidate: Candidate) -> Iterator[tuple[str, int]]:
    """Give what a summary may have in common with others, in the writing of its file."""
    summary = candidate.summary
    kind, _, asked = candidate.rule.partition(":")
    own = {fold(candidate.theme), fold(asked).strip() if kind == "tag" else ""}
    if summary.source:
        yield f"source {summary.source}", _SOURCE
    for name in list(_once(summary.authors).values())[:_AUTHORS]:
        yield f"author {name}", _AUTHOR
    tags = [tag for key, tag in _once(summary.tags).items() if key not in own]
    for tag in tags[:_TAGS]:
        yield f"tag {tag}", _TAG


def _once(names: Iterable[str]) -> dict[str, str]:
    """Give names by their folded forms, each as it is written first."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(fold(name), name)
    return found


class Tally:
    """Count what was taken; refuse what goes over a cap, or repeats the text of another."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._held: Counter[tuple[str, str]] = Counter()
        self._features: set[str] = set()
        self._taken: list[Candidate] = []

    def refusal(self, candidate: Candidate) -> str:
        """Give the reason why a candidate may not join those that were taken, else nothing."""
        for kind, name, cap in self._capped(candidate):
            if self._held[kind, fold(name)] >= cap:
                return f"the issue already holds {cap} of {kind} {name}, the most that may be"
        least = self._policy.similarity
        for other in self._taken if least else ():
            near = candidate.sketch == other.sketch or not set(candidate.handles).isdisjoint(
                other.handles
            )
            if near and (found := likeness(candidate.sketch, other.sketch, least=least)):
                share = f"{found:.2f} alike, and {least:g} is too much"
                return f"its text is that of {other.summary.id}, which is in the issue ({share})"
        return ""

    def redundancy(self, candidate: Candidate) -> dict[str, int]:
        """Give what a candidate has in common with those that were taken, with the points."""
        return {told: points for told, points in _named(candidate) if fold(told) in self._features}

    def add(self, candidate: Candidate) -> None:
        """Count a candidate that was taken."""
        self._held.update({(kind, fold(name)) for kind, name, _ in self._capped(candidate)})
        self._features.update(features(candidate))
        self._taken.append(candidate)

    def _capped(self, candidate: Candidate) -> Iterator[tuple[str, str, int]]:
        source, author = self._policy.max_per_source, self._policy.max_per_author
        if source is not None and candidate.summary.source:
            yield "source", candidate.summary.source, source
        if author is not None:
            for name in candidate.summary.authors:
                yield "author", name, author
