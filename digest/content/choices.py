"""What was picked for an issue, written into an issue file of people, and no other byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final

from digest.content.edits import IssueText
from digest.content.fields import Fields
from digest.content.issues import item_pairs, read_items, read_left_out, read_theme
from digest.model import Issue, LeftOut, Pick, clean_line

__all__ = ["items_text"]

_READERS: Final[Mapping[str, Callable[[Fields], object]]] = {
    "theme": read_theme,
    "theme_reason": lambda fields: fields.line_text("theme_reason"),
    "items": read_items,
    "left_out": lambda fields: read_left_out(fields, "left_out"),
    "dropped": lambda fields: read_left_out(fields, "dropped"),
}
# A key with nothing but a comment behind its colon: its list stands on the lines below.
_ABOVE: Final = re.compile(r"[^:]+:(?:[ \t]+#[^\r\n]*|[ \t]*)[\r\n]*\Z")
_DASH: Final = re.compile(r"([ \t]*)-\s")
_INDENT: Final = "  "  # of the dashes that we write


def items_text(text: str, issue: Issue) -> str:
    """Write theme, its reason, items, left out and dropped of an issue into the issue's file.

    Each key stays where it stands, or comes at the header's end; one without a value is taken out,
    as is `items` of an issue that is not picked. Elements of a list that stay keep their lines,
    with the comments above them. What says the same already stays, and so does all else. An id
    stands in one list: `items` goes before `dropped`, and `dropped` before `left_out`. Raises
    ContentError where the file has no header, or one in which the lines cannot stand.
    """
    issue = _normal(issue)
    opened = IssueText(text)
    for key, value in item_pairs(issue):
        opened = _put(opened, key, value=value, wanted=getattr(issue, key))
    return opened.text


def _put(opened: IssueText, key: str, *, value: object, wanted: object) -> IssueText:
    """Write one key; without a value it is taken out."""

    def says(fields: Fields) -> bool:
        if value is None:
            return fields.node(key) is None
        return fields.node(key) is not None and _READERS[key](fields) == wanted

    idle = value is None and opened.fields.line(key)
    # Asked first: what is wrong with the key is gathered on the way.
    if says(opened.fields) and not idle and not opened.fields.problems:
        return opened
    blocks = [opened.dumped([(key, value)])]
    if idle:
        # A header of comments alone is none: there the last key stays, with nothing behind it.
        blocks.append([line.replace(" x", "") for line in opened.dumped([(key, "x")])])
    if isinstance(wanted, tuple) and isinstance(value, list):
        blocks = [*_mended(opened, key, wanted=wanted, value=value), *blocks]
    return opened.put(key, blocks, says=says)


def _mended(
    opened: IssueText, key: str, *, wanted: tuple[Pick | LeftOut, ...], value: list[object]
) -> list[list[str]]:
    """Give the lines of a list in which the elements that stay are as people typed them.

    Gives nothing where the elements do not stand one below the other.
    """
    head, *lines = opened.block(key) or [""]
    indent, (top, *elements, tail) = _parted(lines)
    found = _READERS[key](opened.fields)
    if not _ABOVE.match(head) or not isinstance(found, tuple) or len(found) != len(elements):
        return []
    typed = dict(zip(found, elements, strict=True))
    block = [head, *top]
    for one, mapping in zip(wanted, value, strict=True):
        _, *fresh = opened.dumped([(key, [mapping])])
        block += typed.get(one) or [indent + line.removeprefix(_INDENT) for line in fresh]
    return [[*block, *tail]]


def _parted(lines: list[str]) -> tuple[str, list[list[str]]]:
    """Part the lines below a key, and give the indentation of its dashes.

    The parts are what stands above the first dash, each element with what stands between it and
    the one before, and what stands below the last element.
    """
    dashes = [(at, match[1]) for at, line in enumerate(lines) if (match := _DASH.match(line))]
    indent = dashes[0][1] if dashes else _INDENT
    starts = [at for at, its_own in dashes if its_own == indent]
    cuts = [0, starts[0] if starts else len(lines)]
    for begin, end in pairwise([*starts, len(lines)]):
        own = [at for at in range(begin, end) if _is_inside(lines[at], indent)]
        cuts.append(own[-1] + 1)
    return indent, [lines[begin:end] for begin, end in pairwise([*cuts, len(lines)])]


def _is_inside(line: str, indent: str) -> bool:
    """Tell whether a line belongs to the element whose dash is above it or on it."""
    told = line.lstrip()
    # What is deeper than the dash is text of the element, or a comment on it.
    return bool(told) and (told[0] != "#" or len(line) - len(told) > len(indent))


def _normal(issue: Issue) -> Issue:
    """Give an issue as its file says it: reasons of one line, each id in one list."""
    items = tuple(replace(one, reason=clean_line(one.reason)) for one in issue.items)
    shown = {one.id for one in items}
    dropped = _without(issue.dropped, shown)
    return replace(
        issue,
        items=items,
        left_out=_without(issue.left_out, shown | {one.id for one in dropped}),
        dropped=dropped,
        theme_reason=clean_line(issue.theme_reason),
    )


def _without(left_out: tuple[LeftOut, ...], taken: set[str]) -> tuple[LeftOut, ...]:
    return tuple(
        replace(one, reason=clean_line(one.reason)) for one in left_out if one.id not in taken
    )
