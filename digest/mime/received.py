"""A mail as it came in: its parts decoded, and all that a program may read otherwise.

Mail from anywhere is read here: each step is bounded, and what is damaged is empty or missing,
never an exception but ValueError. Mail programs differ in what they make of damaged mail, and a
forger writes mails that say one thing to one of them and another to the next. So whatever does not
follow the standards to the letter is told as a doubt: a mail without doubts has one reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from digest.mime.header import (
    Header,
    Value,
    decoded,
    is_trace,
    read_header,
    read_mailbox,
    read_value,
    shown,
    stands_twice,
)
from digest.mime.transfer import from_base64, from_charset, from_quoted_printable, unix
from digest.model import Mailbox, clean_line

__all__ = ["Part", "Received", "read_mail"]

_HEAD_LIMIT: Final = 262_144  # octets of the header of a mail
_PART_HEAD_LIMIT: Final = 16_384  # octets of the header of a part
_DEPTH: Final = 6
_PARTS: Final = 200
_TOP: Final = "header"
# What mailbox files put above a mail: the colon of `From : a@sea.example` makes a field of that.
_ENVELOPE: Final = re.compile(rb">?From [^\s:]+ +[A-Z][a-z]{2} [^\n]*\n")
_BOUNDARY: Final = re.compile(r"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]")
_AS_IS: Final = frozenset({"", "7bit", "8bit", "binary"})
_TWO_WAYS: Final = "can be read in more than one way"
# The parameters of each kind of part: any other changes what is shown, as `format` does.
_PARAMETERS: Final = {"text": {"charset"}, "multipart": {"boundary"}}
_MAILBOXES: Final = frozenset({"from", "to"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part that is no container: its media type, its Content-ID without brackets, its octets.

    Octets of a text are in UTF-8 with LF line ends; None where they cannot be told. `name` is the
    file name that the part goes by.
    """

    media_type: str
    id: str
    data: bytes | None
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A mail: its fields by name in small letters, its parts, and what programs may read otherwise.

    `fields` has all values of each field in their order, decoded. `sender` and `to` are None where
    From and To are not one mailbox; the address of undisclosed recipients is empty. `parts` come in
    their order, at whatever depth they stood; `form` is how they are put together, such as
    `multipart/alternative(text/plain, text/html)`. Each of `doubts` names its place first.
    """

    fields: Mapping[str, tuple[str, ...]]
    sender: Mailbox | None
    to: Mailbox | None
    form: str
    parts: tuple[Part, ...]
    doubts: tuple[str, ...]

    def first(self, name: str) -> str:
        """Give the first value of a field, empty where it does not stand."""
        return self.fields.get(name, ("",))[0]


def read_mail(data: bytes) -> Received:
    """Read a mail (RFC 5322, RFC 2045 to 2047), with any line ends, also from a mailbox file.

    Raise ValueError with what is wrong for what is no mail, and for one that is nested more than 6
    deep, has more than 200 parts, or a header that is larger than any.
    """
    reading = _Reading()
    reading.octets(data)
    lines = unix(data)
    if envelope := _ENVELOPE.match(lines):
        lines = lines[envelope.end() :]
    header, body = reading.parted(lines, place=_TOP)
    fields: dict[str, list[str]] = {}
    for name, raw in header.fields:
        fields.setdefault(name, []).append(decoded(raw)[0])
    if not {"from", "date", "subject", "message-id", "mime-version"} & fields.keys():
        message = "is no mail: it has no header"
        raise ValueError(message)
    reading.fields(header)
    form = reading.entity(header, body, place=_TOP)
    return Received(
        fields={name: tuple(values) for name, values in fields.items()},
        sender=_mailbox(header, "from"),
        to=_mailbox(header, "to"),
        form=form,
        parts=tuple(reading.parts),
        doubts=tuple(reading.doubts),
    )


def _mailbox(header: Header, name: str) -> Mailbox | None:
    raw = header.first(name)
    return None if raw is None else read_mailbox(raw)


class _Reading:
    """One mail while it is read: the parts so far, and each doubt once."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.doubts: dict[str, None] = {}

    def doubt(self, place: str, what: str) -> None:
        self.doubts[f"{place}: {what}"] = None

    def octets(self, data: bytes) -> None:
        """Look at what programs see before they see a mail."""
        if b"\0" in data:
            self.doubt("mail", "there is a NUL in it")
        bare = data.replace(b"\r\n", b"")
        if b"\r" in bare or (b"\n" in bare and b"\r\n" in data):
            self.doubt("mail", "its line ends are of more than one kind")

    def parted(self, entity: bytes, *, place: str) -> tuple[Header, bytes]:
        """Part a header from its body."""
        if entity.startswith(b"\n"):
            head, body = b"", entity[1:]
        else:
            head, _, body = entity.partition(b"\n\n")
        limit = _HEAD_LIMIT if place == _TOP else _PART_HEAD_LIMIT
        if len(head) > limit:
            what = f"has a header of more than {limit // 1024} KB"
            raise ValueError(what)
        header = read_header(head.removesuffix(b"\n"))
        for what in header.doubts:
            self.doubt(place, what)
        for name in stands_twice(header):
            self.doubt(place, f"{shown(name)} stands twice")
        return header, body

    def fields(self, header: Header) -> None:
        """Look at the fields of the mail itself."""
        if header.first("mime-version") != "1.0":
            self.doubt(_TOP, "it lacks MIME-Version 1.0, so some show its source")
        for name, raw in header.fields:
            if is_trace(name) or name.startswith("content-"):
                continue
            known = read_mailbox(raw) is not None if name in _MAILBOXES else decoded(raw)[1]
            if not known:
                self.doubt(_TOP, f"{shown(name)} {_TWO_WAYS}")

    def entity(self, header: Header, body: bytes, *, place: str) -> str:
        """Read what follows a header, put its parts to the others, and give its form."""
        kind = self.kind(header, place=place)
        encoding = (header.first("content-transfer-encoding") or "").lower()
        boundary = kind.parameters.get("boundary", "")
        self.part_fields(header, kind.word, place=place)
        if not kind.word.startswith("multipart/") or not boundary:
            self.leaf(header, self.data(body, kind, (encoding, place)), kind=kind.word)
            return kind.word
        if place != _TOP and place.count(".") + 2 > _DEPTH:
            message = f"is nested more than {_DEPTH} deep"
            raise ValueError(message)
        if not _BOUNDARY.fullmatch(boundary) or encoding not in _AS_IS:
            self.doubt(place, f"its Content-Type or encoding {_TWO_WAYS}")
        inner = "part " if place == _TOP else f"{place}."
        forms = [
            self.entity(*self.parted(entity, place=f"{inner}{number}"), place=f"{inner}{number}")
            for number, entity in enumerate(self.entities(body, boundary, place=place), start=1)
        ]
        if not forms:  # so that containers, too, are counted
            self.leaf(header, body, kind=kind.word)
        return f"{kind.word}({', '.join(forms)})"

    def kind(self, header: Header, *, place: str) -> Value:
        """Read the Content-Type; what is none is text, as programs take it."""
        raw = header.first("content-type")
        kind = read_value("text/plain" if raw is None else raw)
        if not kind.certain or "/" not in kind.word:
            self.doubt(place, f"Content-Type {_TWO_WAYS}")
        word = kind.word if "/" in kind.word else "text/plain"
        known = _PARAMETERS.get(word.partition("/")[0], set())
        if word == "multipart/related" and kind.parameters.get("type") == "text/html":
            known = {*known, "type"}
        for more in sorted(kind.parameters.keys() - known):
            self.doubt(place, f"Content-Type has a parameter more, {more[:40]}")
        return replace(kind, word=word)

    def part_fields(self, header: Header, kind: str, *, place: str) -> None:
        """Name the fields that no part of its kind has."""
        known = {"content-type", "content-transfer-encoding", "content-language"}
        if not kind.startswith("multipart/"):
            known.add("content-disposition")
            disposition = read_value(header.first("content-disposition") or "inline")
            is_text = kind.startswith("text/") or place == _TOP
            allowed = set() if is_text else {"filename"}
            more = disposition.parameters.keys() - allowed
            if disposition.word != "inline" or more or not disposition.certain:
                self.doubt(place, "it may be shown as a file")
            if not is_text:
                known.add("content-id")
        for name, _ in header.fields:
            outside = place != _TOP and name != "mime-version" and not is_trace(name)
            if name not in known and (outside or name.startswith("content-")):
                self.doubt(place, f"there is a field more, {shown(name)}")

    def entities(self, body: bytes, boundary: str, *, place: str) -> Iterator[bytes]:
        """Cut a body at its boundary (RFC 2046 §5.1.1)."""
        mark = re.escape(boundary.encode())
        start = None
        for line in re.finditer(rb"^--" + mark + rb"(--)?([^\n]*)$", body, re.MULTILINE):
            if line[2]:  # a program that looks at the beginning of a line only ends a part here
                self.doubt(place, "a line begins with its boundary and goes on")
                if line[2].strip(b" \t"):
                    continue
            if start is not None:
                yield body[start : max(start, line.start() - 1)]
            else:
                self.blank(body[: line.start()], "before its first part", place=place)
            start = line.end() + 1
            if line[1]:
                self.blank(body[start:], "after its last part", place=place)
                return
        self.doubt(place, "its last part has no end")
        if start is not None:
            yield body[start:]

    def blank(self, between: bytes, where: str, *, place: str) -> None:
        """Look at what stands outside the parts, where some programs show it."""
        if between.strip():
            self.doubt(place, f"something stands {where}")

    def data(self, body: bytes, kind: Value, how: tuple[str, str]) -> bytes | None:
        """Undo encoding (RFC 2045 §6) and charset; `how` is the encoding, and the place."""
        encoding, place = how
        data: bytes | None = body
        certain = encoding in _AS_IS
        if encoding == "quoted-printable":
            data, certain = from_quoted_printable(body)
        elif encoding == "base64":
            data, certain = from_base64(body)
        if not certain:
            self.doubt(place, f"its encoding {_TWO_WAYS}")
        if kind.word.startswith("text/") and data is not None:
            data, certain = from_charset(data, kind.parameters.get("charset", ""))
            if not certain:
                self.doubt(place, f"its charset {_TWO_WAYS}")
        return data

    def leaf(self, header: Header, data: bytes | None, *, kind: str) -> None:
        """Put one part to the others."""
        if len(self.parts) == _PARTS:
            message = f"has more than {_PARTS} parts"
            raise ValueError(message)
        name = clean_line(header.first("content-id") or "")
        file = read_value(header.first("content-disposition") or "").parameters.get("filename", "")
        id_ = name.removeprefix("<").removesuffix(">")
        self.parts.append(Part(media_type=kind, id=id_, data=data, name=file))
