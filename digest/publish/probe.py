"""A mail that is sent to see how mail arrives: its exact bytes are kept, to be compared later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Final

from digest.delivery import Watch, connect, offer
from digest.files import write_file
from digest.mime import message_id, reader_message
from digest.model import Edition, IssueKey, Mailbox, Message, Outcome, ThemeId
from digest.publish.carriers import notices_folder
from digest.publish.project import Project
from digest.publish.signing import present_signer
from digest.publish.trial import testers
from digest.transport import Transport

__all__ = ["PREFIX", "Probe", "send_probe"]

PREFIX: Final = "doctor."
# No secret: the name of such a mail is nobody's business and nobody's loss.
_KEY: Final = b"digest doctor"
# What servers on the way are known to change: long lines, blanks at ends, dots at starts, accents.
_SPECIMEN: Final = (
    "A line that ends in two blanks  ",
    ".a line that begins with a dot",
    "From the start of a line, and >From",
    "Ångström, naïve, 物語, — and a line that goes on without a break: " + "tide" * 30,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A mail that was sent: to whom, what was answered, and the file that has its bytes."""

    to: Mailbox
    outcome: Outcome
    file: str
    signed: bool


def send_probe(project: Project, *, to: str, transport: Transport, watch: Watch) -> Probe:
    """Send one mail with the true From to an address, or to the first editor, and keep its bytes.

    It is signed as an issue is; no ledger and no limit knows of it. Raise UsageError where there is
    nobody to send it to, or a key that signs cannot be used; raise TransportError where it could
    not be handed over.
    """
    [mailbox, *_] = testers(project, to)
    message, signed = _message(project, mailbox, now=watch.clock())
    file = notices_folder(project) / f"{message.id.strip('<>').rpartition('@')[0]}.eml"
    try:
        connect(transport, watch)
        # Before it leaves, so that whatever arrives can be compared.
        write_file(file, message.data, root=project.root, mode=0o600)
        [outcome] = offer(transport, (message,), watch)
    finally:
        transport.close()
    return Probe(to=mailbox, outcome=outcome, file=project.shown(file), signed=signed)


def _message(project: Project, to: Mailbox, *, now: datetime) -> tuple[Message, bool]:
    newsletter, signer = project.settings.newsletter, present_signer(project)
    named = message_id(
        _KEY,
        issue=IssueKey(f"{PREFIX}{now:%Y%m%d%H%M%S}"),
        address=to.address,
        domain=newsletter.sender.domain,
    )
    edition = _edition(project, named.strip("<>").rpartition("@")[0], now=now)
    message = reader_message(
        edition, newsletter=newsletter, to=to, message_id=named, date=now, signer=signer
    )
    return message, signer is not None


def _edition(project: Project, name: str, *, now: datetime) -> Edition:
    """Write what the mail says: what it is, and by which name its bytes are kept here.

    The name stands in the text too, for servers that give a mail another Message-ID.
    """
    newsletter = project.settings.newsletter.name
    lines = (
        f"This is no issue of {newsletter}. Its maker sent it to see how mail arrives.",
        "Save it with all its header lines, as a file that ends in .eml, and run",
        "  digest doctor --received FILE",
        f"It is kept as {name}.eml",
        *_SPECIMEN,
    )
    text = "".join(f"{line}\n" for line in lines) + f"-- \n{newsletter}\n"
    shown = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    html = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>How mail arrives</title></head>\n<body>\n{shown}</body></html>\n"
    )
    return Edition(
        key=IssueKey("doctor"),
        number=0,
        slot=now,
        subject=f"[doctor] {newsletter}: how mail arrives",
        preheader="",
        title="",
        summary="",
        theme=ThemeId(""),
        items=(),
        files={"issue.html": html.encode(), "issue.txt": text.encode()},
    )
