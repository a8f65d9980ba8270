"""Look whether the targets of links answer: one after the other, bounded, and never inside.

What an answer means: 2xx is `ok`, and `redirected` where it was moved for good (301, 308). 404 and
410 are `broken`. All else is `unreachable`: 5xx and 429 pass, and to 401, 403 and 451 a browser may
get another answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urldefrag, urljoin, urlsplit

from digest.links.asking import Answer, UnansweredError, ask, within
from digest.links.memory import Known
from digest.links.watch import LinkWatch
from digest.model import LinkResult, LinkState
from digest.render.addresses import ascii_url

__all__ = ["check_links"]

_MOST: Final = 100  # links that are asked for in one run
_REDIRECTS: Final = 2
_APART: Final = 1.0  # seconds between two requests to a host
_ADDRESSES: Final = 3  # of a host, that are tried
_LENGTH: Final = 2000  # characters of an address
_SUCCESS: Final = range(200, 300)
_BROKEN: Final = frozenset({404, 410})
_MOVED: Final = frozenset({301, 308})
_ELSEWHERE: Final = frozenset({301, 302, 303, 307, 308})
_BUSY: Final = frozenset({429, 503})


def check_links(
    urls: Sequence[str], *, watch: LinkWatch, known: Mapping[str, Known]
) -> Iterator[LinkState]:
    """Look at links and give the state of each, in their order.

    `known` are answers by address that count still: those are not asked again. Targets that differ
    only in the place on the page are one. After 100 that were asked the rest is `not checked`.
    """
    checker = _Checker(watch)
    states = {url: one.state for url, one in known.items()}
    for done, url in enumerate(urls, start=1):
        address = urldefrag(url).url
        if address not in states:
            states[address] = checker.look(address)
        watch.progress(done, len(urls))
        yield replace(states[address], url=url)


class _StopError(Exception):
    """The end of a look: its result, and why."""

    def __init__(self, result: LinkResult, detail: str) -> None:
        super().__init__(detail)
        self.result: LinkResult = result
        self.detail = detail


@dataclass(slots=True, kw_only=True)
class _Look:
    """A look at one link: where it is now, where it was moved for good, seconds it has left."""

    at: str
    left: float
    moved: str = ""
    followed: int = 0
    for_good: bool = True
    been: set[str] = field(default_factory=set)


class _Checker:
    """Looks at links one by one, and knows when each host was asked last."""

    def __init__(self, watch: LinkWatch) -> None:
        self._watch = watch
        self._asked = 0
        self._last: dict[str, float] = {}

    def look(self, url: str) -> LinkState:
        """Look at one link."""
        look = _Look(at=url, left=self._watch.patience, been={urldefrag(url).url})
        try:
            status = self._status(look)
        except _StopError as stop:
            gone = look.moved if stop.result == "redirected" else look.at
            to = gone if look.followed else ""
            return LinkState(url=url, result=stop.result, detail=stop.detail, to=to)
        return LinkState(
            url=url,
            result="redirected" if look.moved else "ok",
            detail=_status_text(status),
            to=look.moved,
        )

    def _status(self, look: _Look) -> int:
        """Ask for a link, go where it leads, and give the status of success."""
        target = _target(look.at)
        if self._asked == _MOST:
            raise _StopError("not checked", f"only {_MOST} are looked at in one run")
        self._asked += 1
        while (answer := self._answer(look, target)).status in _ELSEWHERE and answer.location:
            target = _follow(look, answer)
        if answer.status not in _SUCCESS:
            result: LinkResult = "broken" if answer.status in _BROKEN else "unreachable"
            raise _StopError(result, _status_text(answer.status))
        return answer.status

    def _answer(self, look: _Look, target: SplitResult) -> Answer:
        """Ask for the header alone; where that fails, in the way that each server knows."""
        addresses = self._addresses(look, target)
        answer = self._ask(look, target, addresses, method="HEAD")
        if answer.status >= HTTPStatus.BAD_REQUEST and answer.status not in _BUSY:
            answer = self._ask(look, target, addresses, method="GET")
        return answer

    def _addresses(self, look: _Look, target: SplitResult) -> tuple[str, ...]:
        """Give the IP addresses of a host, none of which may be inside a network."""
        host, port = target.hostname or "", target.port or 0
        start = self._watch.clock()
        try:
            found = within(look.left, lambda: self._watch.resolve(host, port))
        except (OSError, UnicodeError) as error:
            late = isinstance(error, TimeoutError)
            told = "its name was not found in time" if late else "its host has no address"
            raise _StopError("unreachable", told) from error
        finally:
            look.left -= self._watch.clock() - start
        if not all(map(self._watch.judge, found)):
            raise _StopError("not checked", "it lies in a private network")
        # The older kind first: a machine that lacks the newer may still know such addresses.
        return tuple(sorted(found, key=lambda one: ip_address(one).version)[:_ADDRESSES])

    def _ask(
        self, look: _Look, target: SplitResult, addresses: tuple[str, ...], *, method: str
    ) -> Answer:
        """Ask the first address of a host that answers."""
        told = "its host has no address"
        for address in addresses:
            self._wait(target.hostname or "")
            start = self._watch.clock()
            try:
                return ask(
                    target,
                    address,
                    method=method,
                    patience=look.left,
                    context=self._watch.context,
                )
            except UnansweredError as error:
                told = str(error)
            finally:
                look.left -= self._watch.clock() - start
        raise _StopError("unreachable", told)

    def _wait(self, host: str) -> None:
        """Leave a host alone for a while between two requests."""
        last = self._last.get(host)
        if last is not None and (wait := last + _APART - self._watch.clock()) > 0:
            self._watch.pause(wait)
        self._last[host] = self._watch.clock()


def _follow(look: _Look, answer: Answer) -> SplitResult:
    """Go where an answer leads."""
    look.for_good = look.for_good and answer.status in _MOVED
    # Names of fields and their values come as single octets.
    location = answer.location.encode("latin-1", "replace").decode("utf-8", "replace")
    try:
        look.at = ascii_url(urldefrag(urljoin(look.at, location)).url)
    except ValueError as error:
        raise _StopError("unreachable", "it leads to an address that cannot be read") from error
    look.followed += 1
    if look.at in look.been:
        raise _StopError("broken", "it leads back to itself")
    look.been.add(look.at)
    if look.for_good:
        look.moved = look.at
    if look.followed > _REDIRECTS:
        raise _StopError("redirected" if look.moved else "not checked", _TOO_FAR)
    return _target(look.at)


_TOO_FAR: Final = f"it leads on more than {_REDIRECTS} times"


def _target(url: str) -> SplitResult:
    """Take an address apart; stop where it is none that is looked at."""
    try:
        parts = urlsplit(url)
        sound = bool(parts.hostname) and parts.port != 0 and len(url) <= _LENGTH
    except ValueError:
        sound = False
    if not sound or not url.isascii() or parts.scheme not in {"http", "https"}:
        raise _StopError("not checked", "it is no address of the web")
    if "@" in parts.netloc:
        raise _StopError("not checked", "it holds a user's name")
    return parts


def _status_text(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
