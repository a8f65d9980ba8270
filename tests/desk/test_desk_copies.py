"""Copies for the frame: the colours decided, links in a new tab, all else as it was."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.desk.copies import copy_of, entry_page, with_pictures
from digest.desk.view import Colour, View

_HTML = b"""<!doctype html>
<html><head lang="en"><meta name="color-scheme" content="light dark" />
<meta name="supported-color-schemes" content="light dark" />
<style>:root{color-scheme: light dark}
@media (prefers-color-scheme:dark){body{color:#fff !important}}
@media screen and ( prefers-color-scheme : LIGHT ) and (max-width:480px) {body{color:#000}}
@media (max-width:480px){a{color:red}}</style></head>
<body style="color-scheme:light"><p>@media (prefers-color-scheme:dark){ color-scheme: dark }</p>
</body></html>"""


@pytest.mark.parametrize("colour", ["light", "dark"])
def test_conditions_are_decided(colour: Colour) -> None:
    """Of two conditions that ask for the system's colours the one holds, the other never."""
    copy = copy_of(_HTML, colour=colour)
    always, never = b"(min-width:0px)", b"(max-width:0px)"
    dark, light = (always, never) if colour == "dark" else (never, always)

    assert b"@media " + dark + b"{body{color:#fff" in copy
    assert b"@media screen and " + light + b" and (max-width:480px) {" in copy
    assert b"@media (max-width:480px){a{color:red}}" in copy
    assert f":root{{color-scheme:{colour}}}".encode() in copy
    assert copy.count(f'<meta name="color-scheme" content="{colour}">'.encode()) == 2


def test_text_that_reads_like_a_style_sheet_stays() -> None:
    """What stands in the body is nobody's style sheet."""
    for colour in ("light", "dark"):
        body = copy_of(_HTML, colour=colour).partition(b"<body")[2]

        assert body == _HTML.partition(b"<body")[2]


def test_links_open_in_a_new_tab() -> None:
    """A base element without an address stands first in the head, once."""
    copy = copy_of(_HTML, colour="light")

    assert b'<head lang="en"><base target="_blank"><meta' in copy
    assert copy.count(b"<base") == 1


@given(st.text(alphabet="<>styleadmhprfcon -:@(){}\"'/\n", max_size=200))
@settings(deadline=None, max_examples=100)
def test_pages_without_style_change_by_the_base_alone(text: str) -> None:
    """Where no style sheet and no meta element stands, nothing but the base is added."""
    page = f"<html><head></head><body>{text}</body></html>".encode()
    copy = copy_of(page, colour="dark")

    if b"<style" not in page and b"<meta" not in page:
        assert copy.replace(b'<base target="_blank">', b"", 1) == page


def test_a_copy_of_the_look_differs_in_nothing_else(drafted: Path) -> None:
    """Undoing the decided conditions gives back the edition's own bytes."""
    for name in ("issue.html", "page.html"):
        html = (drafted / "outbox/2027-w03" / name).read_bytes()
        light, dark = copy_of(html, colour="light"), copy_of(html, colour="dark")

        def plain(data: bytes) -> bytes:
            data = data.replace(b'<base target="_blank">', b"")
            data = re.sub(rb"\((?:m(?:in|ax)-width:0px|prefers-color-scheme: ?dark)\)", b"()", data)
            data = re.sub(rb'<meta name="(?:supported-)?color-schemes?"[^>]*>', b"<meta>", data)
            return re.sub(rb"(?<![\w-])color-scheme:[^;]*;", b"color-scheme;", data)

        assert light != dark
        assert plain(light) == plain(dark) == plain(html)


def test_an_entry_becomes_a_page() -> None:
    """The body of an entry stands untouched in a page of its own; the title is escaped."""
    entry = b"<h3>Tide &amp; <bdi>mill</bdi></h3>\n"
    page = entry_page(entry, title="</title><b>{x}", language='e"n', colour="dark")

    assert page.count(entry) == 1
    assert b'<h1 dir="auto">&lt;/title&gt;&lt;b&gt;{x}</h1>' in page
    assert b'<html lang="e&quot;n">' in page
    assert b"color-scheme: dark" in page


_NAME = "0123456789abcdef.png"
_OCTETS = b"\x89PNG of a mill"
_FILES = {f"pictures/{_NAME}": _OCTETS, "issue.html": b""}
_DATA = f"data:image/png;base64,{b64encode(_OCTETS).decode()}"


@pytest.mark.parametrize(
    "source",
    [
        f"https://harbour.example/letter/pictures/{_NAME}",
        f"pictures/{_NAME}",
        f"cid:{_NAME}@harbour.example",
    ],
)
@pytest.mark.parametrize("quote", ['"', "'"])
def test_own_pictures_are_put_in(source: str, quote: str) -> None:
    """Whether on the site, beside the page or in the mail, the edition's own file is shown."""
    tag = f"<img alt={quote}a > b{quote} src={quote}{{}}{quote} width=9>"
    copy = with_pictures(f"<p>{tag.format(source)}</p>".encode(), _FILES)

    assert copy.decode() == f"<p>{tag.format(_DATA)}</p>"


@pytest.mark.parametrize(
    "html",
    [
        '<img src="https://harbour.example/pictures/fedcba9876543210.png">',
        f'<img src="https://harbour.example/pictures/{_NAME}.html">',
        f'<a href="pictures/{_NAME}">a</a>',
        f'<p>&lt;img src="pictures/{_NAME}"&gt; src="pictures/{_NAME}"</p>',
        f'<img alt=" src=\'pictures/{_NAME}\'" src="a.png">',
        '<img src="a.png"><img src="data:,"><img>',
    ],
)
def test_all_else_stays_where_pictures_are_put_in(html: str) -> None:
    """Others' pictures, links and text that reads like a tag are as they were."""
    assert with_pictures(html.encode(), _FILES).decode() == html


def test_only_files_with_a_known_ending_are_put_in() -> None:
    """A browser is never told to take something for a picture that none is."""
    files = {"pictures/0123456789abcdef.svg": b"<svg/>"}
    html = b'<img src="pictures/0123456789abcdef.svg">'

    assert with_pictures(html, files) == html


def test_forced_colours_are_the_light_ones_turned_over() -> None:
    """Recoloured by force, a mail shows its light rules with dark grounds and light words."""
    html = (
        b"<html><head><style>@media (prefers-color-scheme:dark){p{color:#ABCDEF}}</style></head>"
        b'<body style="background-color:#FFFFFF"><p style="color:#101010">words</p></body></html>'
    )

    copy = copy_of(html, colour="forced")

    assert b'<body style="background-color:#333333"><p style="color:#F4F4F4">words</p>' in copy
    assert b"#ABCDEF" not in copy  # the rules for a dark system hold nowhere


@pytest.mark.parametrize(
    ("form", "shown"), [("desktop", "forced"), ("phone", "forced"), ("page", "dark")]
)
def test_mail_alone_is_recoloured_by_force(form: str, shown: str) -> None:
    """A page is never recoloured by a mail program, so there it is shown dark."""
    assert View.read({"view": form, "colour": "forced"}).shown_colour == shown
