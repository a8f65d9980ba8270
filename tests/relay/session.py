"""One connection to the relay of the tests."""

from __future__ import annotations

import socket
import ssl
from base64 import b64decode
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING

from relay.certificates import server_context
from relay.turns import USUAL, Kept, Turn, What

if TYPE_CHECKING:
    from relay.server import Relay

__all__ = ["Session"]


class _Over(Exception):  # noqa: N818 - it ends a session, which is no error
    """End the session."""


@dataclass(slots=True, kw_only=True)
class Session:
    """One connection."""

    relay: Relay
    link: socket.socket
    number: int
    message: int = 1
    sender: str | None = None
    options: str = ""
    recipients: list[str] = field(default_factory=list)
    waiting: bytes = b""  # what came and was not yet looked at
    is_mute: bool = False  # for good, whatever else is asked

    def run(self) -> None:
        """Speak until one side ends the session."""
        with suppress(OSError, _Over):
            if self.relay.tls == "start":
                self._wrap()
            self._event("CONNECT")
            while True:
                self._command(self._line())
        self.relay.gone(self.link)

    def _wrap(self) -> None:
        context = server_context(self.relay.certificate)
        plain = self.link
        plain.settimeout(20)  # a client that speaks no TLS
        secure = context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
        self.relay.follow(plain, secure)
        self.link = secure
        secure.do_handshake()
        secure.settimeout(None)
        self.waiting = b""

    def _more(self) -> None:
        octets = self.link.recv(65536)
        if not octets:
            raise _Over
        self.relay.wire[self.number - 1] += octets
        self.waiting += octets

    def _line(self) -> str:
        while b"\r\n" not in self.waiting:
            self._more()
        line, _, self.waiting = self.waiting.partition(b"\r\n")
        return line.decode("utf-8", "surrogateescape")

    def _say(self, answer: str, *, also: bytes = b"", pace: float = 0.0) -> None:
        octets = answer.replace("\n", "\r\n").encode("utf-8", "surrogateescape")
        octets = octets + b"\r\n" if octets else b""
        self.is_mute = self.is_mute or not (octets or also)
        if self.is_mute:
            return
        if not pace:
            self.link.sendall(octets + also)
            return
        for octet in octets + also:
            Event().wait(pace)
            self.link.sendall(bytes([octet]))

    def _turn(self, event: What, to: tuple[str, ...] = ()) -> Turn:
        told = self.relay.turn(event, to or tuple(self.recipients), self.message)
        return told or Turn(event=event)

    def _event(self, event: What, usual: str = "", to: tuple[str, ...] = ()) -> bool:
        """Answer; tell whether the answer was a good one."""
        return self._act(self._turn(event, to), usual or USUAL[event])

    def _act(self, turn: Turn, usual: str) -> bool:
        answer = usual if turn.answer is None else turn.answer
        if turn.before is not None:
            turn.before()
        self._say(answer, also=turn.also, pace=turn.pace)
        if turn.close:
            raise _Over
        return answer[:1] in {"2", "3"}

    def _command(self, line: str) -> None:
        self.relay.lines.append(line)
        verb, _, rest = line.partition(" ")
        known = {
            "EHLO": self._ehlo,
            "STARTTLS": self._starttls,
            "AUTH": self._auth,
            "MAIL": self._mail,
            "RCPT": self._rcpt,
            "DATA": self._data,
            "RSET": self._rset,
            "QUIT": self._quit,
        }
        if verb.upper() in known:
            known[verb.upper()](rest)
        elif verb.upper() == "HELO":
            self._event("HELO")
        else:
            self._say("500 5.5.1 no such command")

    def _ehlo(self, _rest: str) -> None:
        offers = ["relay.example", *self.relay.offers]
        if not self.relay.pipelines:
            offers = [offer for offer in offers if offer != "PIPELINING"]
        if self.relay.tls == "starttls" and not isinstance(self.link, ssl.SSLSocket):
            offers.append("STARTTLS")
        lines = [f"250-{offer}" for offer in offers[:-1]]
        self._event("EHLO", "\n".join([*lines, f"250 {offers[-1]}"]))

    def _starttls(self, _rest: str) -> None:
        if self.relay.tls != "starttls":
            self._event("STARTTLS", "502 5.5.1 no such command")
            return
        turn = self._turn("STARTTLS")
        if not self._act(turn, USUAL["STARTTLS"]):
            return
        if turn.instead is not None:
            self._more()  # the client begins
            self.link.sendall(turn.instead)
            raise _Over
        self._wrap()

    def _auth(self, rest: str) -> None:
        kind, _, first = rest.partition(" ")
        asked = [first or None] if kind.upper() == "PLAIN" else [first or None, None]
        words: list[str] = []
        for challenge, given in zip(("VXNlcm5hbWU6", "UGFzc3dvcmQ6"), asked, strict=False):
            told = given or self._ask("" if kind.upper() == "PLAIN" else challenge)
            if told is None:
                return
            words += b64decode(told).decode().removeprefix("\0").split("\0")
        user, password = words
        self.relay.credentials.append((user, password))
        logins = self.relay.logins
        good = logins is None or logins.get(user) == password
        self._event("AUTH", "" if good else "535 5.7.8 these do not fit")

    def _ask(self, challenge: str) -> str | None:
        if not self._event("CHALLENGE", f"334 {challenge}"):
            return None
        line = self._line()
        self.relay.lines.append(line)
        return line

    def _mail(self, rest: str) -> None:
        address, _, options = rest.partition(":")[2].strip().lstrip("<").partition(">")
        self.recipients.clear()
        self.sender = address if self._event("MAIL") else None
        self.options = options.strip()

    def _rcpt(self, rest: str) -> None:
        address = rest.partition(":")[2].strip().lstrip("<").partition(">")[0]
        if self.sender is None:
            self._say("503 5.5.1 who sends it?")
        elif self._event("RCPT", to=(address,)):
            self.recipients.append(address)

    def _data(self, _rest: str) -> None:
        if not self.recipients:
            self._data_for_nobody()
            return
        turn = self._turn("DATA")
        if self._act(turn, USUAL["DATA"]):
            if turn.halt is not None:
                turn.halt()
            self._end(self._content(turn))

    def _data_for_nobody(self) -> None:
        """Refuse it at once, or at its dot (RFC 2920 §3.1)."""
        if not self.relay.lax:
            self._say("503 5.5.1 who gets it?")
            return
        self._say(USUAL["DATA"])
        self.relay.unwanted.append(self._content(Turn(event="DATA")))
        self._say("554 5.5.1 nobody gets it")

    def _content(self, turn: Turn) -> bytes:
        """Read up to the dot that stands alone, and take the doubled dots back."""
        came = bytearray(b"\r\n" + self.waiting)
        looked_at = 0
        while (end := came.find(b"\r\n.\r\n", looked_at)) < 0:
            looked_at = max(0, len(came) - 4)
            if turn.cut and len(came) >= turn.cut:
                self._say(turn.words)
                raise _Over
            self.waiting = b""
            self._more()
            came += self.waiting
        content, self.waiting = bytes(came[:end]), bytes(came[end + 5 :])
        lines = content.replace(b"\r\n.", b"\r\n").removeprefix(b"\r\n")
        return lines + b"\r\n" if content else b""

    def _end(self, data: bytes) -> None:
        """Keep the mail before its answer goes out, as a server must (RFC 5321 §6.1)."""
        turn = self._turn("END")
        if turn.keep or turn.answer is None or turn.answer.startswith("2"):
            self.relay.kept.append(
                Kept(
                    sender=self.sender or "",
                    recipients=tuple(self.recipients),
                    data=data,
                    session=self.number,
                    options=self.options,
                )
            )
        self.message += 1
        self._forget()
        self._act(turn, USUAL["END"])

    def _rset(self, _rest: str) -> None:
        self._event("RSET")
        self._forget()

    def _forget(self) -> None:
        self.sender = None
        self.recipients.clear()

    def _quit(self, _rest: str) -> None:
        self._event("QUIT")
        raise _Over
