"""Opening a relay: reached, greeted, introduced, and stopped with a reason where it is not."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest
from relay.server import Relay, free_port

from digest.errors import TransportBusyError, TransportError
from digest.transport import Smtp, SmtpAccount, Transport

Make = Callable[..., Smtp]

_SHORT = 0.3  # seconds, for what must time out


def _refused(transport: Transport) -> TransportError:
    with pytest.raises(TransportError) as caught:
        transport.open()
    return caught.value


def test_relay_is_opened_and_left_politely(smtp: Make) -> None:
    """EHLO has our name, opening again does nothing, and closing says QUIT once."""
    with Relay() as relay:
        transport: Transport = smtp(relay)
        transport.open()
        transport.open()
        transport.close()
        transport.close()

    assert transport.name == f"127.0.0.1:{relay.port}"
    assert [line.lower() for line in relay.lines] == ["ehlo harbour.example", "quit"]
    assert relay.sessions == 1


def test_name_of_a_relay_with_an_address_of_six() -> None:
    """The port can be told from an IPv6 address, and the password is never shown."""
    account = SmtpAccount(host="::1", port=25, username="ann", password=lambda: "hush")
    assert Smtp(account).name == "[::1]:25"
    assert "password" not in repr(account)


def test_relay_that_is_not_there_stops(smtp: Make) -> None:
    """Nobody listens on the port: said in plain words, with what to do."""
    relay = Relay(port=free_port())
    error = _refused(smtp(relay))
    assert type(error) is TransportError
    assert f"127.0.0.1:{relay.port}: nobody answers there" in str(error)
    assert "[transport.smtp]" in str(error)


def test_relay_that_was_there_before_is_passing_trouble(smtp: Make) -> None:
    """Once a relay was reached, a later try may reach it again."""
    with Relay() as relay:
        transport = smtp(relay)
        transport.open()
        transport.close()
    assert type(_refused(transport)) is TransportBusyError
    with Relay(port=relay.port):
        transport.open()
        transport.close()


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (socket.gaierror(socket.EAI_NONAME, "not known"), "no such host"),
        (UnicodeError("label too long"), "no such host"),
        (TimeoutError("timed out"), "no answer within 20 seconds"),
        (OSError(113, "No route to host"), "No route to host"),
    ],
)
def test_relay_that_cannot_be_reached_stops(
    monkeypatch: pytest.MonkeyPatch, smtp: Make, trouble: Exception, words: str
) -> None:
    """A name without a host, a black hole and a missing route are told apart."""

    def fail(*_: object) -> None:
        raise trouble

    monkeypatch.setattr(socket, "create_connection", fail)
    error = _refused(smtp(Relay(port=25)))
    assert type(error) is TransportError
    assert words in str(error)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ("421 4.3.2 too many of you", TransportBusyError, "421 4.3.2 too many of you"),
        ("450 4.3.2 in a while", TransportBusyError, "450 4.3.2 in a while"),
        ("554-5.7.1 not\n554 5.7.1 welcome", TransportError, "554 5.7.1 not welcome"),
        ("SSH-2.0-lock", TransportError, "no mail server: 'SSH-2.0-lock'"),
        ("354 go on", TransportError, "no mail server: '354 go on'"),
    ],
)
def test_greeting_that_turns_away(
    smtp: Make, answer: str, kind: type[TransportError], words: str
) -> None:
    """4xx is passing trouble, 5xx and what is no mail server stop; the reply is shown."""
    with Relay() as relay:
        relay.on("CONNECT", answer)
        error = _refused(smtp(relay))
    assert type(error) is kind
    assert words in str(error)


@pytest.mark.parametrize("close", [True, False])
def test_relay_without_a_greeting_stops(smtp: Make, *, close: bool) -> None:
    """Silence ends with the time limit; both name the likely wrong mode."""
    with Relay() as relay:
        relay.on("CONNECT", "", close=close)
        error = _refused(smtp(relay, timeout=20 if close else _SHORT))
    assert type(error) is TransportError
    assert ("hung up" if close else "no whole reply within 0.3 seconds") in str(error)
    assert 'security = "tls"' in str(error)


def test_relay_that_knows_no_ehlo_gets_helo(smtp: Make) -> None:
    """Where neither encryption nor login needs EHLO, HELO will do."""
    with Relay() as relay:
        relay.on("EHLO", "502 5.5.1 not here")
        transport = smtp(relay)
        transport.open()
        transport.close()
    assert [line.split()[0].lower() for line in relay.lines] == ["ehlo", "helo", "quit"]


def test_ehlo_is_needed_for_encryption_and_login(smtp: Make) -> None:
    """HELO is not tried where it leads nowhere."""
    with Relay(tls="starttls") as relay:
        relay.on("EHLO", "502 5.5.1 not here")
        encrypted = _refused(smtp(relay))
    with Relay() as other:
        other.on("EHLO", "502 5.5.1 not here")
        logged_in = _refused(smtp(other, username="ann", password=lambda: "hush"))
    for error in (encrypted, logged_in):
        assert type(error) is TransportError
        assert "did not accept our greeting: 502 5.5.1 not here" in str(error)
    assert not relay.commands("HELO")
    assert not other.commands("HELO")


@pytest.mark.parametrize("verb", ["EHLO", "HELO"])
def test_introduction_refused_for_now(smtp: Make, verb: str) -> None:
    """4xx to EHLO or HELO is passing trouble."""
    with Relay() as relay:
        relay.on(verb, "421 4.3.2 going down", close=True)  # type: ignore[arg-type]
        relay.on("EHLO", "502 5.5.1 not here")
        error = _refused(smtp(relay))
    assert type(error) is TransportBusyError
    assert "421 4.3.2 going down" in str(error)


def test_connection_lost_after_ehlo_is_passing_trouble(smtp: Make) -> None:
    """A relay that hangs up in the middle may not do so again."""
    with Relay() as relay:
        relay.on("EHLO", "", close=True)
        error = _refused(smtp(relay))
    assert type(error) is TransportBusyError
    assert f"127.0.0.1:{relay.port}: hung up" in str(error)


def test_reply_of_one_octet_at_a_time_ends(smtp: Make) -> None:
    """A reply as a whole has the time limit, not each octet of it."""
    with Relay() as relay:
        relay.on("EHLO", "250 " + "x" * 2000, pace=0.05)
        error = _refused(smtp(relay, timeout=0.5))
    assert type(error) is TransportBusyError
    assert "no whole reply within 0.5 seconds" in str(error)


def test_long_reply_is_read_whole(smtp: Make) -> None:
    """64 KB of many lines, and a line of 64 KB, are nothing to fall over."""
    lines = "\n".join(f"250-XLINE{number} {'y' * 90}" for number in range(650))
    with Relay() as relay:
        relay.on("CONNECT", "220 " + "w" * 65_536)
        relay.on("EHLO", f"{lines}\n250 SIZE 100")
        transport = smtp(relay)
        transport.open()
        transport.close()
    assert relay.commands("QUIT")


@pytest.mark.parametrize("line", ["250-" + "z" * 1000 + "\n", "z"])
def test_reply_without_an_end_ends(smtp: Make, line: str) -> None:
    """No relay fills the memory, with lines or with one line."""
    with Relay() as relay:
        relay.on("EHLO", line * (1_100_000 // len(line)))
        error = _refused(smtp(relay))
    assert type(error) is TransportBusyError
    assert "a reply without an end" in str(error)


def test_opening_that_is_broken_off_leaves_no_connection(
    monkeypatch: pytest.MonkeyPatch, smtp: Make
) -> None:
    """Ctrl-C while it opens closes the connection, and the next opening begins anew."""
    with Relay() as relay:
        transport = smtp(relay)
        with monkeypatch.context() as patch:

            def interrupt(*_: object) -> None:
                raise KeyboardInterrupt

            patch.setattr("digest.transport.link.Link.hello", interrupt)
            with pytest.raises(KeyboardInterrupt):
                transport.open()
        transport.open()
        transport.close()
    assert relay.sessions == 2


@pytest.mark.parametrize("verb", ["EHLO", "STARTTLS"])
def test_more_is_said_than_was_asked_for(smtp: Make, verb: str) -> None:
    """What waits there would be taken for the answer to what is said next."""
    with Relay(tls="starttls" if verb == "STARTTLS" else "") as relay:
        relay.on(verb, also=b"250 2.0.0 taken\r\n")  # type: ignore[arg-type]
        error = _refused(smtp(relay))
    words = {"EHLO": "answered what was not yet asked", "STARTTLS": "said more in clear"}
    assert words[verb] in str(error)
    assert not relay.commands("MAIL")
