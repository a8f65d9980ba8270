"""How the summaries of a shelf are related: whose place one takes, and whose text is alike."""

from __future__ import annotations

from dataclasses import dataclass

from digest.picking.alike import Alike
from digest.picking.heirs import NO_HEIRS, Heirs, find_heirs
from digest.picking.policy import Policy
from digest.picking.shelf import Candidate

__all__ = ["NO_KIN", "Kin", "find_kin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kin:
    """How the summaries of a shelf are related; the same for every slot."""

    heirs: Heirs
    alike: Alike


NO_KIN = Kin(heirs=NO_HEIRS, alike=Alike((), 0))


def find_kin(shelf: tuple[Candidate, ...], policy: Policy) -> Kin:
    """Find how the summaries of a shelf are related."""
    return Kin(heirs=find_heirs(shelf), alike=Alike(shelf, policy.similarity))
