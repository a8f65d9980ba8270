"""A relay for tests: an SMTP server on loopback that answers as it is told and keeps what it took.

    with Relay() as relay:
        relay.on("RCPT", "550 5.1.1 no such mailbox", to="bo@reader.example")
        ...                                    # send to 127.0.0.1, relay.port
        assert [kept.recipients for kept in relay.kept] == [("ann@reader.example",)]

It runs in threads of the test's own process. What it is not told about it answers well. TLS needs
a client that trusts its authority: `monkeypatch.setenv("SSL_CERT_FILE", relay.trust(tmp_path))`.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread, current_thread
from types import TracebackType
from typing import Literal, Self

from relay.certificates import Certificate, authority_pem
from relay.session import Session
from relay.turns import OFFERS, Kept, Turn, What

__all__ = ["OFFERS", "Kept", "Relay", "Turn", "free_port"]


class Relay:
    """An SMTP server on a free port of 127.0.0.1 for as long as the `with` block lasts.

    `tls` is "start" (from the first octet), "starttls", or "". `offers` are the extensions after
    EHLO besides STARTTLS; add "AUTH PLAIN LOGIN" for a login, which takes any password unless
    `logins` maps users to theirs. Commands may come many at a time (RFC 2920). A `lax` one lets
    content begin though nobody is to get it. Where not `pipelines` that is not offered.
    """

    pipelines = True

    def __init__(
        self,
        *,
        tls: Literal["", "start", "starttls"] = "",
        offers: tuple[str, ...] = OFFERS,
        certificate: Certificate = "good",
        logins: dict[str, str] | None = None,
        port: int = 0,
        lax: bool = False,
    ) -> None:
        self.tls, self.offers, self.logins = tls, offers, logins
        self.certificate: Certificate = certificate
        self.port, self.lax = port, lax
        self.unwanted: list[bytes] = []  # content that a lax one got for nobody
        self.kept: list[Kept] = []
        self.lines: list[str] = []  # every command of all sessions, without its CRLF
        self.wire: list[bytearray] = []  # every octet that came, session by session
        self.credentials: list[tuple[str, str]] = []  # every try to log in
        self.sessions = 0
        self._turns: list[Turn] = []
        self._threads: list[Thread] = []
        self._open: list[socket.socket] = []
        self._over = Event()
        self._lock = Lock()

    def trust(self, folder: Path) -> str:
        """Write the authority's certificate into a folder and give its path for SSL_CERT_FILE."""
        file = folder / "authority.pem"
        file.write_bytes(authority_pem())
        return str(file)

    def on(self, event: What, answer: str | None = None, **more: object) -> Turn:
        """Tell the relay how to answer an event; of several that fit the first told wins."""
        turn = Turn(event=event, answer=answer, **more)  # type: ignore[arg-type]
        with self._lock:
            self._turns.append(turn)
        return turn

    def heal(self) -> None:
        """Forget all that was told: from now on everything is answered well."""
        with self._lock:
            self._turns.clear()

    def commands(self, verb: str) -> list[str]:
        """Give the commands of one verb, of all sessions."""
        return [line for line in self.lines if line.upper().startswith(verb.upper())]

    def turn(self, event: str, to: tuple[str, ...], message: int) -> Turn | None:
        """Find what was told for an event."""
        with self._lock:
            return next((turn for turn in self._turns if turn.takes(event, to, message)), None)

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._listener.settimeout(0.2)  # where shutting it down does not wake it
        self.port = self._listener.getsockname()[1]
        self._start(self._accept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        with self._lock:
            for link in self._open:
                with suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)
        for thread in list(self._threads):
            thread.join(10)
        self._listener.close()

    def _start(self, target: Callable[[], None]) -> None:
        thread = Thread(target=target, name="relay", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                link, _ = self._listener.accept()
            except OSError:
                continue
            with self._lock:
                self._open.append(link)
                self.sessions += 1
                self.wire.append(bytearray())
                session = Session(relay=self, link=link, number=self.sessions)
            self._start(session.run)

    def follow(self, old: socket.socket, new: socket.socket) -> None:
        """Note that a connection goes on in TLS, so that it is shut down with the relay."""
        with self._lock:
            self._open.remove(old)
            self._open.append(new)

    def gone(self, link: socket.socket) -> None:
        """Note that a connection has ended."""
        with self._lock:
            self._open.remove(link)
            self._threads.remove(current_thread())
        link.close()


def free_port() -> int:
    """Give a port of 127.0.0.1 on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
