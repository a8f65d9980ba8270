"""Markdown as safe HTML, and as one plain line."""

# ruff: noqa: RUF001 - typographic signs are the results expected

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from digest.render.markdown import first_words, markdown_html

_BASE = "https://paper.example/week/"


def _html(text: str, **settings: object) -> str:
    return markdown_html(text, base=_BASE, **settings)  # type: ignore[arg-type]  # the tests' own


def _plain(html: str) -> str:
    """Take the spans of formulas out, not what is in them."""
    return re.sub('<span role="math" aria-label="[^"]*">(.*?)</span>', r"\1", html)


def _tree(html: str) -> etree._Element:
    return etree.fromstring(f"<div>{html}</div>")


# ---- formulas ------------------------------------------------------------------------------------


def test_formulas_code_and_tables_come_through_whole() -> None:
    """Emphasis stays out of formulas and code, and a table keeps every cell and hyphen."""
    html = _html(
        "A slope of \\(b_1 * c_2\\) and \\(d_1 * e_2\\).\n\n"
        "Start `fit --quiet 'x'` -- then \"look\":\n\n"
        "```sh\nfit --quiet \"a\" 'b' ... *_y_*\n```\n\n"
        "| flag | sense |\n|---|---|\n| `--quiet` | say less |\n| `y_1` | one |\n"
    )
    tree = _tree(html)
    assert not tree.findall(".//em")
    assert "<i>b</i><sub>1</sub> * <i>c</i><sub>2</sub>" in _plain(html)
    assert tree.findtext(".//pre/code") == "fit --quiet \"a\" 'b' ... *_y_*\n"
    assert tree.findtext(".//p/code") == "fit --quiet 'x'"
    assert "– then “look”:" in html
    cells = ["".join(cell.itertext()) for cell in tree.iter("th", "td")]
    assert cells == ["flag", "sense", "--quiet", "say less", "y_1", "one"]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (r"\[ \frac{a}{b} \]", "<p><i>a</i>/<i>b</i></p>"),
        ("\\[\na\n= b\n- c\n\\]", "<p><i>a</i> = <i>b</i> − <i>c</i></p>"),
        ("so\n\\[ x_1 \\]\non", "<p>so</p>\n<p><i>x</i><sub>1</sub></p>\n<p>on</p>"),
        ("> \\[\n> n!\n> \\]", "<blockquote>\n<p><i>n</i>!</p>\n</blockquote>"),
        (r"so \[ x^2 \]. On", "<p>so <i>x</i><sup>2</sup>. On</p>"),
        (r"\[ x_1 \].", "<p><i>x</i><sub>1</sub>.</p>"),
        (r"\(\strange y\)", r"<p><code>\(\strange y\)</code></p>"),
        (r"\[ \strange y \]", r"<p><code>\[\strange y\]</code></p>"),
        (r"\(a < b & c\)", r"<p><code>\(a &lt; b &amp; c\)</code></p>"),
        (r"\(a \\ b\)", "<p><i>a</i><br /><i>b</i></p>"),
        (r"*so \(a*b\) on*", "<p><em>so <i>a</i> * <i>b</i> on</em></p>"),
        (r"[\(a\)](u)", f'<p><a href="{_BASE}u"><i>a</i></a></p>'),
    ],
)
def test_formulas_stand_in_lines_and_on_their_own(text: str, html: str) -> None:
    """Round brackets hold a formula of the line, square ones one of its own."""
    assert _plain(_html(text)) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("costs $5 and $10", "<p>costs $5 and $10</p>"),
        (
            "a $5.4 Billion loss, $5.4 billion in all",
            "<p>a $5.4 Billion loss, $5.4 billion in all</p>",
        ),
        (r"`\(a_1\)`", r"<p><code>\(a_1\)</code></p>"),
        (r"a \(b", "<p>a (b</p>"),
        (r"\(a \(b", "<p>(a (b</p>"),
        (r"so it goes \[sic\] and \[12\]", "<p>so it goes [sic] and [12]</p>"),
        (r"\[The editors thank all readers\]", "<p>[The editors thank all readers]</p>"),
        ("\\[\nx\n\nx\n\\]", "<p>[\nx</p>\n<p>x\n]</p>"),
        ("\\[ x\n\\[ x", "<p>[ x\n[ x</p>"),
        ("    \\[ x \\]", "<pre><code>\\[ x \\]\n</code></pre>"),
        (r"\\(a\\)", r"<p>\(a\)</p>"),
    ],
)
def test_what_is_no_formula_stays(text: str, html: str) -> None:
    """Prices, code, escaped brackets and unclosed ones are no formulas."""
    assert _html(text) == html


# ---- typography ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('"So," he said.', "“So,” he said."),
        ("it's the readers' 'own' '90s", "it’s the readers’ ‘own’ ’90s"),
        ("\"a 'b' c\"", "“a ‘b’ c”"),
        ('("a")', "(“a”)"),
        ('6\'2" tall, a 24" screen', '6\'2" tall, a 24" screen'),
        ('"never closed', '"never closed'),
        ("\"a 'b\" c'", "“a 'b” c’"),
        ("so -- or --- so", "so – or — so"),
        ("1990--1995", "1990–1995"),
        ("use --all and -- more", "use --all and – more"),
        ("wait... what....", "wait… what...."),
        ('https://a.example/x--y... "it\'s"', "https://a.example/x--y... “it’s”"),
        ("www.a.example/it's me@a.example/it's", "www.a.example/it's me@a.example/it's"),
    ],
)
def test_prose_is_typeset(text: str, shown: str) -> None:
    """Quotes that pair up, apostrophes, dashes and dots in prose are set, addresses left alone."""
    assert "".join(_tree(_html(text)).itertext()) == shown


def test_marks_are_weighed_across_tags_and_breaks() -> None:
    """A quote round emphasis or code, or at a line's end, is a quote."""
    html = _html('"*so*" "`code`" `tool`\'s \'a\n<b>b</b>\'')
    assert html == ("<p>“<em>so</em>” “<code>code</code>” <code>tool</code>’s ‘a\n<b>b</b>’</p>")


def test_quotes_are_set_for_english_only() -> None:
    """Another language keeps its quotes as typed; dashes are the same in all."""
    assert _html('"so" -- so', language="de-CH") == '<p>"so" – so</p>'
    assert _html('"so" -- so', language="en-GB") == "<p>“so” – so</p>"


def test_nothing_is_set_in_code_or_raw_html() -> None:
    """Code spans, code blocks and attributes keep straight quotes and hyphens."""
    html = _html('`a -- "b"...`\n\n    c -- "d"\n\n<b title="e--f">g</b>\n')
    assert '<code>a -- "b"...</code>' in html
    assert '<code>c -- "d"\n</code>' in html


# ---- blocks --------------------------------------------------------------------------------------


def test_headings_are_demoted_together() -> None:
    """The highest heading takes the level asked for, the others follow, none below h6."""
    html = _html("## A\n\n### B\n\n##### C\n\n<h2>D</h2>", heading_level=4)
    assert [(part.tag, part.text) for part in _tree(html)] == [
        ("h4", "A"),
        ("h5", "B"),
        ("h6", "C"),
        ("h4", "D"),
    ]


def test_a_heading_may_also_rise() -> None:
    """A piece whose highest heading is lower than the level asked for is raised to it."""
    assert _html("#### A", heading_level=2) == "<h2>A</h2>"


def test_lists_definitions_and_deletions_are_known() -> None:
    """Definition lists, ordered lists with a start, and strikethrough come out as elements."""
    html = _html("Tide\n: rise and fall\n\n7. seven\n8. eight\n\n~~old~~ new")
    tree = _tree(html)
    assert [tree.findtext(f".//{tag}") for tag in ("dt", "dd", "s")] == [
        "Tide",
        "rise and fall",
        "old",
    ]
    assert tree.find(".//ol").get("start") == "7"


def test_footnotes_are_linked_within_their_piece() -> None:
    """With a prefix, marks and notes have ids of the piece and lead to each other."""
    html = _html("A[^x] b[^x] c[^y].\n\n[^x]: First.\n[^y]: Second.", prefix="tide-")
    tree = _tree(html)
    ids = [part.get("id") for part in tree.iter() if part.get("id")]
    assert ids == [
        "tide-fnref1",
        "tide-fnref1-2",
        "tide-fnref2",
        "tide-fn1",
        "tide-fn2",
    ]
    links = [link.get("href") for link in tree.iter("a")]
    assert links == [
        "#tide-fn1",
        "#tide-fn1",
        "#tide-fn2",
        "#tide-fnref1",
        "#tide-fnref1-2",
        "#tide-fnref2",
    ]


def test_footnotes_without_a_prefix_are_numbers() -> None:
    """Where the place on a page is not known, notes have numbers and neither links nor ids."""
    html = _html("A[^x].\n\n[^x]: First.")
    assert html == "<p>A<sup>[1]</sup>.</p>\n<ol>\n<li><p>First.</p>\n</li>\n</ol>"


def test_unknown_marks_are_shown_and_unknown_elements_unwrapped() -> None:
    """`Vec<T>` is no HTML and stays; an element with attributes is one, and only its words stay."""
    assert _html("Vec<T> and <new> </T>") == "<p>Vec&lt;T&gt; and &lt;new&gt; &lt;/T&gt;</p>"
    assert _html('a <odd x="1">b</odd>') == "<p>a b</p>"


def test_braces_are_shown_as_typed() -> None:
    """Marks of template engines are words like others: nothing is run, emphasised or typeset."""
    text = (
        "`{{ 6*7 }}` {{ 6*7 }} {% for x in y %}z{% endfor %} {# 'n' -- n #} ${6*7} #{6*7} "
        '<%= 6*7 %> {{ a|b("c") }} {{ 6+7 {6+7}'
    )
    tree = _tree(_html(text))
    assert "".join(tree.itertext()) == text.replace("`", "")
    assert _html("[{{ 6*7 }}](u)") == f'<p><a href="{_BASE}u">{{{{ 6*7 }}}}</a></p>'
    assert first_words("*{{ 6*7 }}* \\<%", limit=20) == "{{ 6*7 }} <%"


@pytest.mark.parametrize("mark", ["> ", "- ", "1. ", ">"])
def test_what_is_nested_too_deep_keeps_its_words(mark: str) -> None:
    """Nesting is bounded, and what is deeper is shown with its marks."""
    tree = _tree(_html(mark * 200 + "deep *down*\n\nafter"))
    shown = "".join(tree.itertext())
    assert "deep down" in shown
    assert tree[-1].text == "after"
    assert _depth(tree) <= 101


def test_lines_of_one_deep_paragraph_stay_together() -> None:
    """A paragraph of several lines that is nested too deep stays one paragraph."""
    tree = _tree(_html("- " * 60 + "one\n" + "  " * 60 + "two\n\nafter"))
    assert "one\ntwo" in "".join(tree.itertext())
    assert tree[-1].text == "after"


def _depth(element: etree._Element) -> int:
    return 1 + max(map(_depth, element), default=0)


# ---- one line ------------------------------------------------------------------------------------


def test_first_words_are_one_plain_line() -> None:
    """Headings and items follow each other with a space; marks, notes and tables are gone."""
    text = (
        "# Tide\n\nThe *mill*[^n] at \\(x^2\\) `runs`\non <b>two</b> wheels.\n\n- one\n- two\n\n"
        "| a | b |\n|---|---|\n| c | d |\n\n![a wheel](w.png)\n\n[^n]: Not shown."
    )
    assert first_words(text, limit=200) == ("Tide The mill at x² runs on two wheels. one two")


def test_first_words_are_cut_at_a_word() -> None:
    """A longer text ends at a whole word with an ellipsis, within the limit."""
    assert first_words("The mill on the river", limit=14) == "The mill on…"
    assert first_words("The mill", limit=14) == "The mill"
    assert first_words("A & B <i>c</i>", limit=14) == "A & B c"


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=200), st.integers(min_value=5, max_value=80))
def test_first_words_keep_to_the_limit(text: str, limit: int) -> None:
    """Whatever is typed gives one line, no longer than the limit."""
    line = first_words(text, limit=limit)
    assert len(line) <= limit
    assert "\n" not in line
    assert line == line.strip()


def test_first_words_pass_over_code_and_tables() -> None:
    """A line for the inbox holds sentences, unless there are none."""
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"

    assert first_words(f"```\nrm -r x\n```\n\n{table}\nThen words.", limit=50) == "Then words."
    assert first_words(table, limit=50) == "a b 1 2"
