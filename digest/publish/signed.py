"""What a signature of ours says was signed, and whether that is still as it was (RFC 6376)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from digest.mime.dkim import relaxed_field

__all__ = ["Octets", "Signature", "broken_fields", "relaxed_body", "signature_of", "split_mail"]

_ENVELOPE: Final = re.compile(rb">?From [^\n]*\r\n")  # what mailbox files put above a mail
_FIELD: Final = re.compile(rb"([!-9;-~]+)[ \t]*:(?:[^\r\n]|\r\n[ \t])*\r\n")
_BLANKS: Final = re.compile(rb"[ \t]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Octets:
    """A mail by its fields, each with its name in small letters and its octets, and its body."""

    fields: tuple[tuple[str, bytes], ...]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """A DKIM-Signature: the names of what it signs, in their order, and its canonical form."""

    names: tuple[str, ...]
    canonical: bytes

    def is_same(self, raw: bytes) -> bool:
        """Tell whether a field is this signature, however it is folded."""
        return _canonical(raw) == self.canonical


def split_mail(data: bytes) -> Octets:
    """Part a mail with any line ends; lines of the header that are no field are passed over."""
    lines = re.sub(rb"\r\n|\r|\n", b"\r\n", data)
    if envelope := _ENVELOPE.match(lines):
        lines = lines[envelope.end() :]
    head, _, body = lines.partition(b"\r\n\r\n")
    fields = (
        (found[1].decode("ascii").lower(), found[0]) for found in _FIELD.finditer(head + b"\r\n")
    )
    return Octets(fields=tuple(fields), body=body)


def signature_of(mail: Octets) -> Signature | None:
    """Give the first signature of a mail, None where it has none."""
    raw = next((raw for name, raw in mail.fields if name == "dkim-signature"), None)
    if raw is None:
        return None
    tags = (tag.partition(b"=") for tag in raw.partition(b":")[2].split(b";"))
    named = {name.strip(): value for name, _, value in tags}
    names = named.get(b"h", b"").decode("ascii", "replace").lower()
    return Signature(
        names=tuple(name.strip() for name in names.split(":")), canonical=_canonical(raw)
    )


def broken_fields(signature: Signature, left: Octets, came: Octets) -> Iterator[str]:
    """Name each field whose signed values are not those that left, once."""
    before, after = _signed(signature, left), _signed(signature, came)
    differ = (
        name for name, one, two in zip(signature.names, before, after, strict=True) if one != two
    )
    yield from dict.fromkeys(differ)


def _signed(signature: Signature, mail: Octets) -> Iterator[bytes]:
    """Give the canonical forms of what is signed: of several the last first (§5.4.2)."""
    rest: dict[str, list[bytes]] = {}
    for name, raw in mail.fields:
        rest.setdefault(name, []).append(raw)
    for name in signature.names:
        raws = rest.get(name)
        yield relaxed_field(raws.pop()) if raws else b""


def _canonical(raw: bytes) -> bytes:
    """Give the canonical form of a signature; blanks within its base64 are nothing (§3.5)."""
    name, _, value = relaxed_field(raw).partition(b":")
    return name + b":" + value.replace(b" ", b"")


def relaxed_body(body: bytes) -> bytes:
    """Give the relaxed canonical form of a body with CRLF line ends (§3.4.4)."""
    lines = [_BLANKS.sub(b" ", line).rstrip(b" ") for line in body.split(b"\r\n")]
    while lines and not lines[-1]:
        lines.pop()
    return b"".join(line + b"\r\n" for line in lines)
