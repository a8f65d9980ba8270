"""What the tests of the transport share: a relay with its account, messages, and a sender."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from relay.server import Relay

from digest.model import Message
from digest.transport import (
    Answered,
    Carrier,
    Event,
    Failed,
    Pool,
    Ready,
    Returned,
    Smtp,
    SmtpAccount,
)

_TIMEOUT = 20.0  # seconds, for what must not time out


@pytest.fixture(autouse=True)
def _trust(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Trust the authority of the tests as the system's own."""
    monkeypatch.setenv("SSL_CERT_FILE", Relay().trust(tmp_path))


@pytest.fixture(params=[True, False], ids=["pipelined", "by command"])
def pipelining(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Have envelopes said in one go, and command by command."""
    monkeypatch.setattr(Relay, "pipelines", request.param)
    return bool(request.param)


def _account(relay: Relay, settings: dict[str, object]) -> SmtpAccount:
    usual: dict[str, object] = {
        "host": "127.0.0.1",
        "port": relay.port,
        "security": {"": "none", "start": "tls", "starttls": "starttls"}[relay.tls],
        "timeout": _TIMEOUT,
        "ehlo_name": "harbour.example",
    }
    return SmtpAccount(**{**usual, **settings})  # type: ignore[arg-type]


@pytest.fixture
def smtp() -> Callable[..., Smtp]:
    """Give a function that makes the transport for a relay; it is not opened."""

    def make(relay: Relay, *, patience: float = _TIMEOUT, **settings: object) -> Smtp:
        return Smtp(_account(relay, settings), patience=patience)

    return make


@pytest.fixture
def pool() -> Iterator[Callable[..., Pool]]:
    """Give a function that makes a pool for a relay; it is closed in the end."""
    pools: list[Pool] = []

    def make(relay: Relay, *, patience: float = _TIMEOUT, **settings: object) -> Pool:
        pools.append(Pool(_account(relay, settings), patience=patience))
        return pools[-1]

    yield make
    for each in pools:
        each.close()


def _poured(carrier: Carrier, in_hand: set[int]) -> list[Event]:
    """Wait once, and let the content go of what is ready."""
    told = carrier.wait(_TIMEOUT)
    for event in told:
        if isinstance(event, Ready):
            carrier.pour(event.position)
        elif isinstance(event, Answered | Returned):
            in_hand.remove(event.position)
    return told


@pytest.fixture
def carry() -> Callable[..., list[Event]]:
    """Give a function that has messages carried, and gives what was told of them.

    They are numbered from 1. It ends when all were told of, when something failed, or when no
    connection is open any more.
    """

    def run(carrier: Carrier, letters: Sequence[Message], *, wide: bool = False) -> list[Event]:
        waiting, in_hand, told = deque(enumerate(letters, 1)), set[int](), list[Event]()
        while (waiting or in_hand) and (in_hand or carrier.is_open):
            while waiting and carrier.free():
                position, letter = waiting.popleft()
                in_hand.add(position)
                carrier.offer(position, letter)
            if wide:
                carrier.widen()
            told += _poured(carrier, in_hand)
            if any(isinstance(event, Failed) for event in told):
                break
        return told

    return run


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
