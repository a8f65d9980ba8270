"""Formulas in what is rendered: words for those who listen, MathML on the page, nothing forged."""

# ruff: noqa: RUF001 - the signs of mathematics are meant

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256
from html import escape
from xml.etree.ElementTree import fromstring

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from digest.render.aside import Aside
from digest.render.markdown import fragment, markdown_html
from digest.render.maths import formula_html, formula_mathml
from digest.render.plain import markdown_text
from digest.render.presentation import presentation
from digest.render.sanitise import safe_html

_BASE = "https://paper.example/week/"
_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"


def _html(text: str, **settings: object) -> str:
    return markdown_html(text, base=_BASE, **settings)  # type: ignore[arg-type]  # the tests' own


def _page(text: str, **settings: object) -> str:
    return _html(text, maths="mathml", **settings)


# ---- what is set aside ---------------------------------------------------------------------------


def test_a_formula_has_a_role_and_a_label_that_no_author_can_write() -> None:
    """The same element typed by hand loses its role and label; the formula's own keeps them."""
    span = '<span role="math" aria-label="x²"><i>x</i><sup>2</sup></span>'
    assert _html(r"\(x^2\)") == f"<p>{span}</p>"
    assert _html(span) == "<p><span><i>x</i><sup>2</sup></span></p>"
    assert (
        _html('<b role="button" aria-label="Pay" aria-hidden="true">so</b>') == "<p><b>so</b></p>"
    )
    assert "math" not in _page('<math alttext="x"><mi>x</mi></math>')


def test_a_mark_cannot_be_written() -> None:
    """A mark holds the hash of its text, so that a text with a hash of another has none."""
    other = sha256(b"\\(x\\)").hexdigest()
    html = _html(f"\\(y\\) {other}-0-")
    assert html.endswith(f"</span> {other}-0-</p>")
    aside = Aside.beside("a")
    mark = aside.put("<b>")
    assert list(aside.parts(f"c{mark}d{mark}")) == [
        ("c", False),
        ("<b>", True),
        ("d", False),
        ("<b>", True),
        ("", False),
    ]


def test_a_piece_stays_as_it_is_and_is_text_to_its_neighbours() -> None:
    """What follows a piece cannot change its last sign, and a piece in an attribute goes."""
    aside = Aside.beside("")
    mark = aside.put('<i class="own">')
    assert safe_html(f"<b>{mark}\u0338</b>", base="", aside=aside) == (
        '<b><i class="own">&#824;</b>'
    )
    assert safe_html(f'<img src="https://a.example/" alt="so {mark}"/>', base="", aside=aside) == (
        '<img src="https://a.example/" alt="so " />'
    )
    struck = aside.put("<b>\u0338</b>")
    assert safe_html(struck, base="", aside=aside) == "<b>&#824;</b>"
    assert safe_html(f"<script>{mark}</script>", base="", aside=aside) == ""


def test_a_formula_that_a_broken_tag_swallows_leaves_no_mark() -> None:
    """An attribute that is never closed may take in a formula; no hash is shown."""
    html = _html('<p><img src="https://a.example/" alt="\n\n\\(x\\)\n\n"></p>')
    assert not re.search("[0-9a-f]{64}", html)
    assert "role" not in html


def test_the_words_of_a_picture_hold_formulas_and_braces_as_text() -> None:
    """An attribute has room for the text form only."""
    text = r"![so \(x^2\) and {{ y }}](w.png)"
    for html in (_html(text), _page(text)):
        assert html == (
            '<p><img src="https://paper.example/week/w.png" alt="so x² and {{ y }}" /></p>'
        )
    assert markdown_text(text, base=_BASE) == "[so x² and {{ y }}]"
    assert fragment(text, form="words", base=_BASE) == "<p></p>"


# ---- definition lists, notes, tables -------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("\\(x\\)\n: a sign", "dt"),
        ("Sign\n: an \\(x\\)", "dd"),
        ("| a |\n|---|\n| \\(x\\) |", "td"),
        ("| \\(x\\) |\n|---|\n| a |", "th"),
        ("so[^n]\n\n[^n]: an \\(x\\)", "li"),
        ("# \\(x\\)", "h4"),
        ("- \\(x\\)", "li"),
        ("~~\\(x\\)~~", "s"),
    ],
)
def test_formulas_stand_wherever_words_do(text: str, within: str) -> None:
    """Lists of terms, notes, tables, headings and struck words hold formulas in all forms."""
    for html, inner in ((_html(text), "span"), (_page(text), "math")):
        tree = etree.fromstring(f"<div>{html}</div>")
        assert tree.find(f".//{within}//{inner}") is not None
    assert "x" in markdown_text(text, base=_BASE).replace("\u0336", "")


@pytest.mark.parametrize(
    "text", ["if [[ -n $x ]]; then", "[[Some page]]", "[[page|words]]", "so [[x]] and ![[y.png]]"]
)
@pytest.mark.parametrize("dollars", [True, False])
def test_double_brackets_stay_as_typed(text: str, *, dollars: bool) -> None:
    """Tests of a shell and links of a wiki are words like others, in every form."""
    for html in (_html(text, dollars=dollars), _page(text, dollars=dollars)):
        assert html == f"<p>{text}</p>"
    assert markdown_text(text, base=_BASE, dollars=dollars) == text
    assert _html(f"    {text}") == f"<pre><code>{text}\n</code></pre>"


# ---- MathML --------------------------------------------------------------------------------------


_MATHML_OF = {
    "x": "<mi>x</mi>",
    "R^2": "<msup><mi>R</mi><mn>2</mn></msup>",
    r"\mathrm{d}x": '<mi mathvariant="normal">d</mi><mi>x</mi>',
    r"\mathrm{rank}": '<mi mathvariant="normal">rank</mi>',
    r"\mathbf{w2}": "<mrow><mi>𝐰</mi><mn>𝟐</mn></mrow>",
    r"\boldsymbol\theta\mathit\Gamma\mathit{k}": "<mi>𝜽</mi><mi>𝛤</mi><mi>𝑘</mi>",
    r"\mathbb{RX}": "<mrow><mi>ℝ</mi><mi>𝕏</mi></mrow>",
    r"\mathtt{k}\mathcal{é}": "<mi>𝚔</mi><mi>é</mi>",
    r"\sum_{i}^n": "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>",
    r"\int_0^1": "<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>",
    r"\max_x": (
        '<munder><mo lspace="0em" rspace="0em" movablelimits="true">max</mo><mi>x</mi></munder>'
    ),
    r"\log x": '<mi>log</mi><mo rspace="0.1667em">\u2061</mo><mi>x</mi>',
    r"2\log(x)": (
        '<mn>2</mn><mspace width="0.1667em"></mspace><mi>log</mi><mo>\u2061</mo>'
        '<mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo>'
    ),
    r"\log + x": "<mi>log</mi><mo>+</mo><mi>x</mi>",
    r"\operatorname{rank}": '<mo lspace="0em" rspace="0em">rank</mo>',
    r"\sin^2\cos x": (
        '<msup><mi>sin</mi><mn>2</mn></msup><mo rspace="0.1667em">\u2061</mo><mi>cos</mi>'
        '<mo rspace="0.1667em">\u2061</mo><mi>x</mi>'
    ),
    r"a \bmod b": '<mi>a</mi><mo lspace="0.2222em" rspace="0.2222em">mod</mo><mi>b</mi>',
    "1{,}000": '<mn>1</mn><mo lspace="0em" rspace="0em">,</mo><mn>000</mn>',
    r"\left. u\right|": (
        '<mrow><mi>u</mi><mo form="postfix" stretchy="true" fence="true">|</mo></mrow>'
    ),
    r"\hat{x}": '<mover accent="true"><mi>x</mi><mo stretchy="false">^</mo></mover>',
    r"\overline{AB}": (
        '<mover accent="true"><mrow><mi>A</mi><mi>B</mi></mrow><mo stretchy="true">¯</mo></mover>'
    ),
    r"\underline{q}": '<munder accentunder="true"><mi>q</mi><mo stretchy="true">_</mo></munder>',
    r"\overset{a}{b}": "<mover><mi>b</mi><mi>a</mi></mover>",
    r"a\,b\!c": (
        '<mi>a</mi><mspace width="0.167em"></mspace><mi>b</mi>'
        '<mspace width="-0.1667em"></mspace><mi>c</mi>'
    ),
    r"a\mspace{9mu}b": '<mi>a</mi><mspace width="0.5000em"></mspace><mi>b</mi>',
    r"\frac{a}{b}": "<mfrac><mi>a</mi><mi>b</mi></mfrac>",
    r"a \atop b": '<mfrac linethickness="0"><mi>a</mi><mi>b</mi></mfrac>',
    r"\boxed{u}\phantom{v}": "<mi>u</mi><mphantom><mi>v</mi></mphantom>",
    r"\color{red} v": "<mstyle><mi>v</mi></mstyle>",
    r"\displaystyle x": '<mstyle displaystyle="true" scriptlevel="0"><mi>x</mi></mstyle>',
    r"x\text{ if it }": "<mi>x</mi><mtext>\u00a0if it\u00a0</mtext>",
    r"\text{a \& b}": "<mtext>a &amp; b</mtext>",
    r"\textbf{so}\textit{it}": (
        '<mtext style="font-weight: bold">so</mtext><mtext style="font-style: italic">it</mtext>'
    ),
    r"\mathop{x}y": "<mi>x</mi><mi>y</mi>",
    r"\xrightarrow{d}": '<mover><mstyle scriptlevel="0"><mo>→</mo></mstyle><mi>d</mi></mover>',
    r"a \\ b": (
        '<mtable displaystyle="true"><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi>'
        "</mtd></mtr></mtable>"
    ),
    r"\begin{pmatrix}a\end{pmatrix}": (
        "<mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable><mo>)</mo>"
    ),
    r"\begin{align} a &= b \end{align}": (
        '<mtable displaystyle="true"><mtr><mtd style="text-align: right; padding-right: 0">'
        '<mi>a</mi></mtd><mtd style="text-align: left; padding-left: 0"><mi></mi><mo>=</mo>'
        "<mi>b</mi></mtd></mtr></mtable>"
    ),
    r"\begin{array}{l|r} a & b \end{array}": (
        '<mtable><mtr><mtd style="text-align: left"><mi>a</mi></mtd>'
        '<mtd style="text-align: right"><mi>b</mi></mtd></mtr></mtable>'
    ),
}


@pytest.mark.parametrize(("source", "inside"), _MATHML_OF.items())
def test_a_formula_reads_as_mathml(source: str, inside: str) -> None:
    """What TeX sets apart is set apart: limits, functions, letters, lines and columns."""
    assert formula_mathml(source) == f'<math alttext="{escape(source)}">{inside}</math>'


def test_a_formula_on_its_own_is_a_block() -> None:
    """On its own line a formula is set larger, its limits below the sign; in a line it is not."""
    assert _page("\\[\nx_1\n\\]") == (
        '<p><math alttext="x_1" display="block"><msub><mi>x</mi><mn>1</mn></msub></math></p>'
    )
    assert "display" not in _page(r"\(x_1\)")


@pytest.mark.parametrize(
    "source", ["", r"\quad", r"\frac{1}", r"\cancel{x}", r"\unheardof{x}", "a^b^c", r"\not x", "{a"]
)
def test_what_mathml_cannot_say_is_set_as_in_the_mail(source: str) -> None:
    """A formula that cannot be read is shown as typed on the page, too."""
    assert _page(rf"\({source}\)") == _html(rf"\({source}\)")
    assert "<code>" in formula_mathml(source)


def test_what_has_no_plain_form_may_have_one_in_mathml() -> None:
    """A wide hat has no letters of Unicode, and the page does not need them."""
    assert "<code>" in _html(r"\(\widehat{x+y}\)")
    assert "<mover" in _page(r"\(\widehat{x+y}\)")


@pytest.mark.parametrize(
    ("inside", "named"), [("<maction/>", "maction"), ("<msup><mi>x</mi><mo/></msup>", "mo")]
)
def test_what_no_library_should_make_is_not_let_through(inside: str, named: str) -> None:
    """An unknown element, or a script that holds nothing, is refused."""
    root = fromstring(f"<math><mrow>{inside}</mrow></math>")  # noqa: S314 - written above
    with pytest.raises(ValueError, match=named):
        presentation(root, source="", display=False)


# MathML Core §2.1.3 and §3: what browsers have agreed on, less what changes colour or loads.
_ELEMENTS = "math mrow mi mn mo mspace mtext mfrac mroot msqrt mstyle mphantom mover munder"
_ELEMENTS += " munderover msub msup msubsup mtable mtr mtd"
_ATTRIBUTES = "alttext display mathvariant form stretchy fence largeop movablelimits minsize"
_ATTRIBUTES += " maxsize lspace rspace width linethickness displaystyle scriptlevel accent"
_ATTRIBUTES += " accentunder style"
_PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2}
_SIGNS = r"a B 1 27 + - = < , ; : ! ( ) [ ] | / ' ^ _ { } & \\ \, \! \% \$ # ~ \ é 日"
_COMMANDS = (
    r"\frac \sqrt \sum \int \log \max \left \right \hat \bar \text{if} \mathbf \mathbb{R} \alpha"
    r" \mathcal \mathrm{ab} \in \to \over \begin{cases} \end{cases} \begin{matrix} \end{matrix}"
    r" \limits \not \dots \binom \overset \color{red} \begin{align} \end{align} \xrightarrow \quad"
    r" \mathop \hspace{1em} \href{javascript:x} \style{a:b}{c} \class{a}{b} \tag{1} \bigl \prod"
    r" \substack \textbf{b}"
)
_SOURCES = st.lists(
    st.sampled_from([*_SIGNS.split(), *_COMMANDS.split(), '"', "<script>", "]]>", "-->"]),
    max_size=30,
).map(" ".join)


@settings(deadline=None, max_examples=100)
@given(_SOURCES)
def test_any_source_gives_mathml_of_known_parts(source: str) -> None:
    """Whatever is typed, only known elements and attributes come out, and XML and HTML agree."""
    html = formula_mathml(source, opener=r"\[")
    tree = etree.fromstring(html)
    if tree.tag != "math":
        return
    for part in tree.iter():
        assert part.tag in _ELEMENTS.split()
        assert set(part.attrib) <= set(_ATTRIBUTES.split())
        assert len(part) == _PARTS.get(part.tag, len(part))
    parsed = html5lib.parseFragment(html, treebuilder="lxml")
    assert [part.tag for part in parsed[0].iter()] == [
        _NAMESPACE + part.tag for part in tree.iter()
    ]


_LETTERS = st.sampled_from("abcxyzNR123")


def _formulas(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds(r"\frac{{{}}}{{{}}}".format, inner, inner),
        st.builds(r"\sqrt{{{}}}".format, inner),
        st.builds(r"{} + {} \\ {}".format, inner, inner, inner),
        st.builds("{{{}}}_{{{}}}".format, inner, inner),
        st.builds(r"\mathrm{{{}}}".format, inner),
        st.builds(r"\sum_{{{}}}^{{{}}}".format, inner, inner),
        st.builds(r"\begin{{pmatrix}}{} & {}\end{{pmatrix}}".format, inner, inner),
    )


@settings(deadline=None, max_examples=100)
@given(st.recursive(_LETTERS, _formulas, max_leaves=8))
def test_no_letter_and_no_digit_is_lost_in_mathml(source: str) -> None:
    """Each letter and digit of a formula stands in its MathML, as often and in the same order."""
    typed = re.sub(r"\\(begin|end)\{pmatrix\}|\\[a-z]+", "", source)
    shown = "".join(etree.fromstring(formula_mathml(source)).itertext())
    shown = unicodedata.normalize("NFKC", shown)
    assert "".join(filter(str.isalnum, shown)) == "".join(filter(str.isalnum, typed))


@pytest.mark.parametrize("source", [r"\sqrt{2}", r"\sqrt[3]{x}", r"\frac{1}{\sqrt{x+1}}"])
def test_a_root_is_set_plainly(source: str) -> None:
    """Browsers draw no sign for a root without a mathematical font, so a page is plain there."""
    assert formula_mathml(source) == formula_html(source)
    assert any(sign in formula_mathml(source) for sign in "√∛")
