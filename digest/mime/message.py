"""One edition, one message for each reader, and the general copy that belongs to none."""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime
from typing import Final

from digest.errors import DigestError
from digest.mime.body import enclosed_in, message_body
from digest.mime.fields import header_line, id_line, list_id_line, mailbox_text, uri_list
from digest.mime.wire import wire_faults
from digest.model import Edition, IssueKey, Mailbox, Message, Newsletter, reader_key
from digest.model.summary import refuse_naive
from digest.render.addresses import leave_url
from digest.render.fields import refill

__all__ = ["Strip", "general_copy", "message_id", "reader_message"]

_HTML: Final = "issue.html"
_TEXT: Final = "issue.txt"
_ID_LENGTH: Final = 18  # base32 digits: 90 bits
# What may say `<body` and is no element is taken whole, to be passed over.
_BODY: Final = re.compile(
    rb"<!--.*?-->|<(style|script|title)\b.*?</\1\s*>"
    rb"|(?P<body><body\b(?:[^\"'<>]|\"[^\"]*\"|'[^']*')*>)",
    re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """What stands above an issue in a test, or in a notice to editors: as HTML and as text."""

    html: str
    text: str


def message_id(key: bytes, *, issue: IssueKey, address: str, domain: str) -> str:
    """Name the message of an issue for a reader: the same each time, and telling nobody who.

    It is `<ISSUE.x@DOMAIN>` (RFC 5322 §3.6.4), x being 18 base32 digits of the HMAC-SHA256 of
    issue and reader under a secret key.
    """
    whom = f"{issue}|{reader_key(address)}".encode()
    digits = b32encode(hmac.digest(key, whom, "sha256")).decode().lower()
    return f"<{issue}.{digits[:_ID_LENGTH]}@{domain}>"


def general_copy(edition: Edition, *, newsletter: Newsletter, html: bytes, text: bytes) -> bytes:
    """Build the message that belongs to no reader: what the archive and the editor look at.

    Date is the slot; the Message-ID is `<ISSUE.general@DOMAIN>`; the boundary comes from the
    parts, so that equal inputs give equal bytes. Raise DigestError if the bytes break a rule of
    the wire.
    """
    domain = newsletter.sender.domain
    head = [
        b"To: undisclosed-recipients:;\r\n",
        header_line("Subject", edition.subject),
        _date_line(edition.slot),
        id_line(f"<{edition.key}.general@{domain}>"),
    ]
    leave = (leave_url(newsletter),)
    whole = replace(edition, files={**edition.files, _HTML: html, _TEXT: text})
    return _checked(
        [_from_line(newsletter), *head, *_list_fields(newsletter, leave), _edition_line(whole)],
        _body(whole, html, text),
        where=f"{edition.key} issue.eml",
    )


def reader_message(  # noqa: PLR0913 - what differs between two messages of an issue, all by name
    edition: Edition,
    *,
    newsletter: Newsletter,
    to: Mailbox,
    message_id: str,
    date: datetime,
    unsubscribe: tuple[str, ...] = (),
    strip: Strip | None = None,
    test: bool = False,
) -> Message:
    """Build one reader's message: the general copy with its merge fields filled in.

    `date` is shown in the newsletter's zone. `unsubscribe` are the addresses at which this reader
    leaves, the best first (default: by mail); one-click (RFC 8058) is offered where that is https.
    The boundary is that of the general copy. Equal arguments give equal bytes. Raise ValueError
    for an address or a Message-ID that cannot stand in a header field, or for a `date` without a
    zone; raise DigestError if the bytes break a rule of the wire.
    """
    refuse_naive(date)
    leave = unsubscribe or (leave_url(newsletter),)
    values = {"leave_url": leave[0], "name": to.name, "address": to.address}
    html, text = _filled(edition, values)
    if strip is not None:
        html, text = _topped(html, text, strip)
    fields = [
        _from_line(newsletter),
        f"To: {mailbox_text(to)}\r\n".encode(),
        header_line("Subject", edition.subject),
        _date_line(date.astimezone(newsletter.zone)),
        id_line(message_id),
        *_list_fields(newsletter, leave),
        _edition_line(edition),
        *([b"X-Digest-Test: 1\r\n"] if test else []),
    ]
    where = f"{edition.key} for {to.address}"
    data = _checked(fields, _body(edition, html, text), where=where)
    return Message(id=message_id, sender=newsletter.sender.address, recipient=to.address, data=data)


def _filled(edition: Edition, values: Mapping[str, str]) -> tuple[bytes, bytes]:
    return (
        refill(edition.files[_HTML], edition.fields.get(_HTML, ()), values, as_html=True),
        refill(edition.files[_TEXT], edition.fields.get(_TEXT, ()), values, as_html=False),
    )


def _topped(html: bytes, text: bytes, strip: Strip) -> tuple[bytes, bytes]:
    starts = (match.end() for match in _BODY.finditer(html) if match["body"])
    start = next(starts, 0)
    return (
        html[:start] + strip.html.encode() + html[start:],
        strip.text.strip("\n").encode() + b"\n\n" + text,
    )


def _from_line(newsletter: Newsletter) -> bytes:
    return f"From: {mailbox_text(newsletter.sender)}\r\n".encode("ascii")


def _date_line(moment: datetime) -> bytes:
    return f"Date: {format_datetime(moment)}\r\n".encode("ascii")


def _list_fields(newsletter: Newsletter, leave: tuple[str, ...]) -> list[bytes]:
    """Give what makes a mail one of a list (RFC 2369, 2919, 3834, 8058), and where answers go."""
    fields = []
    if newsletter.reply_to:
        fields.append(f"Reply-To: {newsletter.reply_to}\r\n".encode("ascii"))
    fields += [
        list_id_line(newsletter.name, newsletter.list_id),
        uri_list("List-Unsubscribe", leave),
    ]
    if leave[0].startswith("https:"):
        fields.append(b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n")
    return [
        *fields,
        uri_list("List-Help", (newsletter.site_url,)),
        uri_list("List-Archive", (newsletter.site_url,)),
        b"List-Post: NO\r\n",
        b"Auto-Submitted: auto-generated\r\n",
        b"Precedence: list\r\n",
    ]


def _edition_line(edition: Edition) -> bytes:
    """Name the edition by its issue and its imprint, so that a mail can be told by it later."""
    return f"X-Digest-Edition: {edition.key}\r\n sha256:{edition.imprint}\r\n".encode("ascii")


def _body(edition: Edition, html: bytes, text: bytes) -> bytes:
    general = edition.files[_HTML], edition.files[_TEXT]
    return message_body(html, text, pictures=enclosed_in(general[0], edition.files), of=general)


def _checked(fields: list[bytes], rest: bytes, *, where: str) -> bytes:
    message = b"".join(fields) + rest
    if faults := wire_faults(message):
        raise DigestError("; ".join(faults), where=where)
    return message
