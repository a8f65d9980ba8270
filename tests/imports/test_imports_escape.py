"""Text as Markdown that shows it as typed."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from digest.imports.escape import escape_markdown
from digest.model import clean_line


@pytest.mark.parametrize(
    ("typed", "markdown"),
    [
        ("# of loaves", r"\# of loaves"),
        ("1. Sift", r"1\. Sift"),
        ("12) Sift", r"12\) Sift"),
        ("> Sift", r"\> Sift"),
        ("- Sift", r"\- Sift"),
        ("+ Sift", r"\+ Sift"),
        ("* Sift", r"\* Sift"),
        ("---", r"\---"),
        ("a *warm* loaf", r"a \*warm\* loaf"),
        ("a _warm_ loaf", r"a \_warm\_ loaf"),
        ("a `warm` loaf", r"a \`warm\` loaf"),
        ("a ~~warm~~ loaf", r"a \~\~warm\~\~ loaf"),
        ("a <b>warm</b> loaf", r"a \<b>warm\</b> loaf"),
        ("&amp; and &#38; and &#x26;", r"\&amp; and \&#38; and \&#x26;"),
        ("[warm](loaf)", r"[warm\](loaf)"),
        ("[a note]: warm", r"[a note\]: warm"),
        ("a loaf[^1], warm", r"a loaf[\^1], warm"),
        (r"[warm](loaf) \]", r"[warm\](loaf) \\]"),
        ("a note^[warm]", r"a note\^[warm]"),
        (r"a\*b", r"a\\*b"),
        (r"*a\(x*y\)* b", r"\*a\(x*y\)\* b"),
        (r"a \(x y", r"a \\(x y"),
        (r"so \[sic\] it was", r"so \\[sic\\] it was"),
        ("from $x to y$ and on", r"from \$x to y\$ and on"),
    ],
)
def test_what_markdown_would_read_is_escaped(typed: str, markdown: str) -> None:
    """Each sign with a meaning in its place gets a backslash."""
    assert escape_markdown(typed) == markdown


@pytest.mark.parametrize(
    "text",
    [
        r"The boost is \(R^2\), or \[a_1 * b_1 * c_1\], they say",
        "2 * 3 loaves, file_name_one and *one star",
        "$5.4 million, not $6",
        "bread & butter, 3 < 4 > 2, [sic], AT&T, a` tick; a\\b",
        "#bread, 1.5 loaves, -5 degrees and ~5 loaves",
        "2031 was warm",
    ],
)
def test_ordinary_text_stays_readable(text: str) -> None:
    """Formulas and signs without a meaning in their place stay as they are."""
    assert escape_markdown(text) == text


@settings(deadline=None, max_examples=100)
@given(st.text(st.sampled_from("ab1 *_`~<>&;#[]()\\!^:$-+.=|{}@/é“…\n"), max_size=30))
@example("<|@a>")
@example("$x $y$ z$ 5")
@example("``` a")
@example("~~~ a")
@example("a **b** *c*")
@example("[^1]: a [^1]")
@example("***")
@example("_ _ _")
@example("1.")
@example("\\\\(a\\) *b*")
@example("`\\(`\\)")
@example("<!-- a -->")
@example("\\(*\\) *a*")
@example("*a\\(x\\)*")
def test_markdown_shows_the_text_as_typed(text: str) -> None:
    """Rendered and read again as plain text, any line is what was typed."""
    line = clean_line(text)
    parser = MarkdownIt("commonmark").enable(["strikethrough", "table"])
    parser.use(footnote_plugin).use(dollarmath_plugin, allow_space=False, allow_digits=False)
    parts = re.split(r"\\\(.{1,1000}?\\\)|\\\[.{1,1000}?\\\]", line)
    if len(parts) > 1:  # a formula is a thing of its own, as its reader sees it
        line = parts[0] + "x"
    html = parser.render(escape_markdown(line)).strip()
    assert unescape(re.sub(r"\A<p>|</p>\Z", "", html)) == line
