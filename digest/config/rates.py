"""The settings of how much a relay gets, and how fast."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container
from typing import Final

from digest.config.addresses import domain
from digest.config.reading import Reading
from digest.config.values import Wrong, line, lines, nearest, number, shown, table
from digest.model import Limits, Rate

__all__ = ["limits"]

_RATE: Final = re.compile(r"(\d{1,9})\s*/\s*([a-z]+)", re.ASCII)
_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
_SUCH_AS: Final = '["10/second", "500/day"]'
_MOST: Final = 999_999_999
_ANY: Final = "*"


def limits(reading: Reading, section: str) -> Limits:
    """Read the limits of a relay; complain of each rate that is none."""
    total = reading.take(f"{section}.rate", _rates, [])
    domains = reading.take(f"{section}.domain_rate", _domain_rates, {})
    warm_up = lines(number(1, _MOST), such_as="[50, 100, 200]")
    return Limits(
        total=tuple(map(_parsed, total)),
        domains={name: tuple(map(_parsed, rates)) for name, rates in domains.items()},
        warm_up=reading.take(f"{section}.warm_up", warm_up, []),
    )


def _rates(value: object) -> tuple[str, ...]:
    """Check a list of rates, each of another unit; give them in one spelling."""
    found = lines(_rate, such_as=_SUCH_AS)(value)
    counts = Counter(rate.partition("/")[2] for rate in found)
    twice = [unit for unit, count in counts.items() if count > 1]
    if twice:
        raise Wrong(f"has more than one rate by the {twice[0]}", fix="keep the smallest")
    return found


def _rate(value: object) -> str:
    """Check one rate: how many, a slash, and a unit of time."""
    text = line(value)
    found = _RATE.fullmatch(text.lower())
    if not found:
        raise Wrong("must be a number, a slash and a unit, such as 10/second", value=text)
    count, unit = int(found[1]), found[2]
    if unit not in _SECONDS:
        raise Wrong(
            f"must be a rate by {', '.join(_SECONDS)}",
            value=text,
            fix=f"did you mean {count}/{near}?" if (near := nearest(unit, _SECONDS)) else "",
        )
    if not count:
        raise Wrong("must let at least 1 through", value=text)
    return f"{count}/{unit}"


def _parsed(text: str) -> Rate:
    """Read a rate that was checked."""
    count, _, unit = text.partition("/")
    return Rate(count=int(count), seconds=_SECONDS[unit])


def _domain_rates(value: object) -> dict[str, tuple[str, ...]]:
    """Check a table of rates by receiving domain; `*` is any domain that it does not name."""
    good: dict[str, tuple[str, ...]] = {}
    wrong: list[Wrong] = []
    for key, below in table(value, of="rates by domain").items():
        try:
            name = _receiver(key, below, known=good)
            good[name] = _rates(below)
        except Wrong as found:
            wrong += [
                Wrong(f"has {shown(key)}, which {one}", fix=one.fix, key=key) for one in found.all
            ]
    if wrong:
        raise Wrong.of(wrong)
    return good


def _receiver(key: str, below: object, *, known: Container[str]) -> str:
    """Check a domain that gets mail, which is not `known` yet."""
    if isinstance(below, dict):
        whole = f"{key}.{next(iter(below), 'example')}"
        fix = f"write the whole domain in quotes, such as {shown(whole)}"
        raise Wrong("is half a domain", fix=fix)
    if "@" in key:
        raise Wrong("is an address", fix=f"write {shown(key.rpartition('@')[2])} alone")
    name = key if key == _ANY else domain(key)
    if name in known:
        raise Wrong("is there twice", fix="keep one of the two")
    return name
