"""Elements of a drawing as text (SVG 1.1), and how much room words take in it."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import Final

from digest.model import clean_line

__all__ = ["draw", "text_width", "words", "wrapped"]

# Parts of the type size, on the wide side of the fonts of the look: what is drawn must not be cut.
_NARROW: Final = frozenset("fijlrtI.,:;!|'()[] ")
_BROAD: Final = frozenset("mwMW@%")


def draw(name: str, *inside: str, **attributes: str | float) -> str:
    """Write an element; what is `inside` is markup already.

    In the names of attributes `_` stands for `-`, and `class_` for `class`.
    """
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{told}>{''.join(inside)}</{name}>" if inside else f"<{name}{told}/>"


def _value(value: str | float) -> str:
    return words(value) if isinstance(value, str) else f"{value:g}"


def words(text: str) -> str:
    """Write what people wrote as text of a drawing: on one line, without any markup."""
    return escape(clean_line(text))


def text_width(text: str, *, size: float) -> float:
    """Give the room that a line needs at most, in the units of `size`, whatever the font is."""
    return size * sum(map(_part, text))


def _part(sign: str) -> float:
    if unicodedata.east_asian_width(sign) in "WF" or sign in _BROAD:
        return 1.0
    if sign in _NARROW:
        return 0.4
    return 0.75 if sign.isupper() else 0.61


def wrapped(text: str, *, size: float, room: float) -> tuple[str, ...]:
    """Break a line between words into lines that fit, and within a word where it is too long."""
    lines: list[str] = [""]
    for word in clean_line(text).split():
        longer = f"{lines[-1]} {word}".lstrip()
        if text_width(longer, size=size) <= room:
            lines[-1] = longer
        else:
            lines += _pieces(word, size=size, room=room)
    return tuple(filter(None, lines))


def _pieces(word: str, *, size: float, room: float) -> list[str]:
    pieces = [""]
    for sign in word:
        # A mark stays with the letter that it stands on.
        if text_width(pieces[-1] + sign, size=size) > room and not unicodedata.combining(sign):
            pieces.append("")
        pieces[-1] += sign
    return pieces
