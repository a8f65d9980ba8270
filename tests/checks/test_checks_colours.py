"""Colours: how they are read and written, laid over each other, and told apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageColor

from digest.checks.colour_names import COLOUR_NAMES
from digest.checks.colours import Colour, contrast, from_linear, over, read_colour, to_linear

_PARTS = st.floats(0, 1)
_COLOURS = st.builds(Colour, _PARTS, _PARTS, _PARTS)


def test_names_are_those_of_css() -> None:
    """Each of the 148 names has the digits that another library gives it."""
    others = {
        name: value.removeprefix("#")
        for name, value in ImageColor.colormap.items()
        if isinstance(value, str)
    }

    assert dict(COLOUR_NAMES) == others


@pytest.mark.parametrize(
    ("text", "shown", "alpha"),
    [
        ("#0B57b7", "#0B57B7", 1),
        (" #fFf ", "#FFFFFF", 1),
        ("#0008", "#000000", 8 / 15),
        ("#01020380", "#010203", 128 / 255),
        ("Teal", "#008080", 1),
        ("transparent", "#000000", 0),
        ("rgb(1,2,3)", "#010203", 1),
        ("rgba(1, 2, 3, .5)", "#010203", 0.5),
        ("rgb(100% 0% 50% / 25%)", "#FF0080", 0.25),
        ("rgb(300,-5,0)", "#FF0000", 1),
        ("hsl(120,100%,25%)", "#008000", 1),
        ("hsl(-240deg 100% 25%)", "#008000", 1),
        ("HSLA(.5turn,100%,50%,50%)", "#00FFFF", 0.5),
        ("hsl(200grad 100% 50%)", "#00FFFF", 1),
        ("hsl(0rad 0% 100%)", "#FFFFFF", 1),
    ],
)
def test_a_colour_is_read(text: str, shown: str, alpha: float) -> None:
    """Digits, names and functions, old and new."""
    colour = read_colour(text)

    assert colour is not None
    assert str(colour) == shown
    assert colour.alpha == pytest.approx(alpha)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#12",
        "#12345",
        "#ggg",
        "bluish",
        "inherit",
        "rgb(1,2)",
        "rgb(1,2,3,4,5)",
        "rgb(a,2,3)",
        "rgb(1px,2,3)",
        "rgb(1,2,3,x)",
        "hsl(1em,2%,3%)",
        "hsl(x,2%,3%)",
        "hsl(1,x,3%)",
        "hsl(1,2%,x)",
        "rgb(var(--a),2,3)",
        "url(a.png)",
        "lab(50% 20 30)",
    ],
)
def test_what_is_no_colour(text: str) -> None:
    """What cannot be read, and what few mail programs read, is none."""
    assert read_colour(text) is None


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000", "#fff", 21.0),
        ("#777", "#fff", 4.478),
        ("#1F2328", "#F5F4F1", 14.36),
        ("#0B57B7", "#FFFFFF", 6.85),
        ("#f00", "#f00", 1.0),
    ],
)
def test_contrast(one: str, other: str, ratio: float) -> None:
    """The ratio is that of WCAG, whichever colour comes first."""
    first, second = read_colour(one), read_colour(other)

    assert first is not None
    assert second is not None
    assert contrast(first, second) == pytest.approx(ratio, abs=0.01)
    assert contrast(second, first) == contrast(first, second)


def test_a_colour_over_another() -> None:
    """Opacity mixes the two; an opaque one hides what is behind it."""
    black, white = Colour(0, 0, 0), Colour(1, 1, 1)

    assert over(black, white) == black
    assert over(black, white, opacity=0.25) == Colour(0.75, 0.75, 0.75)
    assert over(Colour(0, 0, 0, 0.5), white, opacity=0.5) == Colour(0.75, 0.75, 0.75)
    assert over(Colour(0, 0, 0, 0), white) == white


@given(_COLOURS)
@settings(deadline=None, max_examples=60)
def test_a_colour_survives_writing(colour: Colour) -> None:
    """What is written of a colour reads as the same, to the digit."""
    again = read_colour(str(colour))

    assert again is not None
    assert str(again) == str(colour)


@given(_COLOURS, _COLOURS)
@settings(deadline=None, max_examples=60)
def test_contrast_is_within_its_bounds(one: Colour, other: Colour) -> None:
    """No two colours are told apart by less than 1 or more than 21."""
    assert 1 <= contrast(one, other) <= 21.000001


@given(_PARTS)
@settings(deadline=None, max_examples=60)
def test_light_goes_there_and_back(part: float) -> None:
    """Both ways between a part of a colour and its light undo each other."""
    assert from_linear(to_linear(part)) == pytest.approx(part, abs=1e-4)
