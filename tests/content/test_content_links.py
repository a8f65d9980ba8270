"""What a header links to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from digest.content.addresses import read_address
from digest.model import Image


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("https://a.example/x?y=1&z=%20#top", None),
        ("http://a.example", None),
        ("https://a.example:8080/", None),
        ("mailto:ann@a.example?subject=Hi", None),
        ("https://a.example/{{x}}", "https://a.example/%7B%7Bx%7D%7D"),
        (
            'https://a.example/a b|c\\d<e>"f"[g]^`',
            "https://a.example/a%20b%7Cc%5Cd%3Ce%3E%22f%22%5Bg%5D%5E%60",
        ),
        ("https://a.example/100%", "https://a.example/100%25"),
        ("https://a.example/%zz%41", "https://a.example/%25zz%41"),
        ("HTTPS://A.example/Path", "https://a.example/Path"),
        (
            "https://m\u00fcnchen.example/stra\u00dfe?\u00e9=\u2713#\u00fc",
            "https://xn--mnchen-3ya.example/stra%C3%9Fe?%C3%A9=%E2%9C%93#%C3%BC",
        ),
        ("https://us er@a.example/", "https://us%20er@a.example/"),
        ("https://[2001:db8::1]:443/x", "https://[2001:db8::1]:443/x"),
        (" https://a.example/\tx\n ", "https://a.example/%20x"),
    ],
)
def test_address_is_kept_or_encoded(typed: str, read: str | None) -> None:
    """An address keeps its meaning and becomes ASCII."""
    assert read_address(typed) == (read or typed)
    assert read_address(read or typed) == (read or typed)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("javascript:alert(1)", "does not begin with"),
        ("data:text/html,x", "does not begin with"),
        ("java\nscript:alert(1)", "does not begin with"),
        ("//a.example/x", "does not begin with"),
        ("/x/y", "does not begin with"),
        ("words", "does not begin with"),
        ("https://", "has no host"),
        ("https:///x", "has no host"),
        ("https://a..b.example/", "has no host"),
        ("https://-\u00fc-/", None),
        ("https://\u00fc" + "x" * 80 + ".example/", "has no host"),
        ("https://a b.example/", "has no host"),
        ("https://" + "\u00fc." * 200, "has no host"),
        ("https://" + "a." * 200, "has no host"),
        ("https://[1", "cannot be read"),
        ("https://a.example:99999/", "cannot be read"),
        ("https://a.example:x/", "cannot be read"),
        ("mailto:", "names no mailbox"),
        ("mailto:ann", "names no mailbox"),
        ("mailto:@a.example", "names no mailbox"),
    ],
)
def test_address_that_may_not_stand_in_a_mail_is_refused(typed: str, reason: str | None) -> None:
    """Another scheme, or no host that could exist, is told with its reason."""
    if reason is None:
        assert read_address(typed).isascii()
        return
    with pytest.raises(ValueError, match=reason):
        read_address(typed)


def test_bad_url_is_dropped_with_a_note(parse: Callable[..., Any]) -> None:
    """A script is no address, but the summary is still good."""
    summary, notes = parse("---\ntitle: x\nurl: javascript:alert(1)\n---\n")
    assert summary.url == ""
    [note] = notes
    assert note.place == "content/owls.md:3"
    assert note.text.startswith("'javascript:alert(1)' does not begin with http:")


@pytest.mark.parametrize(
    ("lines", "links"),
    [
        ("links: https://a.example/x/", [("a.example/x", "https://a.example/x/")]),
        (
            "links: [https://a.example/, 'mailto:b@c.example']",
            [("a.example", "https://a.example/"), ("b@c.example", "mailto:b@c.example")],
        ),
        ("links:\n  - label: Map\n    url: https://a.example/", [("Map", "https://a.example/")]),
        ("links:\n  - {title: Map, href: https://a.example/}", [("Map", "https://a.example/")]),
        (
            "links:\n  - {label: [x], link: https://a.example/}",
            [("a.example", "https://a.example/")],
        ),
        ("links: {label: Map, url: https://a.example/}", [("Map", "https://a.example/")]),
        (
            "links:\n  Map: https://a.example/\n  Code: https://b.example/",
            [("Map", "https://a.example/"), ("Code", "https://b.example/")],
        ),
        ("links: []", []),
        ("links:\n  - javascript:x\n  - https://a.example/", [("a.example", "https://a.example/")]),
        ("links:\n  - {label: Map, url: ''}", []),
    ],
)
def test_links_may_be_written_in_many_ways(
    parse: Callable[..., Any], lines: str, links: list[tuple[str, str]]
) -> None:
    """Addresses, labelled ones, and one mapping of label and address are all links."""
    found = parse(f"---\ntitle: x\n{lines}\n---\n")[0].links
    assert [(link.label, link.url) for link in found] == links


def test_bad_link_names_its_own_line(
    parse: Callable[..., Any], complaints: Callable[..., Any]
) -> None:
    """The line of the list's element is told, not that of the key."""
    notes = parse("---\ntitle: x\nlinks:\n  - https://a.example/\n  - ftp://a.example/\n---\n")[1]
    assert [note.place for note in notes] == ["content/owls.md:5"]
    [complaint] = complaints("---\nlinks:\n  - https://a.example/\n  - {label: Map}\n---\n")
    assert complaint.startswith("content/owls.md:4: a link must be an address")


@pytest.mark.parametrize(
    ("lines", "image"),
    [
        ("image: pics/a b.png", Image(url="pics/a b.png", alt="")),
        (
            "image: //cdn.example/a.png\nimage_alt: An owl",
            Image(url="https://cdn.example/a.png", alt="An owl"),
        ),
        ("image: https://a.example/\u00e9.png", Image(url="https://a.example/%C3%A9.png", alt="")),
        ("image: {src: a.png, alt: An owl}", Image(url="a.png", alt="An owl")),
        ("image: {url: a.png, alt: [x]}", Image(url="a.png", alt="")),
        ("image: {url: a.png, alt: An owl}\nimage_alt: Mine", Image(url="a.png", alt="Mine")),
        ("image: data:image/png;base64,xx", None),
        ("image: mailto:a@b.example", None),
        ("image: https:///a.png", None),
        ("image: ''", None),
        ("image_alt: Lonely", None),
    ],
)
def test_image_is_an_address_with_words(
    parse: Callable[..., Any], lines: str, image: Image | None
) -> None:
    """A picture is relative to the file or on the web, and nothing else."""
    assert parse(f"---\ntitle: x\n{lines}\n---\n")[0].image == image


def test_picture_that_cannot_be_shown_is_noted(parse: Callable[..., Any]) -> None:
    """A dropped picture is told."""
    [note] = parse("---\ntitle: x\nimage: data:x\n---\n")[1]
    assert note.text == "a picture at 'data:x' cannot be shown; left out"


def test_image_of_another_shape_is_refused(complaints: Callable[..., Any]) -> None:
    """A mapping without an address is no picture."""
    [complaint] = complaints("---\nimage: {alt: x}\n---\n")
    assert complaint == "content/owls.md:2: `image` must be an address"
