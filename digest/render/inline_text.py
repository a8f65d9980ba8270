"""The words of a paragraph of HTML as plain text, and the addresses of its links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from xml.etree.ElementTree import Element

from digest.render.elements import BLOCKS
from digest.render.scripts import lowered, raised

__all__ = ["InlineText", "read_inline"]

_SPACES: Final = re.compile(r"[ \t\n]+")
_ADDRESS: Final = re.compile(r"https?://(\S+)")
_LONGEST_ADDRESS: Final = 40
_STRUCK: Final = "\u0336"
_APART: Final = BLOCKS | frozenset({"td", "th", "tr"})


@dataclass(slots=True, kw_only=True)
class InlineText:
    """Words as they are read; `verbatim` keeps white space as it is, as in code."""

    verbatim: bool = False
    parts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    def add(self, text: str | None) -> None:
        """Add text of the document, in which white space is one space."""
        if text:
            self.parts.append(text if self.verbatim else _SPACES.sub(" ", text))

    def text(self) -> str:
        """Give the words; line feeds in them are lines of their own."""
        joined = "".join(self.parts)
        if self.verbatim:
            return joined.strip("\n")
        return re.sub(" *\n[ \n]*", "\n", re.sub(" +", " ", joined)).strip(" \n")

    def inner(self, element: Element) -> str:
        """Read what is in an element apart; its links are those of the whole."""
        apart = InlineText(verbatim=self.verbatim, links=self.links)
        _read_content(element, apart)
        return "".join(apart.parts)


def read_inline(element: Element, words: InlineText) -> None:
    """Add one element to the words; what follows it is not its own."""
    tag = element.tag
    if tag == "br":
        words.parts.append("\n")
    elif tag == "img":
        alt = element.get("alt", "")
        words.parts.append(f"[{alt}]" if alt else "")
    elif tag == "a":
        _read_link(element, words)
    elif tag in {"s", "del", "sup", "sub", "q", "rt", "rp"}:
        words.parts.append(_changed(tag, words.inner(element)))
    elif tag in _APART and not words.verbatim:
        words.parts.append(" ")
        _read_content(element, words)
        words.parts.append(" ")
    else:
        _read_content(element, words)


def _read_content(element: Element, words: InlineText) -> None:
    words.add(element.text)
    for child in element:
        read_inline(child, words)
        words.add(child.tail)


def _changed(tag: str, text: str) -> str:
    """Say with signs what HTML says with an element."""
    if tag in {"s", "del"}:
        once = text.replace(_STRUCK, "")  # nested ones would double it each time
        return "".join(sign if sign.isspace() else sign + _STRUCK for sign in once)
    if tag in {"sup", "sub"}:
        return raised(text) if tag == "sup" else lowered(text)
    if tag == "q":
        return f"“{text}”"
    return f"({text})" if tag == "rt" else ""


def _read_link(element: Element, words: InlineText) -> None:
    """Add the words of a link; the address goes to the links, for it has its own line."""
    label, address = words.inner(element), element.get("href", "")
    words.parts.append(_shortened(label))
    mailbox = address.removeprefix("mailto:")
    if address and not address.startswith("#") and (mailbox == address or mailbox not in label):
        words.links.append(address)


def _shortened(label: str) -> str:
    """Give the words of a link; of a bare address what is needed to know it by."""
    address = _ADDRESS.fullmatch(label.strip())
    if address is None:
        return label
    bare = address[1].rstrip("/")
    return bare if len(bare) <= _LONGEST_ADDRESS else bare.partition("/")[0] + "/…"
