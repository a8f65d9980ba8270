"""A desk that listens on a free port, and a visitor who talks plain HTTP to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

from starlette.types import ASGIApp, Receive, Scope, Send

from digest.config import load_settings
from digest.desk import make_desk
from digest.desk.serving import listen, server
from digest.publish.project import Project

__all__ = ["TOKEN", "Answer", "Visitor", "visiting"]

TOKEN = "a-token-that-is-long-enough-to-be-one"  # noqa: S105 - of tests alone
_NOW = "2027-01-16T05:00:00+01:00"
_SECONDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back; the names of `headers` are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """Give the body as text."""
        return self.body.decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Somebody at a desk. `asked` fills with the paths that anybody asked for."""

    port: int
    asked: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Give the desk's address, with a slash at the end."""
        return f"http://127.0.0.1:{self.port}/"

    def ask(
        self, path: str, *, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Ask as a stranger: without the cookie."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=_SECONDS)
        try:
            connection.request(method, path, headers=dict(headers or {}))
            response = connection.getresponse()
            told = {name.lower(): value for name, value in response.getheaders()}
            return Answer(status=response.status, headers=told, body=response.read())
        finally:
            connection.close()

    def get(self, path: str) -> Answer:
        """Ask with the cookie."""
        return self.ask(path, headers={"Cookie": f"digest_desk_{self.port}={TOKEN}"})


@contextmanager
def visiting(root: Path, *, now: str = _NOW, hosts: tuple[str, ...] = ()) -> Iterator[Visitor]:
    """Open the desk of a newsletter, at a moment, and visit it."""
    settings = load_settings(root, file=None, environ={}, overrides=())
    moment = datetime.fromisoformat(now)
    desk = make_desk(Project(settings=settings), token=TOKEN, now=lambda: moment, hosts=hosts)
    with listen("127.0.0.1", 0) as listener:
        visitor = Visitor(port=listener.getsockname()[1])
        running = server(_Listed(desk, visitor.asked))
        thread = Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield visitor
        finally:
            running.should_exit = True
            thread.join()


class _Listed:
    """An application that notes what it is asked for."""

    def __init__(self, app: ASGIApp, asked: list[str]) -> None:
        self._app = app
        self._asked = asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._asked.append(scope["path"])
        await self._app(scope, receive, send)
