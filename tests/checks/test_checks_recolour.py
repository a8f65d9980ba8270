"""Mail darkened by force: colours turn over, the rest stays, and text can still be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.checks import Material
from digest.checks.colours import Colour
from digest.checks.contrast import faint_texts, seen_texts
from digest.checks.faint import faint_anywhere
from digest.checks.recolour import force_dark
from digest.files import read_templates
from digest.publish.editions import render
from digest.publish.specimen import specimens


def _after(html: str) -> dict[str, tuple[str, str]]:
    """Give colour and ground of each text as it is after the darkening."""
    return {
        one.text: (str(one.colour), str(one.ground))
        for one in seen_texts(force_dark(html), schemes=["light"])
    }


def test_black_on_white_is_turned_over() -> None:
    """White becomes a dark grey and black white, also where the mail says nothing of colours."""
    turned = {"word": ("#FFFFFF", "#333333")}

    assert _after("<p>word") == turned
    assert _after('<body style="color:#000;background:#fff">word') == turned
    assert _after('<body bgcolor="white" text="black">word') == turned
    assert _after("<style>p{color:black;background-color:white}</style><p>word") == turned


def test_colours_keep_their_hue() -> None:
    """Dark blue becomes light blue; links of no colour do too."""
    colour, ground = _after('<p style="color:#00308f">word')["word"]
    link, _ = _after('<a href="https://a.example/">word')["word"]

    for shown in (colour, link):
        red, green, blue = (int(shown[place : place + 2], 16) for place in (1, 3, 5))
        assert blue > green
        assert blue > red
        assert blue > 0xB0
    assert ground == "#333333"


def test_what_the_mail_says_of_links_goes_before() -> None:
    """The colour put in for links gives way to any rule."""
    html = '<style>a{color:white}</style><a href="https://a.example/">word</a>'

    assert _after(html) == {"word": ("#333333", "#333333")}


@pytest.mark.parametrize(
    ("style", "turned"),
    [
        ("border:1px solid white", "border:1px solid #333333"),
        ("border-top-color:#fff", "border-top-color:#333333"),
        ("background:url(white.png) WHITE", "background:url(white.png) #333333"),
        ("background:linear-gradient(#fff,black)", "background:linear-gradient(#333333,#FFFFFF)"),
        ("box-shadow:0 0 1px rgba(255,255,255,.2)", "box-shadow:0 0 1px #33333333"),
        ("color:inherit", "color:inherit"),
        ("color:white!important", "color:#333333 !important"),
        ("content:white;font-family:white", "content:white;font-family:white"),
        ("background:transparent", "background:#FFFFFF00"),
    ],
)
def test_every_colour_of_a_style_is_turned(style: str, turned: str) -> None:
    """Borders, shadows and gradients too; what only reads like a colour stays."""
    assert f'<p style="{turned}">' in force_dark(f'<p style="{style}">x')


def test_rules_for_the_dark_are_left_out() -> None:
    """A program that darkens by force reads none of them; other media stay."""
    css = (
        "@media (prefers-color-scheme:dark){p{color:lime}}[data-ogsc] p{color:lime}"
        "@media screen{@media (max-width:9px){p{color:white !important}}}"
    )
    after = force_dark(f"<style>{css}</style><p>word")

    assert "lime" not in after
    assert "prefers-color-scheme" not in after
    assert "@media screen{@media (max-width:9px){p{color:#333333 !important}}}" in after


def test_all_else_stays() -> None:
    """Words, pictures, addresses and what only Outlook reads are as they were."""
    html = (
        "<!doctype html>\n<html><head><title>T</title></head><body>"
        "<!--[if mso]><b>o</b><![endif]-->"
        '<p class="x">One &amp; two <a href="https://a.example/?a=1&amp;b=white">three</a></p>'
        '<img src="white.png" width="9" alt="W"></body></html>'
    )
    after = force_dark(html)

    bare = re.sub(r'<style>[^<]*</style>| style="[^"]*"', "", after)
    assert bare.replace("\n", "") == html.replace("\n", "")


def test_nothing_to_darken() -> None:
    """HTML without an element stays as it is."""
    assert force_dark("") == ""
    assert force_dark("<!-- x -->") == "<!-- x -->"


@pytest.mark.parametrize("look", ["default", "compact"])
def test_shipped_looks_can_be_read_in_any_colours(
    look: str, material: Callable[..., Material], tmp_path: Path
) -> None:
    """Every text of both looks has its contrast in light, in dark, and darkened by force."""
    templates = read_templates(tmp_path, look)
    for specimen in specimens(material().newsletter):
        html = render(specimen.material(templates)).files["issue.html"].decode()

        assert faint_texts(html) == (), specimen.name
        assert faint_texts(force_dark(html), schemes=["light"]) == (), specimen.name
        assert list(faint_anywhere(html)) == [], specimen.name


def test_contrast_of_all_badges_darkened() -> None:
    """The eight pairs of colours of the badges keep at least 4.5."""
    style = Path(__file__).parents[2] / "templates" / "letter.css.j2"
    pairs = re.findall(r'\("(#\w{6})", "(#\w{6})", "#\w{6}", "#\w{6}"\)', style.read_text("utf-8"))

    assert len(pairs) == 8
    for text, ground in pairs:
        html = f'<p style="color:{text};background:{ground}">word'
        assert faint_texts(force_dark(html), schemes=["light"]) == ()


_PART = st.integers(0, 255).map(lambda part: part / 255)


@given(st.builds(Colour, _PART, _PART, _PART))
@settings(deadline=None, max_examples=60)
def test_any_colour_can_be_turned(colour: Colour) -> None:
    """What comes out is a colour, and a grey stays a grey."""
    ((shown, _),) = _after(f'<p style="color:{colour}">word').values()

    assert re.fullmatch("#[0-9A-F]{6}", shown)
    if colour.red == colour.green == colour.blue:
        parts = [int(shown[place : place + 2], 16) for place in (1, 3, 5)]
        assert max(parts) - min(parts) <= 1
