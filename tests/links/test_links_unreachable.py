"""Links looked at that give no answer: each is unreachable, and says why."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from ssl import PROTOCOL_TLS_SERVER, SSLContext, create_default_context
from threading import Event

import pytest
import trustme
from links.looking import Clock, one, watch
from links.site import Site, page

# Seconds: for who answers, on however slow a machine, and for who never does.
_LONG = 30.0
_SHORT = 0.4
_ODD = "it does not answer as a web server does"


def _raise(error: Exception) -> Callable[[str, int], Sequence[str]]:
    def resolve(_host: str, _port: int) -> Sequence[str]:
        raise error

    return resolve


def test_a_name_that_is_not_found_is_unreachable() -> None:
    """It has no address, is no name, or is looked for too long."""
    none = ("unreachable", "its host has no address")
    assert one("http://x.example/", watch(resolve=_raise(socket.gaierror(-2, "x")))) == none
    bad = UnicodeEncodeError("idna", "x", 0, 1, "label too long")
    assert one("http://x.example/", watch(resolve=_raise(bad))) == none

    def slow(_host: str, _port: int) -> Sequence[str]:
        Event().wait(60)
        return ()

    assert one("http://x.example/", watch(resolve=slow, patience=_SHORT)) == (
        "unreachable",
        "its name was not found in time",
    )


def _drip(link: socket.socket) -> None:
    """Send a header that has no end, octet by octet."""
    link.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    link.settimeout(0.02)
    for _ in range(500):
        link.sendall(b"y")
        try:
            if not link.recv(1):
                return
        except TimeoutError:
            continue


def _hang(link: socket.socket) -> None:
    link.recv(1)


def _break(link: socket.socket) -> None:
    link.close()


@pytest.mark.parametrize(
    ("reply", "patience", "detail"),
    [
        (_hang, _SHORT, "no answer in time"),
        (_drip, _SHORT, "no answer in time"),
        (_break, _LONG, "the connection broke off"),
        (b"SSH-2.0-server\r\n", _LONG, _ODD),
        (b"\xff\x00" * 40_000, _LONG, _ODD),
        (
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200,
            _LONG,
            _ODD,
        ),
    ],
)
def test_what_does_not_answer_is_unreachable(
    reply: bytes | Callable[[socket.socket], None], patience: float, detail: str
) -> None:
    """Silence, an answer without end, one that is none: a link that hangs is given up."""
    with Site({"/": reply}) as site:
        assert one(site.url(), watch(patience=patience)) == ("unreachable", detail)


def test_a_closed_port_is_unreachable() -> None:
    """Nobody listens there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    url = f"http://mills.example:{port}/"
    assert one(url) == ("unreachable", "it refuses connections")


@pytest.mark.parametrize(
    ("error", "detail"),
    [
        (OSError(101, "Network is unreachable"), "Network is unreachable"),
        (OSError(), "it cannot be reached"),
    ],
)
def test_a_network_without_a_way_is_unreachable(
    monkeypatch: pytest.MonkeyPatch, error: OSError, detail: str
) -> None:
    """What the system says is told."""

    def fail(*_: object, **__: object) -> socket.socket:
        raise error

    monkeypatch.setattr(socket, "create_connection", fail)
    assert one("http://x.example/") == ("unreachable", detail)


def test_a_link_that_used_up_its_time_is_not_asked_again() -> None:
    """All requests of a link share its seconds; waiting for the host does not count."""
    clock = Clock()

    def resolve(_host: str, _port: int) -> Sequence[str]:
        clock.time += _LONG + 1
        return ("127.0.0.1",)

    with Site({"/": page("200 OK")}) as site:
        assert one(site.url(), watch(clock=clock, resolve=resolve, patience=_LONG)) == (
            "unreachable",
            "no answer in time",
        )
        assert site.requests == []


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Give an authority that signs certificates."""
    return trustme.CA()


def _contexts(authority: trustme.CA, name: str) -> tuple[SSLContext, SSLContext]:
    """Give the context of a server of that name, and of who trusts the authority."""
    server, client = SSLContext(PROTOCOL_TLS_SERVER), create_default_context()
    authority.issue_cert(name).configure_cert(server)
    authority.configure_trust(client)
    return server, client


def test_a_certificate_must_name_the_host(authority: trustme.CA) -> None:
    """The connection goes to a number, and is checked against the name all the same."""
    server, client = _contexts(authority, "mills.example")
    with Site({"/": page("200 OK")}, context=server) as site:
        seen = watch(context=client)
        assert one(site.url(scheme="https"), seen) == ("ok", "200 OK")
        assert one(site.url(scheme="https", host="mills.example."), seen) == ("ok", "200 OK")
        result, detail = one(site.url(scheme="https", host="other.example"), seen)
        assert result == "unreachable"
        assert detail.startswith("its certificate does not hold: Hostname mismatch")


def test_a_certificate_must_be_one_that_the_system_trusts(authority: trustme.CA) -> None:
    """An authority of the test's own is unknown to it."""
    server, _ = _contexts(authority, "mills.example")
    with Site({"/": page("200 OK")}, context=server) as site:
        result, detail = one(site.url(scheme="https"))
        assert result == "unreachable"
        assert detail.startswith("its certificate does not hold: ")


def test_a_site_that_does_not_encrypt_is_unreachable_by_https() -> None:
    """What it says in clear is not taken."""
    with Site({"/": page("200 OK")}) as site:
        told = ("unreachable", "it does not encrypt as it should")
        assert one(site.url(scheme="https")) == told
        assert site.requests == []
