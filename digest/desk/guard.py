"""Who is let in: the right name, the right token, and nothing but looking."""

from __future__ import annotations

import re
from collections.abc import Mapping
from secrets import compare_digest
from typing import Final
from urllib.parse import quote, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from digest.config import is_loopback
from digest.desk.words import WORDS

__all__ = ["FRAME_POLICY", "FRAME_POLICY_PICTURES", "Guard"]

_METHODS: Final = ("GET", "HEAD")
_HOST = re.compile(r"(?P<name>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?")
_TOKEN: Final = "token"  # noqa: S105 - the name of the field, no secret
_PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_SANDBOX: Final = "sandbox allow-popups allow-popups-to-escape-sandbox"
_FRAME: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src {pictures}; form-action 'none'; "
    f"base-uri 'none'; frame-ancestors 'self'; {_SANDBOX}"
)
# What stands in the frame was written by others: it runs nothing, asks for nothing, posts nothing,
# also where it is opened without the frame.
FRAME_POLICY: Final = _FRAME.format(pictures="data:")
FRAME_POLICY_PICTURES: Final = _FRAME.format(pictures="data: http: https:")
_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": _PAGE_POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    # A browser may look up the hosts of all links of a page before anybody presses one.
    "X-DNS-Prefetch-Control": "off",
}


class Guard:
    """Ask for the name, then the token, then the method; lay the same headers on every answer."""

    def __init__(self, app: ASGIApp, *, token: str, hosts: tuple[str, ...] = ()) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in place of the application, or let it answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._answer(Request(scope)) or self._app
        await answer(scope, receive, sealed)

    def _answer(self, request: Request) -> Response | None:
        """Give the answer to who is not let in, or brought the token; None for all others."""
        found = _HOST.fullmatch(request.headers.get("host", "").lower())
        if found is None or not self._known(found["name"].strip("[]"), request):
            return PlainTextResponse(WORDS["wrong_host"], status_code=400)
        # Cookies do not tell ports apart, so their names have to; a tunnel may change the port.
        cookie = f"digest_desk_{found['port'] or 80}"
        brought = request.query_params.get(_TOKEN)
        if not self._right(brought or request.cookies.get(cookie, "")):
            return PlainTextResponse(WORDS["asks_token"], status_code=403)
        if request.method not in _METHODS:
            allow = {"Allow": ", ".join(_METHODS)}
            return PlainTextResponse(WORDS["wrong_method"], status_code=405, headers=allow)
        return self._admitted(request, cookie) if brought else None

    def _known(self, name: str, request: Request) -> bool:
        # A page that points its own name at this machine comes under that name.
        arrived = (request.scope.get("server") or ("", None))[0]
        return is_loopback(name) or name == arrived or name in self._hosts

    def _right(self, brought: str) -> bool:
        return compare_digest(brought.encode(), self._token)

    def _admitted(self, request: Request, cookie: str) -> Response:
        """Turn the token into a cookie and drop it from the address."""
        left = [pair for pair in request.query_params.multi_items() if pair[0] != _TOKEN]
        # One slash: two would name another host.
        place = "/" + quote(request.scope["path"].lstrip("/"))
        answer = RedirectResponse(f"{place}?{urlencode(left)}" if left else place, status_code=303)
        answer.set_cookie(cookie, self._token.decode(), httponly=True, samesite="strict")
        return answer
