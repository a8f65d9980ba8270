"""What a mail looks like where a program darkens it by force; imported only where it is shown.

Such programs read no rules for the dark. Here each colour is turned over in CIELAB: its hue stays,
and its lightness goes from black as white to white as #333333, as Outlook on the web does it; of
those whose way is known this one leaves the least contrast. Pictures stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree, html

from digest.checks.colours import Colour, from_linear, read_colour, to_linear
from digest.checks.parse import read_tree
from digest.checks.styles import Declaration, StyleRule, read_declarations, read_rules

__all__ = ["force_dark"]

_DARKEST: Final = 21.25  # the lightness of #333333
_COLOURED: Final = re.compile(
    r"(?:background|border|outline)\b|box-shadow\Z|color\Z|text-decoration\b"
)
# An address is not looked into; then the colours of CSS in their three forms.
_COLOUR: Final = re.compile(
    r"url\([^()]*\)|(?:rgb|hsl)a?\([^()]*\)|#[0-9a-f]+|(?<![\w#.-])[a-z]+(?![\w(-])", re.IGNORECASE
)
_ATTRIBUTES: Final = ("bgcolor", "color", "link", "text")
_ONLY_SOME: Final = ("data-ogsb", "data-ogsc", "prefers-color-scheme")
_LINK: Final = Colour(0, 0, 238 / 255)
# The reference white of sRGB, and the bounds of CIELAB's straight piece (CIE 15).
_WHITE: Final = (0.95047, 1.0, 1.08883)
_BOUND: Final = 6 / 29


def force_dark(text: str) -> str:
    """Give the HTML of a mail as it looks where it is darkened by force.

    At-rules other than `@media` are left out of its style sheets, as are rules for the dark.
    """
    root = read_tree(text.encode(), comments=True)
    if root is None:
        return text
    for element in root.iter(etree.Element):
        if element.tag == "style":
            element.text = _sheet(element.text or "")
        if style := element.get("style"):
            element.set("style", _declared(read_declarations(style)))
        for name in _ATTRIBUTES:
            colour = read_colour(element.get(name, ""))
            if colour is not None:
                element.set(name, str(_turned(colour)))
    _set_canvas(root)
    return etree.tostring(root, encoding="unicode", method="html", doctype="<!doctype html>")


def _set_canvas(root: html.HtmlElement) -> None:
    """Say in the mail what it left to the program: black on white, and blue links."""
    ground, words = (_turned(Colour(part, part, part)) for part in (1.0, 0.0))
    root.set("style", f"background-color:{ground};color:{words};{root.get('style', '')}")
    sheet = etree.Element("style")
    # Of no weight, so that any rule of the mail goes before it.
    sheet.text = f":where(a[href]){{color:{_turned(_LINK)}}}"
    head = root.find("head")
    (root if head is None else head).insert(0, sheet)


def _sheet(css: str) -> str:
    return "\n".join(_written(rule) for rule in read_rules(css) if not _is_special(rule))


def _is_special(rule: StyleRule) -> bool:
    """Tell whether a rule holds only where a program is dark of its own accord."""
    around = " ".join((rule.selectors, *rule.media)).lower()
    return any(word in around for word in _ONLY_SOME)


def _written(rule: StyleRule) -> str:
    block = f"{rule.selectors}{{{_declared(rule.declarations)}}}"
    for query in reversed(rule.media):
        block = f"@media {query}{{{block}}}"
    return block


def _declared(declarations: Iterator[Declaration] | tuple[Declaration, ...]) -> str:
    return ";".join(
        f"{one.name}:{_recoloured(one)}{' !important' if one.important else ''}"
        for one in declarations
    )


def _recoloured(declaration: Declaration) -> str:
    if not _COLOURED.match(declaration.name):
        return declaration.value

    def turned(match: re.Match[str]) -> str:
        colour = read_colour(match[0])
        return match[0] if colour is None else _css(_turned(colour))

    return _COLOUR.sub(turned, declaration.value)


def _css(colour: Colour) -> str:
    return f"{colour}{round(colour.alpha * 255):02X}" if colour.alpha < 1 else str(colour)


def _turned(colour: Colour) -> Colour:
    """Turn a colour over in lightness, and keep its hue and its opacity."""
    x, y, z = _bent(colour)
    lightness = 116 * y - 16
    level = (100 - lightness * (100 - _DARKEST) / 100 + 16) / 116
    light = _light(level + x - y, level, level + z - y)
    red, green, blue = (from_linear(min(max(part, 0.0), 1.0)) for part in light)
    return Colour(red, green, blue, colour.alpha)


def _bent(colour: Colour) -> tuple[float, float, float]:
    """Give X, Y and Z of a colour as the eye weighs them (CIE 15, IEC 61966-2-1)."""
    red, green, blue = map(to_linear, colour[:3])
    light = (
        0.4124 * red + 0.3576 * green + 0.1805 * blue,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        0.0193 * red + 0.1192 * green + 0.9505 * blue,
    )
    x, y, z = (one / white for one, white in zip(light, _WHITE, strict=True))
    return _root(x), _root(y), _root(z)


def _root(part: float) -> float:
    return part ** (1 / 3) if part > _BOUND**3 else part / (3 * _BOUND**2) + 4 / 29


def _light(x: float, y: float, z: float) -> tuple[float, float, float]:
    """Give red, green and blue light, which may lie outside of what a screen can show."""
    bent = zip((x, y, z), _WHITE, strict=True)
    x, y, z = (
        white * (one**3 if one > _BOUND else 3 * _BOUND**2 * (one - 4 / 29)) for one, white in bent
    )
    return (
        3.2406 * x - 1.5372 * y - 0.4986 * z,
        -0.9689 * x + 1.8758 * y + 0.0415 * z,
        0.0557 * x - 0.2040 * y + 1.0570 * z,
    )
