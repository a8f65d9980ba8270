"""A mail as it came in: its parts decoded, whatever relays and senders made of it.

Mail from anywhere is read here: each step is bounded, and what is damaged is empty or missing,
never an exception but ValueError.
"""

from __future__ import annotations

import re
from binascii import Error as Base64Error
from binascii import a2b_base64, a2b_qp
from codecs import lookup
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Final

from digest.model import clean_line

__all__ = ["Part", "Received", "read_mail"]

_HEAD_LIMIT: Final = 262_144  # octets of the header of a mail
_PART_HEAD_LIMIT: Final = 16_384  # octets of the header of a part
_FIELD_LIMIT: Final = 5_000  # characters of one header field: a longer one is passed over
_DEPTH: Final = 6
_PARTS: Final = 200
# What text is decoded from; of the others Python knows some that take time without end.
_CHARSETS: Final = re.compile(r"utf-8|ascii|iso8859-\d+|cp125\d")
# What the header parser of the standard library stumbles with over damaged fields.
_STUMBLES: Final = (MessageError, ValueError, LookupError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part that is no container: its media type, its Content-ID without brackets, its octets.

    Octets of a text are in UTF-8 with LF line ends; None where they cannot be told.
    """

    media_type: str
    id: str
    data: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A mail: all its Subjects, the first of each field by its name in small letters, its parts.

    Parts come in their order, at whatever depth they stood.
    """

    subjects: tuple[str, ...]
    fields: dict[str, str]
    parts: tuple[Part, ...]


def read_mail(data: bytes) -> Received:
    """Read a mail (RFC 5322, RFC 2045 to 2047), with any line ends, also from a mailbox file.

    Raise ValueError with what is wrong for what is no mail, and for one that is nested more than 6
    deep, has more than 200 parts, or a header that is larger than any.
    """
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if lines.startswith((b"From ", b">From ")):
        lines = lines.partition(b"\n")[2]  # what mailbox files put above a mail
    head, body = _parted(lines, limit=_HEAD_LIMIT)
    found = [(name.lower(), _decoded(value)) for name, value in head.raw_items()]
    fields = dict(reversed(found))
    if not {"from", "date", "subject", "message-id", "mime-version"} & fields.keys():
        message = "is no mail: it has no header"
        raise ValueError(message)
    return Received(
        subjects=tuple(value for name, value in found if name == "subject"),
        fields=fields,
        parts=tuple(_bounded(_leaves(head, body, depth=1))),
    )


def _bounded(parts: Iterator[Part]) -> Iterator[Part]:
    for count, part in enumerate(parts, start=1):
        if count > _PARTS:
            message = f"has more than {_PARTS} parts"
            raise ValueError(message)
        yield part


def _parted(entity: bytes, *, limit: int) -> tuple[Message, bytes]:
    """Part a header from its body."""
    if entity.startswith(b"\n"):
        head, body = b"", entity[1:]
    else:
        head, _, body = entity.partition(b"\n\n")
    if len(head) > limit:
        what = f"has a header of more than {limit // 1024} KB"
        raise ValueError(what)
    message = BytesHeaderParser(policy=compat32).parsebytes(head + b"\n\n")
    for name, value in tuple(message.raw_items()):
        if len(str(value)) > _FIELD_LIMIT:
            del message[name]
    return message, body


def _decoded(raw: object) -> str:
    """Decode a header field to one line; what is damaged comes as it stands."""
    text = str(raw).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        return clean_line(str(make_header(decode_header(text))))
    except _STUMBLES:
        return clean_line(text)


def _leaves(head: Message, body: bytes, *, depth: int) -> Iterator[Part]:
    """Give the parts that are no containers."""
    kind, boundary = head.get_content_type(), _parameter(head, "boundary")
    if not kind.startswith("multipart/") or not boundary:
        yield _leaf(head, body, kind)
        return
    if depth > _DEPTH:
        message = f"is nested more than {_DEPTH} deep"
        raise ValueError(message)
    empty = True
    for entity in _entities(body, boundary):
        empty = False
        yield from _leaves(*_parted(entity, limit=_PART_HEAD_LIMIT), depth=depth + 1)
    if empty:  # so that containers, too, are counted
        yield _leaf(head, body, kind)


def _parameter(head: Message, name: str) -> str:
    """Give a parameter of the Content-Type, empty where there is none that can be read."""
    try:
        value = head.get_param(name, failobj="")
        told = value[2] if isinstance(value, tuple) else value
        return str(told).strip()
    except _STUMBLES:
        return ""


def _entities(body: bytes, boundary: str) -> Iterator[bytes]:
    """Cut a body at its boundary (RFC 2046 §5.1.1)."""
    mark = re.escape(boundary.encode("utf-8", "surrogateescape"))
    start = None
    for line in re.finditer(rb"^--" + mark + rb"(--)?[ \t]*$", body, re.MULTILINE):
        if start is not None:
            yield body[start : max(start, line.start() - 1)]
        start = line.end() + 1
        if line[1]:
            return
    if start is not None:
        yield body[start:]


def _leaf(head: Message, body: bytes, kind: str) -> Part:
    data: bytes | None = _transferred(body, str(head.get("Content-Transfer-Encoding", "")))
    if kind.startswith("text/") and data is not None:
        data = _as_utf8(data, _parameter(head, "charset"))
    name = clean_line(str(head.get("Content-ID", "")))
    return Part(media_type=kind, id=name.removeprefix("<").removesuffix(">"), data=data)


def _transferred(body: bytes, encoding: str) -> bytes | None:
    """Undo a transfer encoding (RFC 2045 §6)."""
    kind = encoding.strip().lower()
    if kind == "quoted-printable":
        # Blanks at the end of a line were added on the way (RFC 2045 §6.7, rule 3).
        return a2b_qp(b"\n".join(line.rstrip(b" \t") for line in body.split(b"\n")))
    if kind == "base64":
        try:
            return a2b_base64(body)
        except Base64Error:
            return None
    return body


def _as_utf8(data: bytes, charset: str) -> bytes | None:
    try:
        known = lookup(charset or "utf-8").name
        text = data.decode(known) if _CHARSETS.fullmatch(known) else None
    except (LookupError, ValueError):
        return None
    return None if text is None else _unix(text.encode())


def _unix(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
