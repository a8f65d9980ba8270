"""A dialogue on its socket, which never blocks."""

from __future__ import annotations

import ssl
from typing import Final

from digest.transport.account import SmtpAccount
from digest.transport.dialogue import Dialogue
from digest.transport.envelope import Offers
from digest.transport.events import Event
from digest.transport.link import Link

__all__ = ["Connection"]

_READ: Final = 65_536  # more than a TLS record, so that none is left behind in the TLS layer
_RECORD: Final = 16_384  # the most that one TLS record holds (RFC 8446 §5.1)
_WANTS: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class Connection:
    """One connection of a pool.

    `is_stalled` tells that something is to be sent and the system had no room for it, `is_watched`
    that its owner waits for room; `offered` counts its messages, and `is_proven` tells that one of
    them was taken.
    """

    def __init__(self, link: Link, account: SmtpAccount, *, patience: float) -> None:
        self.sock = link.sock
        self.sock.settimeout(0.0)
        self.dialogue = Dialogue(
            where=account.name,
            offers=Offers.of(link.esmtp_features),
            timeout=account.timeout,
            patience=patience,
            secrets=link.secrets,
        )
        self.is_stalled = False
        self.is_watched = False
        self.is_proven = False
        self.offered = 0
        self._secure = self.sock if isinstance(self.sock, ssl.SSLSocket) else None

    def flush(self, now: float) -> None:
        """Send as much as there is room for."""
        dialogue = self.dialogue
        self.is_stalled = False
        while dialogue.outgoing:
            try:
                count = self._send()
            except _WANTS:
                dialogue.sent(0, now)
                self.is_stalled = True
                return
            except OSError:
                dialogue.broken(now)
                return
            dialogue.sent(count, now)

    def read(self, now: float) -> list[Event]:
        """Hear what came."""
        try:
            octets = self.sock.recv(_READ)
        except _WANTS:
            return []
        except OSError:
            return self.dialogue.lost("broke the connection")
        return self.dialogue.take(octets, now) if octets else self.dialogue.lost("hung up")

    def close(self) -> None:
        """Close without a word."""
        self.sock.close()

    def _send(self) -> int:
        parts = self.dialogue.outgoing.parts
        if self._secure is None:
            return self.sock.sendmsg(parts)
        # The end of the content and what follows it make one record.
        first = parts[0] if len(parts[0]) >= _RECORD else b"".join(parts)
        return self._secure.send(first)
