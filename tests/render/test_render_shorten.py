"""Where the HTML of an item can end before its end."""

# ruff: noqa: RUF001 - the signs of Chinese are meant

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.render.markdown import markdown_html
from digest.render.shorten import cut_html, find_cuts

_SOURCES = st.lists(
    st.sampled_from(
        [
            "A word, *a leaning word*, a [link](https://a.example/) and `code here` of length.",
            "Much **bold & _both_** follows <small>in small</small> &lt;here&gt;; it ends.",
            "## A heading of its own",
            "- one point\n- two points\n    - two and a half\n- three points",
            "1. first\n2. second\n\n    with a second paragraph\n3. third",
            "> A voice from elsewhere.\n>\n> It has two paragraphs.",
            "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
            "```sh\nrun --once\nrun --twice\n```",
            "***",
            "A claim[^a] and another one[^b], and the first[^a] again.",
            "[^a]: Where it *stands*.\n\n[^b]: Where that one stands.",
            "term\n: what it means\n: what else it means",
            "<div>\n\nInside a frame.\n\nStill inside.\n\n</div>",
            "<b>Text at the top</b> without a paragraph & with signs",
            "港口的灯亮了，船都回来了。人们在岸上等着，“快点！”他们说。",
            "A formula \\(a_1 < b^2\\) in a sentence, \\[ \\frac{x}{y} \\]",
            "Both\u00a0sides of a name, a dash \u2014 and e\u0301 \U0001f468\u200d\U0001f469.",
        ]
    ),
    max_size=7,
).map("\n\n".join)


def _html(text: str) -> str:
    return markdown_html(text, base="https://a.example/", prefix="x_")


def _endings(html: str) -> list[str]:
    return [cut_html(html, cut) for cut in find_cuts(html)]


def _text(html: str) -> str:
    """Give the text of a fragment, which must be well-formed, as one line."""
    return " ".join("".join(ET.fromstring(f"<div>{html}</div>").itertext()).split())  # noqa: S314 - our own output


@given(_SOURCES)
@settings(deadline=None, max_examples=60)
def test_each_ending_is_whole(text: str) -> None:
    """Whatever was written, a cut leaves well-formed HTML that says how the whole begins."""
    html = _html(text)
    whole = _text(html)
    for cut in find_cuts(html):
        short = _text(cut_html(html, cut))
        assert whole.startswith(short.removesuffix("\u2026").rstrip())


@given(_SOURCES)
@settings(deadline=None, max_examples=60)
def test_octets_are_counted(text: str) -> None:
    """A cut tells its octets, links to what went included; the places come in order."""
    html = _html(text)
    cuts = find_cuts(html)
    assert [cut.end for cut in cuts] == sorted(cut.end for cut in cuts)
    for cut in cuts:
        assert cut.octets == len((html[: cut.end] + cut.close).encode())
        assert len(cut_html(html, cut).encode()) <= cut.octets


@given(_SOURCES)
@settings(deadline=None, max_examples=60)
def test_no_link_leads_to_what_is_cut(text: str) -> None:
    """A mark whose note is not there is plain; one whose note is there leads to it."""
    html = _html(text)
    for short in _endings(html):
        ids = set(re.findall(r' id="([^"]*)"', short))
        assert set(re.findall(r' href="#([^"]*)"', short)) <= ids


@pytest.mark.parametrize(
    ("html", "endings"),
    [
        ("<p>one</p>\n<p>two</p>\n<p>three</p>", ["<p>one</p>", "<p>one</p>\n<p>two</p>"]),
        (
            "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<p>end</p>",
            [
                "<ul>\n<li>one</li></ul>",
                "<ul>\n<li>one</li>\n<li>two</li></ul>",
                "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
            ],
        ),
        (
            "<ol><li><p>one</p><ul><li>deep</li></ul></li><li>two</li></ol>",
            [
                "<ol><li><p>one</p><ul><li>deep</li></ul></li></ol>",
                "<ol><li><p>one</p><ul><li>deep</li></ul></li><li>two</li></ol>",
            ],
        ),
        (
            "<table><tr><td>1</td></tr><tr><td>2</td></tr></table><p>end</p>",
            ["<table><tr><td>1</td></tr><tr><td>2</td></tr></table>"],
        ),
        ("<p>a</p><h4>head</h4><p>b</p>", ["<p>a</p>"]),
        ("<p>a</p><hr /><p>b</p>", ["<p>a</p>"]),
        ("<b>bare</b> text<p>end</p>", ["<b>bare</b> text"]),
        ("bare<hr />", ["bare"]),
        ("<blockquote><p>one two</p></blockquote>", []),
        ("<div><p>one two</p><p>three</p></div>", []),
        ("<pre>one two\nthree</pre>", []),
        ("", []),
    ],
)
def test_a_fragment_ends_after_a_block(html: str, endings: list[str]) -> None:
    """After a block or a point of a list at the top; not in a table, not after a heading."""
    assert _endings(html) == endings


@pytest.mark.parametrize(
    ("html", "endings"),
    [
        ("<p>one two three</p>", ["<p>one…</p>", "<p>one two…</p>"]),
        ("<p>one <em>two three</em></p>", ["<p>one…</p>", "<p>one <em>two…</em></p>"]),
        ('<p><a href="/x">one two</a></p>', ['<p><a href="/x">one…</a></p>']),
        ("<p>a <code>b c</code> d e</p>", ["<p>a…</p>", "<p>a <code>b c</code> d…</p>"]),
        ('<p>one <span role="math">x = y</span> two</p>', ["<p>one…</p>"]),
        ("<p>one, two \u2013 3</p>", ["<p>one…</p>", "<p>one, two…</p>"]),
        ("<p>a &amp; b c</p>", ["<p>a…</p>", "<p>a &amp;…</p>", "<p>a &amp; b…</p>"]),
        ("<p>No.\u00a07 went</p>", ["<p>No.\u00a07…</p>"]),
        ("<p>灯亮了，船来了。人们</p>", ["<p>灯亮了…</p>", "<p>灯亮了，船来了。…</p>"]),
        ("<p>“来！”他说</p>", []),
        ("<p>one<br />two three</p>", ["<p>one<br />two…</p>"]),
        ("<h4>one two</h4><p>a b</p>", ["<h4>one two</h4><p>a…</p>"]),
        ("<b>bare text</b>", ["<b>bare…</b>"]),
        ("<p>  </p>", []),
    ],
)
def test_the_first_paragraph_ends_after_a_word(html: str, endings: list[str]) -> None:
    """Never within a word, a reference, code or a formula; no comma or dash before the ellipsis."""
    assert _endings(html) == endings


def test_only_the_first_paragraph_ends_within() -> None:
    """What follows a whole block is taken whole, or not at all."""
    one, two = "<p>one</p>", "<p>two three four</p>"
    assert _endings(f"{one}{two}<p>five</p>") == [one, one + two]


def test_a_mark_without_its_note_is_plain() -> None:
    """The numbers stay as they were; a note that is kept is led to, and leads back."""
    html = _html("A claim[^a], another[^b].\n\n[^a]: One source.\n\n[^b]: Two sources.")
    body, one, *_ = [ending for ending in _endings(html) if "another" in ending]
    assert body == "<p>A claim<sup>[1]</sup>, another<sup>[2]</sup>.</p>"
    assert one.startswith('<p>A claim<sup><a href="#x_fn1" id="x_fnref1">[1]</a></sup>, another')
    assert "another<sup>[2]</sup>.</p>" in one
    assert '<li id="x_fn1"><p>One source. <a href="#x_fnref1">' in one
    assert one.endswith("</li></ol>")


def test_other_links_stay() -> None:
    """Only a link to a place that went is unmade."""
    html = '<p><a href="https://a.example/#x_1" title="a > b">far</a> off</p><p>end</p>'
    assert _endings(html)[-1] == html.removesuffix("<p>end</p>")
