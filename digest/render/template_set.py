"""The templates of a look, as texts: whoever reads them from disk stands outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["TemplateSet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSet:
    """Templates by file name, and the path by which errors name each of them.

    A name ends in `.mjml.j2` or `.html.j2` (everything put in is escaped) or in `.txt.j2`.
    """

    texts: Mapping[str, str]
    places: Mapping[str, str] = field(default_factory=dict)

    def place(self, name: str) -> str:
        """Give the path of a template as errors name it."""
        return self.places.get(name, name)
