r"""LaTeX in Markdown: `\(…\)` in a line and `\[…\]` on its own, before any other mark is read.

`$…$` and `$$…$$` only where asked for, by the rule of Pandoc (User's Guide, `tex_math_dollars`), so
that prices stay prices: the opening dollar has no space after it, the closing one, which is the
next, none before it and no digit after it. Plugins exist, but a list, a heading or emphasis inside
a formula wins over them, or what is unclosed makes them search to the end time and again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

__all__ = ["BLOCK", "CLOSERS", "DISPLAY", "INLINE", "formulas_plugin"]

INLINE: Final = "formula"
BLOCK: Final = "formula_block"
_SQUARE: Final = r"\["
_DOLLARS: Final = "$$"
# What opens a formula, and what closes it.
CLOSERS: Final[Mapping[str, str]] = MappingProxyType(
    {r"\(": r"\)", _SQUARE: r"\]", "$": "$", _DOLLARS: _DOLLARS}
)
DISPLAY: Final = frozenset({_SQUARE, _DOLLARS})  # open a formula on its own
# Square brackets are often escaped for their own sake, `\[sic\]`. In a line they hold a formula
# only with a sign of one; on a line of their own also without, unless they hold a sentence.
_SIGN: Final = re.compile(r"[\\^_=<>+*/|]")
_SENTENCE: Final = re.compile(r"[^\W\d_]{3,}\S?\s+[^\W\d_]{2,}")
# An escaped sign and the words of `\text{…}` may be dollars. Code wins over a dollar before it.
_BETWEEN: Final = r"(?:\\text\s*+\{[^{}]*+\}|\\.|[^\\$`])"
_DOLLAR_FORMULA: Final = re.compile(
    rf"\$\$(?!\s*\$\$)((?:{_BETWEEN}|\$(?!\$))++)\$\$|(?<!\$)\$(?![\s$])({_BETWEEN}++)(?<!\s)\$(?![0-9])",
    re.DOTALL,
)
# Where the last search for a closing bracket in vain ended; the key is of this module only.
_IN_VAIN: Final = "digest.formulas.in_vain"


def formulas_plugin(md: MarkdownIt, *, dollars: bool = False) -> None:
    """Read formulas; tokens `formula` and `formula_block` hold the source without its delimiters.

    The `markup` of a token is its opening delimiter; `dollars` says that dollars are such.
    """
    md.inline.ruler.before("escape", INLINE, _inline)
    if dollars:
        md.inline.ruler.before("escape", "formula_in_dollars", _in_dollars)
    md.block.ruler.before(
        "fence",
        BLOCK,
        _block_rule(sorted(DISPLAY) if dollars else [_SQUARE]),
        {"alt": ["paragraph", "reference", "blockquote", "list"]},
    )


def _inline(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    opener = state.src[state.pos : state.pos + 2]
    # The parser's own notes have keys from 0 up: -1 and -2 are free for where nothing closes.
    note = {r"\(": -1, _SQUARE: -2}.get(opener, 0)
    if not note or state.cache.get(note):
        return False
    closer = CLOSERS[opener]
    end = state.src.find(closer, state.pos + 2)
    if end < 0:
        state.cache[note] = 1
        return False
    source = state.src[state.pos + 2 : end].strip()
    if opener == _SQUARE and not _SIGN.search(source):
        return False
    if not silent:
        _push(state, source, opener)
    state.pos = end + 2
    return True


def _in_dollars(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as above
    if state.src[state.pos] != "$":
        return False
    found = _DOLLAR_FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        _push(state, (found[1] or found[2]).strip(), _DOLLARS if found[1] else "$")
    state.pos = found.end()
    return True


def _push(state: StateInline, source: str, opener: str) -> None:
    token = state.push(INLINE, "", 0)
    token.content = source
    token.markup = opener


def _block_rule(openers: Sequence[str]) -> Callable[[StateBlock, int, int, bool], bool]:
    """Give the rule for formulas on lines of their own that begin with one of some delimiters."""

    def block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001, PLR0917 - as above
        opener = _line(state, start)[:2]
        if opener not in openers or state.is_code_block(start):
            return False
        last = _closing_line(state, start, end)
        if last < 0:
            return False
        lines = [_line(state, line) for line in range(start, last + 1)]
        source = "\n".join(lines).strip()[2:-2].strip()
        prose = not _SIGN.search(source) and _SENTENCE.search(source)
        if not source or (opener == _SQUARE and prose):
            return False
        if not silent:
            token = state.push(BLOCK, "", 0)
            token.content = source
            token.markup = opener
            token.map = [start, last + 1]
            state.line = last + 1
        return True

    return block


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _closing_line(state: StateBlock, start: int, end: int) -> int:
    """Find the line that ends with what closes the formula; negative where a blank one is before.

    The line with the first closing delimiter must end with it.
    """
    opener = _line(state, start)[:2]
    closer = CLOSERS[opener]
    in_vain = state.env.setdefault(_IN_VAIN, {})
    if in_vain.get(opener, -1) >= start:
        return -1
    line = start
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        text = _line(state, line)
        place = text.find(closer, 2 if line == start else 0)
        if place >= 0:
            return line if not text[place + len(closer) :].strip() else -1
        line += 1
    in_vain[opener] = line - 1
    return -1
