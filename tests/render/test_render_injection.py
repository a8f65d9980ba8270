"""Hostile values in every place of a letter where a value can stand: each comes out as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from urllib.parse import unquote

import html5lib
import pytest
from lxml import html as lxml_html

from digest.render import TemplateSet
from digest.render.mail import render_mail

# Name of a place: the MJML that the value is put into. `@` is where.
_HEAD = {
    "font name": '<mj-font name="@" href="https://font.example/a.css" />',
    "font address": '<mj-font name="Own" href="@" />',
    "default": '<mj-attributes><mj-divider border-color="@" /></mj-attributes>',
    "raw head": '<mj-raw><meta name="keywords" content="@" /></mj-raw>',
}
_BODY = {
    "words": "<mj-text><p>@</p></mj-text>",
    "class": '<mj-text css-class="@">a</mj-text>',
    "colour": '<mj-text color="@">a</mj-text>',
    "font": '<mj-text font-family="@">a</mj-text>',
    "background": '<mj-text container-background-color="@">a</mj-text>',
    "alignment": '<mj-text align="@">a</mj-text>',
    "height": '<mj-text height="@">a</mj-text>',
    "button address": '<mj-button href="@">a</mj-button>',
    "button words": '<mj-button href="https://a.example/">@</mj-button>',
    "button title": '<mj-button href="https://a.example/" title="@">a</mj-button>',
    "button name": '<mj-button href="https://a.example/" name="@">a</mj-button>',
    "button rel": '<mj-button href="https://a.example/" rel="@">a</mj-button>',
    "button colour": '<mj-button href="https://a.example/" background-color="@">a</mj-button>',
    "button class": '<mj-button href="https://a.example/" css-class="@">a</mj-button>',
    "picture": '<mj-image src="@" alt="a" />',
    "picture words": '<mj-image src="https://a.example/a.png" alt="@" />',
    "picture title": '<mj-image src="https://a.example/a.png" alt="a" title="@" />',
    "picture link": '<mj-image src="https://a.example/a.png" alt="a" href="@" />',
    "picture name": '<mj-image src="https://a.example/a.png" alt="a" name="@" />',
    "picture set": '<mj-image src="https://a.example/a.png" alt="a" srcset="@" />',
    "picture map": '<mj-image src="https://a.example/a.png" alt="a" usemap="@" />',
    "divider colour": '<mj-divider border-color="@" />',
    "table words": "<mj-table><tr><td>@</td></tr></mj-table>",
    "table width": '<mj-table width="@"><tr><td>a</td></tr></mj-table>',
    "link": '<mj-text><a href="@">a</a></mj-text>',
    "link title": '<mj-text><a href="https://a.example/" title="@">a</a></mj-text>',
    "plain picture": '<mj-text><img src="@" alt="a" /></mj-text>',
    "plain picture words": '<mj-text><img src="https://a.example/a.png" alt="@" /></mj-text>',
    "style": '<mj-text><p style="color:@">a</p></mj-text>',
    "apostrophes": "<mj-text><p title='@'>a</p></mj-text>",
    "raw": "<mj-raw><p>@</p></mj-raw>",
}
# The elements round all of them, from the outside in: an attribute of each, and its place.
_ROUND = {
    "mjml": {"lang": "language"},
    "mj-body": {"background-color": "body colour", "css-class": "body class"},
    "mj-wrapper": {"background-color": "wrapper colour", "css-class": "wrapper class"},
    "mj-section": {
        "background-color": "section colour",
        "background-url": "section picture",
        "css-class": "section class",
    },
    "mj-column": {"background-color": "column colour", "css-class": "column class"},
}
# What the engine lays out, leaves out, or a style sheet would read: it need not be shown as it is.
_LAID_OUT = {
    *("button title", "picture name"),
    *("font name", "font address", "default", "colour", "font", "background", "alignment"),
    *("height", "button colour", "divider colour", "table width", "style", "body colour"),
    *("wrapper colour", "section colour", "section picture", "column colour"),
}
_PLACES = [*_HEAD, *_BODY, "title", "preview"]
_PLACES += [place for places in _ROUND.values() for place in places.values()]

_HOSTILE = {
    "quote": '" onx="1"><xss>',
    "apostrophe": "' onx='1'><xss>",
    "tag": "<xss onx=1>",
    "written out": "&quot; onx=&quot;1&quot;&gt;&lt;xss&gt;",
    "twice written out": "&amp;quot;&gt;&amp;lt;xss onx&gt;",
    "line": "\n<xss\nonx=1>\n",
    "section": "]]><xss onx=1>",
    "comment": "--><xss onx=1><!--",
    "condition": "<![endif]--><xss onx=1>",
    "style": "red}</style><xss onx=1>",
    "script": "<script>onx()</script>",
    "braces": "{{ 6 * 7 }}{% raw %}",
}


def _value(place: str, hostile: str) -> str:
    return f"q{_PLACES.index(place)}q{hostile}"


def _put(place: str, source: str) -> str:
    return source.replace("@", f"{{{{ values[{place!r}] }}}}")


def _letter() -> str:
    """Write a letter that has all places, each with a value of its own."""
    head = "".join(_put(place, source) for place, source in _HEAD.items())
    body = "".join(_put(place, source) for place, source in _BODY.items())
    starts = [
        f"<{name}" + "".join(_put(place, f' {key}="@"') for key, place in places.items()) + ">"
        for name, places in _ROUND.items()
    ]
    ends = [f"</{name}>" for name in reversed(_ROUND)]
    known = f"<mj-title>a</mj-title><mj-preview>{_put('preview', '@')}</mj-preview>{head}"
    return "".join([starts[0], f"<mj-head>{known}</mj-head>", *starts[1:], body, *ends])


_LOOK = TemplateSet(texts={"letter.mjml.j2": _letter()})


@cache
def _mail(hostile: str) -> str:
    values = {place: _value(place, hostile) for place in _PLACES}
    return render_mail(_LOOK, {"values": values}, title=values["title"])


def _as_outlook_reads(html: str) -> str:
    """Show what stands in conditional comments, and hide what is for all others."""
    html = re.sub(r"<!--\[if !mso\]><!-->.*?<!--<!\[endif\]-->", "", html, flags=re.DOTALL)
    return re.sub(r"<!--\[if [^\]]*\]>|<!\[endif\]-->", "", html)


_PARSERS: dict[str, Callable[[str], Any]] = {
    "html5lib": lambda html: html5lib.parse(html, treebuilder="etree", namespaceHTMLElements=False),
    "lxml": lxml_html.document_fromstring,
}


@pytest.mark.parametrize("hostile", _HOSTILE.values(), ids=_HOSTILE.keys())
@pytest.mark.parametrize("parser", _PARSERS)
@pytest.mark.parametrize("outlook", [False, True], ids=["web", "mso"])
def test_no_value_becomes_a_part_of_the_letter(hostile: str, parser: str, *, outlook: bool) -> None:
    """No element, attribute or comment comes of a value, in either view and by either parser."""
    html = _mail(hostile)
    tree = _PARSERS[parser](_as_outlook_reads(html) if outlook else html)
    harmless = _PARSERS[parser](_as_outlook_reads(_mail("")) if outlook else _mail(""))
    assert _shape(tree) == _shape(harmless)


def _shape(tree: Any) -> list[tuple[str, list[str]]]:  # noqa: ANN401 - a tree of either parser
    """Give the elements and comments in their order, with the names of their attributes."""
    return [
        (part.tag if isinstance(part.tag, str) else "comment", sorted(part.attrib))
        for part in tree.iter()
    ]


@pytest.mark.parametrize("hostile", _HOSTILE.values(), ids=_HOSTILE.keys())
@pytest.mark.parametrize("parser", _PARSERS)
def test_each_value_is_shown_as_it_is(hostile: str, parser: str) -> None:
    """What is a text or an attribute holds the value to the last sign, white space set aside."""
    shown = list(_shown(_PARSERS[parser](_mail(hostile))))
    lost = [
        place
        for place in _PLACES
        if place not in _LAID_OUT
        and not any(_squeezed(_value(place, hostile)) in words for words in shown)
    ]
    assert lost == []
    assert len(_PLACES) - len(_LAID_OUT) >= 20


def _shown(tree: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    for part in tree.iter():
        yield from (_squeezed(unquote(value)) for value in part.attrib.values())
        yield _squeezed(part.text or "")


def _squeezed(text: str) -> str:
    return " ".join(text.split())
