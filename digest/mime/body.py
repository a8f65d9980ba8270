"""The body of a message: its text, its HTML, and the pictures that the HTML shows out of it.

It is made once an edition, in pieces, with a value of each reader between two of them.
"""

from __future__ import annotations

import re
from base64 import encodebytes
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from digest.mime.quoted import quoted_around
from digest.model import PICTURE_TYPES, FieldPlace

__all__ = ["Body", "Enclosed", "Slot", "Text", "enclosed_in", "message_body"]

# How HTML names a part of its own message (RFC 2392 §2), its id being file name and domain.
_NAMED: Final = re.compile(rb"\bcid:(([0-9a-f]{16}\.[a-z]{3,4})@[A-Za-z0-9.-]+)")
_TYPES: Final = {ending: media_type for media_type, ending in PICTURE_TYPES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosed:
    """A picture that a message brings along: its Content-ID without brackets, its file."""

    id: str
    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text or HTML in UTF-8, and the places in it where values of readers stand."""

    data: bytes
    places: Sequence[FieldPlace] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A value of a reader: what is to stand in the place of an empty text, and whether as HTML."""

    place: FieldPlace
    as_html: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A body in pieces: the encoded value of `slots[n]` belongs between pieces n and n + 1.

    `fields` are the last ones of the header, with the empty line after it.
    """

    fields: bytes
    pieces: tuple[bytes, ...]
    slots: tuple[Slot, ...]


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
    html: Text, text: Text, *, pictures: Iterable[Enclosed], of: tuple[bytes, bytes]
) -> Body:
    """Make the last header fields and the body: text first, HTML last (RFC 2046 §5.1.4).

    With pictures, the last part is the HTML together with them (RFC 2387). Boundaries come from the
    HTML and text that all readers have in common, `of`; they hold `=_`, which no line of the parts
    can (RFC 2045 §6.7), whatever a reader is called.
    """
    digits = sha256(of[1] + b"\0" + of[0]).hexdigest()[:32]
    shown = _text_part("html", html)
    brought = [[_picture_part(picture)] for picture in pictures]
    if brought:
        kind = 'related; type="text/html"'
        shown = _joined(kind, [shown, *brought], boundary=f"related=_{digits}")
    parts = [_text_part("plain", text), shown]
    first, *pieces = _joined("alternative", parts, boundary=f"digest=_{digits}")
    fields, end, rest = first.partition(b"\r\n\r\n")
    return Body(
        fields=b"MIME-Version: 1.0\r\n" + fields + end,
        pieces=(rest, *pieces),
        slots=(*_slots(text, as_html=False), *_slots(html, as_html=True)),
    )


def _slots(text: Text, *, as_html: bool) -> Iterable[Slot]:
    return (Slot(place=replace(place, start=0, end=0), as_html=as_html) for place in text.places)


def _text_part(kind: str, text: Text) -> list[bytes]:
    fields = (
        f'Content-Type: text/{kind}; charset="utf-8"\r\n'
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    )
    first, *pieces = quoted_around(text.data, text.places)
    return [fields.encode() + first, *pieces]


def _picture_part(picture: Enclosed) -> bytes:
    fields = (
        f"Content-Type: {_TYPES[picture.name.rpartition('.')[2]]}\r\n"
        "Content-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{picture.id}>\r\n"
        f'Content-Disposition: inline; filename="{picture.name}"\r\n\r\n'
    )
    return fields.encode() + encodebytes(picture.data).rstrip(b"\n").replace(b"\n", b"\r\n")


def _joined(kind: str, parts: Sequence[Sequence[bytes]], *, boundary: str) -> list[bytes]:
    """Join parts to one, its header fields first (RFC 2046 §5.1); all of them are in pieces."""
    mark = f"--{boundary}\r\n".encode()
    pieces = [f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'.encode()]
    for first, *rest in parts:
        pieces[-1] += mark + first
        pieces += rest
        pieces[-1] += b"\r\n"
    pieces[-1] += f"--{boundary}--\r\n".encode()
    return pieces
