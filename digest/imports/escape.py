"""Running text as Markdown that shows it as it was typed."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["escape_markdown"]

# Of the brackets of a link the closing one is escaped: the opening one would begin a formula.
_SIGNS = re.compile(
    r"(?P<formula>\\\((?:(?!\\\)).){1,400}\\\)"
    r"|\\\[(?=[^\\^_=<>+*/|]{0,400}(?!\\\])[\\^_=<>+*/|])(?:(?!\\\]).){1,400}\\\])"
    r"|(?P<star>\*+)|(?P<underscore>_+)|(?P<tick>`+)|(?P<tilde>~~+)|(?P<dollar>\$)"
    r"|(?P<tag><(?=[A-Za-z/!?]|[^\s<>]*@))|(?P<entity>&(?=(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z0-9]+);))"
    r"|(?P<bracket>\](?=[(:\[]))|(?P<caret>\^(?=\[)|(?<=\[)\^)|(?P<backslash>\\(?=[!-/:-@\[-`{-~]))"
)
# Ours reads no `$…$`; readers that do tell a formula from two sums of money by this rule.
_DOLLARS = re.compile(r"\$(?=\S)[^$]*(?<=\S)\$(?!\d)")
# What makes a heading, a quotation, a list or a rule of a line that begins with it.
_LEADING = re.compile(r"#{1,6}(?:[ ]|\Z)|>|[-+*](?:[ ]|\Z)|[-*_](?=[-*_ ]*\Z)")
_NUMBERED = re.compile(r"(\d{1,9})(?=[.)](?:[ ]|\Z))")


def escape_markdown(line: str) -> str:
    r"""Escape what Markdown would read as its own, and no more, in one cleaned line.

    Formulas of at most 400 characters stay as they are: `\(…\)`, and `\[…\]` with a sign of one.
    """
    found = tuple(_SIGNS.finditer(line))
    live = _live_signs(line, found)
    pieces: list[str] = []
    end = 0
    for match in found:
        pieces += [line[end : match.start()], _escaped(match, live)]
        end = match.end()
    text = "".join([*pieces, line[end:]])
    if _LEADING.match(text):
        return f"\\{text}"
    return _NUMBERED.sub(r"\1" + "\\\\", text, count=1) if _NUMBERED.match(text) else text


def _live_signs(line: str, found: Sequence[re.Match[str]]) -> frozenset[str]:
    """Name the signs that mean something in this line: one star alone, say, means nothing."""
    names = [match.lastgroup for match in found if _has_meaning(match)]
    live = {"tag", "entity", "backslash", "tilde", "bracket", "caret"}
    live |= {name for name in ("star", "underscore") if names.count(name) > 1}
    if len(re.findall("`+", line)) > 1 or line.startswith("```"):
        live.add("tick")
    if _DOLLARS.search(line):
        live.add("dollar")
    return frozenset(live)


def _has_meaning(match: re.Match[str]) -> bool:
    """Tell whether stars or underscores can open or close emphasis (CommonMark 0.31 §6.2)."""
    start, end = match.span()
    before, after = match.string[max(0, start - 1) : start], match.string[end : end + 1]
    if match.lastgroup == "underscore" and before.isalnum() and after.isalnum():
        return False
    return bool(before.strip() or after.strip())


def _escaped(match: re.Match[str], live: frozenset[str]) -> str:
    name = match.lastgroup
    if name not in live or (name in {"star", "underscore"} and not _has_meaning(match)):
        return match[0]
    return "".join(f"\\{sign}" for sign in match[0])
