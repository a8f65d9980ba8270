"""A title for a summary whose header gives none: from its first heading, or its file name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from digest.model import clean_line

__all__ = ["take_heading", "title_from_path"]

_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*))?\Z", re.DOTALL)
_ATX_END = re.compile(r"(?:\A|[ \t])#+[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_COMMENT = re.compile(r" {0,3}<!--")
_NO_PARAGRAPH = re.compile(r"[ \t]*\Z| {0,3}(?:[>|]|[-+*][ \t]|\d{1,9}[.)][ \t])| {4}|\t")
# Markdown's marks around words; the words stay.
_AROUND = (
    re.compile(r"(`{1,3})([^`]{1,500})\1"),
    re.compile(r"(!?)\[([^\[\]]{0,500})\]\([^()\s]{0,2000}\)"),
    re.compile(r"(?<!\\)(\*{1,3})(?=\S)([^*]{1,500})(?<=[^\s\\])\1"),
    re.compile(r"(?<![\w\\])(_{1,3})(?=\S)([^_]{1,500})(?<=[^\s\\])\1(?!\w)"),
)
_ESCAPE = re.compile(r"\\([*_`#])")
_LENGTH = 2000  # a longer heading keeps its marks
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}[-_ ]*", re.ASCII)


def take_heading(body: str) -> tuple[str, str]:
    """Take the first heading (CommonMark 0.31.2 §4.2, §4.3) out of a text.

    Gives its words, without Markdown's marks, and the text without it; no heading gives an empty
    title and the text as it was. Headings in code and comments are none.
    """
    lines = body.split("\n")
    begin, last = 0, -1  # the first line of the present paragraph, and the line before this one
    for number, line in _visible(lines):
        begin, last = (begin if number == last + 1 else number), number
        if match := _ATX.match(line):
            words, begin = _words(_ATX_END.sub("", (match[1] or "").rstrip())), number
        elif begin < number and _UNDERLINE.match(line):
            words = _words(" ".join(lines[begin:number]))
        else:
            if _NO_PARAGRAPH.match(line):
                begin = number + 1
            continue
        if words:
            return words, "\n".join([*lines[:begin], *lines[number + 1 :]])
        begin = number + 1
    return "", body


def title_from_path(path: str) -> str:
    """Make a title of a file name: `2026-11-30-owls_at-night.md` becomes `Owls at night`.

    `index.md` takes the name of its folder.
    """
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    if stem in {"index", "_index"} and folders:
        stem = folders[-1]
    words = clean_line(re.sub("[-_]+", " ", _DAY.sub("", stem, count=1))) or clean_line(stem)
    return words[:1].upper() + words[1:]


def _visible(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Give the lines, with their numbers, that stand neither in a fence nor in a comment."""
    fence, comment = "", False
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence:
            closes = mark is not None and mark[1].startswith(fence) and not line.strip("`~ \t")
            fence = "" if closes else fence
        elif comment or _COMMENT.match(line):
            comment = "-->" not in line
        elif mark:
            fence = mark[1]
        else:
            yield number, line


def _words(text: str) -> str:
    """Take Markdown's marks off a heading."""
    line = clean_line(text) if text else ""
    if not line or len(line) > _LENGTH:
        return line
    for around in _AROUND:
        line = around.sub(r"\2", line)
    return _ESCAPE.sub(r"\1", line).strip()
