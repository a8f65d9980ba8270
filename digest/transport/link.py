"""One connection to a relay: smtplib's commands, with our own reading in bounded time."""

from __future__ import annotations

import smtplib
import socket
import ssl
import time
from typing import Final, NoReturn

from digest.transport.account import FAREWELL
from digest.transport.reply import MOST_OCTETS, LostError, Reply, read_reply

__all__ = ["Link"]

_READ: Final = 65_536


class Link(smtplib.SMTP):
    """A connection whose every wait ends.

    smtplib bounds each read, so that a reply of one octet a second holds it for ever; here a reply
    as a whole has `timeout` seconds. LostError tells that the connection gives nothing more.
    """

    sock: socket.socket

    def __init__(self, sock: socket.socket, *, name: str, timeout: float) -> None:
        # With a name of our own smtplib asks no DNS for one.
        super().__init__(local_hostname=name, timeout=timeout)
        self.sock = sock
        self.reply = Reply(code=0)  # the latest
        self.secrets: tuple[str, ...] = ()  # what is shown nowhere, though a reply may hold it
        self._came = b""

    @property
    def is_secure(self) -> bool:
        """Tell whether what is said is encrypted."""
        return isinstance(self.sock, ssl.SSLSocket)

    @property
    def has_more(self) -> bool:
        """Tell whether something came that nobody asked for."""
        return bool(self._came)

    def secure(self, context: ssl.SSLContext, host: str, *, limit: float) -> None:
        """Go on in TLS and forget what was said before (RFC 3207 §4.2); raise OSError."""
        self.sock.settimeout(limit)
        self.sock = context.wrap_socket(self.sock, server_hostname=host)
        self.ehlo_resp, self.esmtp_features, self.does_esmtp = None, {}, False

    def hello(self, verb: str) -> Reply:
        """Say EHLO, and note what is offered, or HELO."""
        try:
            (self.ehlo if verb == "EHLO" else self.helo)()
        except smtplib.SMTPServerDisconnected:
            self._lost("broke the connection")
        return self.reply

    def say(self, command: str) -> Reply:
        """Send one command and read its reply."""
        try:
            self.putcmd(command)
        except smtplib.SMTPServerDisconnected:
            self._lost("broke the connection")
        return self.answer(self.timeout)

    def getreply(self) -> tuple[int, bytes]:
        """Read a reply as smtplib wants it; raise LostError."""
        lines = self._lines(self.timeout)
        self.reply = read_reply(lines, secrets=self.secrets)
        return self.reply.code, b"\n".join(line[4:] for line in lines)

    def answer(self, limit: float) -> Reply:
        """Read a reply that has to be whole within `limit` seconds; raise LostError."""
        self.reply = read_reply(self._lines(limit), secrets=self.secrets)
        return self.reply

    def part(self) -> None:
        """Say QUIT, wait a moment for the answer, and close."""
        self.timeout = min(self.timeout, FAREWELL)
        try:
            self.say("QUIT")
        except LostError:
            pass
        finally:
            self.close()

    def _lines(self, limit: float) -> list[bytes]:
        end = time.monotonic() + limit
        lines: list[bytes] = []
        size = 0
        while not lines or (lines[-1][:3].isdigit() and lines[-1][3:4] == b"-"):
            line = self._line(limit, end)
            size += len(line)
            if size > MOST_OCTETS:
                self._lost("gave a reply without an end")
            lines.append(line)
        self.sock.settimeout(self.timeout)
        return lines

    def _line(self, limit: float, end: float) -> bytes:
        """Read one line, without its end, and leave what came after it."""
        while b"\n" not in self._came:
            if len(self._came) > MOST_OCTETS:
                self._lost("gave a reply without an end")
            self._came += self._more(limit, end - time.monotonic())
        line, _, self._came = self._came.partition(b"\n")
        return line.rstrip(b"\r")

    def _more(self, limit: float, left: float) -> bytes:
        try:
            if left <= 0:
                raise TimeoutError  # noqa: TRY301 - the same as when the system says so
            self.sock.settimeout(left)
            octets = self.sock.recv(_READ)
        except TimeoutError:
            self._lost(f"gave no whole reply within {limit:g} seconds")
        except OSError:
            self._lost("broke the connection")
        return octets or self._lost("hung up")

    @staticmethod
    def _lost(why: str) -> NoReturn:
        # Without the cause: what smtplib and the system raise may hold what was sent.
        raise LostError(why) from None
