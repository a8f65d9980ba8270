"""One message made ready for the wire: its commands (RFC 5321 §3.3), and its stuffed content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import IncrementalNewlineDecoder
from typing import Final

from digest.model import Message, Outcome

__all__ = ["Letter", "Offers", "without_a_word"]

# What stands between the angle brackets of a command. Quoted local parts were refused long before.
_ADDRESS: Final = re.compile(r"[^\s<>\x00-\x20\x7f]+@[^\s<>\x00-\x20\x7f]+\Z")
_DIGITS: Final = 20  # a size of more is no limit (RFC 1870 §4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """What a relay offers after EHLO; `size` is the largest message in octets, 0 without limit."""

    size: int = 0
    pipelining: bool = False
    smtputf8: bool = False
    eightbit: bool = False

    @classmethod
    def of(cls, features: dict[str, str]) -> Offers:
        """Read the keywords in small letters, each with its parameters."""
        size = features.get("size", "")
        return cls(
            size=int(size) if size.isdecimal() and len(size) < _DIGITS else 0,
            pipelining="pipelining" in features,
            smtputf8="smtputf8" in features,
            eightbit="8bitmime" in features,
        )


@dataclass(slots=True, kw_only=True)
class Letter:
    """A message in hand.

    `is_wide` tells that it is not ASCII alone,
    `is_addressed` that the relay took its recipient, `is_settled` that it was answered,
    `is_ready` that its content is waited for, `is_dropped` that it must not be sent. `end` counts
    the octets up to the end of its dot.
    """

    position: int
    sender: str
    commands: tuple[bytes, bytes, bytes]
    content: bytes
    is_wide: bool
    is_addressed: bool = False
    is_settled: bool = False
    is_ready: bool = False
    is_dropped: bool = False
    end: int = 0

    @classmethod
    def of(cls, position: int, message: Message) -> Letter:
        """Make a message ready; raise ValueError for a CR or LF that stands alone."""
        is_wide = _is_wide(message)
        mail = f"MAIL FROM:<{message.sender}>{_options(message) if is_wide else ''}\r\n"
        rcpt = f"RCPT TO:<{message.recipient}>\r\n"
        return cls(
            position=position,
            sender=message.sender,
            commands=(mail.encode(), rcpt.encode(), b"DATA\r\n"),
            content=message.data if message.is_plain else _stuffed(message.data),
            is_wide=is_wide,
        )

    @property
    def last(self) -> bytes:
        """Give the dot that stands alone (RFC 5321 §4.1.1.4), on a line of its own."""
        is_ended = self.content.endswith(b"\r\n") or not self.content
        return b".\r\n" if is_ended else b"\r\n.\r\n"


def without_a_word(offers: Offers, message: Message, *, is_wide: bool) -> Outcome | None:
    """Say what becomes of a message that the relay need not be asked about; None for others.

    That is one larger than the relay takes (RFC 1870 §4), and one that it cannot address: beyond
    ASCII without SMTPUTF8 (RFC 6531 §3.2) or 8BITMIME (RFC 6152), or what no command can hold.
    `is_wide` is what its letter says.
    """
    if not _ADDRESS.match(message.recipient):
        return Outcome(state="unsupported", text="no command can hold this address")
    if is_wide and not offers.smtputf8:
        text = "the relay takes no addresses beyond ASCII (SMTPUTF8 was not offered)"
        return Outcome(state="unsupported", text=text)
    if is_wide and not (offers.eightbit or message.data.isascii()):
        text = "the relay takes no content beyond ASCII (8BITMIME was not offered)"
        return Outcome(state="unsupported", text=text)
    size = len(message.data)
    if 0 < offers.size < size:
        text = f"{size} octets are more than the {offers.size} that the relay takes"
        return Outcome(state="refused", code=552, enhanced="5.3.4", text=text)
    return None


def _is_wide(message: Message) -> bool:
    return not (message.recipient.isascii() and message.sender.isascii() and message.data.isascii())


def _options(message: Message) -> str:
    """Give the parameters of MAIL for a wide message (RFC 6531 §3.4, RFC 6152 §2)."""
    return " SMTPUTF8" if message.data.isascii() else " SMTPUTF8 BODY=8BITMIME"


def _stuffed(data: bytes) -> bytes:
    """Double each dot that begins a line (RFC 5321 §4.5.2).

    Raise ValueError for a CR or LF that stands alone: relays differ in what they take for a line's
    end, and one mail could become two.
    """
    ends = IncrementalNewlineDecoder(None, translate=False)  # the quickest way to tell
    ends.decode(data.decode("latin-1"), final=True)
    if ends.newlines not in {None, "\r\n"}:
        raise ValueError("a CR or LF stands alone in the message")
    if b"\r\n." in data:  # seldom: our own encoder lets no line begin with one
        data = data.replace(b"\r\n.", b"\r\n..")
    return b"." + data if data.startswith(b".") else data
