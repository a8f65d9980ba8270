"""Formulas between dollars: only where asked for, and never a price."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.render.markdown import first_words, markdown_html
from digest.render.plain import markdown_text

_BASE = "https://paper.example/week/"


def _text(text: str, *, dollars: bool = True) -> str:
    return markdown_text(text, base=_BASE, dollars=dollars)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("so $x^2$ is", "so x² is"),
        ("$x$, ($y$) and 2$z$.", "x, (y) and 2z."),
        ("$a\n= b$", "a = b"),
        ("*so $a*b$ on*", "so a * b on"),
        ("[so $x$](https://a.example/)", "so x\n  https://a.example/"),
        (r"a tax of $30\%$ or $\$5$", "a tax of 30% or $5"),
        (r"$x \text{ if it costs $5}$", r"x if it costs $5"),
        ("so $$ x^2 $$ is", "so x² is"),
        ("$$x$$ and $$y$$", "x and y"),
        ("$$ a $ b $$", "a$b"),
        ("$$\nx_1\n= y\n$$", "x₁ = y"),
        ("$$ x_1 $$\nso\n$$ x_2 $$", "x₁\n\nso\n\nx₂"),
        ("> $$\n> n!\n> $$", "> n!"),
        ("- $$ n $$", "- n"),
        ("$$ x\n$$ y", "x y"),
        ("${x}^2$", "x²"),
        (r"$\strange$ and $$\strange$$", r"$\strange$ and $$\strange$$"),
        (r"cost $5 and $x^2$ more", "cost $5 and x² more"),
    ],
)
def test_dollars_hold_formulas_where_asked_for(text: str, shown: str) -> None:
    """A pair of dollars holds a formula of the line, two pairs one of its own."""
    assert _text(text) == shown


_PRICES = [
    "costs $5 and $10",
    "from $20,000 to $30,000",
    "a $5.4 Billion loss, $5.4 billion in all",
    "$5-$10 or US$7",
    "between $10 and 30 $",
    "5$, $ 6 $",
    "a lone $",
    "$$",
    "$$$$",
    "$$$",
    "$$ never closed",
    "$never closed",
    "run `echo $x` or `$y`",
    "US$5 or `a$`",
    "{{ a }} ${b} #{c}",
    "${HOME} and ${PATH}",
]


@pytest.mark.parametrize("text", _PRICES)
@pytest.mark.parametrize("dollars", [True, False])
def test_prices_stay_prices(text: str, *, dollars: bool) -> None:
    """What the rule does not take for a formula is shown as typed, dollars and all."""
    assert _text(text, dollars=dollars) == text.replace("`", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\$x\$ and \$y", "$x$ and $y"),
        ("$$\nx\n\ny\n$$", "$$ x\n\ny $$"),
        ("    $$ x $$", "    $$ x $$"),
        ("```\n$x$\n```", "    $x$"),
        ("<b title='$x$'>b</b>", "b"),
    ],
)
def test_an_escaped_dollar_or_one_in_code_is_a_dollar(text: str, shown: str) -> None:
    """A backslash, code and a blank line keep dollars from being delimiters."""
    assert _text(text) == shown


@pytest.mark.parametrize("text", ["$x$", "$$x$$", "$$\nx\n$$"])
def test_without_being_asked_for_dollars_mean_nothing(text: str) -> None:
    """The usual setting has no formulas between dollars, in any form."""
    shown = " ".join(text.split())
    assert _text(text, dollars=False) == shown
    assert markdown_html(text, base=_BASE) == f"<p>{text}</p>"
    assert first_words(text, limit=20) == shown


def test_all_forms_know_dollars() -> None:
    """HTML, MathML and the one plain line read the same formulas."""
    html = markdown_html("so $x$", base=_BASE, dollars=True)
    assert html == '<p>so <span role="math" aria-label="x"><i>x</i></span></p>'
    math = markdown_html("$$x$$", base=_BASE, dollars=True, maths="mathml")
    assert math == '<p><math alttext="x" display="block"><mi>x</mi></math></p>'
    assert first_words("so $x^2$", limit=20, dollars=True) == "so x²"


_HOSTILE = {
    "openers": "$a " * 20_000,
    "double": "$$a " * 20_001,
    "lines": "$$ a\n" * 10_001,
    "escaped": "$" + r"\$" * 40_000,
    "escaped pairs": r"$$a\$" * 20_000 + "`",
    "words": r"$\text{" * 15_000,
    "backslashes": "$" + "\\" * 50_000,
}


@pytest.mark.parametrize("text", _HOSTILE.values(), ids=_HOSTILE.keys())
def test_unclosed_dollars_are_not_searched_for_time_and_again(text: str) -> None:
    """However many open and none closes, the text comes through whole."""
    html = markdown_html(text, base=_BASE, dollars=True)
    assert html.startswith("<p>")
    assert len(html) >= len(text) // 2


_PIECES = st.sampled_from(["$", "$$", r"\$", "x", "5", " ", "\n", "`", "{", "}", r"\text{", "*"])


@settings(deadline=None, max_examples=100)
@given(st.lists(_PIECES, max_size=20).map("".join))
def test_no_letter_between_dollars_is_lost(text: str) -> None:
    """Whatever stands between dollars, its letters and digits are shown in their order.

    A line of three backticks opens a block of code, and a word behind them is its language.
    """
    text = text.replace("```", "``")
    typed = "".join(filter(str.isalnum, text.replace(r"\text", "")))
    shown = _text(text).replace(r"\text", "")
    assert "".join(filter(str.isalnum, shown)) == typed
