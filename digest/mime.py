"""One edition, one message: the bytes of an internet message (RFC 5322, RFC 2045 to 2047)."""

from __future__ import annotations

import re
from base64 import b64encode
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from typing import Final

from digest.errors import DigestError
from digest.model import Edition, Mailbox, Newsletter, clean_line
from digest.render.addresses import leave_url

__all__ = ["general_copy", "header_line", "mailbox_text", "wire_faults"]

_LINE_LIMIT: Final = 998  # RFC 5322 §2.1.1
_FOLD_AT: Final = 76  # RFC 2047 §2, for every line that holds an encoded word
_FOLD: Final = "\r\n "
_WORD_BYTES: Final = 39  # base64 of 39 octets, with its frame, is 64 of the 75 characters allowed
_ATOM_TEXT = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*\Z")  # RFC 5322 §3.2.3, and spaces
_SINGLE = frozenset(
    b"from sender reply-to to cc bcc message-id date subject mime-version content-type".split()
)


def _encoded_words(text: str) -> list[str]:
    """Cut a text into encoded words (RFC 2047 §2), never inside a character."""
    words: list[str] = []
    chunk = b""
    for character in text:
        octets = character.encode()
        if len(chunk) + len(octets) > _WORD_BYTES:
            words.append(f"=?utf-8?b?{b64encode(chunk).decode()}?=")
            chunk = b""
        chunk += octets
    words.append(f"=?utf-8?b?{b64encode(chunk).decode()}?=")
    return words


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and "=?" not in text


def header_line(name: str, value: str) -> bytes:
    """Give one unstructured header field with its CRLF, folded and encoded as needed.

    Encoding is our own, since the standard library's folding loses and adds spaces between
    words. A value that fits on one line in ASCII stays as it is (RFC 5322 §3.6.5, RFC 2047 §5).
    """
    text = clean_line(value)
    if _is_plain(text) and len(name) + 2 + len(text) <= _FOLD_AT:
        return f"{name}: {text}\r\n".encode("ascii")
    folded = _FOLD.join(_encoded_words(text))
    return f"{name}: {folded}\r\n".encode("ascii")


def _phrase(name: str) -> str:
    """Write a display name (RFC 5322 §3.2.5): atoms, a quoted string, or encoded words."""
    text = clean_line(name)
    if not _is_plain(text) or len(text) > _FOLD_AT // 2:
        return _FOLD.join(_encoded_words(text))
    if _ATOM_TEXT.match(text):
        return text
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def mailbox_text(mailbox: Mailbox) -> str:
    """Write a mailbox for a header field; its address is ASCII, without a line break."""
    if not mailbox.name:
        return mailbox.address
    return f"{_phrase(mailbox.name)}\r\n <{mailbox.address}>"


def _parts(html: bytes, text: bytes, boundary: str) -> tuple[bytes, bytes]:
    """Give the Content-Type field and the body: text first, HTML last (RFC 2046 §5.1.4)."""
    message = EmailMessage(policy=SMTP.clone(cte_type="7bit"))
    message.set_content(text.decode(), cte="quoted-printable")
    message.add_alternative(html.decode(), subtype="html", cte="quoted-printable")
    message.set_boundary(boundary)
    for part in message.iter_parts():
        del part["MIME-Version"]  # it belongs to the message alone (RFC 2045 §4)
    _, _, body = message.as_bytes().partition(b"\r\n\r\n")
    return (
        b"Content-Type: multipart/alternative;\r\n boundary=" + f'"{boundary}"\r\n'.encode(),
        body,
    )


def general_copy(edition: Edition, *, newsletter: Newsletter, html: bytes, text: bytes) -> bytes:
    """Build the message that belongs to no reader: what the archive and the editor look at.

    Date is the slot; the Message-ID is `<ISSUE.general@DOMAIN>`; the boundary comes from the
    parts, so that equal inputs give equal bytes. List fields after RFC 2369, 2919 and 3834.
    Raise DigestError if the bytes break a rule of the wire.
    """
    boundary = "digest-" + sha256(text + b"\0" + html).hexdigest()[:32]
    content_type, body = _parts(html, text, boundary)
    sender = mailbox_text(newsletter.sender)
    fields = [
        f"From: {sender}\r\n".encode("ascii"),
        b"To: undisclosed-recipients:;\r\n",
        header_line("Subject", edition.subject),
        f"Date: {format_datetime(edition.slot)}\r\n".encode("ascii"),
        f"Message-ID: <{edition.key}.general@{newsletter.sender.domain}>\r\n".encode("ascii"),
    ]
    if newsletter.reply_to:
        fields.append(f"Reply-To: {newsletter.reply_to}\r\n".encode("ascii"))
    fields += [
        f"List-Id: {_phrase(newsletter.name)}\r\n <{newsletter.list_id}>\r\n".encode("ascii"),
        f"List-Unsubscribe: <{leave_url(newsletter)}>\r\n".encode("ascii"),
        f"List-Archive: <{newsletter.site_url}>\r\n".encode("ascii"),
        b"List-Post: NO\r\n",
        b"Auto-Submitted: auto-generated\r\n",
        b"Precedence: list\r\n",
        b"MIME-Version: 1.0\r\n",
        content_type,
    ]
    message = b"".join(fields) + b"\r\n" + body
    if faults := wire_faults(message):
        raise DigestError("; ".join(faults), where=f"{edition.key} issue.eml")
    return message


def wire_faults(message: bytes) -> tuple[str, ...]:
    """Name what in a message's bytes would break on the wire (RFC 5322 §2.1, §3.6); empty if sound.

    Looked at: CR and LF only together, no NUL, lines of at most 998 octets, header lines that
    are fields or continuations, and fields that may stand only once.
    """
    faults: list[str] = []
    if b"\r" in message.replace(b"\r\n", b"") or b"\n" in message.replace(b"\r\n", b""):
        faults.append("a CR or LF stands alone")
    if b"\0" in message:
        faults.append("there is a NUL")
    lines = message.split(b"\r\n")
    if any(len(line) > _LINE_LIMIT for line in lines):
        faults.append(f"a line is longer than {_LINE_LIMIT} octets")
    seen: set[bytes] = set()
    for line in lines[: lines.index(b"") if b"" in lines else None]:
        if line[:1] in {b" ", b"\t"}:
            continue
        name, colon, _ = line.partition(b":")
        if not colon or not re.fullmatch(rb"[!-9;-~]+", name):
            faults.append(f"a header line is no field: {line[:40]!r}")
        elif name.lower() in _SINGLE and name.lower() in seen:
            faults.append(f"{name.decode()} stands twice")
        seen.add(name.lower())
    return tuple(faults)
