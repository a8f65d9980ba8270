"""Links looked at: how often is asked, what is left alone, and where nobody ever asks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import SplitResult

import pytest
from links.looking import Clock, look, one, watch
from links.site import Site, page

from digest.links import Known, LinkWatch, check, check_links, is_public
from digest.links.asking import Answer, UnansweredError
from digest.model import LinkState

NOW = datetime(2026, 11, 30, tzinfo=UTC)


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
