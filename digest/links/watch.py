"""What a look at links needs of the world outside."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ssl import SSLContext

from digest.links.public import is_public

__all__ = ["LinkWatch"]


def _addresses(host: str, port: int) -> Sequence[str]:
    """Ask the system for the IP addresses of a host. Raise OSError, UnicodeError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(one[4][0]) for one in found))


def _unseen(_done: int, _total: int) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkWatch:
    """The clock of a look at links, how it waits, who looks on, and whom it may reach.

    `clock` gives seconds that only grow; `pause` waits for so many. `progress` is told how many
    links of how many are done. `resolve` gives the IP addresses of a host at a port, `judge` tells
    which of them may be reached. `patience` is how many seconds a link has to answer in all, the
    waiting between requests aside. `context` checks certificates; None is the system's own way.
    """

    clock: Callable[[], float]
    pause: Callable[[float], None]
    progress: Callable[[int, int], None] = _unseen
    resolve: Callable[[str, int], Sequence[str]] = _addresses
    judge: Callable[[str], bool] = is_public
    patience: float = 5.0
    context: SSLContext | None = None
