"""A web site on loopback that answers as tests want it to, and knows what it was asked."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from ssl import SSLContext, SSLError
from threading import Thread
from types import TracebackType
from typing import Self

__all__ = ["Site", "page"]

_HELLO = b"\x16\x03"  # how encryption begins
Reply = bytes | Callable[[socket.socket], None]


def page(status: str, *fields: str) -> bytes:
    """Write an answer with a body that nobody is to read."""
    head = "".join(f"{field}\r\n" for field in fields)
    return f"HTTP/1.1 {status}\r\n{head}Content-Length: 4\r\n\r\nbody".encode("latin-1")


class Site:
    """Answers by path, or by method and path; each request is kept as it came."""

    def __init__(self, replies: Mapping[str, Reply], *, context: SSLContext | None = None) -> None:
        self._replies = replies
        self._context = context
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self.requests: list[str] = []

    def __enter__(self) -> Self:
        Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    @property
    def asked(self) -> list[str]:
        """Give method and path of each request."""
        return [" ".join(request.split(" ")[:2]) for request in self.requests]

    def url(self, path: str = "/", *, scheme: str = "http", host: str = "mills.example") -> str:
        """Give the address of a page."""
        return f"{scheme}://{host}:{self.port}{path}"

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                link, _ = self._server.accept()
                with suppress(OSError), link:
                    self._answer(link)

    def _answer(self, link: socket.socket) -> None:
        if self._context is not None:
            with suppress(SSLError):
                link = self._context.wrap_socket(link, server_side=True)
        request = b""
        while b"\r\n\r\n" not in request:
            chunk = link.recv(65536)
            if not chunk:
                return
            request += chunk
            if request.startswith(_HELLO):
                link.sendall(b"HTTP/1.1 400 Say it in clear\r\n\r\n")
                return
        self.requests.append(request.decode("latin-1"))
        method, path, _ = self.requests[-1].split(" ", 2)
        reply = self._replies.get(f"{method} {path}", self._replies.get(path, page("404 Gone")))
        if isinstance(reply, bytes):
            link.sendall(reply)
        else:
            reply(link)
        with suppress(OSError):
            link.shutdown(socket.SHUT_WR)
        link.close()
