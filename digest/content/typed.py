"""Free texts in a header: taken as typed where YAML would cut or refuse them."""

from __future__ import annotations

import re

__all__ = ["take_as_typed"]

_LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,60})([ \t]*:[ \t]+)(\S.*)\Z")
_BLOCK = re.compile(r"[|>][-+0-9]{0,3}(?:[ \t]+#.*)?\Z")
# A bracket that closes on this line with text behind it: `[Draft] A title`, `[words](address)`.
_BRACKET = re.compile(r"\[[^\[\]]*\][ \t]*[^\s\],#]")
_ALIAS = re.compile(r"\*[^\s,\[\]{}]+(?:[ \t]+#.*)?\Z")


def take_as_typed(header: str, names: frozenset[str]) -> tuple[str, tuple[int, ...]]:
    """Quote the values of one line that belong to the keys named, where YAML needs quotes.

    Gives the header, with as many lines as before, and the lines, counted from 0, whose value
    holds a `#` that YAML would have taken for a comment. Left alone is what YAML reads as it
    stands: quotes, blocks, brackets, and values that go on with an indented line.
    """
    lines = header.split("\n")
    marked: list[int] = []
    for number, line in enumerate(lines):
        match = _LINE.match(line)
        if match is None or match[1].lower().replace("-", "_") not in names:
            continue
        value = match[3].rstrip()
        if _needs_quotes(value) and not _goes_on(lines, number + 1):
            doubled = value.replace("'", "''")
            lines[number] = f"{match[1]}{match[2]}'{doubled}'"
            if value[0] == "#" or " #" in value or "\t#" in value:
                marked.append(number)
    return "\n".join(lines), tuple(marked)


def _needs_quotes(value: str) -> bool:
    """Tell whether YAML would cut or refuse a value of one line that is plainly a text."""
    first, second = value[0], value[1:2]
    if first in "\"'":
        return False
    if first in "-?:":
        return not second.strip() or _holds_sign(value)
    starts = {
        "[": lambda: bool(_BRACKET.match(value)),
        "{": lambda: second in {"{", "%"},
        "#": lambda: bool(second.strip("# \t")),
        "|": lambda: not _BLOCK.match(value),
        ">": lambda: not _BLOCK.match(value),
        "*": lambda: not _ALIAS.match(value),
        "&": lambda: not second.strip(),
        "!": lambda: second != "!",
    }
    if first in starts:
        return starts[first]()
    return first in ",]}%@`" or _holds_sign(value)


def _holds_sign(value: str) -> bool:
    """Tell whether a value holds a sign that ends a bare text (YAML 1.2.2 §6.6, §7.3.3)."""
    return value.endswith(":") or any(sign in value for sign in (": ", ":\t", " #", "\t#"))


def _goes_on(lines: list[str], number: int) -> bool:
    """Tell whether the first line that is not blank, from a number on, is indented."""
    following = next((line for line in lines[number:] if line.strip()), "")
    return following.startswith((" ", "\t"))
