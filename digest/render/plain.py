"""Markdown as plain text for the text part of a mail: lines of 72 cells, no mark left over.

The text is read from a safe fragment as the HTML is, so both hold the same. Each paragraph, list
item, heading and table is followed by the addresses of its links, each alone on its line and once
in a text. Items begin with `-` or a number, quotes with `>`; code stands four columns in, unbroken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, zip_longest
from types import MappingProxyType
from typing import Final
from xml.etree.ElementTree import Element, fromstring

from digest.render.elements import BLOCKS
from digest.render.inline_text import InlineText, read_inline
from digest.render.markdown import fragment
from digest.render.plain_tables import set_table
from digest.render.wrapping import wrap

__all__ = ["markdown_text", "wrap"]

Lines = list[str]

_NARROWEST: Final = 20  # however deep a text is indented
_CODE_INDENT: Final = "    "
_LINK_INDENT: Final = "  "
_QUOTE: Final = "> "
_RULE: Final = "· · ·"


def markdown_text(  # noqa: PLR0913 - how a text is set, all by name
    text: str,
    *,
    base: str,
    language: str = "en",
    width: int = 72,
    indent: int = 0,
    dollars: bool = False,
    placed: Callable[[str], str] = str,
) -> str:
    """Set Markdown as plain text without a line feed at its end.

    Lines have at most `width` cells, `indent` spaces among them; only code, addresses and words
    that are longer stand out. Relative addresses become absolute against `base`. Pictures are
    `[their words]`, formulas Unicode, notes numbered; `dollars` is as for `markdown_html`. `placed`
    sets the pictures of the safe HTML between.
    """
    html = placed(fragment(text, form="text", base=base, language=language, dollars=dollars))
    root = fromstring(f"<div>{html}</div>")  # noqa: S314 - our own well-formed output, no DTD in it
    blocks = _Setter(width=max(width - indent, _NARROWEST)).blocks(root)
    return "\n".join(_shifted(_joined(blocks), " " * indent))


def _joined(blocks: list[Lines], *, tight: bool = False) -> Lines:
    """Put blocks below each other, with a blank line between them or without one."""
    lines: Lines = []
    for block in blocks:
        if lines and not tight:
            lines.append("")
        lines.extend(block)
    return lines


def _shifted(lines: Lines, margin: str, *, first: str = "") -> Lines:
    return [f"{(not place and first) or margin}{line}".rstrip() for place, line in enumerate(lines)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setter:
    """Sets blocks at a width; `listed` are the addresses written so far, at any width."""

    width: int
    listed: set[str] = field(default_factory=set)

    def narrower(self, by: int) -> _Setter:
        return _Setter(width=max(self.width - by, _NARROWEST), listed=self.listed)

    def blocks(self, element: Element) -> list[Lines]:
        """Set what is in an element: runs of words as paragraphs, blocks each in its way."""
        blocks: list[Lines] = []
        words = InlineText()
        words.add(element.text)
        for child in element:
            if any(part.tag in BLOCKS for part in child.iter()):
                blocks.extend(self.paragraph(words))
                words = InlineText()
                blocks.extend(self.block(child))
            else:
                read_inline(child, words)
            words.add(child.tail)
        return blocks + self.paragraph(words)

    def block(self, element: Element) -> list[Lines]:
        """Set one element that is a block or holds one."""
        make = _MAKERS.get(element.tag)
        if make:
            lines = make(self, element)
            return [lines] if lines else []
        blocks = self.blocks(element)
        if element.tag == "a" and blocks:  # a link round whole paragraphs
            blocks[-1] += self.addresses([element.get("href", "")])
        return blocks

    def paragraph(self, words: InlineText) -> list[Lines]:
        text = words.text()
        lines = wrap(text, width=self.width).split("\n") if text else []
        lines += self.addresses(words.links)
        return [lines] if lines else []

    def addresses(self, links: Lines) -> Lines:
        new = [link for link in dict.fromkeys(links) if link and link not in self.listed]
        self.listed.update(new)
        return [f"{_LINK_INDENT}{link}" for link in new]

    def code(self, element: Element) -> Lines:
        words = InlineText(verbatim=True)
        read_inline(element, words)
        return _shifted(words.text().split("\n"), _CODE_INDENT) + self.addresses(words.links)

    def rule(self, _element: Element) -> Lines:
        return [_RULE]

    def quote(self, element: Element) -> Lines:
        return _shifted(_joined(self.narrower(len(_QUOTE)).blocks(element)), _QUOTE)

    def entries(self, element: Element) -> Lines:
        """Set a list; it is tight where no entry has paragraphs of its own."""
        tight = not any(part.tag == "p" for entry in element for part in entry)
        numbers = count(int(element.get("start", "1")))
        numbered = element.tag == "ol"
        marked = [
            (entry, (f"{next(numbers)}. " if numbered else "- ") if entry.tag == "li" else "")
            for entry in _children(element)
        ]
        room = max((len(mark) for _entry, mark in marked), default=0)
        inner = self.narrower(room)
        blocks = [
            _shifted(
                _joined(inner.blocks(entry), tight=tight) or [""],
                " " * room,
                first=mark.rjust(room),
            )
            for entry, mark in marked
        ]
        return _joined(blocks, tight=tight)

    def definitions(self, element: Element) -> Lines:
        inner = self.narrower(len(_CODE_INDENT))
        lines: Lines = []
        for child in _children(element):
            if child.tag == "dd":
                lines += _shifted(_joined(inner.blocks(child)), _CODE_INDENT)
            else:
                lines += _joined(self.blocks(child))
        return lines

    def table(self, element: Element) -> Lines:
        blocks: list[Lines] = []
        rows: list[Lines] = []
        links: Lines = []
        headed = False
        for row in _rows(element):
            if row.tag == "caption":
                blocks.extend(self.blocks(row))
                continue
            headed = headed or (not rows and all(cell.tag == "th" for cell in row))
            rows.append([_one_line(cell, links) for cell in row])
        lines = set_table(rows, headed=headed, width=self.width) + self.addresses(links)
        return _joined([*blocks, lines])


def _children(element: Element) -> Iterator[Element]:
    """Give the children of a list, with stray words between them as children of their own."""
    for words, child in zip_longest([element.text, *(child.tail for child in element)], element):
        if words and words.strip():
            stray = Element("div")
            stray.text = words
            yield stray
        if child is not None:
            yield child


def _rows(table: Element) -> Iterator[Element]:
    for part in table:
        yield from part if part.tag in {"thead", "tbody", "tfoot"} else [part]


def _one_line(cell: Element, links: Lines) -> str:
    words = InlineText(links=links)
    read_inline(cell, words)
    return words.text().replace("\n", " ")


_MAKERS: Final[Mapping[str, Callable[[_Setter, Element], Lines]]] = MappingProxyType(
    {
        "pre": _Setter.code,
        "hr": _Setter.rule,
        "blockquote": _Setter.quote,
        "ul": _Setter.entries,
        "ol": _Setter.entries,
        "dl": _Setter.definitions,
        "table": _Setter.table,
    }
)
