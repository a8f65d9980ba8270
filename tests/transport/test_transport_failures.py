"""Each way in which a relay fails, and what a sender makes of it: nothing lost, nobody blamed."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from relay.server import OFFERS, Relay, free_port

from digest.errors import TransportBusyError, TransportError
from digest.model import Message, Outcome
from digest.transport import Answered, Event, Failed, Pool, Ready, Returned

pytestmark = pytest.mark.usefixtures("pipelining")

Make = Callable[..., Pool]
Write = Callable[..., Message]
Carry = Callable[..., list[Event]]

_SHORT = 0.3  # seconds, for what must time out
_BOUND = 15.0  # seconds in which each must be over; far more than it takes
_LOGIN = (*OFFERS, "AUTH PLAIN LOGIN")
_WORD = "hush-hush-word"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opening:
    """A failure before the first message: how the relay is, and what is said of it."""

    relay: dict[str, object] = field(default_factory=dict)
    on: tuple[dict[str, object], ...] = ()
    account: dict[str, object] = field(default_factory=dict)
    kind: type[TransportError] = TransportError
    words: str
    logs_in: bool = False


_USER: dict[str, object] = {"username": "ann", "password": lambda: _WORD}
_TLS: dict[str, object] = {"tls": "starttls", "offers": _LOGIN}
_OPENINGS = {
    "no greeting": _Opening(
        on=({"event": "CONNECT", "answer": ""},),
        account={"timeout": _SHORT},
        words="no greeting: it gave no whole reply within 0.3 seconds",
    ),
    "greeting 421": _Opening(
        on=({"event": "CONNECT", "answer": "421 4.3.2 later", "close": True},),
        kind=TransportBusyError,
        words="turned us away at the door: 421 4.3.2 later",
    ),
    "greeting 554": _Opening(
        on=({"event": "CONNECT", "answer": "554 5.7.1 never"},),
        words="turned us away at the door: 554 5.7.1 never",
    ),
    "drop after EHLO": _Opening(
        on=({"event": "EHLO", "close": True},),
        relay={"tls": "starttls"},
        kind=TransportBusyError,
        words="",  # it hung up, or broke the connection: what is heard first differs
    ),
    "STARTTLS absent": _Opening(
        relay={"offers": _LOGIN},
        account={"security": "starttls", **_USER},
        words="encryption was not offered",
    ),
    "STARTTLS 454": _Opening(
        relay=_TLS,
        on=({"event": "STARTTLS", "answer": "454 4.7.0 later"},),
        account=_USER,
        kind=TransportBusyError,
        words="did not begin encryption: 454 4.7.0 later",
    ),
    "STARTTLS then garbage": _Opening(
        relay=_TLS,
        on=({"event": "STARTTLS", "instead": b"\x00garbage\r\n"},),
        account=_USER,
        words="encryption failed, so nothing was sent",
    ),
    "self-signed": _Opening(
        relay={**_TLS, "certificate": "self-signed"}, account=_USER, words="is self-signed"
    ),
    "wrong name": _Opening(
        relay={**_TLS, "certificate": "wrong-name"}, account=_USER, words="is for another name"
    ),
    "expired": _Opening(
        relay={**_TLS, "certificate": "expired"}, account=_USER, words="has expired"
    ),
    "AUTH 535": _Opening(
        relay=_TLS,
        on=({"event": "AUTH", "answer": "535 5.7.8 wrong"},),
        account=_USER,
        words="refused the login: 535 5.7.8 wrong",
        logs_in=True,
    ),
    "AUTH 454": _Opening(
        relay=_TLS,
        on=({"event": "AUTH", "answer": "454 4.7.0 later"},),
        account=_USER,
        kind=TransportBusyError,
        words="refused the login: 454 4.7.0 later",
        logs_in=True,
    ),
}


@pytest.mark.parametrize("name", _OPENINGS)
def test_opening_fails(pool: Make, name: str) -> None:
    """The reason is said, in bounded time, and neither password nor mail goes out."""
    case = _OPENINGS[name]
    begun = time.monotonic()
    with Relay(**case.relay) as relay:  # type: ignore[arg-type]
        for turn in case.on:
            relay.on(**turn)  # type: ignore[arg-type]
        carrier = pool(relay, **case.account)
        with pytest.raises(TransportError) as caught:
            carrier.open()
    assert type(caught.value) is case.kind
    assert f"127.0.0.1:{relay.port}: " in str(caught.value)
    assert case.words in str(caught.value)
    assert _WORD not in str(caught.value)
    assert not carrier.is_open
    assert bool(relay.credentials) == case.logs_in
    assert not relay.commands("MAIL")
    assert time.monotonic() - begun < _BOUND


def test_relay_that_refuses_connections(pool: Make) -> None:
    """Nobody listens: a mistake in the settings at first, passing trouble once it was there."""
    with Relay() as relay:
        carrier = pool(relay)
        carrier.open()
        carrier.close()
    with pytest.raises(TransportBusyError, match="nobody answers there"):
        carrier.open()
    with pytest.raises(TransportError, match="nobody answers there") as caught:
        pool(Relay(port=free_port())).open()
    assert type(caught.value) is TransportError


def test_black_hole_is_given_up(monkeypatch: pytest.MonkeyPatch, pool: Make) -> None:
    """Connecting ends with the time limit, and with a minute where that is longer."""
    limits: list[float] = []

    def swallow(_place: object, limit: float) -> socket.socket:
        limits.append(limit)
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket, "create_connection", swallow)
    for limit in (_SHORT, 300.0):
        with pytest.raises(TransportError, match="no answer within"):
            pool(Relay(port=25), timeout=limit).open()
    assert limits == [_SHORT, 60.0]


def test_relay_without_ehlo(pool: Make, message: Write, carry: Carry) -> None:
    """HELO will do; nothing is offered then, so all goes command by command."""
    with Relay() as relay:
        relay.on("EHLO", "502 5.5.1 what")
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message(), message()])
    assert [type(event) for event in told] == [Ready, Answered, Ready, Answered]
    assert len(relay.kept) == 2


def test_login_is_offered_without_encryption(monkeypatch: pytest.MonkeyPatch, pool: Make) -> None:
    """The password stays at home where the relay is another machine."""
    with Relay(offers=_LOGIN) as relay:
        monkeypatch.setattr(socket.socket, "getpeername", lambda _: ("192.0.2.25", 25))
        with pytest.raises(TransportError, match="a login would go in clear"):
            pool(relay, **_USER).open()
    assert not relay.credentials
    assert not relay.commands("AUTH")


def _returned(told: list[Event], position: int) -> str:
    found = [each for each in told if isinstance(each, Returned) and each.position == position]
    assert len(found) == 1
    return found[0].error.brief


def _outcome(told: list[Event], position: int) -> Outcome:
    found = [each for each in told if isinstance(each, Answered) and each.position == position]
    assert len(found) == 1
    return found[0].outcome


@pytest.mark.parametrize(
    ("event", "answer", "state"),
    [
        ("RCPT", "450 4.2.0 greylisted", "pending"),
        ("RCPT", "550 5.1.1 no such mailbox", "refused"),
        ("RCPT", "552 5.2.2 full", "refused"),
        ("RCPT", "452 4.5.3 too many recipients", "pending"),
        ("END", "451 4.3.0 not now", "pending"),
        ("END", "554 5.7.1 spam", "refused"),
        ("END", "550 5.7.515 not authenticated", "refused"),
        ("DATA", "451 4.3.0 not now", "pending"),
        ("DATA", "554 5.7.1 no", "refused"),
    ],
)
def test_one_message_is_refused(
    pool: Make, message: Write, carry: Carry, event: str, answer: str, state: str
) -> None:
    """It has its answer, and the others go over the same connection."""
    with Relay() as relay:
        relay.on(event, answer, to="bo@reader.example")  # type: ignore[arg-type]
        carrier = pool(relay)
        carrier.open()
        letters = [message(f"{who}@reader.example") for who in ("ann", "bo", "cy", "di")]
        told = carry(carrier, letters)
    assert _outcome(told, 2).reply == answer
    assert [_outcome(told, each).state for each in (1, 2, 3, 4)] == [
        "accepted",
        state,
        "accepted",
        "accepted",
    ]
    assert relay.sessions == 1
    assert len(relay.kept) == 3
    assert len(relay.commands("RSET")) == (event != "END")


@pytest.mark.parametrize(
    "answer", ["550 5.7.515 we do not know you", "451 4.7.1 not now", "554 5.7.1 no"]
)
def test_every_message_is_refused(pool: Make, message: Write, carry: Carry, answer: str) -> None:
    """Each has its answer; what it means that all do is not for the transport to say."""
    with Relay() as relay:
        relay.on("END", answer)
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message()] * 5)
    assert [_outcome(told, each).reply for each in range(1, 6)] == [answer] * 5
    assert relay.sessions == 1


@pytest.mark.parametrize(
    ("answer", "fails"),
    [("452 4.3.1 disk full", False), ("553 5.7.1 not yours", True)],
)
def test_sender_is_refused(
    pool: Make, message: Write, carry: Carry, answer: str, *, fails: bool
) -> None:
    """It concerns all: this message is given back, and 5xx ends the run."""
    with Relay() as relay:
        relay.on("MAIL", answer, skip=1)
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message()] * 3)
        carrier.close()
    words = f"did not accept the sender <letter@harbour.example>: {answer}"
    assert _outcome(told, 1).state == "accepted"
    assert _returned(told, 2).endswith(words)
    assert [each.error.brief.endswith(words) for each in told if isinstance(each, Failed)] == (
        [True] * fails
    )
    assert not carrier.is_open
    assert relay.commands("QUIT")
    assert len(relay.kept) == 1


@pytest.mark.parametrize("event", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize(
    ("answer", "close", "words"),
    [
        ("421 4.3.2 going down", True, "ended the session: 421 4.3.2 going down"),
        ("", True, "hung up"),
        ("what?", False, "answered 'what?' to "),
    ],
)
def test_session_ends_at_the_envelope(  # noqa: PLR0913 - three fixtures and a table
    pool: Make,
    message: Write,
    carry: Carry,
    event: str,
    answer: str,
    words: str,
    *,
    close: bool,
) -> None:
    """The message before is answered, this one is given back, and a new connection takes it."""
    with Relay() as relay:
        relay.on(event, answer, skip=1, times=1, close=close)  # type: ignore[arg-type]
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message(), message()])
        assert not carrier.is_open
        carrier.open()
        again = carry(carrier, [message()])
    assert _outcome(told, 1).state == "accepted"
    assert words in _returned(told, 2)
    assert not [each for each in told if isinstance(each, Ready) and each.position == 2]
    assert _outcome(again, 1).state == "accepted"
    assert len(relay.kept) == 2


def test_session_ends_in_the_content(pool: Make, message: Write, carry: Carry) -> None:
    """Where the dot did not leave, nothing was taken, and that is certain."""
    with Relay(offers=("PIPELINING",)) as relay:
        relay.on("DATA", cut=1000)
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message(body=b"much\r\n" * 3_000_000)])
    assert [type(event) for event in told] == [Ready, Returned]
    assert not relay.kept


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(
    ("answer", "close", "words"),
    [("", True, "hung up"), ("", False, "gave no whole reply within 0.3 seconds")],
)
def test_no_answer_to_the_dot(  # noqa: PLR0913 - three fixtures and a table
    pool: Make, message: Write, carry: Carry, answer: str, words: str, *, close: bool, keep: bool
) -> None:
    """Whether it was taken nobody knows; that the next one was not is certain."""
    with Relay() as relay:
        relay.on("END", answer, close=close, keep=keep)
        carrier = pool(relay, patience=_SHORT)
        carrier.open()
        told = carry(carrier, [message(), message()])
    expected = Outcome(state="unknown", text=f"after the final dot the relay {words}")
    assert _outcome(told, 1) == expected
    if relay.pipelines:
        assert words in _returned(told, 2)
    assert len(relay.kept) == keep


def test_answer_to_the_dot_comes_too_late(pool: Make, message: Write, carry: Carry) -> None:
    """It is unknown by then, whatever the relay says."""
    late: list[Event] = []
    with Relay() as relay:
        relay.on("END", pace=0.2)
        carrier = pool(relay, patience=_SHORT)
        carrier.open()
        told = carry(carrier, [message()])
        late = carrier.wait(0.2)
    assert _outcome(told, 1).state == "unknown"
    assert late == []
    assert not carrier.is_open


def test_good_answer_and_then_the_end(pool: Make, message: Write, carry: Carry) -> None:
    """What was taken stays taken; the next one was not."""
    with Relay() as relay:
        relay.on("END", close=True)
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message(), message()])
    assert _outcome(told, 1).state == "accepted"
    assert not [each for each in told if isinstance(each, Answered) and each.position == 2]
    assert len(relay.kept) == 1


def test_relay_has_enough_after_some_messages(pool: Make, message: Write, carry: Carry) -> None:
    """421 at a dot puts that message off, the next is given back, and a new session takes it."""
    with Relay() as relay:
        relay.on("END", "421 4.7.0 enough", message=3, close=True)
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message()] * 4)
        carrier.open()
        again = carry(carrier, [message()])
    assert [_outcome(told, each).state for each in (1, 2, 3)] == ["accepted", "accepted", "pending"]
    if relay.pipelines:
        assert "ended the session: 421 4.7.0 enough" in _returned(told, 4)
    assert _outcome(again, 1).state == "accepted"
    assert relay.sessions == 2


@pytest.mark.parametrize("event", ["MAIL", "RCPT", "DATA", "END"])
def test_one_octet_at_a_time(pool: Make, message: Write, carry: Carry, event: str) -> None:
    """A reply as a whole has the time limit, not each octet of it."""
    begun = time.monotonic()
    with Relay() as relay:
        relay.on(event, "250 2.0.0 " + "x" * 500, pace=0.05)  # type: ignore[arg-type]
        carrier = pool(relay, timeout=_SHORT, patience=_SHORT)
        carrier.open()
        told = carry(carrier, [message()])
    if event == "END":
        assert _outcome(told, 1).state == "unknown"
    else:
        assert "gave no whole reply within 0.3 seconds" in _returned(told, 1)
    assert time.monotonic() - begun < _BOUND


@pytest.mark.parametrize(
    "answer",
    [
        "250-" + "x" * 60 + "\n250 " + "y" * 65_536,
        "\n".join(["250-2.0.0 " + "z" * 90] * 650 + ["250 2.0.0 end"]),
        "250 2.0.0 \u00fcbernommen",
        "250 2.0.0 \udcff\udcfe",
    ],
    ids=["a long line", "many lines", "UTF-8", "no text at all"],
)
def test_strange_answers(pool: Make, message: Write, carry: Carry, answer: str) -> None:
    """64 KB, and octets beyond ASCII, are answers like others."""
    with Relay() as relay:
        for event in ("MAIL", "RCPT", "END"):
            relay.on(event, answer)
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message(), message()])
    for position in (1, 2):
        outcome = _outcome(told, position)
        assert outcome.state == "accepted"
        assert len(outcome.text) <= 500


@pytest.mark.parametrize("event", ["MAIL", "RCPT", "DATA", "END"])
def test_answer_without_an_end(pool: Make, message: Write, carry: Carry, event: str) -> None:
    """No relay fills the memory."""
    with Relay() as relay:
        relay.on(event, "250-" + "z" * 1_200_000)  # type: ignore[arg-type]
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [message()])
    words = "gave a reply without an end"
    if event == "END":
        assert _outcome(told, 1).text == f"after the final dot the relay {words}"
    else:
        assert words in _returned(told, 1)


def test_message_is_too_large(pool: Make, message: Write, carry: Carry) -> None:
    """It is refused without a word, and the next one goes."""
    small, large = message(), message(body=b"x" * 500)
    with Relay(offers=("PIPELINING", f"SIZE {len(large.data) - 1}")) as relay:
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [large, small])
    assert _outcome(told, 1).enhanced == "5.3.4"
    assert _outcome(told, 2).state == "accepted"
    assert len(relay.commands("MAIL")) == 1


@pytest.mark.parametrize(
    ("offers", "words"),
    [
        (("PIPELINING", "SMTPUTF8"), "8BITMIME was not offered"),
        (("PIPELINING", "8BITMIME"), "SMTPUTF8 was not offered"),
    ],
)
def test_relay_cannot_write_it(
    pool: Make, message: Write, carry: Carry, offers: tuple[str, ...], words: str
) -> None:
    """Octets beyond ASCII need 8BITMIME, addresses beyond ASCII SMTPUTF8."""
    data = "To: j\u00f6rg@reader.example\r\n\r\nHello.\r\n".encode()
    wide = Message(
        id="<a@harbour.example>",
        sender="letter@harbour.example",
        recipient="j\u00f6rg@reader.example",
        data=data,
    )
    with Relay(offers=offers) as relay:
        carrier = pool(relay)
        carrier.open()
        told = carry(carrier, [wide, message()])
    assert _outcome(told, 1).state == "unsupported"
    assert words in _outcome(told, 1).text
    assert _outcome(told, 2).state == "accepted"
    assert len(relay.commands("MAIL")) == 1
