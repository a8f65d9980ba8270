"""Which features of CSS a style sheet or a `style` attribute uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from digest.checks.support_names import (
    COMBINED,
    FUNCTIONS,
    MEDIA,
    PAIRS,
    SIMPLE,
    WORDS,
    picture_features,
    property_feature,
    pseudo_feature,
)

__all__ = ["css_features"]

_Kind = Literal["at", "comment", "declaration", "nesting", "selector"]

_STRING: Final = r"\"(?:[^\"\\\n]|\\.)*\"?|'(?:[^'\\\n]|\\.)*'?"
# What holds marks that mean nothing there, then the marks that divide CSS (CSS Syntax §4).
_TOKENS: Final = re.compile(
    rf"(?P<comment>/\*.*?(?:\*/|\Z))|(?P<mark>[{{}};])|{_STRING}|url\([^\"')]*"
    r"|(?:[^{};\"'/u]|u(?!rl\()|/(?!\*))+",
    re.DOTALL | re.IGNORECASE,
)
_QUOTED: Final = re.compile(_STRING, re.DOTALL)
_URL: Final = re.compile(r"url\(\s*[\"']?([^\"')]*)", re.IGNORECASE)
_AT: Final = re.compile(r"@(?:-\w+-)?([\w-]*)")
_ASKED: Final = re.compile(r"\(\s*(?:-webkit-|-moz-)?([a-z-]+)")
_IN_BRACKETS: Final = re.compile(r"\[[^\]]*\]?")
_PARENTHESIS: Final = re.compile("([()])")
_COMBINATOR: Final = re.compile(r"\s*([>+~])\s*|\s+")
_BETWEEN: Final = re.compile(r"[\s>+~]+")
_PSEUDO: Final = re.compile(r"::?(?:-\w+-)?([a-z-]+)")
_SIMPLE: Final = re.compile(r"[#.*[]")
_VENDOR: Final = re.compile(r"-(?:webkit|moz|ms|o)-")
_IMPORTANT: Final = re.compile(r"!\s*important")
_FUNCTION: Final = re.compile(r"(?<![a-z-])(?:-webkit-|-moz-)?([a-z-]++)\(")
_WORD: Final = re.compile(r"(?<![\w#.-])[a-z][a-z-]*+(?![\w(-])")
_UNIT: Final = re.compile(r"(?<![\w#.])[0-9.]++([a-z]+|%)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A piece of CSS: its text, and how many line ends stand before it."""

    kind: _Kind
    text: str
    line: int


def css_features(css: str) -> Iterator[tuple[str, int]]:
    """Give each feature that CSS uses, with the number of line ends before it.

    Take a style sheet, or the declarations of one element, well formed or not. A feature comes
    as often as it is used.
    """
    for piece in _pieces(css):
        for feature in _FEATURES[piece.kind](piece.text):
            yield feature, piece.line


def _pieces(css: str) -> Iterator[_Piece]:
    """Take CSS apart at its comments, braces and semicolons."""
    blocks: list[str] = []
    text, start, line = "", 0, 0
    for token in _TOKENS.finditer(f"{css};"):
        if token["comment"]:
            yield _Piece(kind="comment", text="", line=line)
        elif token["mark"]:
            for kind in _kinds(text, token["mark"], blocks):
                yield _Piece(kind=kind, text=text, line=start)
            text = ""
        elif text:
            text += token[0]
        else:
            text = token[0].lstrip()
            start = line + token[0].count("\n") - text.count("\n")
        line += token[0].count("\n")


def _kinds(text: str, mark: str, blocks: list[str]) -> Iterator[_Kind]:
    """Say what the text before a mark is, and keep account of the open blocks."""
    name = _at_name(text)
    inside = blocks[-1] if blocks else ""
    if mark == "{":
        blocks.append(name or "selector")
        if inside == "selector":
            yield "nesting"
        # `from`, `to` and percentages are no selectors.
        if inside != "keyframes":
            yield "at" if name else "selector"
        return
    if mark == "}" and blocks:
        blocks.pop()
    if text:
        yield "at" if name else "declaration"


def _at_name(text: str) -> str:
    """Give the name of an at-rule; empty for everything else."""
    match = _AT.match(text)
    return match[1].lower() if match else ""


def _at(text: str) -> Iterator[str]:
    name = _at_name(text)
    yield f"css-at-{name}"
    if name == "media":
        yield from (MEDIA[asked] for asked in _ASKED.findall(text.lower()) if asked in MEDIA)


def _comment(_text: str) -> Iterator[str]:
    yield "css-comments"


def _nesting(_text: str) -> Iterator[str]:
    yield "css-nesting"


def _selector(text: str) -> Iterator[str]:
    # What brackets hold is set aside: only that they are there counts.
    bare = "".join(_outside(_IN_BRACKETS.sub("[", _QUOTED.sub("", text.lower()))))
    yield from (pseudo_feature(name) for name in _PSEUDO.findall(bare))
    parts = [part.strip() for part in _PSEUDO.sub("", bare).split(",")]
    if len(parts) > 1:
        yield "css-selector-grouping"
    for part in parts:
        yield from (COMBINED[mark] for mark in _COMBINATOR.findall(part))
        for compound in _BETWEEN.split(part):
            yield from _compound(compound)


def _outside(text: str) -> Iterator[str]:
    """Give what stands in no parentheses."""
    depth = 0
    for part in _PARENTHESIS.split(text):
        if part in {"(", ")"}:
            depth = max(0, depth + (1 if part == "(" else -1))
        elif not depth:
            yield part


def _compound(compound: str) -> Iterator[str]:
    """Give the features of selectors that stand together without a space."""
    marks = _SIMPLE.findall(compound)
    yield from (SIMPLE[mark] for mark in marks)
    if compound[:1].isalpha():
        yield "css-selector-type"
    if marks.count(".") > 1:
        yield "css-selector-chaining"


def _declaration(text: str) -> Iterator[str]:
    name, _, value = text.partition(":")
    name = _VENDOR.sub("", name.strip().lower(), count=1)
    yield "css-variables" if name.startswith("--") else property_feature(name)
    for address in _URL.findall(value):
        yield from picture_features(address)
    bare = _URL.sub("url(", _QUOTED.sub("", value)).lower()
    shown = _IMPORTANT.sub("", bare)
    if shown != bare:
        yield "css-important"
    yield PAIRS.get((name, shown.strip()), "")
    yield from (FUNCTIONS.get(called, "") for called in _FUNCTION.findall(shown))
    yield from (WORDS.get(word, "") for word in _WORD.findall(shown))
    yield from (f"css-unit-{unit.replace('%', 'percent')}" for unit in _UNIT.findall(shown))


_FEATURES: Final[Mapping[_Kind, Callable[[str], Iterator[str]]]] = {
    "at": _at,
    "comment": _comment,
    "declaration": _declaration,
    "nesting": _nesting,
    "selector": _selector,
}
