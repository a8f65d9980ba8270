"""The body of a message: its text, its HTML, and the pictures that the HTML shows out of it."""

from __future__ import annotations

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from digest.model import PICTURE_TYPES

__all__ = ["Enclosed", "enclosed_in", "message_body"]

# How HTML names a part of its own message (RFC 2392 §2), its id being file name and domain.
_NAMED: Final = re.compile(rb"\bcid:(([0-9a-f]{16}\.[a-z]{3,4})@[A-Za-z0-9.-]+)")
_TYPES: Final = {ending: media_type for media_type, ending in PICTURE_TYPES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosed:
    """A picture that a message brings along: its Content-ID without brackets, its file."""

    id: str
    name: str
    data: bytes


def enclosed_in(html: bytes, files: Mapping[str, bytes]) -> tuple[Enclosed, ...]:
    """Give the pictures that HTML shows out of its own message, each once, in its order.

    `files` are those of an edition; what is not among them cannot be brought along.
    """
    named = {found[1].decode(): found[2].decode() for found in _NAMED.finditer(html)}
    return tuple(
        Enclosed(id=id_, name=name, data=files[f"pictures/{name}"])
        for id_, name in named.items()
        if f"pictures/{name}" in files
    )


def message_body(
    html: bytes, text: bytes, *, pictures: Iterable[Enclosed], of: tuple[bytes, bytes]
) -> bytes:
    """Give the last header fields and the body: text first, HTML last (RFC 2046 §5.1.4).

    With pictures, the last part is the HTML together with them (RFC 2387). Boundaries come from the
    HTML and text that all readers have in common, `of`.
    """
    digits = sha256(of[1] + b"\0" + of[0]).hexdigest()[:32]
    shown = _text_part("html", html)
    brought = [_picture_part(picture) for picture in pictures]
    if brought:
        kind = 'related; type="text/html"'
        shown = _joined(kind, [shown, *brought], boundary=f"related-{digits}")
    parts = [_text_part("plain", text), shown]
    return b"MIME-Version: 1.0\r\n" + _joined("alternative", parts, boundary=f"digest-{digits}")


def _text_part(kind: str, data: bytes) -> bytes:
    return (
        f'Content-Type: text/{kind}; charset="utf-8"\r\n'.encode()
        + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        + _quoted_printable(data)
    )


def _quoted_printable(data: bytes) -> bytes:
    """Encode text (RFC 2045 §6.7), all its line ends as CRLF."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")
    # The line end added makes the encoder break its lines by CRLF too, whatever the text holds.
    return b2a_qp(lines + b"\r\n").removesuffix(b"\r\n")


def _picture_part(picture: Enclosed) -> bytes:
    fields = (
        f"Content-Type: {_TYPES[picture.name.rpartition('.')[2]]}\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{picture.id}>\r\n"
        f'Content-Disposition: inline; filename="{picture.name}"\r\n\r\n'
    )
    return fields.encode() + encodebytes(picture.data).rstrip(b"\n").replace(b"\n", b"\r\n")


def _joined(kind: str, parts: list[bytes], *, boundary: str) -> bytes:
    """Join parts to one, its header fields first (RFC 2046 §5.1)."""
    while any(boundary.encode() in part for part in parts):
        boundary += "x"  # a reader's value says the boundary that all know from the last mail
    mark = f"--{boundary}".encode()
    return (
        f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'.encode()
        + b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts)
        + mark
        + b"--\r\n"
    )
