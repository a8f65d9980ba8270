"""The proof that a mail tells nobody who reads it, and runs nothing.

Content cannot: it is sanitised, and its brackets are text. A template of one's own could, without
meaning to: a reader's address in a link or a picture tells whoever is asked.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final

from digest.errors import Problem, TemplateError
from digest.render.fields import Fields

__all__ = ["prove_untracked"]

# What runs, asks or leads away by itself (HTML Living Standard §4.8, §4.10, §4.12).
_ACTIVE: Final = frozenset(
    {"script", "iframe", "frame", "object", "embed", "applet", "form", "base", "portal"}
)
# Attributes whose values are only read or heard; any other may be sent somewhere.
_SAID: Final = frozenset({"alt", "title", "aria-label"})
_LEAVE: Final = "leave_url"


def prove_untracked(html: str, fields: Fields, *, place: str) -> None:
    """Raise TemplateError naming what would run, and fields that would tell who reads.

    `html` still has the tokens of its fields. A field may stand in text, and in what is read to
    people; `leave_url` alone is an address, and one to press.
    """
    reader = _Reader(fields)
    reader.feed(html)
    reader.close()
    if reader.found:
        raise TemplateError.of(
            tuple(
                Problem(what=what, where=place, fix=fix)
                for what, fix in dict.fromkeys(reader.found)
            )
        )


class _Reader(HTMLParser):
    """Notes what is wrong, each with its cure."""

    def __init__(self, fields: Fields) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []
        self._names = fields.names
        self._tokens = re.compile("|".join(fields.names) or r"(?!)")
        self._style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element and at each of its attributes."""
        self._style = tag == "style"
        if tag in _ACTIVE:
            self.found.append((f"<{tag}> has no place in a mail", "leave it out"))
        for name, value in attrs:
            if name.startswith("on"):
                self.found.append((f"<{tag} {name}> would run a script", "leave it out"))
            elif name not in _SAID:
                self._told(value or "", f"<{tag} {name}>", pressed=(tag, name) == ("a", "href"))

    def handle_endtag(self, tag: str) -> None:
        """Leave a style sheet."""
        self._style = self._style and tag != "style"

    def handle_data(self, data: str) -> None:
        """Look at a style sheet; other text is shown to the reader alone."""
        if self._style:
            self._told(data, "<style>", pressed=False)

    def _told(self, value: str, where: str, *, pressed: bool) -> None:
        for token in self._tokens.findall(value):
            field = self._names[token]
            if not (pressed and field == _LEAVE):
                told = f"[[{field}]] in {where} would tell others who reads"
                self.found.append((told, "put it into the text, or leave it out"))
