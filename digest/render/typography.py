"""Typographic quotes, dashes and dots in prose: never in code, formulas, addresses or raw HTML."""

# ruff: noqa: RUF001 - the signs of typography are meant

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

__all__ = ["typography_plugin"]

_OPENING: Final[Mapping[str, str]] = MappingProxyType({'"': "“", "'": "‘"})
_CLOSING: Final[Mapping[str, str]] = MappingProxyType({'"': "”", "'": "’"})
# Stands for code, a formula or a picture, which is a word to the signs beside it.
_OBJECT: Final = "\ufffc"
_TAGS: Final = frozenset({"html_inline"})
_BREAKS: Final = frozenset({"softbreak", "hardbreak"})
_WORD: Final = re.compile(r"\S+")
# Alone between spaces or amid a word: `--all` stays.
_MARKS: Final = re.compile(r"(?<!\S)-{2,3}(?!\S)|(?<=\w)-{2,3}(?=\w)|(?<!\.)\.{3}(?!\.)")
_TYPESET: Final[Mapping[str, str]] = MappingProxyType({"--": "–", "---": "—", "...": "…"})
_BEFORE_OPENING: Final = frozenset("([{<—–-/“‘¿¡")


def typography_plugin(md: MarkdownIt, *, quotes: bool) -> None:
    """Set dashes and dots after parsing, and English quotes where `quotes` says so."""

    def set_marks(state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline" and token.children:
                _set_marks(token.children, quotes=quotes)

    md.core.ruler.push("typography", set_marks)


def _set_marks(children: Sequence[Token], *, quotes: bool) -> None:
    """Set the marks of one paragraph, whose signs are weighed across its tags."""
    prose = "".join(map(_shown, children))
    signs = list(prose)
    shielded = bytearray(len(prose))
    for word in _WORD.finditer(prose):
        if _is_address(word[0]):
            shielded[word.start() : word.end()] = b"\1" * len(word[0])
    for mark in _MARKS.finditer(prose):
        if not shielded[mark.start()]:
            signs[mark.start() : mark.end()] = [_TYPESET[mark[0]], *[""] * (len(mark[0]) - 1)]
    if quotes:
        _set_quotes(prose, signs=signs, shielded=shielded)
    place = 0
    for token in children:
        end = place + len(_shown(token))
        if token.type == "text":
            token.content = "".join(signs[place:end])
        place = end


def _shown(token: Token) -> str:
    if token.type == "text":
        return token.content
    if token.type in _BREAKS:
        return "\n"
    return "" if token.nesting or token.type in _TAGS else _OBJECT


def _is_address(word: str) -> bool:
    return "://" in word or "@" in word or word.lower().startswith("www.")


def _set_quotes(prose: str, *, signs: list[str], shielded: bytearray) -> None:
    """Turn straight quotes that pair up, and apostrophes; what finds no partner stays as typed."""
    waiting: dict[str, list[int]] = {'"': [], "'": []}
    for found in re.finditer("[\"']", prose):
        place, sign = found.start(), found[0]
        before = prose[place - 1] if place else " "
        after = prose[place + 1 : place + 2] or " "
        if shielded[place]:
            continue
        if sign == "'" and _is_apostrophe(before, after):
            signs[place] = "’"
        elif _opens(before, after):
            waiting[sign].append(place)
        elif _closes(before, after):
            _close(sign, place, signs=signs, waiting=waiting)


def _close(sign: str, place: int, *, signs: list[str], waiting: dict[str, list[int]]) -> None:
    if waiting[sign]:
        start = waiting[sign].pop()
        signs[start], signs[place] = _OPENING[sign], _CLOSING[sign]
        for others in waiting.values():
            while others and others[-1] > start:  # opened within this pair: no partner any more
                others.pop()
    elif sign == "'":
        signs[place] = "’"


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == _OBJECT


def _is_apostrophe(before: str, after: str) -> bool:
    if before.isdigit() and after.isdigit():  # feet, minutes
        return False
    return (_is_letter(before) and _is_letter(after)) or (before.isspace() and after.isdigit())


def _opens(before: str, after: str) -> bool:
    return (before.isspace() or before in _BEFORE_OPENING) and not after.isspace()


def _closes(before: str, after: str) -> bool:
    return not before.isspace() and not _is_letter(after)
