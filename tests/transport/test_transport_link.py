"""A connection that is gone, or whose time is over, says so."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from digest.transport.link import Link
from digest.transport.reply import LostError, Reply


@pytest.fixture
def ends() -> Iterator[tuple[Link, socket.socket]]:
    """Give both ends of a connection."""
    ours, theirs = socket.socketpair()
    link = Link(ours, name="harbour.example", timeout=20)
    yield link, theirs
    link.close()
    theirs.close()


def test_time_that_is_over_is_not_begun_anew(ends: tuple[Link, socket.socket]) -> None:
    """No read is tried once the time of a reply is used up, though octets wait."""
    link, theirs = ends
    theirs.sendall(b"250 late\r\n")
    with pytest.raises(LostError, match="no whole reply within 0 seconds"):
        link.answer(0.0)
    assert link.answer(20) == Reply(code=250, text="late")


def test_closed_connection_is_lost(ends: tuple[Link, socket.socket]) -> None:
    """Whatever is said on it, LostError tells that it is gone, with nothing of what was said."""
    link, _ = ends
    link.close()
    for say in (lambda: link.hello("EHLO"), lambda: link.hello("HELO"), lambda: link.say("NOOP")):
        with pytest.raises(LostError, match=r"\Abroke the connection\Z") as caught:
            say()
        assert caught.value.__cause__ is None
    link.part()
