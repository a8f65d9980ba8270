"""The mail of a published issue as one reader gets it, read by a parser that is not ours."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

from cases.forms import Issue

from digest.mime import message_id, reader_message
from digest.model import IssueKey, Mailbox, Message
from digest.publish.editions import material_from, read_kept

__all__ = ["general_mail", "mail_to", "read_mail", "read_part", "wire_lines"]

_BEGAN = datetime(2027, 1, 18, 8, 0, tzinfo=UTC)


def mail_to(issue: Issue, to: Mailbox, *, unsubscribe: tuple[str, ...] = ()) -> Message:
    """Make the message of an issue for a reader."""
    kept = read_kept(issue.root / "outbox" / issue.key, root=issue.root)
    newsletter = material_from(kept).newsletter
    return reader_message(
        kept.edition,
        newsletter=newsletter,
        to=to,
        message_id=message_id(
            b"a key of the cases",
            issue=IssueKey(issue.key),
            address=to.address,
            domain=newsletter.sender.domain,
        ),
        date=_BEGAN,
        unsubscribe=unsubscribe,
    )


def general_mail(issue: Issue) -> bytes:
    """Give the bytes of the general copy in the outbox."""
    return (issue.root / "outbox" / issue.key / "issue.eml").read_bytes()


def read_mail(data: bytes) -> EmailMessage:
    """Parse a message with the standard library; no part of it may have a defect."""
    parsed = message_from_bytes(data, policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    for part in parsed.walk():
        assert part.defects == []
        for name, value in part.items():
            assert not getattr(value, "defects", ()), name
    return parsed


def read_part(data: bytes, kind: str) -> str:
    """Give the decoded text of a message's `plain` or `html` part, line ends as in files."""
    part = read_mail(data).get_body((kind,))
    assert part is not None
    text = part.get_content()
    assert isinstance(text, str)
    return text.replace("\r\n", "\n")


def wire_lines(data: bytes) -> list[bytes]:
    """Give a message's lines; no CR and no LF may stand alone, and no octet beyond ASCII."""
    assert not re.search(rb"\r(?!\n)|(?<!\r)\n|\0|[\x80-\xff]", data)
    return data.split(b"\r\n")
