"""What the program writes into an issue file of people: its seal and its `hold`, no other byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC
from zoneinfo import ZoneInfo

from digest.content.dump import dump_header
from digest.content.fields import Fields
from digest.content.header import Parts
from digest.content.issues import issue_fields, read_hold, read_seal, seal_pairs
from digest.errors import ContentError
from digest.model import Seal, clean_line

__all__ = ["hold_text", "seal_text"]

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_HERE = "the issue file"


def seal_text(text: str, seal: Seal) -> str:
    """Insert or replace the `published:` lines of an issue file; all else stays as it is.

    Line ends are those of the first line. Raises ContentError where the file has no header, or
    one in which the lines cannot stand.
    """
    cut = _to_the_second(seal)
    return _put(
        text,
        "published",
        seal_pairs(seal),
        says=lambda fields: read_seal(fields, ZoneInfo("UTC")) == cut,
    )


def hold_text(text: str, reason: str) -> str:
    """Insert, replace or, without a reason, take out the `hold:` lines of an issue file.

    All else stays as it is. Raises ContentError as `seal_text` does.
    """
    line = clean_line(reason)
    return _put(
        text,
        "hold",
        (("hold", line or None),),
        says=lambda fields: read_hold(fields) == line,
    )


def _put(
    text: str, key: str, pairs: Sequence[tuple[str, object]], *, says: Callable[[Fields], bool]
) -> str:
    """Put the lines of one key in place of those that stand there, else at the header's end."""
    parts, fields = _read(text)
    lines = _LINES.findall(text)
    end_of_line = lines[0][len(lines[0].rstrip("\r\n")) :]
    begin = end = (fields.line(key) or parts.last) - 1
    if fields.line(key):
        end = _end(lines, begin + 1, parts.last - 1)
    new = dump_header(pairs).split("\n")[1:-2]
    written = "".join([*lines[:begin], *(line + end_of_line for line in new), *lines[end:]])
    if _others(fields, key) != _said(written, key, says):
        raise ContentError(
            f"the `{key}` lines cannot be put into this header",
            where=_HERE,
            fix="begin each key at the first character of its line, without brackets around",
        )
    return written


def _read(text: str) -> tuple[Parts, Fields]:
    return issue_fields(text.encode("utf-8", "surrogatepass"), where=_HERE)


def _end(lines: list[str], number: int, last: int) -> int:
    """Find where the indented lines end that a key is followed by."""
    end = number
    for at in range(number, last):
        if lines[at].startswith((" ", "\t")) and lines[at].strip():
            end = at + 1
        elif lines[at].strip():
            break
    return end


def _others(fields: Fields, key: str) -> set[str]:
    """Give the keys besides the one that is written."""
    return {typed for typed, _, _ in fields.rest(frozenset({key}))}


def _said(text: str, key: str, says: Callable[[Fields], bool]) -> set[str] | None:
    """Give the keys besides the one written, if the file says what it is to say."""
    try:
        _, fields = _read(text)
        said = says(fields)
        fields.refuse()
    except ContentError:
        return None
    return _others(fields, key) if said else None


def _to_the_second(seal: Seal) -> Seal:
    """Cut the moments as the file does."""
    # In UTC: in an hour that comes twice no local time equals one of another zone (PEP 495).
    moments = {name: getattr(seal, name) for name in ("at", "sent", "ended")}
    return replace(
        seal,
        **{
            name: moment.astimezone(UTC).replace(microsecond=0)
            for name, moment in moments.items()
            if moment is not None
        },
    )
