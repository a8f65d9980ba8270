"""What the tests of the transport share: a relay with its account, and messages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from relay.server import Relay

from digest.model import Message
from digest.transport import Smtp, SmtpAccount

_TIMEOUT = 20.0  # seconds, for what must not time out


@pytest.fixture(autouse=True)
def _trust(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Trust the authority of the tests as the system's own."""
    monkeypatch.setenv("SSL_CERT_FILE", Relay().trust(tmp_path))


@pytest.fixture
def smtp() -> Callable[..., Smtp]:
    """Give a function that makes the transport for a relay; it is not opened."""

    def make(relay: Relay, *, patience: float = _TIMEOUT, **settings: object) -> Smtp:
        usual: dict[str, object] = {
            "host": "127.0.0.1",
            "port": relay.port,
            "security": {"": "none", "start": "tls", "starttls": "starttls"}[relay.tls],
            "timeout": _TIMEOUT,
            "ehlo_name": "harbour.example",
        }
        return Smtp(SmtpAccount(**{**usual, **settings}), patience=patience)  # type: ignore[arg-type]

    return make


@pytest.fixture
def message() -> Callable[..., Message]:
    """Give a function that makes a message to a reader."""

    def make(to: str = "ann@reader.example", body: bytes = b"Hello.\r\n") -> Message:
        head = b"Message-ID: <2027-w03.abc@harbour.example>\r\nSubject: Tides\r\n\r\n"
        return Message(
            id="<2027-w03.abc@harbour.example>",
            sender="letter@harbour.example",
            recipient=to,
            data=head + body,
        )

    return make
