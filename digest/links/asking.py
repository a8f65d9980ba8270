"""One request to one IP address: the header of the answer, within a time, and no more.

The connection goes to the address that was judged: the host's name is not looked up a second time,
when it may lead elsewhere. It stands in the request and is what the certificate must name.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException
from queue import Empty, SimpleQueue
from ssl import SSLCertVerificationError, SSLContext, SSLError, create_default_context
from threading import Event, Thread, Timer
from time import monotonic
from typing import Final, TypeVar
from urllib.parse import SplitResult

from digest import __version__

__all__ = ["Answer", "UnansweredError", "ask", "within"]

_PORTS: Final = {"http": 80, "https": 443}
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The status code of an answer (RFC 9110 §15), and where it says to look instead."""

    status: int
    location: str


class UnansweredError(Exception):
    """A host that gave no answer; its text says why."""


def within(seconds: float, call: Callable[[], _T]) -> _T:
    """Give what a function gives; raise TimeoutError where that takes too long.

    The function goes on in the background then: the system's search for a name cannot be stopped.
    """
    answer: SimpleQueue[tuple[list[_T], Exception | None]] = SimpleQueue()

    def run() -> None:
        try:
            answer.put(([call()], None))
        except (OSError, UnicodeError) as error:
            answer.put(([], error))

    Thread(target=run, daemon=True).start()
    try:
        value, error = answer.get(timeout=max(seconds, 0))
    except Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return value[0]


def ask(
    url: SplitResult, address: str, *, method: str, patience: float, context: SSLContext | None
) -> Answer:
    """Send a request without a body and give the header of its answer.

    Neither cookies nor a Referer go along, and no proxy is asked. Raise UnansweredError.
    """
    end = monotonic() + patience
    try:
        with _connected(url, address, context, end=end) as link:
            return _answer(link, url, method)
    except (OSError, ValueError, HTTPException) as error:
        raise UnansweredError(_why(error)) from error


@contextmanager
def _connected(
    url: SplitResult, address: str, context: SSLContext | None, *, end: float
) -> Iterator[socket.socket]:
    """Give a connection, encrypted where the address says so; it breaks off at the end of time.

    Raise TimeoutError then, whatever came of what was done with it.
    """
    port = url.port or _PORTS[url.scheme]
    link = socket.create_connection((address, port), timeout=_left(end))
    try:
        if url.scheme == "https":
            link.settimeout(_left(end))
            name = (url.hostname or "").rstrip(".")
            link = (context or _context()).wrap_socket(link, server_hostname=name)
        link.settimeout(_left(end))
        cut = Event()
        # Each octet that comes starts the socket's own time anew.
        watch = Timer(_left(end), _cut, (link, cut))
        watch.daemon = True
        watch.start()
        try:
            yield link
        finally:
            watch.cancel()
            if cut.is_set():
                raise TimeoutError
    finally:
        link.close()


@cache
def _context() -> SSLContext:
    return create_default_context()  # reads all certificates that the system trusts


def _left(end: float) -> float:
    left = end - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _cut(link: socket.socket, cut: Event) -> None:
    cut.set()
    with suppress(OSError):
        # Not the method of an encrypted one, which would first talk to the other side.
        socket.socket.shutdown(link, socket.SHUT_RDWR)


def _answer(link: socket.socket, url: SplitResult, method: str) -> Answer:
    # With its port said, no part of an IPv6 address is taken for one.
    connection = HTTPConnection(url.hostname or "", url.port or 0)
    connection.sock = link
    path = url.path or "/"
    target = f"{path}?{url.query}" if url.query else path
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    connection.putheader("Host", url.netloc)
    connection.putheader("User-Agent", f"digest/{__version__} (link check)")
    connection.putheader("Accept", "*/*")
    connection.putheader("Connection", "close")
    connection.endheaders()
    with connection.getresponse() as response:
        return Answer(status=response.status, location=response.getheader("Location") or "")


# The first that fits: some are of several kinds.
_REASONS: Final = (
    (SSLError, "it does not encrypt as it should"),
    (TimeoutError, "no answer in time"),
    (ConnectionRefusedError, "it refuses connections"),
    (ConnectionError, "the connection broke off"),
    ((HTTPException, ValueError), "it does not answer as a web server does"),
)


def _why(error: Exception) -> str:
    """Say in words why there is no answer: nothing in them comes from the other side."""
    if isinstance(error, SSLCertVerificationError):
        return f"its certificate does not hold: {error.verify_message}"
    reasons = (told for kinds, told in _REASONS if isinstance(error, kinds))
    return next(reasons, getattr(error, "strerror", None) or "it cannot be reached")
