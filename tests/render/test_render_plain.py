"""Markdown as plain text, and lines broken at a width."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.render.plain import markdown_text, wrap
from digest.render.wrapping import cells, padded

_BASE = "https://paper.example/week/"


def _text(text: str, **settings: object) -> str:
    return markdown_text(text, base=_BASE, **settings)  # type: ignore[arg-type]  # the tests' own


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# A *head*\n\nSome **bold** `code_x` words.", "A head\n\nSome bold code_x words."),
        ("one\ntwo\\\nthree", "one two\nthree"),
        ("a\n\n***\n\nb", "a\n\n· · ·\n\nb"),
        ("- a\n- b\n  - c\n", "- a\n- b\n  - c"),
        ("- a\n\n  b\n\n- c", "- a\n\n  b\n\n- c"),
        ("9. a\n10. b", " 9. a\n10. b"),
        ("- \n- b", "-\n- b"),
        ("> a\n>\n> > b", "> a\n>\n> > b"),
        (">", ""),
        ("Tide\n: rise\n\n: fall\n", "Tide\n    rise\n    fall"),
        ("    x = 1\n\n    y  = 2\n", "    x = 1\n\n    y  = 2"),
        ("![a wheel](w.png) and ![](v.png)", "[a wheel] and"),
        ("![a wheel](data:x)", "a wheel"),
        ("H<sub>2</sub>O x<sup>q</sup> <q>so</q>", "H₂O x^(q) “so”"),
        ("~~a b~~ <del>c</del>", "a̶ b̶ c̶"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
        (r"\(R^2 \le 1\)", "R² ≤ 1"),
        (r"\(a\\b\)", "a\nb"),
        (r"\[ \sum_{i=1}^n x_i \]", "∑ᵢ₌₁ⁿ xᵢ"),
        (r"\(\strange{x}\)", r"\(\strange{x}\)"),
        ("A[^1].\n\n[^1]: Note *one*.", "A[1].\n\n1. Note one."),
        ("", ""),
        ("<!-- nothing -->", ""),
        ("a &amp; b &lt;c&gt; Vec<T>", "a & b <c> Vec<T>"),
        ("<div>a<p>b</p>c</div>", "a\n\nb\n\nc"),
        ("<ul>a<li>b<b>c</b></ul>", "  a\n- bc"),
        ("<ul><b>a</b><li>b</ul>", "  a\n- b"),
        ("<ol></ol>a", "a"),
        ("<dl><dt>a</dl>", "a"),
        ("<dl></dl>a", "a"),
        ("<pre>\n\n a\n  <b>b</b><br>c</pre>", "     a\n      b\n    c"),
        ("<i>a<p>b</p>c</i>", "a\n\nb\n\nc"),
    ],
)
def test_markdown_reads_as_text(markdown: str, text: str) -> None:
    """Each kind of block and mark has its plain form, without Markdown's signs."""
    assert _text(markdown) == text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        (
            "See [one](a) and [two](https://b.example/x), [one](a) again.",
            "See one and two, one again.\n  https://paper.example/week/a\n  https://b.example/x",
        ),
        (
            "First [x](u).\n\nThen [y](u) [z](v).",
            "First x.\n  https://paper.example/week/u\n\nThen y z.\n  https://paper.example/week/v",
        ),
        ("- [x](u)\n- y", "- x\n    https://paper.example/week/u\n- y"),
        ("At <https://a.example/b-c/>.", "At a.example/b-c.\n  https://a.example/b-c/"),
        (
            "At <https://a.example/" + "b" * 60 + ">.",
            "At a.example/….\n  https://a.example/" + "b" * 60,
        ),
        (
            "<a@b.example> or [write](mailto:c@d.example)",
            "a@b.example or write\n  mailto:c@d.example",
        ),
        ("[![w](w.png)](u)", "[w]\n  https://paper.example/week/u"),
        ("[](u)", "  https://paper.example/week/u"),
        ("[x](javascript:y)", "x"),
        ('<div><a href="u"><p>a</p><p>b</p></a></div>', "a\n\nb\n  https://paper.example/week/u"),
        ('<div><a href="u"><hr></a></div>', "· · ·\n  https://paper.example/week/u"),
        (
            '<pre><a href="u">x</a>  y</pre>',
            "    x  y\n  https://paper.example/week/u",
        ),
        ("[x](" + "q?" + "&".join(f"p{n}={n}" for n in range(50)) + ")", None),
    ],
)
def test_addresses_stand_alone_below_their_words(markdown: str, text: str | None) -> None:
    """The address of a link is on a line of its own, whole, once, below the words it belongs to."""
    result = _text(markdown)
    if text is not None:
        assert result == text
    for line in result.split("\n"):
        assert "https://" not in line or re.fullmatch(r" *https://\S+", line)


def test_tables_show_every_cell_in_columns() -> None:
    """Cells stand below each other, counted in cells of the screen, with their links below."""
    text = _text("| sign | sense |\n|---|---|\n| 日本 | *x* |\n| `--all` | [y](u) |\n")
    assert text == (
        "sign   sense\n-----  -----\n日本   x\n--all  y\n  https://paper.example/week/u"
    )


def test_tables_too_wide_become_lines() -> None:
    """A table wider than the text has a line for each cell, named by its column."""
    long = "word " * 12
    text = _text(f"| name | what |\n|---|---|\n| a | {long}|\n| b | |\n|  | {long}|\n", width=40)
    assert text == (
        "name: a\n"
        "what: word word word word word word\n  word word word word word word\n\n"
        "name: b\nwhat\n\n"
        "name\n"
        "what: word word word word word word\n  word word word word word word"
    )


def test_tables_without_a_head_and_with_a_caption_are_read() -> None:
    """A table of raw HTML shows its caption, its rows of unequal length, and breaks as spaces."""
    table = "<table><caption>T</caption><tr><td>a<td>b<br>c<tr><td><p>d</p><p>e</p></table>"
    assert _text(table) == "T\n\na    b c\nd e"
    assert _text(table, width=7) == "T\n\na    b c\nd e"
    long = "word " * 6
    assert _text(f"<table><tr><td>{long}<td>{long}<tr><td>x<td></table>", width=40) == (
        "word word word word word word\nword word word word word word\n\nx"
    )
    assert _text("<table></table>a") == "a"


def test_a_head_without_rows_is_a_row() -> None:
    """A table of headings only has no line below them."""
    assert _text("| a | b |\n|---|---|\n") == "a  b"


def test_all_lines_are_indented() -> None:
    """The indent stands before every line that is not blank, and narrows the text."""
    text = _text("word " * 30 + "\n\n- " + "word " * 30, indent=3, width=40)
    lines = text.split("\n")
    assert all(line.startswith("   word") or line[:5] in {"", "   - ", "     "} for line in lines)
    assert max(map(len, lines)) <= 40
    assert "" in lines


def test_quotes_follow_the_language() -> None:
    """The text has the same quotes as the HTML: English ones for English only."""
    assert _text('"a"') == "“a”"
    assert _text('"a"', language="fr") == '"a"'


def test_deep_nesting_keeps_its_words() -> None:
    """Marks of many levels end in readable text of bounded width."""
    text = _text("> " * 500 + "word")
    assert text.endswith("word")
    assert _text("<blockquote>" * 500 + "word").endswith("word")
    assert "word" in _text("<s>" * 500 + "word" + "</s>" * 500).replace("\u0336", "")


# ---- lines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", 8, "one two\nthree"),
        ("one two", 7, "one two"),
        ("well-known", 5, "well-known"),
        ("a https://a.example/b-c d", 10, "a\nhttps://a.example/b-c\nd"),
        ("a\u00a0b c", 3, "a\u00a0b\nc"),
        ("a\u2003b\u3000c", 3, "a b\nc"),
        ("a\n\nb c", 9, "a\n\nb c"),
        ("", 9, ""),
        ("日本語 日本", 6, "日本語\n日本"),
        ("e\u0301e\u0301 e\u0301e\u0301", 5, "e\u0301e\u0301 e\u0301e\u0301"),
        ("日本語日本語", 6, "日本語\n日本語"),
        ("a 日本語日本語", 6, "a\n日本語\n日本語"),
        ("日本。日本「語」", 4, "日本。\n日本\n「語」"),
        ("wordいwordい", 4, "wordいwordい"),
        ("か\u3099か\u3099か\u3099", 4, "か\u3099か\u3099\nか\u3099"),
    ],
)
def test_lines_break_at_white_space(text: str, width: int, lines: str) -> None:
    """Words stay whole; only Chinese and Japanese break between signs, where a line may end."""
    assert wrap(text, width=width) == lines


def test_margins_count_in_the_width() -> None:
    """The first line may have another margin than the rest."""
    assert wrap("one two three", width=9, indent="   ", first="1. ") == "1. one\n   two\n   three"
    assert wrap("one two", width=9, indent="  ") == "  one two"


def test_cells_are_those_of_a_terminal() -> None:
    """A wide sign takes two cells, a combining one none, a control character none."""
    assert [
        cells(text) for text in ("abc", "日本", "e\u0301", "\u00e9\x1b", "👨\u200d👩\u200d👧")
    ] == [
        3,
        4,
        1,
        1,
        2,
    ]
    assert padded("日", 4) == "日  "


_WORDS = st.lists(
    st.sampled_from(
        ["word", "well-known", "*em*", "`code`", "[link](u)", "日本", "é", r"\(x^2\)", "a\u00a0b"]
    ),
    min_size=1,
    max_size=40,
).map(" ".join)
_LINES = st.sampled_from(["", "> ", "- ", "1. ", "## ", "> - "])


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(_LINES, _WORDS), max_size=6), st.integers(min_value=30, max_value=90))
def test_no_line_is_wider_than_the_width(blocks: list[tuple[str, str]], width: int) -> None:
    """Of text that can be broken no line stands out, and no line ends with a space."""
    text = _text("\n\n".join(mark + words for mark, words in blocks), width=width, indent=3)
    for line in text.split("\n"):
        assert cells(line) <= width or re.fullmatch(r"[> -]*https://\S+", line)
        assert line == line.rstrip()


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=300))
def test_any_text_gives_text(text: str) -> None:
    """Whatever is typed, the result holds no control character and no blank line at its ends."""
    result = _text(text)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", result)
    assert result == result.strip("\n")


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=300), st.integers(min_value=4, max_value=80))
def test_wrapping_only_moves_white_space(text: str, width: int) -> None:
    """Breaking lines loses and adds nothing but white space."""
    assert "".join(wrap(text, width=width).split()) == "".join(text.split())
