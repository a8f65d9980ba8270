"""A file's bytes into its header and its body."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from digest.errors import ContentError
from digest.model import clean_text

__all__ = ["FILE_BYTES", "HEADER_CHARACTERS", "Parts", "line_of", "split_file"]

FILE_BYTES: Final = 5 * 1024 * 1024
HEADER_CHARACTERS: Final = 64 * 1024

_OPEN = re.compile(r"((?:[ \t]*\n)*)(---|\+\+\+)[ \t]*(?:\n|\Z)")
_CLOSE = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE),
}
_KEY = {
    "---": re.compile(r"(?:[\w'][\w .'-]{0,80}|\"(?:[^\"\\\n]|\\.){0,1000}\"):(?:\s|\Z)"),
    "+++": re.compile(r"[\w\"'][\w .\"'-]{0,80}="),
}
_LF = b"\n"
_SPACES = re.compile("[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A file in parts.

    `header` is what stands between its two lines, cleaned, without changing the number of lines;
    None where the file has none. `line` is the number of the header's first line, `last` of the
    line that ends it. `toml` tells that it stands between `+++`. `body` is cleaned.
    """

    header: str | None
    body: str
    line: int = 1
    last: int = 0
    toml: bool = False


def split_file(data: bytes, *, where: str, limit: int = HEADER_CHARACTERS) -> Parts:
    """Split a file of at most 5 MiB; line ends become LF, a byte-order mark is dropped.

    Raises ContentError for bytes that are not UTF-8, a header that has no end, or one of more
    characters than the limit.
    """
    text = _decoded(data, where)
    opening = _OPEN.match(text)
    if opening is None:
        return Parts(header=None, body=clean_text(text))
    mark, first = opening[2], line_of(text, opening.end())
    closing = _CLOSE[mark].search(text, opening.end())
    header = text[opening.end() : closing.start() if closing else len(text)]
    if not _is_header(header, mark, closed=closing is not None):
        return Parts(header=None, body=clean_text(text))
    if closing is None:
        raise ContentError(
            f"the header that begins here has no end: no second line `{mark}`",
            where=f"{where}:{first - 1}",
            fix=f"put a line `{mark}` between the header and the text",
        )
    if len(header) > limit:
        raise ContentError(
            f"the header has {len(header)} characters; at most {limit} are read",
            where=f"{where}:{first - 1}",
            fix="move long texts into the body",
        )
    return Parts(
        header=clean_text(_SPACES.sub(" ", header)),
        body=clean_text(text[closing.end() + 1 :]),
        line=first,
        last=first + header.count("\n"),
        toml=mark == "+++",
    )


def line_of(text: str, position: int) -> int:
    """Give the number, from 1, of the line that a position of a text is on."""
    return text.count("\n", 0, position) + 1


def _decoded(data: bytes, where: str) -> str:
    """Read UTF-8 with or without a byte-order mark, with any line ends."""
    if len(data) > FILE_BYTES:
        raise ContentError(
            f"the file has {len(data)} bytes; at most {FILE_BYTES} are read",
            where=where,
            fix="split it into several summaries",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        raise ContentError(
            f"the byte 0x{error.object[error.start]:02X} on this line is not UTF-8",
            where=f"{where}:{before.count(_LF) + 1}",
            fix="save the file as UTF-8",
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _is_header(text: str, mark: str, *, closed: bool) -> bool:
    """Tell a header from a text that stands under a thematic break (CommonMark 0.31.2 §4.1).

    Without an end it is one if its first line looks like `key:`. With an end, any such line will
    do, unless a blank line comes first.
    """
    key = _KEY[mark]
    lines = text.split("\n")
    if not closed:
        return bool(key.match(lines[0]))
    told = [line for line in lines if line.strip()]
    bare = [line for line in told if not line.startswith("#")]
    if not bare:
        return all(key.match(line.lstrip("# ")) for line in told)
    begins = bool(key.match(bare[0])) or bare[0].startswith(("{", "["))
    return begins or (bool(lines[0].strip()) and any(key.match(line) for line in bare))
