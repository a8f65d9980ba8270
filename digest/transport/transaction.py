"""One message, one transaction (RFC 5321 §3.3): MAIL, one RCPT, DATA, the dot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from digest.errors import TransportBusyError, TransportError
from digest.model import Message, Outcome
from digest.transport.reply import GO_ON, NEVER, NOT_NOW, TAKEN, LostError, Reply

if TYPE_CHECKING:
    from digest.transport.link import Link

__all__ = ["AGAIN", "transact", "without_a_word"]

AGAIN: Final = "nothing of this message was taken; try again in a while"
_SERVICE_ENDS: Final = 421
# What stands between the angle brackets of a command. Quoted local parts were refused long before.
_ADDRESS: Final = re.compile(r"[^\s<>\x00-\x20\x7f]+@[^\s<>\x00-\x20\x7f]+\Z")


def without_a_word(link: Link, message: Message) -> Outcome | None:
    """Say what becomes of a message that the relay need not be asked about; None for others.

    That is one larger than the relay takes (RFC 1870 §4), and one that it cannot address: beyond
    ASCII without SMTPUTF8 (RFC 6531 §3.2), or what no command can hold.
    """
    if not _ADDRESS.match(message.recipient):
        return Outcome(state="unsupported", text="no command can hold this address")
    if _is_wide(message) and not link.has_extn("smtputf8"):
        text = "the relay takes no addresses beyond ASCII (SMTPUTF8 was not offered)"
        return Outcome(state="unsupported", text=text)
    size, limit = len(message.data), link.esmtp_features.get("size", "")
    if limit.isdecimal() and 0 < int(limit) < size:
        text = f"{size} octets are more than the {limit} that the relay takes"
        return Outcome(state="refused", code=552, enhanced="5.3.4", text=text)
    return None


def transact(link: Link, message: Message, *, where: str, patience: float) -> tuple[Outcome, bool]:
    """Hand one message over; tell what became of it, and whether the connection may go on.

    `patience` is how many seconds to wait for the answer to the final dot. Raise TransportError
    where the relay refuses the sender, TransportBusyError where it is done with us for now, and
    LostError where the connection broke before the dot went out.
    """
    content = _stuffed(message.data)
    wide = _is_wide(message)
    link.command_encoding = "utf-8" if wide else "ascii"
    reply = _ask(link, f"MAIL FROM:<{message.sender}>{_options(message)}", where=where)
    if reply.kind == NEVER and wide:
        # It may mean the addresses alone (RFC 6531 §3.5): no reason to stop for all others.
        return reply.outcome("unsupported"), _forget(link)
    if reply.kind in {NOT_NOW, NEVER}:
        kind = TransportBusyError if reply.kind == NOT_NOW else TransportError
        what = f"did not accept the sender <{message.sender}>: {reply}"
        raise kind(what, where=where, fix=AGAIN if reply.kind == NOT_NOW else "check [mail] from")
    for command, wanted in ((f"RCPT TO:<{message.recipient}>", TAKEN), ("DATA", GO_ON)):
        reply = _ask(link, command, where=where, wanted=wanted)
        if reply.kind != wanted:
            return reply.outcome("refused" if reply.kind == NEVER else "pending"), _forget(link)
    if link.has_more:
        raise LostError("answered what was not yet asked")
    return _pour(link, content, patience=patience)


def _pour(link: Link, content: bytes, *, patience: float) -> tuple[Outcome, bool]:
    try:
        link.pour(content)
    except LostError:
        reply = link.last_words()
        if reply.kind == NEVER:
            return reply.outcome("refused"), False
        raise
    try:
        reply = link.answer(patience)
    except LostError as error:
        return Outcome(state="unknown", text=f"after the final dot the relay {error}"), False
    if reply.kind == TAKEN:
        return reply.outcome("accepted"), True
    if reply.kind == NEVER:
        return reply.outcome("refused"), True
    if reply.kind == NOT_NOW:
        return reply.outcome("pending"), reply.code != _SERVICE_ENDS
    return reply.outcome("unknown"), False


def _ask(link: Link, command: str, *, where: str, wanted: int = TAKEN) -> Reply:
    """Send a command; give a reply that is as wanted, 4yz or 5yz."""
    reply = link.say(command)
    if reply.code == _SERVICE_ENDS:
        raise TransportBusyError(f"ended the session: {reply}", where=where, fix=AGAIN)
    if reply.kind not in {wanted, NOT_NOW, NEVER}:
        raise LostError(f"answered {str(reply)[:60]!r} to {command.partition(' ')[0]}")
    return reply


def _forget(link: Link) -> bool:
    """Say RSET, so that nothing of this message is left; tell whether the connection stands."""
    try:
        return link.say("RSET").kind == TAKEN
    except LostError:
        return False


def _is_wide(message: Message) -> bool:
    return not (message.recipient.isascii() and message.sender.isascii() and message.data.isascii())


def _options(message: Message) -> str:
    """Give the parameters of MAIL, each with a space before it (RFC 6531 §3.4, RFC 6152 §2)."""
    wide = " SMTPUTF8" if _is_wide(message) else ""
    return wide if message.data.isascii() else f"{wide} BODY=8BITMIME"


def _stuffed(data: bytes) -> bytes:
    """Double each dot that begins a line, and end with a dot alone (RFC 5321 §4.5.2).

    Raise ValueError for a CR or LF that stands alone: relays differ in what they take for a line's
    end, and one mail could become two.
    """
    if not data.count(b"\r") == data.count(b"\n") == data.count(b"\r\n"):
        raise ValueError("a CR or LF stands alone in the message")
    lines = (b"\r\n" + data).replace(b"\r\n.", b"\r\n..")[2:]
    return lines + (b".\r\n" if lines.endswith(b"\r\n") or not lines else b"\r\n.\r\n")
