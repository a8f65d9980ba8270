"""Links looked at: what each answer means, how often is asked, and where nobody ever asks."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from ssl import PROTOCOL_TLS_SERVER, SSLContext, create_default_context
from threading import Event
from urllib.parse import SplitResult

import pytest
import trustme
from links.site import Site, page

from digest import __version__
from digest.links import Known, LinkWatch, check, check_links, is_public
from digest.links.asking import Answer, UnansweredError
from digest.model import LinkState

NOW = datetime(2026, 11, 30, tzinfo=UTC)


class Clock:
    """A clock that goes on only by waiting."""

    def __init__(self) -> None:
        self.time = 100.0
        self.waits: list[float] = []

    def now(self) -> float:
        """Give the seconds."""
        return self.time

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.waits.append(seconds)
        self.time += seconds


def watch(
    *,
    clock: Clock | None = None,
    resolve: Callable[[str, int], Sequence[str]] = lambda _host, _port: ("127.0.0.1",),
    judge: Callable[[str], bool] = lambda _: True,
    patience: float = 5.0,
    context: SSLContext | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> LinkWatch:
    """Give a watch under which loopback may be reached."""
    clock = clock or Clock()
    return LinkWatch(
        clock=clock.now,
        pause=clock.wait,
        resolve=resolve,
        judge=judge,
        patience=patience,
        context=context,
        progress=progress,
    )


def look(*urls: str, seen: LinkWatch | None = None) -> list[LinkState]:
    """Look at links of which nothing is known."""
    return list(check_links(urls, watch=seen or watch(), known={}))


def one(url: str, seen: LinkWatch | None = None) -> tuple[str, str]:
    """Look at one link, and give result and detail."""
    (state,) = look(url, seen=seen)
    return state.result, state.detail


@pytest.mark.parametrize(
    ("status", "result", "detail"),
    [
        ("200 Fine", "ok", "200 OK"),
        ("204 Empty", "ok", "204 No Content"),
        ("404 Not there", "broken", "404 Not Found"),
        ("410 Away", "broken", "410 Gone"),
        ("401 No", "unreachable", "401 Unauthorized"),
        ("403 No", "unreachable", "403 Forbidden"),
        ("429 Slowly", "unreachable", "429 Too Many Requests"),
        ("451 Law", "unreachable", "451 Unavailable For Legal Reasons"),
        ("500 Oh", "unreachable", "500 Internal Server Error"),
        ("503 Later", "unreachable", "503 Service Unavailable"),
        ("999 Own", "unreachable", "999"),
        ("301 Where", "unreachable", "301 Moved Permanently"),
        ("304 As was", "unreachable", "304 Not Modified"),
    ],
)
def test_each_status_has_a_meaning(status: str, result: str, detail: str) -> None:
    """Its words are our own: what the server says of it is not shown."""
    with Site({"/": page(status)}) as site:
        assert one(site.url()) == (result, detail)


def test_a_request_tells_no_more_than_it_must() -> None:
    """The path without the place on the page, the host, the program; no cookie, no Referer."""
    with Site({"/a%20b?c=1": page("200 OK", "Set-Cookie: a=b")}) as site:
        url = site.url("/a%20b?c=1#place")
        assert look(url) == [LinkState(url=url, result="ok", detail="200 OK")]
        assert [request.split("\r\n") for request in site.requests] == [
            [
                "HEAD /a%20b?c=1 HTTP/1.1",
                f"Host: mills.example:{site.port}",
                f"User-Agent: digest/{__version__} (link check)",
                "Accept: */*",
                "Connection: close",
                "",
                "",
            ]
        ]


@pytest.mark.parametrize("status", ["403 No", "404 No", "405 No", "501 No"])
def test_what_refuses_head_is_asked_by_get(status: str) -> None:
    """Many servers know only the one way; of its body nothing is read."""
    with Site({"HEAD /": page(status), "GET /": page("200 OK")}) as site:
        assert one(site.url()) == ("ok", "200 OK")
        assert site.asked == ["HEAD /", "GET /"]


@pytest.mark.parametrize("status", ["429 Slowly", "503 Later"])
def test_who_is_busy_is_asked_once(status: str) -> None:
    """Another request would make it worse."""
    with Site({"/": page(status)}) as site:
        one(site.url())
        assert site.asked == ["HEAD /"]


def test_what_was_moved_for_good_names_its_new_place() -> None:
    """The last place of those moved for good is told; passing detours are not."""
    replies = {
        "/old": page("301 Moved", "Location: /new"),
        "/older": page("308 Moved", "Location: old#top"),
        "/new": page("200 OK"),
        "/lent": page("302 Found", "Location: /new"),
        "/far": page("301 Moved", "Location: /lent"),
    }
    with Site(replies) as site:
        states = look(*(site.url(path) for path in ("/old", "/older", "/lent", "/far")))
        assert [(state.result, state.detail, state.to) for state in states] == [
            ("redirected", "200 OK", site.url("/new")),
            ("redirected", "200 OK", site.url("/new")),
            ("ok", "200 OK", ""),
            ("redirected", "200 OK", site.url("/lent")),
        ]


def test_a_redirect_to_what_is_broken_is_broken() -> None:
    """The place where it ended is told."""
    with Site({"/old": page("302 Found", "Location: /gone")}) as site:
        assert look(site.url("/old")) == [
            LinkState(
                url=site.url("/old"),
                result="broken",
                detail="404 Not Found",
                to=site.url("/gone"),
            )
        ]


def test_redirects_are_followed_twice() -> None:
    """The third is not: what was moved for good says where to, else nothing is known."""
    replies = {
        **{f"/a{n}": page("301 Moved", f"Location: /a{n + 1}") for n in range(9)},
        **{f"/b{n}": page("302 Found", f"Location: /b{n + 1}") for n in range(9)},
    }
    with Site(replies) as site:
        for_good, passing = look(site.url("/a0"), site.url("/b0"))
        told = "it leads on more than 2 times"
        assert (for_good.result, for_good.detail) == ("redirected", told)
        assert for_good.to == site.url("/a3")
        assert (passing.result, passing.detail) == ("not checked", told)
        assert site.asked == [f"HEAD /{kind}{n}" for kind in "ab" for n in range(3)]


@pytest.mark.parametrize(
    ("location", "result", "detail"),
    [
        ("file:///etc/passwd", "not checked", "it is no address of the web"),
        ("//user@mills.example/", "not checked", "it holds a user's name"),
        ("http://[broken", "unreachable", "it leads to an address that cannot be read"),
        ("http://inside.example/", "not checked", "it lies in a private network"),
        ("http://10.0.0.1/", "not checked", "it lies in a private network"),
    ],
)
def test_each_redirect_is_judged_anew(location: str, result: str, detail: str) -> None:
    """A public site that leads into a network, or elsewhere, is not followed."""
    addresses = {"mills.example": "127.0.0.1", "inside.example": "192.168.0.1"}
    seen = watch(
        resolve=lambda host, _: (addresses.get(host, host),),
        judge=lambda address: address == "127.0.0.1" or is_public(address),
    )
    with Site({"/": page("302 Found", f"Location: {location}")}) as site:
        assert one(site.url(), seen) == (result, detail)
        assert len(site.requests) == 1


def test_a_location_with_odd_signs_is_made_an_address() -> None:
    """Letters beyond ASCII and blanks are encoded; no line of a request comes of them."""
    octets = "Location: /möwe b\x85c".encode().decode("latin-1")
    with Site({"/": page("302 Found", octets), "/m%C3%B6we%20b%20c": page("200 OK")}) as site:
        assert one(site.url()) == ("ok", "200 OK")


def test_a_host_is_asked_once_a_second() -> None:
    """Other hosts need not wait for it; another method and a redirect count as requests too."""
    clock = Clock()
    with Site({"/a": page("302 Found", "Location: /b"), "/b": page("200 OK")}) as site:
        other = site.url("/b", host="other.example")
        look(site.url("/a"), site.url("/c"), other, seen=watch(clock=clock))
        assert site.asked == ["HEAD /a", "HEAD /b", "HEAD /c", "GET /c", "HEAD /b"]
    assert clock.waits == [1.0, 1.0, 1.0]


def test_what_is_known_is_not_asked() -> None:
    """Nor is a page twice, whatever place on it a link means; progress counts all."""
    told: list[tuple[int, int]] = []
    with Site({"/b": page("200 OK")}) as site:
        known = {
            site.url("/a"): Known(
                at=NOW, state=LinkState(url="", result="redirected", detail="200 OK", to="x")
            )
        }
        urls = [site.url("/a#here"), site.url("/b#one"), site.url("/b#two")]
        seen = watch(progress=lambda done, total: told.append((done, total)))
        assert list(check_links(urls, watch=seen, known=known)) == [
            LinkState(url=urls[0], result="redirected", detail="200 OK", to="x"),
            LinkState(url=urls[1], result="ok", detail="200 OK"),
            LinkState(url=urls[2], result="ok", detail="200 OK"),
        ]
        assert site.asked == ["HEAD /b"]
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_hundred_links_are_asked_in_one_run() -> None:
    """The rest is not checked; those known and those that are none count for nothing."""
    tried: list[str] = []

    def resolve(host: str, _: int) -> Sequence[str]:
        tried.append(host)
        return ()

    urls = ["ftp://x.example/", *(f"http://h{n}.example/" for n in range(102))]
    states = look(*urls, seen=watch(resolve=resolve))
    assert len(tried) == 100
    assert {(state.result, state.detail) for state in states[101:]} == {
        ("not checked", "only 100 are looked at in one run")
    }


@pytest.mark.parametrize(
    "url",
    [
        *("mailto:a@sea.example", "ftp://sea.example/", "http:///path", "http://[x/", "", "x"),
        *("http://sea.example:0/", "http://sea.example:99999/", "http://möwe.example/"),
        "//sea.example",
        "http://sea.example/" + "a" * 2000,
    ],
)
def test_other_addresses_are_not_checked(url: str) -> None:
    """Nobody is asked for what is no address of the web, or one without end."""

    def resolve(host: str, _: int) -> Sequence[str]:
        raise AssertionError(host)

    assert one(url, watch(resolve=resolve)) == ("not checked", "it is no address of the web")


def test_one_private_address_of_a_host_is_enough() -> None:
    """A name that leads outside and inside is not asked at all."""
    with Site({"/": page("200 OK")}) as site:
        seen = watch(
            resolve=lambda _host, _port: ("127.0.0.1", "10.0.0.1"),
            judge=lambda address: address == "127.0.0.1",
        )
        assert one(site.url(), seen) == ("not checked", "it lies in a private network")
        assert site.requests == []


def test_without_a_judge_of_its_own_a_watch_reaches_nothing_on_this_machine() -> None:
    """Names and numbers of loopback, in whatever form the system reads, are refused."""
    with Site({"/": page("200 OK")}) as site:
        seen = LinkWatch(clock=time.monotonic, pause=time.sleep)
        for host in ("127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433"):
            assert one(site.url(host=host), seen) == ("not checked", "it lies in a private network")
        assert site.requests == []


def test_the_name_is_resolved_once_for_what_is_asked() -> None:
    """What it leads to a moment later does not matter: the judged address is the one reached."""
    answers = iter([("127.0.0.1",), ("10.9.9.9",)])
    with Site({"/": page("200 OK")}) as site:
        seen = watch(resolve=lambda _host, _port: next(answers))
        assert one(site.url(), seen) == ("ok", "200 OK")
        assert site.requests[0].split("\r\n")[1] == f"Host: mills.example:{site.port}"


def test_the_next_address_is_tried_where_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The older kind goes first, three are tried; a host without any is unreachable."""
    tried: list[str] = []

    def refuse(_: SplitResult, address: str, **__: object) -> Answer:
        tried.append(address)
        if address == good:
            return Answer(status=200, location="")
        raise UnansweredError(address)

    monkeypatch.setattr(check, "ask", refuse)
    many = ("2606:4700::1", "8.8.4.4", "8.8.8.8", "2606:4700::2")
    seen = watch(resolve=lambda _host, _port: many)
    good = "8.8.8.8"
    assert one("http://x.example/", seen) == ("ok", "200 OK")
    good = ""
    assert one("http://x.example/", seen) == ("unreachable", "2606:4700::1")
    assert tried == ["8.8.4.4", "8.8.8.8", "8.8.4.4", "8.8.8.8", "2606:4700::1"]
    assert one("http://x.example/", watch(resolve=lambda _host, _port: ())) == (
        "unreachable",
        "its host has no address",
    )


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

    assert one("http://x.example/", watch(resolve=slow, patience=0.1)) == (
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
    ("reply", "detail"),
    [
        (_hang, "no answer in time"),
        (_drip, "no answer in time"),
        (_break, "the connection broke off"),
        (b"SSH-2.0-server\r\n", "it does not answer as a web server does"),
        (b"\xff\x00" * 40_000, "it does not answer as a web server does"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200, "it does not answer as a web server does"),
    ],
)
def test_what_does_not_answer_is_unreachable(
    reply: bytes | Callable[[socket.socket], None], detail: str
) -> None:
    """Silence, an answer without end, one that is none: a link takes no longer than its time."""
    with Site({"/": reply}) as site:
        began = time.monotonic()
        assert one(site.url(), watch(patience=0.4)) == ("unreachable", detail)
        assert time.monotonic() - began < 5


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
        clock.time += 6
        return ("127.0.0.1",)

    with Site({"/": page("200 OK")}) as site:
        assert one(site.url(), watch(clock=clock, resolve=resolve)) == (
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


def test_states_come_one_by_one() -> None:
    """Nothing is asked before the state before it was taken."""
    with Site({"/a": page("200 OK"), "/b": page("200 OK")}) as site:
        known: Mapping[str, Known] = {}
        states = check_links([site.url("/a"), site.url("/b")], watch=watch(), known=known)
        assert site.asked == []
        next(states)
        assert site.asked == ["HEAD /a"]
