"""Read style sheets and `style` attributes: rules, media queries, declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["Declaration", "Medium", "StyleRule", "applies", "read_declarations", "read_rules"]

_STRING: Final = r"\"(?:[^\"\\\n]|\\[\s\S])*+\"?|'(?:[^'\\\n]|\\[\s\S])*+'?"
_COMMENT: Final = re.compile(r"/\*[\s\S]*?(?:\*/|\Z)|<!--|-->")
# Strings and addresses hold marks that mean nothing there.
_PIECE: Final = re.compile(
    rf"[{{}};]|{_STRING}|url\([^\"')]{{0,2000}}\)|[^{{}};\"'u]+|u", re.IGNORECASE
)
_MEDIA: Final = re.compile(r"@media\b\s*", re.IGNORECASE)
_FEATURE: Final = re.compile(r"\( ?([a-z-]+) ?: ?([^() ]+) ?\)\Z")
_LENGTH: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(px|em|rem)\Z")
_EM: Final = 16  # pixels
_DEEPEST: Final = 32  # nested media queries


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A property, in lower case, and its value, on one line and without `!important`."""

    name: str
    value: str
    important: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleRule:
    """Selectors, the media queries around them, and what they declare."""

    selectors: str
    media: tuple[str, ...]
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """What a mail is shown on: `scheme` is `light` or `dark`, `width` in pixels."""

    scheme: str
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """What an open brace began, and the text that goes on after its end.

    `media` are the queries of a rule, None for what is none; `within` are those that hold for
    rules inside, None where such are set aside.
    """

    prelude: str
    before: str
    media: tuple[str, ...] | None = None
    within: tuple[str, ...] | None = None


def read_rules(css: str, *, media: tuple[str, ...] = ()) -> Iterator[StyleRule]:
    """Read the rules of a style sheet, well formed or not, in their order.

    Rules inside at-rules other than `@media` are set aside, and those inside other rules.
    `media` are queries around the whole sheet.
    """
    opened: list[_Block] = []
    text = ""
    # The end of a sheet closes what is open (CSS Syntax Module Level 3, section 5).
    for piece in _PIECE.findall(_COMMENT.sub(" ", css) + "}" * css.count("{")):
        if piece == "{":
            before, mark, prelude = text.rpartition(";")
            around = opened[-1].within if opened else media
            opened.append(_opened(prelude.strip(), before=before + mark, around=around))
            text = ""
        elif piece == "}" and opened:
            block = opened.pop()
            if block.media is not None:
                declared = tuple(read_declarations(text))
                yield StyleRule(selectors=block.prelude, media=block.media, declarations=declared)
            text = block.before
        elif piece != "}":
            text += piece


def _opened(prelude: str, *, before: str, around: tuple[str, ...] | None) -> _Block:
    """Tell what a block is by what stands before its brace."""
    if around is None or (prelude.startswith("@") and not _MEDIA.match(prelude)):
        return _Block(prelude=prelude, before=before)
    if not prelude.startswith("@"):
        return _Block(prelude=prelude, before=before, media=around)
    within = (*around, _MEDIA.sub("", prelude)) if len(around) < _DEEPEST else None
    return _Block(prelude=prelude, before=before, within=within)


def read_declarations(text: str) -> Iterator[Declaration]:
    """Read declarations, those of a `style` attribute or of one rule, in their order."""
    part = ""
    for piece in (*_PIECE.findall(_COMMENT.sub(" ", text)), ";"):
        if piece != ";":
            part += piece
            continue
        name, _, value = (" ".join(side.split()) for side in part.partition(":"))
        bare, mark, word = value.rpartition("!")
        important = bool(mark) and word.strip().lower() == "important"
        if name and value:
            shown = bare.rstrip() if important else value
            yield Declaration(name=name.lower(), value=shown, important=important)
        part = ""


def applies(media: tuple[str, ...], medium: Medium) -> bool:
    """Tell whether a medium fits all media queries; what is not known of it does not fit."""
    return all(any(_fits(one, medium) for one in query.split(",")) for query in media)


def _fits(query: str, medium: Medium) -> bool:
    words = " ".join(query.lower().split())
    if words.startswith("not "):
        return not _fits(words.removeprefix("not "), medium)
    first, *features = words.removeprefix("only ").split(" and ")
    if first not in {"", "all", "screen"}:
        features = [first, *features]
    return all(_has(feature, medium) for feature in features)


def _has(feature: str, medium: Medium) -> bool:
    found = _FEATURE.match(feature)
    if found is None:
        return False
    name, value = found[1], found[2]
    if name == "prefers-color-scheme":
        return value == medium.scheme
    length = _LENGTH.match(value)
    if length is None or name not in {"min-width", "max-width"}:
        return False
    width = float(length[1]) * (1 if length[2] == "px" else _EM)
    return medium.width >= width if name == "min-width" else medium.width <= width
