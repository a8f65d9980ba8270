"""Transfer encodings and charsets undone, and whether every program undoes them so."""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, a2b_qp
from typing import Final

__all__ = ["CHARSETS", "from_base64", "from_charset", "from_quoted_printable", "unix"]

# The names that all programs know for them. Of the others Python knows some take time without
# end, and some hide signs (UTF-7).
CHARSETS: Final = re.compile(r"utf-8|us-ascii|iso-8859-(?:[1-9]|1[03456])|windows-125[0-8]")
_BASE64: Final = re.compile(
    rb"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"  # RFC 4648 §4
)
_QUOTED: Final = re.compile(rb"(?:[\t !-<>-~]|=[0-9A-F]{2})*+=?")  # one line


def unix(data: bytes) -> bytes:
    """Make all line ends LF."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def from_base64(data: bytes) -> tuple[bytes | None, bool]:
    """Undo base64 (RFC 2045 §6.8); None where it cannot be.

    It has one reading where there is nothing but its digits and line ends, and nothing after its
    padding: programs stop there, or go on.
    """
    try:
        found = a2b_base64(data)
    except Base64Error:
        return None, False
    return found, _BASE64.fullmatch(data.replace(b"\n", b"")) is not None


def from_quoted_printable(data: bytes) -> tuple[bytes, bool]:
    """Undo quoted-printable (RFC 2045 §6.7).

    Blanks at the end of a line were added on the way (rule 3); not all programs drop them, nor
    agree on an equals sign that neither ends a line nor stands before two digits.
    """
    lines = data.split(b"\n")
    certain = all(map(_is_quoted, lines)) and not lines[-1].endswith(b"=")
    return a2b_qp(b"\n".join(line.rstrip(b" \t") for line in lines)), certain


def _is_quoted(line: bytes) -> bool:
    return not line.endswith((b" ", b"\t")) and _QUOTED.fullmatch(line) is not None


def from_charset(data: bytes, charset: str) -> tuple[bytes | None, bool]:
    """Bring a text to UTF-8 with LF line ends; None where it is not in its charset.

    It has one reading where it is ASCII, or UTF-8 and says so: of other charsets, and of none,
    programs think differently. A carriage return by itself is not a line end to all.
    """
    known = charset.lower()
    try:
        text = data.decode(known or "utf-8") if CHARSETS.fullmatch(known or "utf-8") else None
    except UnicodeDecodeError:
        return None, False
    if text is None:
        return None, False
    certain = (data.isascii() or known == "utf-8") and b"\r" not in data.replace(b"\r\n", b"")
    return unix(text.encode()), certain
