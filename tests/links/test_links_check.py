"""Links looked at: how they are asked, and what each answer means."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from links.looking import look, one, watch
from links.site import Site, page

from digest import __version__
from digest.links import Known, check_links
from digest.model import LinkState


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


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "308 Moved"])
def test_a_redirect_that_leads_back_is_broken(status: str) -> None:
    """Nobody ever arrives, so it is no news of a new place, and is not remembered."""
    replies = {
        "/a": page(status, "Location: /b"),
        "/b": page(status, "Location: /a#again"),
        "/c": page(status, "Location: /c"),
    }
    with Site(replies) as site:
        states = look(site.url("/a"), site.url("/c"))

    assert [(one.result, one.detail) for one in states] == [
        ("broken", "it leads back to itself")
    ] * 2


def test_a_location_with_odd_signs_is_made_an_address() -> None:
    """Letters beyond ASCII and blanks are encoded; no line of a request comes of them."""
    octets = "Location: /möwe b\x85c".encode().decode("latin-1")
    with Site({"/": page("302 Found", octets), "/m%C3%B6we%20b%20c": page("200 OK")}) as site:
        assert one(site.url()) == ("ok", "200 OK")


def test_states_come_one_by_one() -> None:
    """Nothing is asked before the state before it was taken."""
    with Site({"/a": page("200 OK"), "/b": page("200 OK")}) as site:
        known: Mapping[str, Known] = {}
        states = check_links([site.url("/a"), site.url("/b")], watch=watch(), known=known)
        assert site.asked == []
        next(states)
        assert site.asked == ["HEAD /a"]
