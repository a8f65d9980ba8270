"""A server for one editor: a free port, no log of who asked for what."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from starlette.types import ASGIApp
from uvicorn import Config, Server

from digest.errors import UsageError
from digest.model import host_and_port

__all__ = ["listen", "run", "server"]

_TRIES: Final = 20
_LAST_PORT: Final = 65535
_WAITING: Final = 64
_ANY: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - how to reach who listens on all


def listen(host: str, port: int) -> socket.socket:
    """Listen on a port, or on the next free one; 0 means any. Raise UsageError."""
    last = min(port + _TRIES, _LAST_PORT) if port else port
    for candidate in range(port, last + 1):
        try:
            return _listener(host, candidate)
        except (OSError, UnicodeError) as error:
            if getattr(error, "errno", None) != errno.EADDRINUSE:
                told = getattr(error, "strerror", None) or "that is no host"
                raise UsageError(
                    f"nobody can listen on {host}, port {candidate}: {told}",
                    where="--host, --port",
                    fix="give an address of this machine, and a port from 1024 on",
                ) from error
    raise UsageError(
        f"the ports from {port} to {last} are all taken",
        where="--port",
        fix="give another one, or 0 for any that is free",
    )


def _listener(host: str, port: int) -> socket.socket:
    # `localhost` is what this machine calls itself, whatever a file of host names says.
    name = "127.0.0.1" if host.lower() == "localhost" else host
    family, kind, protocol, _, address = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        # A desk that was just stopped leaves its port waiting for a minute.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(_WAITING)
    except OSError:
        listener.close()
        raise
    return listener


def server(app: ASGIApp) -> Server:
    """Make the server of a desk, for `Server.run(sockets=[...])`."""
    return Server(
        Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",  # what strangers send is no news
            access_log=False,  # the first address holds the token
            server_header=False,
            proxy_headers=False,  # nobody stands between who could vouch for another name
            timeout_graceful_shutdown=1,
        )
    )


def run(app: ASGIApp, *, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C, as `digest.desk.serve` says."""
    with listen(host, port) as listener:
        ready(_address(listener))
        # Ctrl-C is how it ends; the server has finished by then.
        with suppress(KeyboardInterrupt):
            server(app).run(sockets=[listener])


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{host_and_port(_ANY.get(host, host), port)}/"
