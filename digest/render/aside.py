"""HTML of our own, set aside while what people wrote is sanitised, and put in again after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

__all__ = ["Aside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """Pieces of HTML and the marks that stand for them in a text.

    A mark holds the hash of the whole text that the pieces come from: nobody can write a text that
    holds its own hash, so no mark is forged, however the text is taken apart and put together. The
    hash of a part would not do: the rest of the text could hold it.
    """

    key: str
    pieces: list[str] = field(default_factory=list)

    @classmethod
    def beside(cls, text: str) -> Aside:
        """Give an empty one for the pieces of a text."""
        return cls(key=sha256(text.encode("utf-8", "surrogatepass")).hexdigest())

    def put(self, html: str) -> str:
        """Set a piece aside and give its mark: letters, digits and hyphens."""
        self.pieces.append(html)
        return f"{self.key}-{len(self.pieces) - 1}-"

    def without(self, text: str) -> str:
        """Give a text without its marks: an attribute, for one, has no room for a piece."""
        return "".join(part for part, whole in self.parts(text) if not whole)

    def parts(self, text: str) -> Iterator[tuple[str, bool]]:
        """Part a text at its marks; each part is a text, or (true) a piece that was set aside."""
        if self.key not in text:
            yield text, False
            return
        for place, part in enumerate(re.split(f"{self.key}-([0-9]+)-", text)):
            yield (self.pieces[int(part)], True) if place % 2 else (part, False)
