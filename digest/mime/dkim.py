"""Signatures of messages (DKIM, RFC 6376 and RFC 8463): all that can be is made once an edition.

The canonical form is relaxed for header and body. What a mail program shows, and what its buttons
do, is signed, and signed once more than it stands there, so that nobody can add another (§5.4.2).
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal

__all__ = ["Algorithm", "Blank", "Seal", "Signer", "make_seal", "relaxed_field"]

Algorithm = Literal["rsa-sha256", "ed25519-sha256"]

# Of these nobody may add another to a message.
_SEALED: Final = tuple(
    b"from to subject date message-id reply-to cc mime-version content-type"
    b" content-transfer-encoding list-id list-unsubscribe list-unsubscribe-post".split()
)
_SIGNED: Final = (*_SEALED, b"feedback-id", b"auto-submitted")
_LINE: Final = 76
_FOLD: Final = b"\r\n "
_DIGITS: Final = 72  # of base64 on a line
_FIELD: Final = re.compile(rb"([!-9;-~]+):((?:[^\r\n]|\r\n[ \t])*)\r\n")
_BLANKS: Final = re.compile(rb"[ \t\r\n]+")
_LABEL: Final = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME: Final = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """Whose signature it is: `domain` (in A-labels) answers for it, `selector` names its key there.

    `sign` gets a SHA-256 digest and gives the octets of its signature.
    Both names are in small letters; raise ValueError for what can be no name in the DNS.
    """

    domain: str
    selector: str
    algorithm: Algorithm
    sign: Callable[[bytes], bytes]

    def __post_init__(self) -> None:
        for name in (self.domain, self.selector):
            if not _NAME.match(name):
                raise ValueError(f"{name!r} is no name in the DNS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blank:
    """A DKIM-Signature that lacks its signature alone: that of `digest`, by SHA-256."""

    start: bytes
    digest: bytes

    def field(self, signature: bytes) -> bytes:
        """Give the whole field, to stand above all others of its message."""
        digits = b64encode(signature)
        lines = [digits[at : at + _DIGITS] for at in range(0, len(digits), _DIGITS)]
        return b"%b;\r\n b=%b\r\n" % (self.start, _FOLD.join(lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What the signatures of all messages of an edition have in common.

    `signed` is the canonical form of the fields that all share. `openings` gives, by the names of a
    reader's own fields, how a signature begins, up to the body's hash: as sent, and canonical.
    """

    signer: Signer
    signed: bytes
    openings: Mapping[tuple[bytes, ...], tuple[bytes, bytes]]

    def blank(self, own: Sequence[bytes], *, body: bytes) -> Blank:
        """Give the DKIM-Signature of a message but for its signature.

        `own` are the reader's own fields, one of the sets that `make_seal` got, in its order.
        `body` is the SHA-256 digest of a body that is its own relaxed canonical form. Equal
        arguments give equal bytes: both algorithms sign without chance.
        """
        canonical = [relaxed_field(line) for line in own]
        names = tuple(line.partition(b":")[0] for line in canonical)
        opening, relaxed = self.openings[names]
        body_hash = b64encode(body)
        # §3.7: the field itself comes last, its own signature empty, without its line end.
        hashed = b"%b%b%b%b; b=" % (self.signed, b"".join(canonical), relaxed, body_hash)
        return Blank(start=opening + body_hash, digest=sha256(hashed).digest())


def make_seal(
    signer: Signer, *, common: bytes, own: Sequence[Sequence[bytes]], date: datetime
) -> Seal:
    """Prepare the signatures of messages that share the header fields `common`.

    `own` are the sets of names, in small letters, that the fields of a reader may have. `date` is
    when the signatures say they were made (`t=`), to the second.
    """
    shared = {match[1].lower(): match[0] for match in _FIELD.finditer(common)}
    names = [name for name in _SIGNED if name in shared]
    return Seal(
        signer=signer,
        signed=b"".join(relaxed_field(shared[name]) for name in names),
        openings={tuple(more): _opening(signer, [*names, *more], date) for more in own},
    )


def relaxed_field(line: bytes) -> bytes:
    """Give the relaxed canonical form of a header field with its line end (RFC 6376 §3.4.2)."""
    name, _, value = line.partition(b":")
    return b"%b:%b\r\n" % (name.strip().lower(), _BLANKS.sub(b" ", value).strip(b" "))


def _opening(signer: Signer, present: list[bytes], date: datetime) -> tuple[bytes, bytes]:
    """Write a signature up to the hash of the body: as it is sent, and canonical."""
    names = [*present, *_SEALED]  # each once more than it stands there
    start = (
        f"DKIM-Signature: v=1; a={signer.algorithm}; c=relaxed/relaxed; d={signer.domain};"
        f"\r\n s={signer.selector}; t={int(date.timestamp())};\r\n h="
    ).encode("ascii")
    lines = [b""]
    for name in names:
        if len(lines[-1]) + len(name) > _LINE - len(" h=") - len(":;"):
            lines.append(b"")
        lines[-1] += name + b":"
    opening = start + _FOLD.join(lines).removesuffix(b":") + b";\r\n bh="
    return opening, relaxed_field(opening).removesuffix(b"\r\n")
