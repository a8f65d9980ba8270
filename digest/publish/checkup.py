"""What is said of one part of a set-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from digest.errors import DigestError

__all__ = ["Check"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """How one part stands: `told` in a sentence, `fix` how to mend it.

    `warning`: it works, and may not be what was meant. `error`: something will fail, or somebody
    may see what is not theirs.
    """

    name: str
    state: Literal["ok", "warning", "error"]
    told: str
    fix: str = ""

    @classmethod
    def of(cls, error: DigestError, *, name: str) -> Self:
        """Tell what stopped the look at a part."""
        return cls(name=name, state="error", told=error.brief, fix=error.problems[0].fix)
