"""Colours of CSS: how they are written, laid over each other, and told apart."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb
from functools import lru_cache
from typing import Final, NamedTuple

from digest.checks.colour_names import COLOUR_NAMES

__all__ = ["Colour", "contrast", "from_linear", "over", "read_colour", "to_linear"]

_HEX: Final = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\Z")
_CALL: Final = re.compile(r"(rgb|hsl)a?\(([^()]*)\)\Z")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})")
_TURNS: Final = {"": 360.0, "deg": 360.0, "grad": 400.0, "rad": 6.283185307179586, "turn": 1.0}
_SHORT: Final = 5  # a sign and four digits
_LIGHT: Final = 0.05  # what WCAG 2.2 adds to both luminances, for the light of the room


class Colour(NamedTuple):
    """Red, green, blue and opacity, each from 0 to 1 (sRGB)."""

    red: float
    green: float
    blue: float
    alpha: float = 1.0

    def __str__(self) -> str:
        """Write it as `#1F2328`, without its opacity."""
        return "#" + "".join(f"{round(part * 255):02X}" for part in self[:3])


@lru_cache(maxsize=1024)
def read_colour(text: str) -> Colour | None:
    """Read a colour (CSS Color Module Level 4, sections 5 to 7); None for what is none.

    Known are names, `transparent`, hexadecimal digits, `rgb()` and `hsl()` in both their forms;
    what came to CSS later is taken for no colour, as most mail programs do.
    """
    word = text.strip().lower()
    if word == "transparent":
        return Colour(0, 0, 0, 0)
    if word in COLOUR_NAMES:
        return _hex(f"#{COLOUR_NAMES[word]}")
    if _HEX.match(word):
        return _hex(word)
    called = _CALL.match(word)
    return _call(called[1], called[2]) if called else None


def _hex(word: str) -> Colour:
    digits = word[1:] if len(word) > _SHORT else "".join(digit * 2 for digit in word[1:])
    parts = (int(digits[place : place + 2], 16) / 255 for place in range(0, len(digits), 2))
    return Colour(*parts)


def _call(name: str, inside: str) -> Colour | None:
    parts = inside.replace(",", " ").replace("/", " ").split()
    if len(parts) not in {3, 4}:
        return None
    alpha = _part(parts[3], whole=1) if len(parts) > len("rgb") else 1.0
    first = _turn(parts[0]) if name == "hsl" else _part(parts[0], whole=255)
    second, third = (_part(part, whole=100 if name == "hsl" else 255) for part in parts[1:3])
    if first is None or second is None or third is None or alpha is None:
        return None
    if name == "hsl":
        return Colour(*hls_to_rgb(first, third, second), alpha)
    return Colour(first, second, third, alpha)


def _part(text: str, *, whole: float) -> float | None:
    """Read a number or a share in percent as a part of the whole, kept between 0 and 1."""
    found = _NUMBER.match(text)
    if found is None or text[found.end() :] not in {"", "%"}:
        return None
    value = float(found[0]) / (100 if text.endswith("%") else whole)
    return min(max(value, 0.0), 1.0)


def _turn(text: str) -> float | None:
    found = _NUMBER.match(text)
    if found is None or text[found.end() :] not in _TURNS:
        return None
    return float(found[0]) / _TURNS[text[found.end() :]] % 1


def over(top: Colour, ground: Colour, *, opacity: float = 1.0) -> Colour:
    """Give what is seen of a colour, made more transparent by `opacity`, over an opaque one."""
    share = top.alpha * opacity
    mixed = (share * one + (1 - share) * other for one, other in zip(top[:3], ground, strict=False))
    return Colour(*mixed)


def to_linear(part: float) -> float:
    """Give the light of a part of a colour (IEC 61966-2-1)."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - the numbers of the standard


def from_linear(light: float) -> float:
    """Give the part of a colour that has so much light, the way back of `to_linear`."""
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055  # noqa: PLR2004 - the numbers of the standard


def _luminance(colour: Colour) -> float:
    red, green, blue = map(to_linear, colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """Give the contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2, section 6)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + _LIGHT) / (dark + _LIGHT)
