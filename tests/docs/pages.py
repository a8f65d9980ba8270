"""The manual as its tests read it: pages, sections, tables, and blocks between fences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DOCS", "ROOT", "Block", "blocks", "page", "rows", "sections"]

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"

_FENCE = re.compile(r"^```(\S*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What stands between two fences: `kind` behind the first one, then perhaps a file's `path`.

    `section` is the heading of level 2 it stands under, empty above the first.
    """

    kind: str
    path: str
    text: str
    section: str
    line: int


def page(name: str) -> str:
    """Give the text of a page of the manual."""
    return (DOCS / name).read_text("utf-8")


def sections(text: str) -> dict[str, str]:
    """Give the sections of a page by their headings of level 2, in order."""
    bare = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    marks = list(_HEADING.finditer(bare))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    found = {"": text[: marks[0].start() if marks else len(text)]}
    for mark, end in zip(marks, ends, strict=True):
        found[text[mark.start(1) : mark.end(1)]] = text[mark.end() : end]
    return found


def blocks(text: str) -> list[Block]:
    """Give the fenced blocks of a page, in order."""
    found = []
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        before = sections(text[: match.start()])
        found.append(
            Block(
                kind=match[1],
                path=match[2] or "",
                text=match[3],
                section=list(before)[-1],
                line=line,
            )
        )
    return found


def rows(text: str) -> list[list[str]]:
    """Give the rows of all tables of a text without their heads: cells, backquotes kept."""
    found: list[list[str]] = []
    for table in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        lines = table.strip().split("\n")
        for line in lines[2:]:
            cells = _CELL.split(line)[1:-1]
            found.append([cell.strip().replace("\\|", "|") for cell in cells])
    return found
