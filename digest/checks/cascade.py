"""What is declared for each element of a page, by style sheets, attributes and the program itself.

Imported only where a page is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from cssselect import HTMLTranslator, SelectorError, parse
from lxml import etree, html

from digest.checks.colours import read_colour
from digest.checks.styles import Declaration, Medium, applies, read_declarations, read_rules

__all__ = ["Cascade", "Values"]

# The value that wins of each property, in lower case; shorthands are taken apart.
Values = Mapping[str, str]

_PLAIN: Final = frozenset(
    {"display", "font-size", "font-weight", "height", "max-height", "opacity", "overflow"}
    | {"visibility", "width"}
)
_COLOURS: Final = frozenset({"background-color", "color"})
_KEYWORDS: Final = frozenset({"currentcolor", "inherit", "initial", "unset"})
_WORD: Final = re.compile(r"[\w-]+\([^()]*\)|[^\s,/()]+")
_SIZE: Final = re.compile(r"(?:^| )(\.?[0-9][0-9.]*(?:px|pt|em|rem|%))[/ ]")
_WEIGHT: Final = re.compile(r"(?:^| )(bolder|bold|lighter|[1-9]00) ")
_BARE_HEX: Final = re.compile(r"(?:[0-9a-f]{3}|[0-9a-f]{6})\Z", re.IGNORECASE)
_GONE: Final[Values] = MappingProxyType({"display": "none"})
_BOLD: Final[Values] = MappingProxyType({"font-weight": "bold"})
_SMALL: Final[Values] = MappingProxyType({"font-size": "0.83em"})
# What programs do of their own accord (HTML Living Standard, section 15.3).
_BUILT_IN: Final[Mapping[str, Values]] = MappingProxyType(
    dict.fromkeys(("head", "noscript", "script", "style", "template", "title"), _GONE)
    | dict.fromkeys(("b", "strong", "th"), _BOLD)
    | dict.fromkeys(("small", "sub", "sup"), _SMALL)
    | {
        f"h{level}": {"font-weight": "bold", "font-size": size}
        for level, size in enumerate(("2em", "1.5em", "1.17em", "1em", "0.83em", "0.67em"), 1)
    }
    | {"big": {"font-size": "1.2em"}, "mark": {"background-color": "#ff0", "color": "#000"}}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """Declarations that stand together, and the media for which they do."""

    media: tuple[str, ...] = ()
    normal: Values
    important: Values


class Cascade:
    """The elements of a page, in their order, and what is declared for each (CSS Cascading 4 §6).

    Selectors are matched once; those that cannot be read, and those of states such as `:hover`,
    fit nothing.
    """

    def __init__(self, root: html.HtmlElement) -> None:
        self.elements: tuple[html.HtmlElement, ...] = tuple(root.iter(etree.Element))
        found: dict[html.HtmlElement, list[tuple[tuple[int, ...], _Block]]] = {}
        for place, (selectors, block) in enumerate(_blocks(root)):
            for path, weight in _paths(selectors):
                elements: list[html.HtmlElement] = path(root)  # type: ignore[assignment] # a path gives elements
                for element in elements:
                    found.setdefault(element, []).append(((*weight, place), block))
        self._blocks = {
            element: [block for _, block in sorted(fitting, key=lambda pair: pair[0])]
            for element, fitting in found.items()
        }

    def distinct(self, media: Iterable[Medium]) -> list[Medium]:
        """Leave out the media for which the same declarations hold as for one before."""
        queries = sorted({block.media for fitting in self._blocks.values() for block in fitting})
        found: dict[tuple[bool, ...], Medium] = {}
        for medium in media:
            found.setdefault(tuple(applies(query, medium) for query in queries), medium)
        return list(found.values())

    def values(self, element: html.HtmlElement, medium: Medium) -> Values:
        """Give the declarations that win for an element on a medium."""
        fitting = [block for block in self._blocks.get(element, ()) if applies(block.media, medium)]
        if style := element.get("style"):
            fitting.append(_block(tuple(read_declarations(style))))
        values = dict(_BUILT_IN.get(element.tag, {}))
        values.update(_attributes(element))
        for block in fitting:
            values.update(block.normal)
        for block in fitting:
            values.update(block.important)
        return values


def _blocks(root: html.HtmlElement) -> Iterator[tuple[str, _Block]]:
    """Give the rules of all style sheets that say something of colours or sizes."""
    for sheet in root.iter("style"):
        media = (sheet.get("media", ""),) if sheet.get("media", "").strip() else ()
        for rule in read_rules(sheet.text or "", media=media):
            block = _block(rule.declarations, media=rule.media)
            if block.normal or block.important:
                yield rule.selectors, block


@lru_cache(maxsize=1024)
def _block(declarations: tuple[Declaration, ...], media: tuple[str, ...] = ()) -> _Block:
    return _Block(
        media=media,
        normal=_taken_apart(one for one in declarations if not one.important),
        important=_taken_apart(one for one in declarations if one.important),
    )


def _taken_apart(declarations: Iterable[Declaration]) -> Values:
    """Keep what bears on colours and sizes; a colour that cannot be read counts as not there."""
    values: dict[str, str] = {}
    for one in declarations:
        value = one.value.lower()
        if one.name in _PLAIN or (one.name in _COLOURS and _is_colour(value)):
            values[one.name] = value
        elif one.name == "background":
            words = _WORD.findall(value)
            values["background-color"] = next(filter(_is_colour, words), "transparent")
        elif one.name == "font":
            size, weight = _SIZE.search(value), _WEIGHT.search(value)
            values["font-weight"] = weight[1] if weight else "normal"
            values |= {"font-size": size[1]} if size else {}
    return MappingProxyType(values)


def _is_colour(word: str) -> bool:
    return word in _KEYWORDS or read_colour(word) is not None


@lru_cache(maxsize=1024)
def _paths(selectors: str) -> tuple[tuple[etree.XPath, tuple[int, int, int]], ...]:
    """Make XPath of each selector, with its specificity (Selectors Level 4, section 17)."""
    try:
        found = [one for one in parse(selectors) if one.pseudo_element is None]
        return tuple(
            (etree.XPath(HTMLTranslator().selector_to_xpath(one)), one.specificity())
            for one in found
        )
    except (SelectorError, etree.XPathError):
        return ()


def _attributes(element: html.HtmlElement) -> Values:
    """Give what attributes older than CSS declare (HTML Living Standard, section 15.3)."""
    values = {}
    if ground := _legacy(element.get("bgcolor", "")):
        values["background-color"] = ground
    name = {"body": "text", "font": "color"}.get(str(element.tag), "")
    if name and (colour := _legacy(element.get(name, ""))):
        values["color"] = colour
    if element.get("hidden") is not None:
        values["display"] = "none"
    return values


def _legacy(value: str) -> str:
    word = value.strip().lower()
    word = f"#{word}" if _BARE_HEX.match(word) else word
    return word if read_colour(word) else ""
