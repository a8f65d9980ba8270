r"""LaTeX formulas as plain HTML and as Unicode text: `R^2 \le 1` as `R² ≤ 1`.

latex2mathml parses; `mathml` sets its elements. A formula without a plain form of the same meaning
(an unknown command, an unfinished one, one that is too long or too deep) is shown as typed.
"""

from __future__ import annotations

import re
import unicodedata
from html import escape
from typing import Final

from latex2mathml import commands
from latex2mathml.converter import convert_to_element

from digest.render.atoms import Atom, join
from digest.render.mathml import read

__all__ = ["formula_html", "formula_text"]

_LONGEST: Final = 2000
_DEEPEST: Final = 40
_TOKEN: Final = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}|\\[A-Za-z]+|\\.|\S", re.DOTALL)
_TWO: Final = frozenset(commands.COMMANDS_WITH_TWO_PARAMETERS)
# What follows one of these, up to the end of the group, becomes its child.
_REST: Final = frozenset(
    {*commands.STYLES, *commands.MSTYLE_SIZES, *commands.GLOBAL_FONTS, r"\color"}
    | {r"\over", r"\atop", r"\above", r"\choose", r"\brace", r"\brack"}
)
# Own commands can grow without bound, an address or a colour would be lost, a comment hides words.
_REFUSED: Final = re.compile(
    r"(?<!\\)(?:\\\\)*(?:%|\\(?:def|newcommand|renewcommand|newenvironment|DeclareMathOperator"
    r"|href|class|style|unicode|genfrac|mathchoice|sideset|skew|f?colorbox|rule|verb)(?![A-Za-z]))"
)
_AMPERSAND: Final = re.compile(r"(?<!\\)&")
_UNBOUNDED: Final = 1_000_000
# One sign alone, `p_(X)`, needs no brackets where no other follows at once.
_LONE: Final = re.compile(r"([_^])\(([^()\s])\)(?!\w)")
# What TeX knows and the library does not, in words that it does.
_SAID_OTHERWISE: Final = (
    (re.compile(r"\\(?:label\s*\{[^{}]*\}|(?:nonumber|notag)(?![A-Za-z]))"), ""),
    (re.compile(r"\\(begin|end)\s*\{(align|equation|gather)\}"), r"\\\1{\2*}"),
    (re.compile(r"\\not\s*="), r"\\neq "),
    # It drops a row whose last cell is empty.
    (re.compile(r"&(\s*\\end(?![A-Za-z]))"), r"&{}\1"),
    (re.compile(r"\\arg\s*\\(max|min)(?![A-Za-z])"), r"\\arg\1"),
    (re.compile(r"\\arg(?![A-Za-z])"), r"\\operatorname{arg}"),
)


def formula_html(source: str, *, display: bool = False) -> str:
    """Set a formula (without its delimiters) as HTML of i, b, sub, sup and br.

    One without a plain form becomes a `code` element with the source and the delimiters of
    `display`. Never raises.
    """
    formula = _read(source)
    if formula is None:
        return f"<code>{escape(_as_typed(source, display=display), quote=False)}</code>"
    return re.sub(r"</([bi])><\1>", "", formula.html)


def formula_text(source: str, *, display: bool = False) -> str:
    """Set a formula (without its delimiters) as text, with small raised and lowered characters.

    One without a plain form comes back as typed, with the delimiters of `display`. Equations
    below each other are parted by line feeds. Never raises.
    """
    formula = _read(source)
    if formula is None:
        return _as_typed(source, display=display)
    return _LONE.sub(r"\1\2", unicodedata.normalize("NFC", formula.text))


def _as_typed(source: str, *, display: bool) -> str:
    return rf"\[{source}\]" if display else rf"\({source}\)"


def _read(source: str) -> Atom | None:
    if len(source) > _LONGEST or _REFUSED.search(source):
        return None
    plain = source
    for pattern, words in _SAID_OTHERWISE:
        plain = pattern.sub(words, plain)
    stray = r"\begin" not in plain and _AMPERSAND.search(plain)
    if stray or _depth(plain) > _DEEPEST:
        return None
    try:
        formula = join(read(convert_to_element(plain)))
    except Exception:  # noqa: BLE001 - the library raises whatever its reading met: then as typed
        return None
    return formula if formula.text.strip() else None


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
