"""Places at which long words of table cells may break, so that a table fits the smallest phone.

Style alone cannot say it: `overflow-wrap: anywhere` breaks short words too, wherever a column could
be narrower, and without it one long word makes the whole mail scroll sideways.
"""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup
from wcwidth import iter_graphemes

__all__ = ["with_breaks"]

_TABLE: Final = re.compile(r"<table\b.*?</table>", re.DOTALL)
_CELL: Final = re.compile(r"<t[dh]\b")
# Formulas stay whole, and so do tags.
_PIECE: Final = re.compile(
    r"<math\b.*?</math>|<span role=\"math\".*?</span>|<[^>]*>|[^<]+", re.DOTALL
)
_WORD: Final = re.compile(r"(?:&[#\w]+;|[^\s<&])+")
_ENTITY: Final = re.compile(r"(&[#\w]+;)")
# A number in two pieces reads as two.
_NUMBER: Final = re.compile(r"[-+\u2212\u2013]?[0-9.,:/]{1,10}[%\u20ac$\u00a3]?")
# What a phone of 320 pixels leaves for a table, the space beside each cell, and a letter of it.
_ROOM: Final = 280
_BESIDE: Final = 16
_LETTER: Final = 8
_BREAK: Final = "<wbr />"


def with_breaks(html: str) -> Markup:
    """Let the words of table cells break after as many letters as each column has room for."""
    return Markup(_TABLE.sub(lambda found: _broken(found[0]), html))  # noqa: S704 - as safe as it was


def _broken(table: str) -> str:
    columns = max(len(_CELL.findall(row)) for row in table.split("<tr"))
    room = max((_ROOM // max(columns, 1) - _BESIDE) // _LETTER, 2)

    def piece(found: re.Match[str]) -> str:
        text = found[0]
        return (
            text if text.startswith("<") else _WORD.sub(lambda word: _parted(word[0], room), text)
        )

    return _PIECE.sub(piece, table)


def _parted(word: str, room: int) -> str:
    if _NUMBER.fullmatch(word):
        return word
    letters: list[str] = []
    for part in _ENTITY.split(word):
        letters += [part] if _ENTITY.fullmatch(part) else iter_graphemes(part)
    parts = ["".join(letters[start : start + room]) for start in range(0, len(letters), room)]
    return _BREAK.join(parts)
