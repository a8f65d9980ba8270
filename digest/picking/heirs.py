"""Which summaries take the place of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from digest.picking.shelf import Candidate, nfc

__all__ = ["NO_HEIRS", "Heirs", "find_heirs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heirs:
    """Which summaries take the place of others.

    `of` gives, for an id, the summaries that supersede it, directly or by others in between;
    `replaces` gives the ids that a summary takes the place of, and `urls` their addresses. `names`
    are all ids of the shelf.
    """

    of: Mapping[str, tuple[Candidate, ...]]
    replaces: Mapping[str, frozenset[str]]
    urls: Mapping[str, tuple[str, ...]]
    names: frozenset[str]


NO_HEIRS = Heirs(of={}, replaces={}, urls={}, names=frozenset())


def find_heirs(shelf: tuple[Candidate, ...]) -> Heirs:
    """Find which summaries take the place of which; what may be in no issue takes none.

    Those that claim each other's place, be it by others in between, keep their own.
    """
    named = {
        candidate.name: tuple(map(nfc, candidate.summary.supersedes))
        for candidate in shelf
        if candidate.summary.supersedes
    }
    if not named:
        return NO_HEIRS
    before = {name: frozenset(_all_before(name, named)) for name in named}
    replaces = {
        name: frozenset(one for one in found if name not in before.get(one, ()))
        for name, found in before.items()
    }
    of: dict[str, list[Candidate]] = {}
    for heir in shelf:
        for name in () if heir.barred else sorted(replaces.get(heir.name, ())):
            of.setdefault(name, []).append(heir)
    urls = {candidate.name: candidate.url for candidate in shelf if candidate.url}
    return Heirs(
        # Who says it by itself is named before who does by others.
        of={
            name: tuple(sorted(found, key=lambda heir: name not in named[heir.name]))
            for name, found in of.items()
        },
        replaces=replaces,
        urls={
            name: tuple(urls[one] for one in sorted(found) if one in urls)
            for name, found in replaces.items()
        },
        names=frozenset(candidate.name for candidate in shelf),
    )


def _all_before(name: str, named: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Give the ids whose place a summary takes, directly or by others in between."""
    seen = {name}
    waiting = list(named[name])
    while waiting:
        one = waiting.pop()
        if one not in seen:
            seen.add(one)
            yield one
            waiting += named.get(one, ())
