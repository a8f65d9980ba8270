"""Which summaries of a shelf have a text like a given one."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from digest.model import ThemeId, handles, likeness, marks
from digest.picking.shelf import Candidate

__all__ = ["Alike"]

_PLACES: Final = 24  # bits: a shelf of up to 16 million
_FEW: Final = 8


class Alike:
    """The texts of a shelf, to be asked which of them are like another, `least` or more of 1.

    What was found is remembered: a plan asks about each text in many weeks. With `least` 0
    nothing is like anything.
    """

    def __init__(self, shelf: Sequence[Candidate], least: float) -> None:
        self._shelf = shelf
        self._least = least
        # Handle and place in one number, sorted: far less memory than a dictionary of lists.
        marked = [
            handle << _PLACES | place
            for place, candidate in enumerate(shelf if least else ())
            for handle in candidate.handles
        ]
        self._marked = array("Q", sorted(marked))
        self._found: dict[bytes, tuple[tuple[Candidate, float], ...]] = {}

    def to(self, sketch: bytes) -> tuple[tuple[Candidate, float], ...]:
        """Give the candidates whose text is like that of a sketch, each with its likeness."""
        found = self._found.get(sketch)
        if found is None:
            near = (self._shelf[place] for place in sorted(self._near(sketch)))
            told = ((one, likeness(sketch, one.sketch, least=self._least)) for one in near)
            found = tuple((one, share) for one, share in told if share)
            self._found[sketch] = found
        return found

    def _near(self, sketch: bytes) -> list[int]:
        """Give the places of those that share a handle with a sketch, and as much as is needed."""
        found: set[int] = set()
        for handle in handles(sketch):
            found.update(self._places(handle))
        # A footer that all texts share brings all of them here: most leave by this.
        own = marks(sketch)
        floor = self._least * len(own)
        shelf = self._shelf
        return [place for place in found if len(own & marks(shelf[place].sketch)) >= floor]

    def _places(self, handle: int) -> Iterator[int]:
        at = bisect_left(self._marked, handle << _PLACES)
        while at < len(self._marked) and self._marked[at] >> _PLACES == handle:
            yield self._marked[at] & ((1 << _PLACES) - 1)
            at += 1

    def apart(self) -> frozenset[ThemeId]:
        """Name the themes in which no two texts are alike."""
        themes = {candidate.theme for candidate in self._shelf}
        if not self._least:
            return frozenset(themes)
        for group in self._sharing():
            first = group[0]
            if first.theme in themes and self._any_alike(group):
                themes.discard(first.theme)
        return frozenset(themes)

    def _sharing(self) -> Iterator[list[Candidate]]:
        """Give the candidates of one theme that share a handle, or are equal without having one."""
        groups: dict[tuple[ThemeId, int | bytes], list[Candidate]] = {}
        handle = -1
        for mark in self._marked:
            if mark >> _PLACES != handle:
                yield from (group for group in groups.values() if len(group) > 1)
                handle, groups = mark >> _PLACES, {}
            one = self._shelf[mark & ((1 << _PLACES) - 1)]
            groups.setdefault((one.theme, handle), []).append(one)
        for one in self._shelf:
            if not one.handles:
                groups.setdefault((one.theme, one.sketch), []).append(one)
        yield from (group for group in groups.values() if len(group) > 1)

    def _any_alike(self, group: Sequence[Candidate]) -> bool:
        """Tell whether two of some are alike; where they are many it is taken for granted."""
        if len(group) > _FEW:
            return True
        pairs = combinations(group, 2)
        return any(likeness(one.sketch, two.sketch, least=self._least) for one, two in pairs)
