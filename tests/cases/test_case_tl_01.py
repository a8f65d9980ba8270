"""TL-01: a relay without encryption, or in another mode than the settings say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cases.inputs import both
from cases.scripts import relay_of
from relay.server import Relay

from digest.errors import TransportError
from digest.model import Message
from digest.transport import Smtp, SmtpAccount

_OURS = """\
block no-starttls
ehlo 8BITMIME AUTH LOGIN PLAIN
block plain-on-465
ehlo 8BITMIME AUTH LOGIN PLAIN
block tls-on-587
tls from start
block injected
STARTTLS -> 220 2.0.0 begin ; same packet: 250 relay.example
"""
_WORD = "sea-salt-and-wind"
_MESSAGE = Message(
    id="<2027-w03.abc@harbour.example>",
    sender="letter@harbour.example",
    recipient="ann@reader.example",
    data=b"Subject: Tides\r\n\r\nHello.\r\n",
)
script = both("TL-01", {"server.txt": _OURS}, "server.txt")


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Give a function that opens a relay in a mode, with a login, and tells what was said."""
    monkeypatch.setenv("SSL_CERT_FILE", Relay().trust(tmp_path))

    def call(relay: Relay, *, security: str, timeout: float = 20) -> str:
        transport = Smtp(
            SmtpAccount(
                host="127.0.0.1",
                port=relay.port,
                security=security,  # type: ignore[arg-type]
                username="letter",
                password=lambda: _WORD,
                timeout=timeout,
            )
        )
        with pytest.raises(TransportError) as caught:
            transport.open()
        # Nor does it go in clear when it is asked for all the same.
        with pytest.raises(TransportError):
            transport.hand_over(_MESSAGE)
        return str(caught.value)

    return call


def _said_in_clear(relay: Relay) -> set[str]:
    return {line.split()[0].upper() for line in relay.lines}


@script
def test_tl_01_nothing_is_sent_where_encryption_is_not_offered(
    refused: Callable[..., str], files: dict[str, bytes]
) -> None:
    """The message says that encryption was not offered; no login and no mail went out."""
    with relay_of(files["server.txt"].decode(), "no-starttls", encrypted=False) as relay:
        said = refused(relay, security="starttls")
    assert "encryption was not offered" in said
    assert f"127.0.0.1:{relay.port}: " in said
    assert _said_in_clear(relay) <= {"EHLO", "QUIT"}
    assert not relay.credentials
    assert _WORD not in said


@script
def test_tl_01_plain_relay_on_the_port_of_tls(
    refused: Callable[..., str], files: dict[str, bytes]
) -> None:
    """It fails at once, and the likely wrong mode is named."""
    with relay_of(files["server.txt"].decode(), "plain-on-465", encrypted=False) as relay:
        said = refused(relay, security="tls")
    assert "encryption failed" in said
    assert 'begins in clear, as 587 and 25 do: try security = "starttls"' in said
    assert not relay.credentials
    assert not relay.kept


@script
def test_tl_01_relay_with_tls_on_the_port_of_starttls(
    refused: Callable[..., str], files: dict[str, bytes]
) -> None:
    """It fails within the time limit, and the likely wrong mode is named."""
    with relay_of(files["server.txt"].decode(), "tls-on-587") as relay:
        said = refused(relay, security="starttls", timeout=0.3)
    assert "no whole reply within 0.3 seconds" in said
    assert 'TLS from the first octet, as 465 does: try security = "tls"' in said
    assert not relay.lines


@script
def test_tl_01_words_put_in_after_starttls_are_no_answer(
    refused: Callable[..., str], files: dict[str, bytes]
) -> None:
    """What came in clear with the answer to STARTTLS ends the connection."""
    with relay_of(files["server.txt"].decode(), "injected") as relay:
        relay.offers += ("AUTH PLAIN",)
        said = refused(relay, security="starttls")
    assert "in clear after STARTTLS" in said
    assert _said_in_clear(relay) <= {"EHLO", "STARTTLS", "QUIT"}
    assert not relay.credentials
    assert not relay.kept
