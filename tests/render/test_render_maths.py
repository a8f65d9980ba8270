"""Formulas as plain HTML and as Unicode text."""

# ruff: noqa: RUF001 - the signs of mathematics are meant

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from digest.render.maths import formula_html, formula_text

_TEXTS = {
    # relations, operators and the spaces round them
    r"a \le b \leq c": "a ≤ b ≤ c",
    r"a<b": "a < b",
    r"u \to \infty": "u → ∞",
    r"a \cdot b \times c": "a · b × c",
    r"x=-1": "x = −1",
    r"-x + (-y)": "−x + (−y)",
    r"-\log p": "−log p",
    r"f(x, y)": "f(x, y)",
    r"1,000 + 2{,}000": "1,000 + 2,000",
    r"(1,2)": "(1, 2)",
    r"f: A \to B": "f: A → B",
    r"n := 3": "n := 3",
    r"x \neq y, x \not= z": "x ≠ y, x ≠ z",
    r"P(A \mid B)": "P(A | B)",
    r"k \in \mathbb{Z}": "k ∈ ℤ",
    r"n!": "n!",
    r"30\%": "30%",
    r"\$5": "$5",
    r"\nabla L, \partial q": "∇L, ∂q",
    r"\forall k \exists m": "∀k∃m",
    r"a\,b \quad c\!d": "a b cd",
    r"a\ b~c": "a b c",
    r"\| w \|_2": "‖w‖₂",
    r"\langle u, v \rangle": "⟨u, v⟩",
    r"\left( u \right)": "(u)",
    r"\left. u \right|_0": "u|₀",
    r"a \equiv b \pmod 7": "a ≡ b (mod 7)",
    # letters
    r"\alpha\beta\Gamma": "αβΓ",
    r"\mathcal{O}(T^2)": "O(T²)",
    r"\mathcal{L} + \mathcal{N}": "ℒ + 𝒩",
    r"\mathfrak{R} \mathfrak{g}": "ℜ𝔤",
    r"\mathbb{E}[X]": "𝔼[X]",
    r"\mathbb 1": "𝟙",
    r"\mathbb{RX} \mathcal{LX} \mathcal{é}": "ℝ𝕏ℒ𝒳é",
    r"\llbracket x \rrbracket": "⟦x⟧",
    r"\mathbf{w}": "w",
    r"\mathbf{wv}": "wv",
    r"\boldsymbol{\theta}": "θ",
    r"\mathrm{ReLU}(z)": "ReLU(z)",
    r"\mathrm{d}x": "dx",
    r"\mathsf{K}\mathtt{k1}": "Kk1",
    r"\bm{w}": "w",
    r"\operatorname{rank} A": "rank A",
    r"\text{if } q": "if q",
    r"\text{5\% of}": "5% of",
    r"\textbf{so }\textit{it}": "so it",
    r"\hbar \ell \emptyset": "ℏℓ∅",
    # scripts
    r"R^2 = 0.4": "R² = 0.4",
    r"x_i": "xᵢ",
    r"x_{ij}^{t+1}": "xᵢⱼᵗ⁺¹",
    r"x^{q}": "x^q",
    r"p_X(x)": "p_X(x)",
    r"W_Q x": "W_(Q)x",
    r"w_{new}": "w_(new)",
    r"2^{2^n}": "2^(2ⁿ)",
    r"{x^2}^3": "(x²)³",
    r"{a+b}^2": "(a + b)²",
    r"\left(a+b\right)^2": "(a + b)²",
    r"f'(x), f''_i, x'^2": "f′(x), f″ᵢ, x′²",
    r"A^\top B^*": "AᵀB*",
    r"90^\circ": "90°",
    r"{}^2": "²",
    r"\stackrel{a}{=}": "=ᵃ",
    r"u \xrightarrow{d} v": "u →ᵈ v",
    # big operators and named functions
    r"\sum_{i=1}^{n} a_i": "∑ᵢ₌₁ⁿ aᵢ",
    r"\int_0^1 f(x)\,dx": "∫₀¹ f(x) dx",
    r"\lim_{n \to \infty} a_n": "lim_(n→∞) aₙ",
    r"2\log n": "2 log n",
    r"\sin^2 x": "sin² x",
    r"\argmin_x f, \arg\max_x f, \arg z": "arg minₓ f, arg maxₓ f, arg z",
    r"\underset{x}{\min} f": "minₓ f",
    r"\sum\limits_{i}^{n} x": "∑ᵢⁿ x",
    # fractions and roots
    r"\frac{a+b}{c}": "(a + b)/c",
    r"\frac{a}{2n}": "a/(2n)",
    r"\frac12": "1/2",
    r"\frac{(a+b}{c}": "((a + b)/c",
    r"\frac{1}{2} m": "(1/2)m",
    r"a / \frac{b}{c}": "a/(b/c)",
    r"x + \frac{a}{b} - y": "x + a/b − y",
    r"\frac{a}{b}_i": "(a/b)ᵢ",
    r"\frac{(a+b)}{(c)(d)}": "(a + b)/((c)(d))",
    r"\frac{\frac{a}{b}}{c}": "(a/b)/c",
    r"\frac{\partial f}{\partial x}": "∂f/∂x",
    r"\binom{n}{k}": "(n choose k)",
    r"a \over b": "a/b",
    r"\sqrt{x}": "√x",
    r"\sqrt{x+1}": "√(x + 1)",
    r"\sqrt{(u)}": "√(u)",
    r"\sqrt[3]{x} \sqrt[4]{x} \sqrt[n]{x}": "∛x∜xⁿ√x",
    # marks above and below
    r"\hat{x} \bar{x} \tilde{x} \vec{v} \dot{q}": "x\u0302x\u0304x\u0303v\u20d7q\u0307",
    r"\overline{AB}": "A\u0305B\u0305",
    r"\underline{q}": "q\u0332",
    r"\hat{\theta}_{\text{old}}": "θ\u0302_(old)",
    r"\underbrace{a+b}_{n}": "(a + b)ₙ",
    # several lines and cells
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}": "(a, b; c, d)",
    r"\begin{matrix} a & b \end{matrix}": "[a, b]",
    r"\begin{vmatrix} a & b \end{vmatrix}": "|a, b|",
    r"\begin{matrix} a & b & \end{matrix}": "[a, b, ]",
    r"\begin{cases} 1, & x > 0 \\ 0 & \text{else} \end{cases}": "{1, x > 0; 0, else}",
    r"\sum_{\substack{i<n \\ j<m}} x": "∑_(i < n; j < m) x",
    r"\begin{aligned} a &= b \\ &= c \end{aligned}": "a = b\n= c",
    r"\begin{align} a &= b \\ c &= d \end{align}": "a = b\nc = d",
    r"\begin{eqnarray*} a &=& b \\ c &=& d \end{eqnarray*}": "a = b\nc = d",
    r"\begin{gather} a \\ b & \end{gather}": "a\nb",
    r"\begin{dcases} 1 & \text{so} \end{dcases}": "{1, so}",
    r"a = b \label{eq:one} \nonumber": "a = b",
    # the look of it is lost, not the meaning
    r"\boxed{u} \color{red} v": "uv",
    r"\displaystyle \tfrac{u}{v}": "u/v",
    r"\mathop{x} y": "xy",
    r"u\phantom{x}v": "uv",
}


@pytest.mark.parametrize(("source", "text"), _TEXTS.items())
def test_a_formula_reads_as_plain_text(source: str, text: str) -> None:
    """A formula becomes one line of Unicode with the meaning it had."""
    assert formula_text(source) == text


def _inside(html: str) -> str:
    """Give what the span of a formula holds."""
    found = re.fullmatch('<span role="math" aria-label="[^"]*">(.*)</span>', html)
    assert found, html
    return found[1]


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("R^2", "<i>R</i><sup>2</sup>"),
        (r"a < b", "<i>a</i> &lt; <i>b</i>"),
        (r"ab", "<i>ab</i>"),
        (r"\log n", "log <i>n</i>"),
        (r"\mathbf{w} \boldsymbol{\theta}", "<b>w<i>θ</i></b>"),
        (r"\Gamma \gamma \epsilon", "Γ<i>γϵ</i>"),
        (r"\mathbb{R}^d", "ℝ<sup><i>d</i></sup>"),
        (r"\theta_{\text{old}}", "<i>θ</i><sub>old</sub>"),
        (r"\sqrt[n]{x}", "<sup><i>n</i></sup>√<i>x</i>"),
        (r"\hat{\theta}", "<i>θ\u0302</i>"),
        (r"\overline{AB}", "<i>A\u0305B\u0305</i>"),
        (r"\textbf{R\&D}", "<b>R&amp;D</b>"),
        (r"a \\ b", "<i>a</i><br /><i>b</i>"),
        (r"\text{<b>}", "&lt;b&gt;"),
    ],
)
def test_a_formula_reads_as_plain_html(source: str, html: str) -> None:
    """Variables are italic and functions upright; only i, b, sub, sup and br are used."""
    assert _inside(formula_html(source)) == html


@pytest.mark.parametrize(
    ("source", "label"),
    [
        (r"R^2 \le 1", "R² ≤ 1"),
        (r"a \\ b", "a; b"),
        (r'\text{"a" <b> \& c}', "&quot;a&quot; &lt;b&gt; &amp; c"),
    ],
)
def test_a_formula_has_words_for_those_who_listen(source: str, label: str) -> None:
    """The span of a formula says what it is and has the text form for a label, on one line."""
    assert formula_html(source).startswith(f'<span role="math" aria-label="{label}">')


@pytest.mark.parametrize(
    "source",
    [
        "",
        r"\quad",
        r"\unheardof{x}",
        r"\frac{1}",
        r"\underset{a}",
        r"a^b^c",
        r"x_",
        r"{a",
        r"a}",
        r"\left( a",
        r"\right)",
        r"\begin{matrix} a",
        r"a & b",
        r"x \not\unheardof y",
        r"\not x",
        r"\text{\&#x1b;}",
        r"\text{\&#xFFFFFF;}",
        r"\begin{rcases} a \end{rcases}",
        r"\begin{pmatrix*} a \end{pmatrix*}",
        r"\begin{alignat}{2} a &= b \end{alignat}",
        r"\cancel{x}",
        r"\text{a \unheardof b}",
        r"\href{https://a.example}{x}",
        r"x % a remark",
        r"\def\q{\r\r}\q",
        r"\newcommand{\q}{x}\q",
        r"\widehat{x+y}",
        r"\overset{}{\underset{}{}}",
        "x" * 2001,
        r"\sqrt" * 300,
        r"\frac a" * 250,
        r"\frac{a}\frac{b}" * 100,
        "{" * 900 + "}" * 900,
        r"\left(" * 100 + r"\right)" * 100,
        "^_" * 900,
        r"\color{red}x" * 100,
    ],
)
def test_what_has_no_plain_form_is_shown_as_typed(source: str) -> None:
    """A formula that cannot be read, is too long or too deep keeps its source and its brackets."""
    assert formula_text(source) == rf"\({source}\)"
    assert formula_text(source, opener="\\[") == rf"\[{source}\]"
    assert formula_text(source, opener="$") == f"${source}$"
    html = formula_html(source, opener="$$")
    assert etree.fromstring(html).text == f"$${source}$$"
    assert html.startswith("<code>")


def test_a_deep_formula_within_the_bound_is_set() -> None:
    """Nesting that authors use is no reason to give up."""
    source = r"\frac{1}{1 + " * 15 + "x" + "}" * 15
    assert formula_text(source).startswith("1/(1 + 1/(1 + ")


_SIGNS = r"a B 1 27 + - = < , ; : ! ( ) [ ] | / ' ^ _ { } & \\ \, \% \$ # ~ \ é 日"
_COMMANDS = (
    r"\frac \sqrt \sum \int \log \left \right \hat \bar \text{if} \mathbf \mathbb{R} \mathcal"
    r" \alpha \in \to \over \begin{cases} \end{cases} \begin{matrix} \end{matrix} \limits \not"
    r" \dots \binom \overset \color"
)
_PARTS = st.sampled_from([*_SIGNS.split(), *_COMMANDS.split()])


@settings(deadline=None, max_examples=100)
@given(st.lists(_PARTS, max_size=30).map(" ".join))
def test_any_source_gives_well_formed_html(source: str) -> None:
    """Whatever is typed, neither form raises, and the HTML is well-formed."""
    root = etree.fromstring(f"<p>{formula_html(source)}</p>")
    assert {part.tag for part in root.iter()} <= {
        *("p", "span", "i", "b", "sub", "sup", "br", "code")
    }
    assert isinstance(formula_text(source), str)


_LETTERS = st.sampled_from("abcxyzNR123")


def _formulas(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(r"\frac{{{}}}{{{}}}".format, inner, inner),
        st.builds(r"\sqrt{{{}}}".format, inner),
        st.builds("{} + {}".format, inner, inner),
        st.builds("({}){}".format, inner, inner),
        st.builds("{{{}}}_{{{}}}".format, inner, inner),
        st.builds("{{{}}}^{{{}}}".format, inner, inner),
        st.builds(r"\begin{{pmatrix}}{} & {}\end{{pmatrix}}".format, inner, inner),
    )


@settings(deadline=None, max_examples=100)
@given(st.recursive(_LETTERS, _formulas, max_leaves=8))
def test_no_letter_and_no_digit_is_lost(source: str) -> None:
    """Each letter and digit of a formula stands in its HTML, as often and in the same order."""
    typed = re.sub(r"\\begin\{pmatrix\}|\\end\{pmatrix\}|\\[a-z]+", "", source)
    wanted = "".join(filter(str.isalnum, typed))
    shown = "".join(etree.fromstring(f"<p>{formula_html(source)}</p>").itertext())
    assert "".join(filter(str.isalnum, shown)) == wanted
