"""Send an issue as a test: to its editors or one address, to no reader, and no ledger knows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from digest.delivery import Watch, connect, offer
from digest.errors import UsageError
from digest.mime import cut_stencil, message_id, parse_address
from digest.model import IssueKey, Mailbox, Message, Outcome
from digest.publish.editions import material_from, read_kept
from digest.publish.notice import Stripped, strip_of
from digest.publish.project import Project, missing
from digest.publish.secret import read_key
from digest.publish.signing import present_signer
from digest.transport import Transport

__all__ = ["Trial", "send_test", "testers"]

_MOST: Final = 5  # a test goes to those who make the letter, not to a list


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of a test: to whom, and what was answered for each, in the same order."""

    key: IssueKey
    to: tuple[Mailbox, ...]
    outcomes: tuple[Outcome, ...]


def testers(project: Project, to: str) -> tuple[Mailbox, ...]:
    """Give who gets a test: the address, else the editors of the settings, five at most.

    Raise UsageError for an address that is none, and where there is no editor.
    """
    if to:
        try:
            return (Mailbox(address=parse_address(to)),)
        except ValueError as error:
            raise UsageError(
                f"{to!r} {error}", where="--test", fix="write it as name@example.org"
            ) from error
    if not project.settings.editors:
        raise UsageError(
            "no editor is set to send a test to",
            where=f"{project.settings.file_name}: desk.editors",
            fix="name an address: `digest send --test you@example.org`",
        )
    return project.settings.editors[:_MOST]


def send_test(
    project: Project, key: IssueKey, *, to: str, transport: Transport, watch: Watch
) -> Trial:
    """Send the edition in the outbox with its true subject, marked as a test in body and header.

    It is signed as an issue is, and holds nobody's name, address or link but the tester's own.
    Raise UsageError where nothing is built, or a key that signs cannot be used; raise
    TransportError where nothing could be handed over.
    """
    mailboxes = testers(project, to)
    if not project.folder(key).is_dir():
        raise missing("edition", key, f"run `digest build {key}` first")
    messages = _messages(project, key, mailboxes, now=watch.clock())
    try:
        connect(transport, watch)
        outcomes = tuple(offer(transport, messages, watch))
    finally:
        transport.close()
    return Trial(key=key, to=mailboxes, outcomes=outcomes)


def _messages(
    project: Project, key: IssueKey, mailboxes: tuple[Mailbox, ...], *, now: datetime
) -> tuple[Message, ...]:
    kept = read_kept(project.folder(key), root=project.root)
    newsletter = material_from(kept).newsletter
    secret, domain = read_key(project), newsletter.sender.domain
    # Each test is another message: mail programs hide one whose Message-ID they have seen.
    name = IssueKey(f"{key}.test.{now:%Y%m%d%H%M%S}")
    stencil = cut_stencil(
        kept.edition,
        newsletter=newsletter,
        date=now,
        strip=strip_of(project, _STRIP),
        test=True,
        signer=present_signer(project),
    )
    return tuple(
        stencil.message(
            to=to, message_id=message_id(secret, issue=name, address=to.address, domain=domain)
        )
        for to in mailboxes
    )


_STRIP: Final = Stripped(
    title="Test: this copy went to no reader",
    lines=("What stands below is the issue as it is now. Nothing was marked as sent.",),
)
