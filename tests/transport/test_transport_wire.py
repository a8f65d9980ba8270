"""The octets on the wire: dots doubled at line starts and only there, line ends whole."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from relay.server import Relay

from digest.model import Message
from digest.transport import Smtp

Make = Callable[..., Smtp]

_PIECES = st.lists(st.sampled_from([b".", b"..", b"\r\n", b"\r\n.\r\n", b"a", b" ", b"QUIT"]))


def _letter(data: bytes) -> Message:
    return Message(
        id="<a@harbour.example>",
        sender="letter@harbour.example",
        recipient="ann@reader.example",
        data=data,
    )


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(pieces=st.lists(_PIECES.map(b"".join), min_size=1, max_size=3))
def test_every_message_arrives_as_it_is(smtp: Make, pieces: list[bytes]) -> None:
    """Whatever its lines begin with, each message is one, and whole; a line end may be added."""
    with Relay() as relay:
        transport = smtp(relay)
        transport.open()
        for data in pieces:
            assert transport.hand_over(_letter(data)).state == "accepted"
        transport.close()
    ended = [data if data.endswith(b"\r\n") or not data else data + b"\r\n" for data in pieces]
    assert [kept.data for kept in relay.kept] == ended
    assert relay.commands("QUIT") == ["QUIT"]


def test_dots_are_doubled_where_a_line_begins(smtp: Make) -> None:
    """The octets that went out, looked at one by one."""
    data = b".first\r\nin.side\r\n\r\n.\r\n..\r\nend.\r\n.last"
    with Relay() as relay:
        transport = smtp(relay)
        transport.open()
        transport.hand_over(_letter(data))
        transport.close()
    wire = bytes(relay.wire[0])
    sent = wire[wire.index(b"DATA\r\n") + 6 : wire.index(b"QUIT\r\n")]
    assert sent == b"..first\r\nin.side\r\n\r\n..\r\n...\r\nend.\r\n..last\r\n.\r\n"
    assert not re.search(rb"\r(?!\n)|(?<!\r)\n", wire)


@pytest.mark.parametrize("data", [b"a\nb\r\n", b"a\rb\r\n", b"a\r\n.\nb\r\n", b"\n\r", b"a\r\r\n"])
def test_line_end_that_is_half_is_refused(smtp: Make, data: bytes) -> None:
    """Relays differ in what ends a line, so that one mail could become two: nothing goes out."""
    with Relay() as relay:
        transport = smtp(relay)
        transport.open()
        with pytest.raises(ValueError, match="stands alone"):
            transport.hand_over(_letter(data))
    assert not relay.commands("MAIL")
