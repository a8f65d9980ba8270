"""What a relay can be told, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

__all__ = ["OFFERS", "USUAL", "Kept", "Turn", "What"]

What = Literal[
    "CONNECT",
    "EHLO",
    "HELO",
    "STARTTLS",
    "CHALLENGE",
    "AUTH",
    "MAIL",
    "RCPT",
    "DATA",
    "END",
    "RSET",
    "QUIT",
]

OFFERS = ("8BITMIME", "SIZE 10485760", "PIPELINING", "SMTPUTF8", "ENHANCEDSTATUSCODES")
USUAL = {
    "CONNECT": "220 relay.example ESMTP ready",
    "HELO": "250 relay.example",
    "STARTTLS": "220 2.0.0 begin",
    "AUTH": "235 2.7.0 welcome",
    "MAIL": "250 2.1.0 sender taken",
    "RCPT": "250 2.1.5 recipient taken",
    "DATA": "354 end with a dot",
    "END": "250 2.0.0 taken",
    "RSET": "250 2.0.0 forgotten",
    "QUIT": "221 2.0.0 farewell",
}


@dataclass(slots=True, kw_only=True)
class Turn:
    """One thing the relay was told: what it answers to which event.

    Which time it answers: `to` limits it to one recipient, `message` to the n-th mail of a session;
    `skip` lets the first n fits pass, `times` ends it after n (0: never).

    What it does: without an answer it gives the usual one; an empty one is silence for good. `also`
    goes out in the same packet, `pace` seconds lie before each octet, and `close` ends the
    connection after it. `before` is called first (after a mail was kept): it may wait, or change
    the world.
    At END, `keep` stores the mail whatever the answer. At DATA, `halt` is called before content is
    read, and `cut` ends the connection once n octets of it came, after the last `words`. At
    STARTTLS, `instead` follows in place of TLS, and then the end.
    """

    event: What
    answer: str | None = None
    to: str = ""
    message: int = 0
    skip: int = 0
    times: int = 0
    keep: bool = False
    close: bool = False
    cut: int = 0
    words: str = ""
    halt: Callable[[], object] | None = None
    pace: float = 0.0
    also: bytes = b""
    instead: bytes | None = None
    before: Callable[[], object] | None = None
    fits: int = 0

    def takes(self, event: str, to: tuple[str, ...], message: int) -> bool:
        """Tell whether this turn answers now, and count that it fitted."""
        if event != self.event or (self.message and message != self.message):
            return False
        if self.to and self.to.casefold() not in {address.casefold() for address in to}:
            return False
        self.fits += 1
        return self.fits > self.skip and not (self.times and self.fits > self.skip + self.times)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One mail that the relay took: `data` without stuffed dots; sessions count from 1."""

    sender: str
    recipients: tuple[str, ...]
    data: bytes
    session: int
    options: str = ""
