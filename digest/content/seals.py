"""The seal of a published issue, put into its file without touching another byte."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

from digest.content.dump import dump_header
from digest.content.fields import Fields
from digest.content.issues import issue_fields, read_seal, seal_pairs
from digest.errors import ContentError
from digest.model import Seal

__all__ = ["seal_text"]

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_HERE = "the issue file"


def seal_text(text: str, seal: Seal) -> str:
    """Insert or replace the `published:` lines of an issue file; all else stays as it is.

    Line ends are those of the first line. Raises ContentError where the file has no header, or
    one in which the lines cannot stand.
    """
    parts, fields = issue_fields(text.encode("utf-8", "surrogatepass"), where=_HERE)
    lines = _LINES.findall(text)
    end_of_line = lines[0][len(lines[0].rstrip("\r\n")) :]
    begin = (fields.line("published") or parts.last) - 1
    end = begin
    if fields.line("published"):
        end = _end(lines, begin + 1, parts.last - 1)
    new = dump_header(seal_pairs(seal)).split("\n")[1:-2]
    sealed = "".join([*lines[:begin], *(line + end_of_line for line in new), *lines[end:]])
    if not _holds(sealed, seal, _others(fields)):
        raise ContentError(
            "the `published` lines cannot be put into this header",
            where=_HERE,
            fix="begin each key at the first character of its line, without brackets around",
        )
    return sealed


def _end(lines: list[str], number: int, last: int) -> int:
    """Find where the indented lines end that a key is followed by."""
    end = number
    for at in range(number, last):
        if lines[at].startswith((" ", "\t")) and lines[at].strip():
            end = at + 1
        elif lines[at].strip():
            break
    return end


def _others(fields: Fields) -> set[str]:
    """Give the keys besides the seal."""
    return {typed for typed, _, _ in fields.rest(frozenset({"published"}))}


def _holds(text: str, seal: Seal, others: set[str]) -> bool:
    """Tell whether a file says what the seal says, and has no other keys than before."""
    try:
        fields = issue_fields(text.encode("utf-8", "surrogatepass"), where=_HERE)[1]
        found = read_seal(fields, ZoneInfo("UTC"))
        fields.refuse()
    except ContentError:
        return False
    return found == _to_the_second(seal) and _others(fields) == others


def _to_the_second(seal: Seal) -> Seal:
    """Cut the moment as the file does."""
    return Seal(at=seal.at.replace(microsecond=0), number=seal.number, edition=seal.edition)
