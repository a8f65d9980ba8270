"""How well the text of a mail stands out from its ground; imported only where a page is read.

Colours are worked out as a browser does it: style sheets, attributes, what is inherited, grounds
laid over each other, opacity. Pictures behind text are left out, for many readers do not see them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import floor, prod
from typing import Final

from lxml import html

from digest.checks.cascade import Cascade, Values
from digest.checks.colours import Colour, contrast, over, read_colour
from digest.checks.parse import read_tree
from digest.checks.styles import Medium

__all__ = ["SeenText", "faint_texts", "seen_texts"]

_LEAST: Final = 4.5  # WCAG 2.2, success criterion 1.4.3
_LEAST_LARGE: Final = 3.0
_LARGE: Final = 24.0  # pixels, 18 points
_LARGE_BOLD: Final = 18.66  # pixels, 14 points
_BOLD: Final = 700
_ROOT_SIZE: Final = 16.0
_UNSEEN: Final = 1.0  # pixels
_TRACE: Final = 1 / 255  # of a colour, the least that a screen shows
_SHOWN: Final = 60  # characters of a text
_WIDTHS: Final = (600, 375)
# Blanks, and signs that have no shape of their own.
_SHAPE: Final = re.compile(r"[^\s\u00ad\u034f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_LENGTH: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})(px|pt|em|rem|%)?\Z")
_NAMES: Final = ("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large")
# CSS Fonts Module Level 4, section 2.5.
_SIZES: Final = dict(zip(_NAMES, (9.6, 12.0, 14.2, 16.0, 19.2, 24.0, 32.0), strict=True))
_STEPS: Final = {"smaller": 5 / 6, "larger": 1.2}
_WEIGHTS: Final = {"normal": 400, "initial": 400, "lighter": 400, "bold": 700, "bolder": 700}
_VISIBILITY: Final = frozenset({"collapse", "hidden", "initial", "visible"})
_CLEAR: Final = Colour(0, 0, 0, 0)
_SCHEMES: Final = {
    "light": "light colours",
    "dark": "dark colours",
    "forced": "colours forced dark (an estimate)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenText:
    """A text in its colours as they come to the eye.

    `ratio` is their contrast, `least` what it ought to be; `scheme` is `light`, `dark`, or `forced`
    where a program darkens the light ones; `line` counts from 1.
    """

    text: str
    colour: Colour
    ground: Colour
    ratio: float
    least: float
    scheme: str
    line: int

    def __str__(self) -> str:
        # Rounded down, so that what is under a limit never reads as if it met it.
        ratio = floor(self.ratio * 100) / 100
        return (
            f"the text {self.text!r} has a contrast of {ratio:.2f} in {_SCHEMES[self.scheme]} "
            f"({self.colour} on {self.ground}), less than {self.least:g}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What an element passes on, and the opaque colour behind it.

    `faded` holds, for each element around with an opacity of its own, that and what is behind it.
    `size` is in pixels.
    """

    colour: Colour
    ground: Colour
    size: float = _ROOT_SIZE
    weight: int = 400
    gone: bool = False
    unseen: bool = False
    faded: tuple[tuple[float, Colour], ...] = ()

    @property
    def seen(self) -> tuple[Colour, Colour]:
        """Give the colours of text and ground as they come to the eye."""
        text, ground = over(self.colour, self.ground), self.ground
        for opacity, behind in reversed(self.faded):
            text = over(text, behind, opacity=opacity)
            ground = over(ground, behind, opacity=opacity)
        return text, ground

    @property
    def least(self) -> float:
        """Give the contrast that text of this size ought to have."""
        large = self.size >= (_LARGE_BOLD if self.weight >= _BOLD else _LARGE)
        return _LEAST_LARGE if large else _LEAST


@dataclass(frozen=True, slots=True, kw_only=True)
class _Canvas:
    """What a program draws on and with where a mail says nothing."""

    text: Colour
    ground: Colour
    link: Colour


_LIGHT: Final = _Canvas(text=Colour(0, 0, 0), ground=Colour(1, 1, 1), link=Colour(0, 0, 238 / 255))
# As Chromium draws a page that says it can be dark.
_DARK: Final = _Canvas(
    text=Colour(1, 1, 1),
    ground=Colour(18 / 255, 18 / 255, 18 / 255),
    link=Colour(158 / 255, 158 / 255, 1),
)


def faint_texts(text: str, *, schemes: Sequence[str] = ("light", "dark")) -> tuple[SeenText, ...]:
    """Find the texts of a mail whose contrast is under 4.5, or under 3 where they are large.

    Large is 24 px, or 18.66 px in bold. See `seen_texts`.
    """
    return tuple(one for one in seen_texts(text, schemes=schemes) if one.ratio < one.least)


def seen_texts(text: str, *, schemes: Sequence[str]) -> tuple[SeenText, ...]:
    """Give the texts that a mail shows; of those in the same colours and sizes only the first.

    The mail is looked at in each scheme, at 600 and at 375 pixels.
    """
    root = read_tree(text.encode())
    if root is None:
        return ()
    cascade = Cascade(root)
    found: dict[tuple[object, ...], SeenText] = {}
    for scheme in schemes:
        canvas = _DARK if scheme == "dark" and _can_be_dark(root) else _LIGHT
        for medium in cascade.distinct(Medium(scheme=scheme, width=width) for width in _WIDTHS):
            for one in _seen(cascade, canvas=canvas, medium=medium):
                found.setdefault((scheme, one.colour, one.ground, one.least), one)
    return tuple(found.values())


def _can_be_dark(root: html.HtmlElement) -> bool:
    """Tell whether a mail says that it can be shown on a dark canvas (CSS Color Adjust 1, §2)."""
    return any(
        element.get("name", "").lower() == "color-scheme"
        and "dark" in element.get("content", "").lower().split()
        for element in root.iter("meta")
    )


def _seen(cascade: Cascade, *, canvas: _Canvas, medium: Medium) -> Iterator[SeenText]:
    looks = _looks(cascade, canvas=canvas, medium=medium)
    met: set[_Look] = set()
    for element, text in _texts(cascade.elements):
        look = looks[element]
        if look in met or look.gone or look.unseen or look.size <= _UNSEEN:
            continue
        met.add(look)
        colour, ground = look.seen
        yield SeenText(
            text=text,
            colour=colour,
            ground=ground,
            ratio=contrast(colour, ground),
            least=look.least,
            scheme=medium.scheme,
            line=element.sourceline or 0,
        )


def _texts(elements: Sequence[html.HtmlElement]) -> Iterator[tuple[html.HtmlElement, str]]:
    """Give each text that has a shape, with the element whose look it has."""
    for element in elements:
        words = element.get("alt") if element.tag == "img" else element.text
        parent = element.getparent()
        for owner, text in ((element, words), (parent, element.tail)):
            if owner is not None and text and _SHAPE.search(text):
                line = " ".join(text.split())
                yield owner, line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _looks(cascade: Cascade, *, canvas: _Canvas, medium: Medium) -> dict[html.HtmlElement, _Look]:
    looks: dict[html.HtmlElement, _Look] = {}
    first = _Look(colour=canvas.text, ground=canvas.ground)
    for element in cascade.elements:
        around = looks.get(element.getparent(), first)
        values = cascade.values(element, medium)
        if element.tag == "a" and element.get("href") is not None:
            values = {"color": str(canvas.link), **values}
        # Nothing within can show itself again.
        same = around.gone or not values
        looks[element] = around if same else _look(values, around, canvas=canvas)
    return looks


def _look(values: Values, around: _Look, *, canvas: _Canvas) -> _Look:
    """Work out the look of an element from what is declared for it and the look around it."""
    colour = _colour(values.get("color", "inherit"), around.colour, first=canvas.text)
    ground = values.get("background-color", "")
    own = colour if ground == "currentcolor" else read_colour(ground) or _CLEAR
    opacity = _opacity(values.get("opacity", ""))
    faded = around.faded + (((opacity, around.ground),) if opacity < 1 - _TRACE else ())
    visible = prod((share for share, _ in faded), start=1.0) > _TRACE
    return replace(
        around,
        colour=colour,
        ground=over(own, around.ground),
        size=_size(values.get("font-size", ""), around.size),
        weight=_weight(values.get("font-weight", ""), around.weight),
        gone=values.get("display") == "none" or not visible or _squeezed(values),
        unseen=_unseen(values.get("visibility", ""), around=around.unseen),
        faded=faded,
    )


def _colour(value: str, around: Colour, *, first: Colour) -> Colour:
    """Read a colour; `around` is what it takes over, `first` what it has of its own accord."""
    if value == "initial":
        return first
    return read_colour(value) or around


def _opacity(value: str) -> float:
    found = _LENGTH.match(value)
    if found is None or found[2] not in {None, "%"}:
        return 1.0
    return min(float(found[1]) / (100 if found[2] else 1), 1.0)


def _size(value: str, around: float) -> float:
    if value in _SIZES:
        return _SIZES[value]
    if value in _STEPS:
        return around * _STEPS[value]
    found = _LENGTH.match(value)
    if found is None or (found[2] is None and float(found[1])):
        return around
    units = {"px": 1.0, "pt": 4 / 3, "em": around, "rem": _ROOT_SIZE, "%": around / 100}
    return float(found[1]) * units.get(found[2], 0)


def _weight(value: str, around: int) -> int:
    if value.isdecimal():
        return int(value[:4])
    return _WEIGHTS.get(value, around)


def _unseen(value: str, *, around: bool) -> bool:
    return value in {"hidden", "collapse"} if value in _VISIBILITY else around


def _squeezed(values: Values) -> bool:
    """Tell whether a box is too small to show what is in it."""
    if values.get("overflow") not in {"clip", "hidden"}:
        return False
    return any(
        _size(values.get(name, ""), _ROOT_SIZE) <= _UNSEEN
        for name in ("height", "max-height", "width")
    )
