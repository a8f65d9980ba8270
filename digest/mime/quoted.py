"""Text as quoted-printable (RFC 2045 §6.7), in a form that nothing on the way needs to change.

Doubled blanks, blanks at the edges of a line and tabs are encoded, so that the encoded text is its
own relaxed canonical form (RFC 6376 §3.4.4): the hash of a signature is one of what is sent. A dot
at the start of a line is encoded, so no line is ever stuffed (RFC 5321 §4.5.2); so is `From `,
which mailbox files change (RFC 2049 §3). An equals sign stands before two digits or a line end
alone, so no line is a boundary that holds `=_`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from digest.model import FieldPlace

__all__ = ["SOFT_BREAK", "quoted", "quoted_around"]

SOFT_BREAK: Final = b"=\r\n"

_LINE: Final = 75  # octets before a soft break's sign; RFC 2045 §6.7 (5) has 76 with it
_TOKEN: Final = 3  # octets of `=3D`
_HEX: Final = tuple(b"=%02X" % octet for octet in range(256))
# A line of which equals signs alone need be encoded, as most values of readers are.
_PLAIN: Final = re.compile(rb"(?:[!-~]+(?: [!-~]+)*+)?")
_UNSAFE: Final = re.compile(rb"[^ -<>-~]+|\A +| +\Z|  +")
# What must not stand first on a line: its first octet is encoded.
_OPENING: Final = re.compile(rb"[ .]|From ")


def quoted(data: bytes) -> bytes:
    """Encode a text by itself, its line ends of any kind as CRLF; no line is over 75 octets.

    The first line is taken to begin a line, and what follows the last to stand on another one, or
    after a soft break.
    """
    if _PLAIN.fullmatch(data):
        return _broken(data.replace(b"=", b"=3D"))
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return b"\r\n".join(_broken(_UNSAFE.sub(_encoded, line)) for line in lines)


def quoted_around(data: bytes, places: Sequence[FieldPlace]) -> tuple[bytes, ...]:
    """Encode what stands before, between and after places, for values that are encoded alone.

    A soft line break parts each value from its neighbours; none is put where a line ends anyway.
    With `quoted` values in between, the pieces decode to the text with these values in its places.
    """
    edges = [0, *(edge for place in places for edge in (place.start, place.end)), len(data)]
    texts = [data[start:end] for start, end in list(pairwise(edges))[::2]]
    last = len(texts) - 1
    return tuple(
        _around(text, after_value=at > 0, before_value=at < last) for at, text in enumerate(texts)
    )


def _around(text: bytes, *, after_value: bool, before_value: bool) -> bytes:
    ends = (b"\r", b"\n")
    if not text:
        return SOFT_BREAK if after_value and before_value else b""
    start = SOFT_BREAK if after_value and not text.startswith(ends) else b""
    end = SOFT_BREAK if before_value and not text.endswith(ends) else b""
    return start + quoted(text) + end


def _broken(coded: bytes) -> bytes:
    """Break an encoded line where it is too long, and encode what must not begin one."""
    if len(coded) <= _LINE and not coded.startswith((b".", b"From ")):
        return coded
    lines: list[bytes] = []
    start = 0
    while True:
        head = b""
        if _OPENING.match(coded, start):
            head = _HEX[coded[start]]
            start += 1
        end = start + _LINE - len(head)
        if end >= len(coded):
            return SOFT_BREAK.join([*lines, head + coded[start:]])
        torn = coded.rfind(b"=", end - _TOKEN + 1, end)
        end = end if torn < 0 else torn
        lines.append(head + coded[start:end])
        start = end


def _encoded(found: re.Match[bytes]) -> bytes:
    return b"".join(map(_HEX.__getitem__, found[0]))
