"""Who gets in: the right name first, then the token, then nothing but looking."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from desk.visiting import TOKEN, Answer, Visitor, visiting
from starlette.types import Message, Scope

from digest.config import load_settings
from digest.desk import make_desk
from digest.publish.project import Project

_PAGE = "/issues/2027-w03"


def _cookie(visitor: Visitor, value: str = TOKEN, *, port: int = 0) -> dict[str, str]:
    return {"Cookie": f"digest_desk_{port or visitor.port}={value}"}


@pytest.mark.parametrize("path", ["/", _PAGE, f"{_PAGE}/issue.html", "/desk.css", "/none"])
def test_a_stranger_gets_nothing(visitor: Visitor, path: str) -> None:
    """Without a token every address answers 403, with the same words and none of the issue's."""
    answer = visitor.ask(path)

    assert answer.status == 403
    assert answer.body == visitor.ask("/").body
    assert b"mill" not in answer.body


@pytest.mark.parametrize(
    "headers",
    [
        {"Cookie": "digest_desk_{port}=wrong"},
        {"Cookie": f"digest_desk_{{port}}={TOKEN[:-1]}"},
        {"Cookie": f"digest_desk_{{port}}={TOKEN}x"},
        {"Cookie": f"digest_desk_1={TOKEN}"},
        {"Cookie": f"digest_desk={TOKEN}"},
        {"Cookie": "digest_desk_{port}="},
        {"Cookie": "digest_desk_{port}=\xff\xfe"},
        {"Authorization": f"Bearer {TOKEN}"},
    ],
)
def test_only_the_very_token_counts(visitor: Visitor, headers: dict[str, str]) -> None:
    """A wrong, shortened, lengthened or misplaced token is none."""
    sent = {name: value.format(port=visitor.port) for name, value in headers.items()}

    assert visitor.ask("/", headers=sent).status == 403


def test_the_token_becomes_a_cookie(visitor: Visitor) -> None:
    """Token in the address: a redirect to the same address without it, and a strict cookie."""
    answer = visitor.ask(f"{_PAGE}?view=phone&token={TOKEN}&colour=dark")

    assert answer.status == 303
    assert answer.headers["location"] == f"{_PAGE}?view=phone&colour=dark"
    cookie = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
    assert cookie == {
        f"digest_desk_{visitor.port}={TOKEN}".lower(),
        "httponly",
        "samesite=strict",
        "path=/",
    }
    assert visitor.ask(answer.headers["location"], headers=_cookie(visitor)).status == 200


def test_a_wrong_token_is_not_helped_by_the_cookie(visitor: Visitor) -> None:
    """Who brings a wrong token is refused, whatever cookie comes with it."""
    assert visitor.ask("/?token=wrong", headers=_cookie(visitor)).status == 403
    assert visitor.ask("/?token=", headers=_cookie(visitor)).status == 200


@pytest.mark.parametrize("path", ["//evil.example/x", "///evil.example", "/%2F/evil.example"])
def test_the_redirect_stays_here(visitor: Visitor, path: str) -> None:
    """No address makes the redirect lead to another host."""
    place = visitor.ask(f"{path}?token={TOKEN}").headers["location"]

    assert place.startswith("/")
    assert not place.startswith("//")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example",
        "localhost.evil.example:{port}",
        "10.0.0.1:{port}",
        "0.0.0.0:{port}",
        "[::ffff:8.8.8.8]:{port}",
        "127.0.0.1@evil.example",
        "evil.example@127.0.0.1",
        "127.0.0.1:{port}:80",
        "127.0.0.1:",
        "localhost/",
        "",
    ],
)
def test_another_name_is_refused_before_the_token(visitor: Visitor, host: str) -> None:
    """A page elsewhere that points its own name at this machine gets 400, token or not."""
    headers = {"Host": host.format(port=visitor.port)}
    with_token = visitor.ask("/", headers={**headers, **_cookie(visitor)})

    assert visitor.ask("/", headers=headers).status == 400
    assert with_token.status == 400
    assert visitor.ask(f"/?token={TOKEN}", headers=headers).status == 400


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.8.8.8"])
def test_names_of_the_loopback_are_known(visitor: Visitor, name: str) -> None:
    """Every name of this machine itself is let in, each port with a cookie of its own."""
    host = f"{name}:{visitor.port}"
    tunnel = {"Host": f"{name}:5999"}

    assert visitor.ask("/", headers={"Host": host, **_cookie(visitor)}).status == 200
    assert visitor.ask("/", headers={**tunnel, **_cookie(visitor)}).status == 403
    assert visitor.ask("/", headers={**tunnel, **_cookie(visitor, port=5999)}).status == 200
    assert visitor.ask("/", headers={"Host": name, **_cookie(visitor, port=80)}).status == 200


def test_a_listed_name_is_known(drafted: Path) -> None:
    """A host that was asked for by name is let in, and no other."""
    with visiting(drafted, hosts=("Desk.Example",)) as visitor:
        cookie = _cookie(visitor, port=80)

        assert visitor.ask("/", headers={"Host": "desk.example", **cookie}).status == 200
        assert visitor.ask("/", headers={"Host": "desk2.example", **cookie}).status == 400


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "X"])
@pytest.mark.parametrize("path", ["/", _PAGE, f"{_PAGE}/issue.html", "/none"])
def test_nothing_but_looking(visitor: Visitor, path: str, method: str) -> None:
    """Every other method than GET and HEAD is refused, for strangers as 403."""
    answer = visitor.ask(path, method=method, headers=_cookie(visitor))

    assert answer.status == 405
    assert answer.headers["allow"] == "GET, HEAD"
    assert visitor.ask(path, method=method).status == 403


@pytest.mark.parametrize("path", ["/", _PAGE, f"{_PAGE}/issue.txt", "/desk.css", "/none"])
def test_head_is_get_without_a_body(visitor: Visitor, path: str) -> None:
    """HEAD has the status and the headers of GET."""
    head = visitor.ask(path, method="HEAD", headers=_cookie(visitor))
    get = visitor.get(path)

    assert head.body == b""
    assert head.status == get.status
    dated = {"date": ""}
    assert {**head.headers, **dated} == {**get.headers, **dated}


def _policy(answer: Answer) -> dict[str, str]:
    rules = answer.headers["content-security-policy"].split(";")
    return dict(rule.strip().partition(" ")[::2] for rule in rules)


@pytest.mark.parametrize("path", ["/", _PAGE, "/issues/2027-w04", "/issues/x", "/desk.css", "/no"])
def test_pages_run_no_script_and_ask_nobody(visitor: Visitor, path: str) -> None:
    """Pages get a policy without scripts, are not framed, kept, sniffed or named as referrer."""
    answer = visitor.get(path)

    assert _policy(answer) == {
        "default-src": "'none'",
        "style-src": "'self'",
        "img-src": "'self'",
        "frame-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-dns-prefetch-control"] == "off"
    assert "server" not in answer.headers


def test_refusals_carry_the_same_headers(visitor: Visitor) -> None:
    """Refusals are sealed like pages."""
    for answer in (visitor.ask("/"), visitor.ask("/", headers={"Host": "evil.example"})):
        assert _policy(answer)["default-src"] == "'none'"
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize("name", ["issue.html", "page.html", "entry.html"])
def test_what_others_wrote_is_sandboxed(visitor: Visitor, name: str) -> None:
    """An edition's HTML, in the frame or opened alone, may run, fetch and post nothing."""
    for path in (f"{_PAGE}/{name}", f"{_PAGE}/frame/{name}", f"{_PAGE}/frame/{name}?colour=dark"):
        policy = _policy(visitor.get(path))

        assert policy == {
            "default-src": "'none'",
            "style-src": "'unsafe-inline'",
            "img-src": "data:",
            "form-action": "'none'",
            "base-uri": "'none'",
            "frame-ancestors": "'self'",
            "sandbox": "allow-popups allow-popups-to-escape-sandbox",
        }


def test_remote_pictures_are_let_in_only_when_asked_for(visitor: Visitor) -> None:
    """The view with pictures changes the policy of the frame in this one point."""
    off = _policy(visitor.get(f"{_PAGE}/frame/entry.html"))
    on = _policy(visitor.get(f"{_PAGE}/frame/entry.html?pictures=on"))

    assert on.pop("img-src") == "data: http: https:"
    assert off.pop("img-src") == "data:"
    assert on == off


async def _call(root: Path, scope: Scope) -> Message:
    """Call the application itself, as a server at any address would; give its first word."""
    settings = load_settings(root, file=None, environ={}, overrides=())
    desk = make_desk(Project(settings=settings), token=TOKEN, now=lambda: pytest.fail("no page"))
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(0)
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        await asyncio.sleep(0)
        sent.append(message)

    await desk({"path": "/", "headers": [], "query_string": b"", **scope}, receive, send)
    return sent[0]


def test_a_websocket_is_closed(drafted: Path) -> None:
    """What is no plain request gets no further than the door."""
    assert asyncio.run(_call(drafted, {"type": "websocket"}))["type"] == "websocket.close"


@pytest.mark.parametrize(("host", "status"), [("192.0.2.7", 403), ("192.0.2.8", 400)])
def test_the_address_that_a_request_came_in_at_is_known(
    drafted: Path, host: str, status: int
) -> None:
    """Where other machines are let in, the machine's own address is a name of the desk."""
    scope = {
        "type": "http",
        "method": "GET",
        "server": ("192.0.2.7", 8040),
        "headers": [(b"host", f"{host}:8040".encode())],
    }

    assert asyncio.run(_call(drafted, scope))["status"] == status
