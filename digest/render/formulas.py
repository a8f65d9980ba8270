r"""LaTeX in Markdown: `\(…\)` in a line and `\[…\]` on its own, before any other mark is read.

Not `$…$`: prices would become formulas. Plugins exist, but a list, a heading or emphasis inside a
formula wins over them, or an unclosed bracket makes them search to the end time and again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

__all__ = ["BLOCK", "DISPLAY", "INLINE", "formulas_plugin"]

INLINE: Final = "formula"
BLOCK: Final = "formula_block"
DISPLAY: Final = r"\["  # the opening bracket of a formula on its own
_CLOSERS: Final[Mapping[str, str]] = MappingProxyType({r"\(": r"\)", DISPLAY: r"\]"})
# Square brackets are often escaped for their own sake, `\[sic\]`. In a line they hold a formula
# only with a sign of one; on a line of their own also without, unless they hold a sentence.
_SIGN: Final = re.compile(r"[\\^_=<>+*/|]")
_SENTENCE: Final = re.compile(r"[^\W\d_]{3,}\S?\s+[^\W\d_]{2,}")
# Where the last search for a closing bracket in vain ended; the key is of this module only.
_IN_VAIN: Final = "digest.formulas.in_vain"


def formulas_plugin(md: MarkdownIt) -> None:
    """Read formulas; tokens `formula` and `formula_block` hold the source without its brackets."""
    md.inline.ruler.before("escape", INLINE, _inline)
    md.block.ruler.before(
        "fence", BLOCK, _block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def _inline(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    opener = state.src[state.pos : state.pos + 2]
    closer = _CLOSERS.get(opener)
    # The parser's own notes have keys from 0 up: -1 and -2 are free for where nothing closes.
    note = -1 - list(_CLOSERS).index(opener) if closer else 0
    if closer is None or state.cache.get(note):
        return False
    end = state.src.find(closer, state.pos + 2)
    if end < 0:
        state.cache[note] = 1
        return False
    source = state.src[state.pos + 2 : end].strip()
    if opener == DISPLAY and not _SIGN.search(source):
        return False
    if not silent:
        token = state.push(INLINE, "", 0)
        token.content = source
        token.markup = opener
    state.pos = end + 2
    return True


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001, PLR0917 - as above
    if state.is_code_block(start) or not _line(state, start).startswith(DISPLAY):
        return False
    last = _closing_line(state, start, end)
    if last < 0:
        return False
    lines = [_line(state, line) for line in range(start, last + 1)]
    source = "\n".join(lines).strip()[len(DISPLAY) : -len(_CLOSERS[DISPLAY])].strip()
    if not _SIGN.search(source) and _SENTENCE.search(source):
        return False
    if not silent:
        token = state.push(BLOCK, "", 0)
        token.content = source
        token.markup = DISPLAY
        token.map = [start, last + 1]
        state.line = last + 1
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _closing_line(state: StateBlock, start: int, end: int) -> int:
    r"""Find the line that ends with the first `\]`; negative where a blank line comes before it."""
    closer = _CLOSERS[DISPLAY]
    line = start
    if state.env.get(_IN_VAIN, -1) >= start:
        return -1
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        text = _line(state, line)
        place = text.find(closer, len(DISPLAY) if line == start else 0)
        if place >= 0:
            return line if not text[place + len(closer) :].strip() else -1
        line += 1
    state.env[_IN_VAIN] = line - 1
    return -1
