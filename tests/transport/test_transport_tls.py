"""Encryption and login: verified or nothing, once or not at all, and never told."""

from __future__ import annotations

import socket
import ssl
from base64 import b64encode
from collections.abc import Callable
from traceback import format_exception
from typing import Literal

import pytest
from relay.certificates import Certificate
from relay.server import OFFERS, Relay

from digest.errors import ConfigError, TransportBusyError, TransportError
from digest.model import Message
from digest.transport import Smtp

Make = Callable[..., Smtp]
Write = Callable[..., Message]
Tls = Literal["start", "starttls"]

_SHORT = 0.3  # seconds, for what must time out
_LOGIN = (*OFFERS, "AUTH PLAIN LOGIN")
_WORD = "p\u00e4ss \u2013 w\u00f6rd 250"  # nothing but ASCII would do for smtplib's own login


def _refused(transport: Smtp) -> TransportError:
    with pytest.raises(TransportError) as caught:
        transport.open()
    return caught.value


def _open_and_send(transport: Smtp, letter: Message) -> None:
    transport.open()
    transport.hand_over(letter)


def _user(**more: object) -> dict[str, object]:
    return {"username": "ann", "password": lambda: _WORD, **more}


@pytest.mark.parametrize("tls", ["start", "starttls"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_message_goes_encrypted(smtp: Make, message: Write, tls: Tls, host: str) -> None:
    """A certificate that an authority vouches for is verified for the name or the address."""
    with Relay(tls=tls) as relay:
        transport = smtp(relay, host=host)
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    begun = [line.split()[0].upper() for line in relay.lines[:-1]]
    first = [] if tls == "start" else ["EHLO", "STARTTLS"]
    assert begun == [*first, "EHLO", "MAIL", "RCPT", "DATA"]


@pytest.mark.parametrize("tls", ["start", "starttls"])
@pytest.mark.parametrize(
    ("certificate", "words"),
    [
        ("self-signed", "is self-signed"),
        ("stranger", "is vouched for by nobody known here"),
        ("wrong-name", "is for another name"),
        ("expired", "has expired"),
    ],
)
def test_faulty_certificate_stops(
    smtp: Make, tls: Tls, certificate: Certificate, words: str
) -> None:
    """Which fault it is is said, and no word goes over that connection."""
    with Relay(tls=tls, certificate=certificate, offers=_LOGIN) as relay:
        error = _refused(smtp(relay, **_user()))
    assert type(error) is TransportError
    assert f"127.0.0.1:{relay.port}: its certificate {words}, so nothing was sent" in str(error)
    assert "\n  " in str(error)
    assert not relay.credentials
    assert not relay.commands("MAIL")


def test_tls_older_than_1_2_is_refused(monkeypatch: pytest.MonkeyPatch, smtp: Make) -> None:
    """Whatever the system's defaults are, TLS 1.2 is the least."""
    loose = ssl.create_default_context()
    loose.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    monkeypatch.setattr(ssl, "create_default_context", lambda: loose)
    with Relay(tls="start") as relay:
        transport = smtp(relay)
        transport.open()
        transport.close()
    assert loose.minimum_version == ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ("454 4.7.0 not now", TransportBusyError, "did not begin encryption: 454 4.7.0 not now"),
        ("502 5.5.1 not here", TransportError, "did not begin encryption: 502 5.5.1 not here"),
        ("354 go on", TransportError, "did not begin encryption: 354 go on"),
    ],
)
def test_starttls_that_is_refused_stops(
    smtp: Make, answer: str, kind: type[TransportError], words: str
) -> None:
    """Nothing goes in clear in place of it."""
    with Relay(tls="starttls", offers=_LOGIN) as relay:
        relay.on("STARTTLS", answer)
        error = _refused(smtp(relay, **_user()))
    assert type(error) is kind
    assert words in str(error)
    assert not relay.commands("AUTH")


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("instead", "words"),
    [
        (b"250 what\r\n", "encryption failed, so nothing was sent (WRONG_VERSION_NUMBER)"),
        (b"", "hung up when encryption was to begin"),
    ],
)
def test_something_else_in_place_of_encryption_stops(
    smtp: Make, instead: bytes, words: str, *, known: bool
) -> None:
    """Garbage stops for good; hanging up may pass where the relay was encrypted before."""
    with Relay(tls="starttls", offers=_LOGIN) as relay:
        relay.on("STARTTLS", skip=int(known), instead=instead)
        transport = smtp(relay, **_user())
        if known:
            transport.open()
            transport.close()
        error = _refused(transport)
    assert type(error) is (TransportBusyError if known and not instead else TransportError)
    assert words in str(error)
    assert len(relay.credentials) == known


def test_silence_in_place_of_encryption_ends(smtp: Make) -> None:
    """A server that waits for words in clear is named as the likely wrong mode."""
    with Relay() as relay:
        relay.on("CONNECT", "")
        error = _refused(smtp(relay, security="tls", timeout=_SHORT))
    assert type(error) is TransportError
    assert "encryption did not begin: no answer within 0.3 seconds" in str(error)
    assert 'security = "starttls"' in str(error)


@pytest.mark.parametrize("tls", ["start", "starttls"])
@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_login_is_one_try_in_tls(smtp: Make, message: Write, tls: Tls, mechanism: str) -> None:
    """A password beyond ASCII comes through, and messages follow."""
    offers = (*OFFERS, f"AUTH CRAM-MD5 {mechanism}")
    with Relay(tls=tls, offers=offers, logins={"ann": _WORD}) as relay:
        transport = smtp(relay, **_user())
        transport.open()
        assert transport.hand_over(message()).state == "accepted"
        transport.close()
    assert relay.credentials == [("ann", _WORD)]
    assert relay.commands("AUTH") == [f"AUTH {mechanism}"]


def test_plain_is_taken_before_login(smtp: Make) -> None:
    """The older way is for relays that know no other."""
    with Relay(tls="start", offers=("AUTH LOGIN PLAIN",)) as relay:
        transport = smtp(relay, **_user())
        transport.open()
        transport.close()
    assert relay.commands("AUTH") == ["AUTH PLAIN"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("535 5.7.8 wrong", TransportError),
        ("538 5.7.11 encryption required", TransportError),
        ("334 ", TransportError),
        ("454 4.7.0 not now", TransportBusyError),
        ("421 4.7.0 too often", TransportBusyError),
    ],
)
@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_refused_login_is_tried_once(
    smtp: Make, mechanism: str, answer: str, kind: type[TransportError]
) -> None:
    """4xx may pass, all else stops; no other mechanism is tried, and no mail."""
    with Relay(tls="start", offers=(f"AUTH {mechanism}",)) as relay:
        relay.on("AUTH", answer)
        error = _refused(smtp(relay, **_user()))
    assert type(error) is kind
    assert f"refused the login: {answer}".strip() in str(error)
    assert len(relay.credentials) == 1


def test_login_refused_at_its_first_word(smtp: Make) -> None:
    """A relay that does not ask for the password does not get it."""
    with Relay(tls="start", offers=("AUTH PLAIN",)) as relay:
        relay.on("CHALLENGE", "504 5.5.4 not this one")
        error = _refused(smtp(relay, **_user()))
    assert "refused the login: 504 5.5.4 not this one" in str(error)
    assert not relay.credentials


def test_login_of_another_kind_stops(smtp: Make) -> None:
    """Without a mechanism that both know, none is tried, and nothing is sent unknown."""
    with Relay(tls="start", offers=("AUTH GSSAPI XOAUTH2",)) as relay:
        error = _refused(smtp(relay, **_user()))
    assert type(error) is TransportError
    assert "no login that we know, PLAIN or LOGIN, but GSSAPI XOAUTH2" in str(error)
    assert not relay.commands("AUTH")


@pytest.mark.parametrize("offers", [(), ("AUTH",)])
def test_login_that_is_not_offered_is_asked_for(smtp: Make, offers: tuple[str, ...]) -> None:
    """A relay that knows none stops it and never gets the password; one that does takes it."""
    with Relay(tls="start", offers=offers) as relay:
        relay.on("CHALLENGE", "502 5.5.1 not here", times=1)
        error = _refused(smtp(relay, **_user()))
        assert not relay.credentials
        transport = smtp(relay, **_user())
        transport.open()
        transport.close()
    assert type(error) is TransportError
    assert "offered no login and refused one: 502 5.5.1" in str(error)
    assert relay.credentials == [("ann", _WORD)]


def test_old_way_of_offering_a_login_is_understood(smtp: Make) -> None:
    """Some relays still write an equals sign."""
    with Relay(tls="start", offers=("AUTH=LOGIN",)) as relay:
        transport = smtp(relay, **_user())
        transport.open()
        transport.close()
    assert len(relay.credentials) == 1


def test_login_in_clear_is_for_loopback_alone(monkeypatch: pytest.MonkeyPatch, smtp: Make) -> None:
    """What counts is the address that was reached, not what the settings say."""
    with Relay(offers=_LOGIN) as relay:
        transport = smtp(relay, **_user())
        transport.open()
        transport.close()
        monkeypatch.setattr(socket.socket, "getpeername", lambda _: ("192.0.2.25", 25))
        error = _refused(transport)
    assert "a login would go in clear, so it was not tried" in str(error)
    assert len(relay.credentials) == 1


def test_password_is_asked_for_before_connecting(smtp: Make) -> None:
    """Where it cannot be had, that is said, and nobody is called; without a user it is not read."""

    def fail() -> str:
        raise ConfigError("no such variable")

    with Relay(tls="start", offers=_LOGIN) as relay:
        with pytest.raises(ConfigError, match="no such variable"):
            smtp(relay, username="ann", password=fail).open()
        assert "username without a password" in str(_refused(smtp(relay, username="ann")))
        assert relay.sessions == 0
        transport = smtp(relay, password=fail)
        transport.open()
        transport.close()
    assert not relay.commands("AUTH")


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
@pytest.mark.parametrize("answer", ["535 5.7.8", "454 4.7.0", "235 2.7.0"])
def test_password_is_told_nowhere(
    smtp: Make, message: Write, caplog: pytest.LogCaptureFixture, mechanism: str, answer: str
) -> None:
    """Not even where the relay repeats it, at login or later: in clear, in base64, in causes."""
    octets = _WORD.encode()
    forms = [_WORD, b64encode(octets).decode(), b64encode(b"\0ann\0" + octets).decode()]
    with Relay(tls="start", offers=(f"AUTH {mechanism}",)) as relay:
        relay.on("AUTH", f"{answer} {' '.join(forms)}")
        relay.on("MAIL", f"554 5.7.1 {' '.join(forms)}")
        transport = smtp(relay, **_user())
        with pytest.raises(TransportError) as caught:
            _open_and_send(transport, message())
    told = "".join(format_exception(caught.value)) + repr(caught.value) + caplog.text
    error: BaseException | None = caught.value
    while error is not None:
        told += repr(error) + str(vars(error))
        error = error.__cause__ or error.__context__
    assert "***" in told
    assert not [form for form in forms if form in told]
    assert not [form for form in forms if form in str(vars(transport))]
