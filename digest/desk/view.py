"""Which form of an issue is looked at, as the address of the page says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal, get_args
from urllib.parse import urlencode

__all__ = ["FORMS", "FRAMED", "Colour", "Form", "View"]

Form = Literal["desktop", "phone", "text", "source", "headers", "page", "feed"]
Colour = Literal["light", "dark", "forced"]
Pictures = Literal["off", "on"]

FORMS: Final[tuple[Form, ...]] = get_args(Form)
# The forms that are HTML, each with its file of the edition.
FRAMED: Final[Mapping[Form, str]] = {
    "desktop": "issue.html",
    "phone": "issue.html",
    "page": "page.html",
    "feed": "entry.html",
}
_CHOICES: Final = {"view": FORMS, "colour": get_args(Colour), "pictures": get_args(Pictures)}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One way to look at an issue. The same address shows the same thing to everybody."""

    view: Form = "desktop"
    colour: Colour = "light"
    pictures: Pictures = "off"

    @classmethod
    def read(cls, query: Mapping[str, str]) -> View:
        """Read a view from an address; what it does not say, or says wrong, is as usual."""
        asked: dict[str, Any] = {
            name: query[name] for name, choices in _CHOICES.items() if query.get(name) in choices
        }
        return cls(**asked)

    @property
    def file(self) -> str:
        """Give the file of the edition that stands in the frame; empty where there is no frame."""
        return FRAMED.get(self.view, "")

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Give the colours that a form is shown in: mail alone is recoloured by force."""
        return get_args(Colour) if self.file == "issue.html" else ("light", "dark")

    @property
    def shown_colour(self) -> Colour:
        """Give the colour that this form is shown in."""
        return self.colour if self.colour in self.colours else "dark"

    def query(self, **changes: str) -> str:
        """Write this view, changed, as the end of an address; empty for the usual one."""
        asked: dict[str, Any] = changes
        usual, told = asdict(View()), asdict(replace(self, **asked))
        said = {name: value for name, value in told.items() if value != usual[name]}
        return f"?{urlencode(said)}" if said else "?"
