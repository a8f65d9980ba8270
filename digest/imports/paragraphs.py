"""Bytes in, paragraphs out, each with the line it begins on."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from digest.model import clean_line

__all__ = ["Paragraph", "count_words", "has_end", "read_paragraphs", "take_off_ellipsis"]

_BREAK = re.compile(rb"\r\n?|\n")
# A line of signs between two entries; it carries no text.
_RULE = re.compile(r"[-*_=~\u2013\u2014\u2022\u00b7][-*_=~\u2013\u2014\u2022\u00b7 ]+")
_ELLIPSIS = re.compile(
    r"(?:[ ]?(?:\[[ ]?(?:\.{3,}|\u2026)[ ]?\]|\([ ]?(?:\.{3,}|\u2026)[ ]?\)|\u2026|\.{3})){1,2}\Z"
)
# A full stop, question or exclamation mark, also of scripts with their own, then closing signs.
_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f\u06d4\u061f\u0964][\"'\u2019\u201d\u00bb)\]*_]*\Z")
# Scripts that put no space between words count by the character.
_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"
    r"|[^\W_](?:(?![\u3040-\u30ff\u3400-\u9fff])\S)*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Lines that stand together, cleaned; `line` is the first one's number, counted from 1.

    `bad_line` is the line of the first byte that is not UTF-8, else 0; such a paragraph has no
    `lines`. `bad_byte` is that byte.
    """

    line: int
    lines: tuple[str, ...]
    bad_line: int = 0
    bad_byte: int = 0

    @property
    def text(self) -> str:
        """Give the lines as one."""
        return " ".join(self.lines)


def read_paragraphs(data: bytes) -> tuple[Paragraph, ...]:
    """Cut a file at its blank lines; lines end with LF, CRLF or CR, a byte order mark is let go.

    A line of nothing but dashes, stars or the like counts as blank.
    """
    found: list[Paragraph] = []
    group: list[bytes] = []
    lines = _BREAK.split(data.removeprefix(codecs.BOM_UTF8))
    for number, raw in enumerate([*lines, b""], start=1):
        if not _is_blank(raw):
            group.append(raw)
        elif group:
            found.append(_paragraph(group, number - len(group)))
            group = []
    return tuple(found)


def _is_blank(raw: bytes) -> bool:
    try:
        text = clean_line(raw.decode())
    except UnicodeDecodeError:
        return False
    return not text or _RULE.fullmatch(text) is not None


def _paragraph(group: list[bytes], first: int) -> Paragraph:
    lines: list[str] = []
    for offset, raw in enumerate(group):
        try:
            lines.append(clean_line(raw.decode()))
        except UnicodeDecodeError as error:
            return Paragraph(
                line=first, lines=(), bad_line=first + offset, bad_byte=raw[error.start]
            )
    return Paragraph(line=first, lines=tuple(lines))


def take_off_ellipsis(text: str) -> tuple[str, bool]:
    """Take `...`, `…`, `[...]` or `(...)` off the end; tell whether there was one."""
    short = _ELLIPSIS.sub("", text)
    return short.rstrip(), short != text


def has_end(text: str) -> bool:
    """Tell whether a text ends as a sentence does."""
    return _END.search(text) is not None


def count_words(text: str) -> int:
    """Count words: runs that begin with a letter or digit, or characters where none part them."""
    return len(_WORD.findall(text))
