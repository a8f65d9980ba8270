r"""LaTeX formulas as plain HTML, as MathML and as Unicode text: `R^2 \le 1` as `R² ≤ 1`.

latex2mathml parses; `mathml` and `presentation` set its elements. A formula without a plain form of
the same meaning (an unknown command, an unfinished one, one that is too long or too deep) is shown
as typed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import escape
from typing import Final
from xml.etree.ElementTree import Element

from latex2mathml import commands
from latex2mathml.converter import convert_to_element

from digest.render.atoms import Atom, join
from digest.render.formulas import CLOSERS, DISPLAY
from digest.render.mathml import read
from digest.render.presentation import presentation

__all__ = ["formula_html", "formula_mathml", "formula_text"]

_INLINE: Final = r"\("
_REMEMBERED: Final = 512  # formulas: mail, page, feed and text each read all of an issue

_LONGEST: Final = 2000
_DEEPEST: Final = 40
_TOKEN: Final = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+|\\.|\S", re.DOTALL)
_TWO: Final = frozenset(commands.COMMANDS_WITH_TWO_PARAMETERS)
# What follows one of these, up to the end of the group, becomes its child.
_REST: Final = frozenset(
    {*commands.STYLES, *commands.MSTYLE_SIZES, *commands.GLOBAL_FONTS, r"\color"}
    | {r"\over", r"\atop", r"\above", r"\choose", r"\brace", r"\brack"}
)
# Own commands can grow without bound, an address or a colour would be lost, a comment hides words,
# and the library's own way to write a sign, by its number, could stand for any.
_REFUSED: Final = re.compile(
    r"&#|(?<!\\)(?:\\\\)*(?:%|\\(?:def|newcommand|renewcommand|newenvironment|DeclareMathOperator"
    r"|href|class|style|unicode|genfrac|mathchoice|sideset|skew|f?colorbox|rule|verb)(?![A-Za-z]))"
)
_AMPERSAND: Final = re.compile(r"(?<!\\)&")
_UNBOUNDED: Final = 1_000_000
# One sign alone, `p_(X)`, needs no brackets where no other follows at once.
_LONE: Final = re.compile(r"([_^])\(([^()\s])\)(?!\w)")
# Of all others the library takes what is in them, and leaves their brackets out.
_STRANGE: Final = re.compile(
    r"\\begin\s*\{(?!(?:[pbBvV]?matrix|smallmatrix|cases|array|split|(?:align|gather|equation)\*)\})"
)
# What TeX knows and the library does not, in words that it does.
_SAID_OTHERWISE: Final = (
    (re.compile(r"\\(?:label\s*\{[^{}]*\}|(?:nonumber|notag)(?![A-Za-z]))"), ""),
    (re.compile(r"\\(begin|end)\s*\{(?:align(?:ed)?|(?:eqnarray|flalign)\*?)\}"), r"\\\1{align*}"),
    (re.compile(r"\\(begin|end)\s*\{(?:equation|gather(?:ed)?|multline\*?)\}"), r"\\\1{gather*}"),
    (re.compile(r"\\(begin|end)\s*\{dcases\}"), r"\\\1{cases}"),
    (re.compile(r"\\not\s*="), r"\\neq "),
    # It drops a row whose last cell is empty.
    (re.compile(r"&(\s*\\end(?![A-Za-z]))"), r"&{}\1"),
    (re.compile(r"\\arg\s*\\(max|min)(?![A-Za-z])"), r"\\arg\1"),
    (re.compile(r"\\arg(?![A-Za-z])"), r"\\operatorname{arg}"),
)


def formula_html(source: str, *, opener: str = _INLINE) -> str:
    """Set a formula (without its delimiters) as HTML of i, b, sub, sup and br, to be read out.

    A `span` of role `math` (WAI-ARIA 1.2 §5.4) holds it and has the text form for a label. One
    without a plain form becomes a `code` element with the source and its delimiters, the first of
    which is `opener`. Never raises.
    """
    formula = _read(source)
    if formula is None:
        return f"<code>{escape(_as_typed(source, opener), quote=False)}</code>"
    label = escape("; ".join(_text(formula).split("\n")))
    html = re.sub(r"</([bi])><\1>", "", formula.html)
    return f'<span role="math" aria-label="{label}">{html}</span>'


def formula_mathml(source: str, *, opener: str = _INLINE) -> str:
    """Set a formula as a `math` element for a web page.

    One that MathML Core cannot say, or that holds a root, is set as `formula_html` sets it. Never
    raises.
    """
    try:
        root = _parsed(source)
        if root is not None and "".join(root.itertext()).strip() and not _has_root(root):
            return presentation(root, source=source, display=opener in DISPLAY)
    except ValueError:
        pass
    return formula_html(source, opener=opener)


def _has_root(element: Element) -> bool:
    """Tell whether a root is drawn: Chromium leaves its sign out without a mathematical font."""
    return any(part.tag in {"msqrt", "mroot"} for part in element.iter())


def formula_text(source: str, *, opener: str = _INLINE) -> str:
    """Set a formula (without its delimiters) as text, with small raised and lowered characters.

    One without a plain form comes back as typed, with its delimiters. Equations below each other
    are parted by line feeds. Never raises.
    """
    formula = _read(source)
    return _as_typed(source, opener) if formula is None else _text(formula)


def _text(formula: Atom) -> str:
    return _LONE.sub(r"\1\2", unicodedata.normalize("NFC", formula.text))


def _as_typed(source: str, opener: str) -> str:
    return f"{opener}{source}{CLOSERS[opener]}"


@lru_cache(maxsize=_REMEMBERED)
def _read(source: str) -> Atom | None:
    """Read a formula as an atom; None for one without a plain form."""
    root = _parsed(source)
    try:
        formula = join(read(root)) if root is not None else None
    except Exception:  # noqa: BLE001 - the library's trees are as odd as what it read: as typed
        return None
    return formula if formula and formula.text.strip() else None


@lru_cache(maxsize=_REMEMBERED)
def _parsed(source: str) -> Element | None:
    """Parse a formula; None for one that is refused, or that the library cannot read."""
    if len(source) > _LONGEST or _REFUSED.search(source):
        return None
    plain = source
    for pattern, words in _SAID_OTHERWISE:
        plain = pattern.sub(words, plain)
    stray = r"\begin" not in plain and _AMPERSAND.search(plain)
    if stray or _STRANGE.search(plain) or _depth(plain) > _DEEPEST:
        return None
    try:
        return convert_to_element(plain)
    except Exception:  # noqa: BLE001 - the library raises whatever its reading met: then as typed
        return None


def _depth(source: str) -> int:
    """Measure how deep the parser will nest; unbounded for brackets that do not match.

    A frame is a group (0) or a command that still waits for so many arguments.
    """
    frames: list[int] = []
    deepest = 0
    for token in _TOKEN.findall(source):
        if token in {"}", r"\right"} or token.startswith(r"\end"):
            while frames and frames[-1]:
                frames.pop()
            if not frames:
                return _UNBOUNDED
            frames.pop()
            _take(frames)
        elif (opened := _opens(token)) is not None:
            frames.append(opened)
            deepest = max(deepest, len(frames))
        else:
            _take(frames)
    return _UNBOUNDED if 0 in frames else deepest


def _opens(token: str) -> int | None:
    """Tell what frame a token opens; None for one that stands for itself."""
    if token in {"{", r"\left"} or token.startswith(r"\begin"):
        return 0
    if token in _REST:
        return _UNBOUNDED
    if token in _TWO:
        return 2
    takes = token in {"_", "^", r"\not"} or token in commands.CONVERSION_MAP
    return 1 if takes or token.startswith(r"\math") else None


def _take(frames: list[int]) -> None:
    """Count one argument of the innermost command; one that has all is itself an argument."""
    while frames and frames[-1]:
        frames[-1] -= 1
        if frames[-1]:
            return
        frames.pop()
