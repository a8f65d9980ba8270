"""A socket that has no room, breaks, or was woken for nothing."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import cast

import pytest

from digest.model import Message
from digest.transport import Returned, SmtpAccount
from digest.transport.connection import Connection
from digest.transport.envelope import Letter
from digest.transport.link import Link

Write = Callable[..., Message]


class _Socket:
    """A socket that does as it is told."""

    def __init__(self) -> None:
        self.error: OSError | None = None
        self.sent = b""
        self.room = 10

    def settimeout(self, limit: float) -> None:
        assert limit == 0.0

    def sendmsg(self, parts: list[bytes]) -> int:
        if self.error is not None:
            raise self.error
        octets = b"".join(parts)[: self.room]
        self.sent += octets
        return len(octets)

    def recv(self, _most: int) -> bytes:
        if self.error is not None:
            raise self.error
        return b""


class _Link:
    """An opened link over such a socket."""

    def __init__(self, sock: _Socket) -> None:
        self.sock = sock
        self.esmtp_features = {"pipelining": ""}
        self.secrets = ()


@pytest.fixture
def sock() -> _Socket:
    """Give the socket."""
    return _Socket()


@pytest.fixture
def connection(sock: _Socket, message: Write) -> Connection:
    """Give a connection with a message in hand."""
    account = SmtpAccount(host="relay.example", port=25)
    made = Connection(cast("Link", _Link(sock)), account, patience=600)
    made.dialogue.offer(Letter.of(1, message()))
    return made


def test_all_is_sent_though_little_at_a_time(sock: _Socket, connection: Connection) -> None:
    """Each call takes what it can."""
    connection.flush(0.0)
    assert sock.sent.startswith(b"MAIL FROM:<letter@harbour.example>\r\nRCPT")
    assert sock.sent.endswith(b"DATA\r\n")
    assert not connection.is_stalled


def test_socket_without_room_is_tried_again(sock: _Socket, connection: Connection) -> None:
    """The time limit runs from the first try."""
    sock.error = BlockingIOError()
    connection.flush(7.0)
    assert connection.is_stalled
    assert connection.dialogue.deadline == 7.0 + 60.0
    sock.error = None
    connection.flush(8.0)
    assert not connection.is_stalled


def test_socket_that_breaks_is_still_heard(sock: _Socket, connection: Connection) -> None:
    """For a second; then the message is given back."""
    sock.error = BrokenPipeError()
    connection.flush(7.0)
    assert not connection.is_stalled
    assert connection.dialogue.deadline == 8.0
    (event,) = connection.dialogue.expire()
    assert isinstance(event, Returned)


@pytest.mark.parametrize("error", [BlockingIOError(), ssl.SSLWantReadError()])
def test_socket_that_was_woken_for_nothing(
    sock: _Socket, connection: Connection, error: OSError
) -> None:
    """Half a TLS record is nothing yet."""
    sock.error = error
    assert connection.read(0.0) == []
    assert not connection.dialogue.is_over


@pytest.mark.parametrize(
    ("error", "words"), [(ConnectionResetError(), "broke the connection"), (None, "hung up")]
)
def test_socket_that_is_gone(
    sock: _Socket, connection: Connection, error: OSError | None, words: str
) -> None:
    """The message is given back."""
    sock.error = error
    (event,) = connection.read(0.0)
    assert isinstance(event, Returned)
    assert event.error.brief == f"relay.example:25: {words}"
