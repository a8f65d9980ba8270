"""The header of an edition's messages: what all have in common, and what is each reader's own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from email.utils import format_datetime

from digest.mime.fields import header_line, list_id_line, mailbox_text, uri_list
from digest.model import Edition, Newsletter

__all__ = ["common_fields", "leave_lines"]


def common_fields(
    edition: Edition, *, newsletter: Newsletter, moment: datetime, test: bool = False
) -> tuple[bytes, bytes, bytes, bytes]:
    """Give the fields that all messages of an edition share, in four pieces.

    Between them belong To, then Message-ID, then the fields of `leave_lines`. `moment` is shown in
    its own zone. The fields of MIME come with the body.
    """
    answers = f"Reply-To: {newsletter.reply_to}\r\n".encode("ascii") if newsletter.reply_to else b""
    # Issue and imprint, so that a mail can be told by them later.
    named = f"X-Digest-Edition: {edition.key}\r\n sha256:{edition.imprint}\r\n".encode("ascii")
    return (
        f"From: {mailbox_text(newsletter.sender)}\r\n".encode("ascii"),
        header_line("Subject", edition.subject)
        + f"Date: {format_datetime(moment)}\r\n".encode("ascii"),
        answers + list_id_line(newsletter.name, newsletter.list_id),
        uri_list("List-Help", (newsletter.site_url,))
        + uri_list("List-Archive", (newsletter.site_url,))
        + b"List-Post: NO\r\n"
        + b"Auto-Submitted: auto-generated\r\n"
        + b"Precedence: list\r\n"
        + named
        + (b"X-Digest-Test: 1\r\n" if test else b""),
    )


def leave_lines(leave: Sequence[str]) -> tuple[bytes, ...]:
    """Give the fields by which a reader leaves (RFC 2369 §3.2): one click where https comes first.

    The second field, of RFC 8058, stands there alone.
    """
    first = uri_list("List-Unsubscribe", leave)
    if leave[0].startswith("https:"):
        return (first, b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n")
    return (first,)
