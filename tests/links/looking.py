"""Looks at links from tests: under a clock of their own, with loopback for the world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ssl import SSLContext

from digest.links import LinkWatch, check_links
from digest.model import LinkState

__all__ = ["Clock", "look", "one", "watch"]


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
    patience: float = 30.0,
    context: SSLContext | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> LinkWatch:
    """Give a watch under which loopback may be reached.

    Its patience is real time, long enough for any machine: only what never answers needs a short
    one.
    """
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
