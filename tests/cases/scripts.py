"""The scripts of the cases, `server.txt`, told to a relay.

One rule a line, `CONDITIONS EVENT -> ANSWER; MORE`; without an answer the relay says nothing. Where
a script says `for=SECONDS`, no test waits so long: the first `passing` times answer so, and later
ones well. Where it says `wait SECONDS` it is silent for good, and the client gives up sooner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from relay.server import OFFERS, Relay

__all__ = ["relay_of"]


def _lines(script: str, block: str) -> Iterator[str]:
    here = ""
    for line in script.splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("block "):
            here = text.split()[1]
        elif text and here in {"", block}:
            yield text


def relay_of(script: str, block: str = "", *, encrypted: bool = True, passing: int = 2) -> Relay:
    """Give a relay that does as a script says in one of its blocks.

    `encrypted` is whether it offers STARTTLS, which the scripts leave to who runs them.
    """
    lines = list(_lines(script, block))
    offers = next((_offers(line) for line in lines if line.startswith("ehlo ")), OFFERS)
    at_once = "tls from start" in lines
    relay = Relay(tls="start" if at_once else "starttls" if encrypted else "", offers=offers)
    for line in lines:
        if "->" in line:
            _tell(relay, line, passing)
    return relay


_MORE = {"keep", "close"}


def _offers(line: str) -> tuple[str, ...]:
    """Cut `ehlo A B 5 C` into offers; numbers and mechanisms belong to the word before them."""
    return tuple(
        re.findall(r"SIZE \d+|AUTH(?: (?:PLAIN|LOGIN))+|[A-Z0-9]+", line.removeprefix("ehlo "))
    )


def _tell(relay: Relay, line: str, passing: int) -> None:
    left, _, right = line.partition("->")
    *conditions, event = left.split()
    given = dict(condition.split("=", 1) for condition in conditions)
    answer, *rest = (part.strip() for part in right.split(";"))
    if answer in _MORE:
        answer, rest = "", [answer, *rest]
    more: dict[str, object] = {
        "to": given.get("rcpt", "").strip("*"),
        "message": int(given.get("message", "0")),
        "times": passing if "for" in given else 0,
    }
    if "count" in given:
        more |= {"skip": int(given["count"]) - 1, "times": 1}
    for part in rest:
        if part in _MORE:
            more[part] = True
        elif part.startswith("wait ") and not answer:
            continue
        elif part.startswith("same packet:"):
            more["also"] = part.removeprefix("same packet:").strip().encode() + b"\r\n"
        else:
            raise ValueError(f"this relay has no {part!r}")
    relay.on(event, answer, **more)  # type: ignore[arg-type]
