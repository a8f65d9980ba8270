"""Where the HTML of an item can end early: after a whole block, or a whole word of the first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from digest.render.elements import BLOCKS, LISTS, VOID

__all__ = ["Cut", "cut_html", "find_cuts"]

# A safe fragment has a regular form: each element is closed, `<` stands only where a tag begins.
_PART: Final = re.compile(
    r"<(?P<close>/?)(?P<name>[a-z][a-z0-9]*)(?P<rest>(?:[^\"'<>]|\"[^\"]*\"|'[^']*')*)>|[^<]+"
)
_ID: Final = re.compile(r'\sid="([^"]*)"')
_PLACE: Final = re.compile(r'\shref="#([^"]*)"')
# Where a word ends: before white space at which a line may break, or after a mark that parts
# clauses in scripts without spaces.
_WORD_END: Final = re.compile(
    r"(?<=\S)(?=[ \t\n])|(?<=[\u3001\u3002\uff0c\uff01\uff1b\uff1f])(?=\w)"
)
# No text stops at these; a semicolon is not among them, it may end a character reference.
_LOOSE: Final = " \t\n\u00b7,:\u2013\u2014\u3001\uff0c-"
# What keeps its sense when only its first words stand; half a formula or half a name does not.
_FLOWING: Final = frozenset({"a", "b", "bdi", "cite", "del", "dfn", "em", "i", "ins", "mark"}) | {
    *("q", "s", "small", "strong", "u"),
}
# A heading and a rule belong to what follows them.
_ENDING: Final = BLOCKS - {"h1", "h2", "h3", "h4", "h5", "h6", "hr"}
_ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A place where a fragment can end: what is written there, and the octets up to it and with it.

    `end` counts characters. The octets are those of UTF-8.
    """

    end: int
    close: str
    octets: int

    @property
    def within(self) -> bool:
        """Tell whether it is within a paragraph, after a word."""
        return self.close.startswith(_ELLIPSIS)


def find_cuts(html: str) -> tuple[Cut, ...]:
    """Give the places where a safe fragment can end before its end, in their order.

    It can end after a block at the top, but not after a heading or a rule; after an item of a list
    at the top; and after a word of the first block, where that is a paragraph.
    """
    walk = _Walk(html=html)
    for part in _PART.finditer(html):
        walk.take(part)
    last = len(html.rstrip())
    return tuple(cut for cut in walk.cuts if cut.end < last)


def cut_html(html: str, cut: Cut) -> str:
    """End a fragment at one of its places; links to what stood behind it become plain words."""
    kept = html[: cut.end] + cut.close
    here = {name for part in _PART.finditer(kept) for name in _ID.findall(part["rest"] or "")}
    return "".join(_without_links_astray(kept, here))


def _without_links_astray(html: str, here: set[str]) -> Iterator[str]:
    astray = False
    for part in _PART.finditer(html):
        if part["name"] != "a":
            yield part[0]
        elif part["close"]:
            if not astray:
                yield part[0]
            astray = False
        else:
            place = _PLACE.search(part["rest"])
            astray = place is not None and place[1] not in here
            if not astray:
                yield part[0]


@dataclass(slots=True, kw_only=True)
class _Walk:
    """Reads the parts of a fragment; `open` are the elements around the next one."""

    html: str
    cuts: list[Cut] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    first: bool = True  # before the end of the first block of `_ENDING`
    loose: bool = False  # in text at the top that stands in no block
    end: int = 0
    octets: int = 0

    def take(self, part: re.Match[str]) -> None:
        name = part["name"]
        if name is None:
            self._text(part)
        elif part["close"]:
            self.open.pop()
            self._closed(name, part.end())
        else:
            self._opened(name, part.start())
            if name not in VOID:
                self.open.append(name)

    def _opened(self, name: str, start: int) -> None:
        if self.open:
            return
        if name not in BLOCKS:
            self.loose = True
        elif self.loose:
            self._cut(start, "")
            self.loose = self.first = False

    def _closed(self, name: str, end: int) -> None:
        if not self.open and name in _ENDING:
            self._cut(end, "")
            self.first = False
        elif name == "li" and len(self.open) == 1 and self.open[0] in LISTS:
            self._cut(end, f"</{self.open[0]}>")

    def _text(self, part: re.Match[str]) -> None:
        text = part[0]
        if not self.open and text.strip():
            self.loose = True
        if not self.first or not self._flows():
            return
        close = _ELLIPSIS + "".join(f"</{name}>" for name in reversed(self.open))
        before = 0
        for end in _WORD_END.finditer(text):
            word = text[before : end.start()].rstrip(_LOOSE)
            if word:
                self._cut(part.start() + before + len(word), close)
            before = end.start()

    def _flows(self) -> bool:
        around = self.open[1:] if self.open[:1] == ["p"] else self.open
        return (self.loose or bool(self.open)) and _FLOWING.issuperset(around)

    def _cut(self, end: int, close: str) -> None:
        self.octets += len(self.html[self.end : end].encode())
        self.end = end
        self.cuts.append(Cut(end=end, close=close, octets=self.octets + len(close.encode())))
