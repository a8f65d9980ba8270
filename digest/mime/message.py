"""One edition, one message for each reader, and the general copy that belongs to none."""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from digest.errors import DigestError
from digest.mime.body import Text, enclosed_in, message_body
from digest.mime.dkim import Signer
from digest.mime.fields import id_line
from digest.mime.heading import common_fields, leave_lines
from digest.mime.quoted import quoted
from digest.mime.stencil import Strip, cut_stencil
from digest.mime.wire import wire_faults
from digest.model import Edition, IssueKey, Mailbox, Message, Newsletter, reader_key
from digest.render.addresses import leave_url

__all__ = ["general_copy", "message_id", "message_ids", "reader_message"]

_ID_LENGTH: Final = 18  # base32 digits: 90 bits
_ID_OCTETS: Final = 15  # that these are cut from: base32 takes five at a time


def message_id(key: bytes, *, issue: IssueKey, address: str, domain: str) -> str:
    """Name the message of an issue for a reader: see `message_ids`."""
    return message_ids(key, issue=issue, domain=domain)(address)


def message_ids(key: bytes, *, issue: IssueKey, domain: str) -> Callable[[str], str]:
    """Give what names the messages of an issue, by address: the same each time, telling nobody who.

    A name is `<ISSUE.x@DOMAIN>` (RFC 5322 §3.6.4), x being 18 base32 digits of the HMAC-SHA256 of
    issue and reader under a secret key.
    """
    of_issue = hmac.new(key, f"{issue}|".encode(), "sha256")

    def name(address: str) -> str:
        mac = of_issue.copy()
        mac.update(reader_key(address).encode())
        digits = b32encode(mac.digest()[:_ID_OCTETS]).decode().lower()
        return f"<{issue}.{digits[:_ID_LENGTH]}@{domain}>"

    return name


def general_copy(edition: Edition, *, newsletter: Newsletter, html: bytes, text: bytes) -> bytes:
    """Build the message that belongs to no reader: what the archive and the editor look at.

    Date is the slot; the Message-ID is `<ISSUE.general@DOMAIN>`; the boundary comes from the
    parts, so that equal inputs give equal bytes. `html` and `text` have general values in the
    places of the edition's merge fields; a reader who has the same gets this very body. Raise
    DigestError if the bytes break a rule of the wire.
    """
    whole = replace(edition, files={**edition.files, "issue.html": html, "issue.txt": text})
    first, second, third, last = common_fields(whole, newsletter=newsletter, moment=edition.slot)
    in_html, in_text = (edition.fields.get(name, ()) for name in ("issue.html", "issue.txt"))
    body = message_body(
        Text(data=html, places=in_html),
        Text(data=text, places=in_text),
        pictures=enclosed_in(html, edition.files),
        of=(html, text),
    )
    values = [text[place.start : place.end] for place in in_text]
    values += [html[place.start : place.end] for place in in_html]
    first_piece, *others = body.pieces
    pieces = [
        first,
        b"To: undisclosed-recipients:;\r\n",
        second,
        id_line(f"<{edition.key}.general@{newsletter.sender.domain}>"),
        third,
        *leave_lines((leave_url(newsletter),)),
        last,
        body.fields,
        first_piece,
        *(octets for pair in zip(map(quoted, values), others, strict=True) for octets in pair),
    ]
    message = b"".join(pieces)
    if faults := wire_faults(message):
        raise DigestError("; ".join(faults), where=f"{edition.key} issue.eml")
    return message


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
    signer: Signer | None = None,
) -> Message:
    """Build one message by a stencil of its own: see `cut_stencil` and `Stencil.message`."""
    stencil = cut_stencil(
        edition, newsletter=newsletter, date=date, strip=strip, test=test, signer=signer
    )
    return stencil.message(to=to, message_id=message_id, unsubscribe=unsubscribe)
