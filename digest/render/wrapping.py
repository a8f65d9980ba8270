"""Lines of text broken at a width that is counted in the cells of a terminal."""

# ruff: noqa: RUF001 - the signs of Chinese and Japanese are meant

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from wcwidth import iter_graphemes, wcswidth, wcwidth

__all__ = ["cells", "padded", "wrap"]

# All white space but the kinds that forbid a break (UAX #14, class GL).
_SPACES: Final = re.compile(r"[^\S\u00a0\u2007\u202f]+")
_WIDE: Final = frozenset({"W", "F"})
# Signs that no line begins or ends with (JIS X 4051).
_NOT_FIRST: Final = frozenset(
    "、。，．：；？！）］｝〕〉》」』】〙〗ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々…‥"
)
_NOT_LAST: Final = frozenset("（［｛〔〈《「『【〘〖")


def cells(text: str) -> int:
    """Count the cells of a text without line breaks: CJK takes two, a combining mark none."""
    if text.isascii():
        return len(text)
    width = wcswidth(text)
    return width if width >= 0 else sum(max(wcwidth(sign), 0) for sign in text)


def padded(text: str, width: int) -> str:
    """Fill a text up with spaces to so many cells."""
    return text + " " * (width - cells(text))


def wrap(text: str, *, width: int, indent: str = "", first: str = "") -> str:
    """Break a text into lines of at most `width` cells, `indent` in front of each.

    `first`, if given, stands in front of the first line in place of `indent`. Lines break at white
    space only, never at a hyphen or inside an address, so a longer word stands out; only a word
    in a script without spaces, Chinese or Japanese, breaks where those scripts allow it. Line feeds
    stay.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        _fill(paragraph, lines=lines, margins=(first or indent, indent), width=width)
    return "\n".join(line.rstrip() for line in lines)


def _fill(paragraph: str, *, lines: list[str], margins: tuple[str, str], width: int) -> None:
    """Add the lines of a paragraph; the first margin is that of the very first line."""
    line, used = "", 0
    for word in filter(None, _SPACES.split(paragraph)):
        room = width - cells(margins[bool(lines)])
        for place, piece in enumerate(_pieces(word, room)):
            long = cells(piece)
            if line and (place or used + 1 + long > width - cells(margins[bool(lines)])):
                lines.append(margins[bool(lines)] + line)
                line, used = piece, long
            else:
                line, used = (f"{line} {piece}", used + 1 + long) if line else (piece, long)
    lines.append(margins[bool(lines)] + line)


def _pieces(word: str, room: int) -> Iterator[str]:
    """Part a word that is wider than a line between two wide characters, where it has any."""
    if word.isascii() or cells(word) <= room:
        yield word
        return
    piece, used, last = "", 0, ""
    for sign in iter_graphemes(word):
        wide = cells(sign)
        if piece and used + wide > room and _may_part(last, sign):
            yield piece
            piece, used = "", 0
        piece, used, last = piece + sign, used + wide, sign
    yield piece


def _may_part(before: str, after: str) -> bool:
    """Tell whether a line may end between two signs as they are seen, joined emoji among them."""
    wide = {unicodedata.east_asian_width(sign[0]) for sign in (before, after)} <= _WIDE
    return wide and before not in _NOT_LAST and after not in _NOT_FIRST
