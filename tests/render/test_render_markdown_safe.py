"""HTML made safe: what stays, what goes, and that the result is well-formed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from digest.render.markdown import markdown_html
from digest.render.nesting import put_in_order
from digest.render.sanitise import safe_html

_BASE = "https://paper.example/week/"
_ACTIVE = {"script", "style", "svg", "math", "iframe", "form", "input", "object", "embed", "meta"}


def _safe(html: str, **settings: object) -> str:
    return safe_html(html, base=_BASE, **settings)  # type: ignore[arg-type]  # the tests' own


def _tree(html: str) -> etree._Element:
    return etree.fromstring(f"<div>{html}</div>", etree.XMLParser(huge_tree=True))


@pytest.mark.parametrize(
    ("html", "clean"),
    [
        ("a<script>alert(1)</script>b", "ab"),
        ("a<script>never closed", "a"),
        ("a<style>b{}</style><iframe src=x>c</iframe><svg onload=d><path/>e</svg>f", "af"),
        ("<table><script>x</script><tr><td>a</table>", None),
        ('<p onclick="x" style="color:red" class="y">a</p>', "<p>a</p>"),
        ('<a href="java&#x09;script:x">a</a>', "a"),
        ('<a href=" JaVaScRiPt:x">a</a>', "a"),
        ('<a href="data:text/html,x">a</a><a href="vbscript:x">b</a>', "ab"),
        ('<a href="ftp://a.example/">a</a><a href="">b</a><a>c</a>', "abc"),
        ('<a href="http://[">a</a><a href="mailto:">b</a>', "ab"),
        ('<a href="https://a b.example/">a</a>', "a"),
        (
            '<a href="https://a.example/?x=1&amp;y=2" target=_blank title="t">a</a>',
            '<a href="https://a.example/?x=1&amp;y=2" title="t">a</a>',
        ),
        ('<a href="//a.example/b">a</a>', '<a href="https://a.example/b">a</a>'),
        ('<a href="../b c.html#d">a</a>', '<a href="https://paper.example/b%20c.html#d">a</a>'),
        (
            '<a href="https://caf\u00e9.example/t\u00e9?q=100%">a</a>',
            '<a href="https://xn--caf-dma.example/t%C3%A9?q=100%25">a</a>',
        ),
        ('<a href="mailto:a@b.example">a</a>', '<a href="mailto:a@b.example">a</a>'),
        ('<a href="#top">a</a>', '<a href="https://paper.example/week/#top">a</a>'),
        (
            '<img src="w.png" srcset="a b 1x, c 2x" width="10" height="1em">',
            '<img src="https://paper.example/week/w.png" alt="" width="10" />',
        ),
        ('<img src="data:image/png;base64,AA" alt="a wheel">', "a wheel"),
        ('<img src="mailto:a@b.example" alt="x"><img>', "x"),
        ("a<br>b<hr>c<wbr>d", "a<br />b<hr />c<wbr />d"),
        ("&nbsp;&copy;&lt;&amp;&quot;", '\u00a0\u00a9&lt;&amp;"'),
        ("a<!-- b ]]> c -->d", "ad"),
        ("a<!-- never closed", "a&lt;!-- never closed"),
        ("a<? b ?>c<!doctype html>d</ x>e", "acde"),
        ('a <b title="never closed', 'a &lt;b title="never closed'),
        ("a < b <= c <3", "a &lt; b &lt;= c &lt;3"),
        ("a&#27;&#0;&#xFFFE;b\x0b\x1b", "a\ufffdb"),
        ("<b>\u0338x</b>", "&lt;b\u226fx"),
        ("<b>&#824;x</b>", "<b>&#824;x</b>"),
        ("<section><h1>a</h1></section>", "<div><h1>a</h1></div>"),
        ("<strike>a</strike><tt>b</tt><font color=red>c</font>", "<s>a</s><code>b</code>c"),
        ("<p lang=de dir=rtl>a<p lang='1 2' dir=up>b", '<p lang="de" dir="rtl">a</p><p>b</p>'),
        ("<ol start=3><li>a</ol><ol start=x><li>b</ol>", None),
        ("<th scope=row>a", "a"),
        ("<form action=x><input name=a><button>go</button></form>", "go"),
        ("<html><head><title>t</title></head><body>a</body></html>", "a"),
        ("<textarea><b>a</b></textarea>b", "b"),
        ("a</script>b</p>c</x>", "abc&lt;/x&gt;"),
        ("<noscript><p>a</noscript>b", "b"),
        ("<plaintext>a<b>b</b>", "a<b>b</b>"),
    ],
)
def test_only_what_is_allowed_stays(html: str, clean: str | None) -> None:
    """Active elements, handlers, styles and other schemes go; words stay; XML can be read."""
    result = _safe(html)
    _tree(result)
    if clean is not None:
        assert result == clean


@pytest.mark.parametrize(
    ("html", "clean"),
    [
        ("<p>a<p>b<div>c</p></div>d", "<p>a</p><p>b</p><div>c</div>d"),
        ("<p><b>a<p>b", "<p><b>a</b></p><p>b</p>"),
        ("<b><i>a</b>b</i>", "<b><i>a</i></b>b"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", None),
        ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
        ("<a href=x>a<a href=y>b", None),
        ("<b>a<table><tr><td>b</b>c</table>", None),
        ("<table><b>a<tr><td>b<td>c<tr><th scope=row>d</table>", None),
        ("<table><caption>a<thead><tr><th>b<tbody><tr><td>c</table>", None),
        ("<h1>a<i><h2>b</h2>", "<h1>a<i></i></h1><h2>b</h2>"),
        ("</p></b>a", "a"),
    ],
)
def test_tags_are_put_in_order(html: str, clean: str | None) -> None:
    """Each element is closed in turn, and no word is lost on the way."""
    result = _safe(html)
    words = re.sub("<[^>]*>", "", html)
    assert sorted("".join(_tree(result).itertext())) == sorted(words)
    if clean is not None:
        assert result == clean


def test_ids_stay_only_with_the_prefix_and_once() -> None:
    """Anchors other than the piece's own are dropped, and so is a second one of a name."""
    html = '<i id="p-1">a</i><i id="p-1">b</i><i id="q">c</i><i id="p- 2">d</i><a href="#p-1">e</a>'
    assert _safe(html, prefix="p-") == (
        '<i id="p-1">a</i><i>b</i><i>c</i><i>d</i><a href="#p-1">e</a>'
    )
    assert _safe('<a id="p-1">a</a>', prefix="p-") == '<a id="p-1">a</a>'


def test_without_a_base_only_absolute_addresses_stay() -> None:
    """Where relative addresses mean nothing, the words of their links stay."""
    html = '<a href="x">a</a><a href="https://b.example/">b</a>'
    assert safe_html(html, base="") == 'a<a href="https://b.example/">b</a>'


class _Elements(HTMLParser):
    """Collects what an HTML parser sees."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


_PIECES = st.sampled_from(
    [
        *"<>&\"'=/ \n\t`*_[]()!#-|:\\~^$",
        "<b>",
        "</b>",
        "<p>",
        "</p>",
        "<td>",
        "<table>",
        "</table>",
        "<li>",
        "<ul>",
        "<a href=",
        "<a href='javascript:x'>",
        "</a>",
        "<img src=x onerror=y>",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<svg><style>",
        "<math><mi>",
        "<h1>",
        "&#x3c;",
        "&lt",
        "&nbsp;",
        "&#0;",
        "\x00",
        "\x1b",
        "\u0338",
        "\u202e",
        "\ud800",
        "\ufffe",
        "javascript:",
        "data:",
        "//h.example",
        "](",
        "[^1]",
        "[^1]: ",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\frac",
        "x_1",
        "{{",
        "}}",
        "```",
        "    ",
        "> ",
        "- ",
        "1. ",
        ": ",
        "\n\n",
        "|-|-|\n",
        "word",
        "日本",
        "é",
    ]
)
_SOUP = st.lists(_PIECES | st.text(max_size=4), max_size=40).map("".join)


@settings(deadline=None, max_examples=100)
@given(_SOUP)
def test_any_markdown_gives_safe_well_formed_html(text: str) -> None:
    """Whatever is typed, the result is XML, has no active part, and only web and mail addresses."""
    html = markdown_html(text, base=_BASE, prefix="p-", heading_level=3)
    tree = _tree(html)
    parser = _Elements()
    parser.feed(html)
    parser.close()
    assert [tag for tag, _attributes in parser.seen] == [part.tag for part in tree.iter()][1:]
    for tag, attributes in parser.seen:
        assert tag not in _ACTIVE | {"h1", "h2"}
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for address in filter(None, (attributes.get("href"), attributes.get("src"))):
            assert address.isascii()
            assert urlsplit(address).scheme in {"http", "https", "mailto"} or address[0] == "#"
        assert tag != "img" or "alt" in attributes


@settings(deadline=None, max_examples=100)
@given(_SOUP)
def test_any_html_gives_safe_well_formed_html(html: str) -> None:
    """Raw HTML of any kind is as well-formed, and clean HTML is not changed by a second pass."""
    once = _safe(html)
    _tree(once)
    assert safe_html(once, base=_BASE) == once


@settings(deadline=None, max_examples=100)
@given(_SOUP)
def test_what_is_in_order_stays(html: str) -> None:
    """Tags that were put in order once are not touched again."""
    once = put_in_order(html)
    assert put_in_order(once) == once


def _depth(html: str) -> int:
    deepest = depth = 0
    for close, void in re.findall(r"<(/?)[a-z0-9]+[^>]*?(/?)>", html):
        depth += -1 if close else not void
        deepest = max(deepest, depth)
    return deepest


_HOSTILE = {
    "quotes": ">" * 5000,
    "spaced quotes": "> " * 5000 + "word",
    "lists": "- " * 5000 + "word",
    "brackets": "[" * 8000,
    "pictures": "![" * 3000,
    "notes": "^[" * 3000,
    "emphasis": "*a " * 5000,
    "stars": "*" * 5000 + "word" + "*" * 5000,
    "elements": "<b>" * 5000 + "word",
    "blocks": "<div>\n" * 5000 + "word",
    "list elements": "<ul><li>" * 5000 + "word",
    "table elements": "<table><tr><td>" * 2000 + "word",
    "cells only": "<table><td>" * 2000 + "word",
    "formulas": r"\(" * 10_000,
    "display formulas": "\\[\n" * 5000,
    "tags without end": "<a b='" * 5000,
    "comments without end": "<!--" * 20_000,
    "marks": "<" * 10_000,
    "braces": "{{" * 5000,
    "reopened": "<p>" + "".join(f"<b lang=x{n}>" for n in range(90)) + "</p>" + "<p>x</p>" * 5000,
    "quotation marks": "\"a 'b " * 10_000,
    "struck": "<s>" * 40 + "word" * 1000,
    "wide table": "|a" * 200 + "\n" + "|-" * 200 + "\n" + "||\n" * 400,
    "long table": "|a" * 39 + "\n" + "|-" * 39 + "\n" + "||\n" * 200,
}


@pytest.mark.parametrize("text", _HOSTILE.values(), ids=_HOSTILE.keys())
def test_hostile_markdown_costs_no_more_than_its_length(text: str) -> None:
    """Deep, unclosed and misnested input gives bounded depth and size, and keeps its words."""
    html = markdown_html(text, base=_BASE)
    assert _depth(html) <= 100
    assert len(html) < 20 * len(text) + 1_000_000
    assert ("word" in html) == ("word" in text)
    _tree(html)
