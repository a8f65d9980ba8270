"""The last look at a message: its bytes, as they will stand on the wire."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["LINE_LIMIT", "surely_sound", "wire_faults"]

LINE_LIMIT: Final = 998  # RFC 5322 §2.1.1
_NAME: Final = re.compile(rb"[!-9;-~]+")  # RFC 5322 §2.2
_SINGLE: Final = frozenset(
    b"from sender reply-to to cc bcc message-id date subject mime-version content-type".split()
)
# Where an address beyond ASCII stands as it is (RFC 6532 §3.2).
_RAW: Final = b"to"
# A reader's own fields as they nearly always are: each line by its name, and well below the limit.
_OWN_FIELDS: Final = re.compile(
    rb"To:[^\0\r\n]{1,990}\r\n(?: [^\0\r\n]{1,990}\r\n)*"
    rb"Message-ID: [!-~]{1,980}\r\n"
    rb"List-Unsubscribe:(?: [!-~]{1,970}\r\n)+"
    rb"(?:List-Unsubscribe-Post: [!-~]{1,970}\r\n)?"
)
_OWN_VALUE: Final = re.compile(rb"(?:[ -~]{0,76}\r\n)*+[ -~]{0,75}")


def wire_faults(message: bytes) -> tuple[str, ...]:
    """Name what in a message's bytes would break on the wire (RFC 5322 §2.1, §3.6); empty if sound.

    Looked at: CR and LF only together, no NUL, lines of at most 998 octets, header lines that
    are fields or continuations, fields that may stand only once, and ASCII but in `To`.
    """
    faults: list[str] = []
    if b"\r" in message.replace(b"\r\n", b"") or b"\n" in message.replace(b"\r\n", b""):
        faults.append("a CR or LF stands alone")
    if b"\0" in message:
        faults.append("there is a NUL")
    if max(map(len, message.split(b"\r\n"))) > LINE_LIMIT:
        faults.append(f"a line is longer than {LINE_LIMIT} octets")
    header, _, body = message.partition(b"\r\n\r\n")
    if not body.isascii():
        faults.append("the body is not ASCII")
    return (*faults, *_header_faults(header.removesuffix(b"\r\n").split(b"\r\n")))


def surely_sound(fields: bytes, values: Iterable[bytes]) -> bool:
    """Tell at a glance whether a reader's own parts break nothing in a message that is sound.

    `fields` are To, Message-ID and those to leave by; `values` stand in the body, each on lines of
    its own, before a line end or a soft line break. False says nothing: `wire_faults` knows.
    """
    return _OWN_FIELDS.fullmatch(fields) is not None and all(map(_OWN_VALUE.fullmatch, values))


def _header_faults(lines: list[bytes]) -> list[str]:
    faults: list[str] = []
    seen: set[bytes] = set()
    current = b""
    for line in lines:
        if line[:1] not in {b" ", b"\t"}:
            name, colon, _ = line.partition(b":")
            current = name.lower()
            if not colon or not _NAME.fullmatch(name):
                faults.append(f"a header line is no field: {line[:40]!r}")
            elif current in _SINGLE and current in seen:
                faults.append(f"{name.decode()} stands twice")
            seen.add(current)
        if not line.isascii() and current != _RAW:
            faults.append(f"a header line is not ASCII: {line[:40]!r}")
    return faults
