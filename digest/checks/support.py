"""What a mail uses of HTML and CSS that mail programs lack, and what of it is accepted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from digest.checks.finding import Hit, Seen
from digest.checks.support_table import CLIENTS, GAPS
from digest.errors import TemplateError

__all__ = ["accepted_text", "features", "lacked", "read_accepted", "unsupported"]

_FIX = 'write {"accepted": []}, or let `digest look check --accept` write it'


def features(html: str) -> frozenset[str]:
    """Name the features of a mail's HTML and CSS that some named mail program has not in full.

    Comments, also those for Outlook, are set aside.
    """
    return frozenset(_found(html))


def lacked(used: Iterable[str]) -> frozenset[str]:
    """Give those of some features that a named mail program lacks altogether."""
    return frozenset(feature for feature in used if GAPS.get(feature, ("", ""))[0])


def unsupported(seen: Seen) -> Iterator[Hit]:
    """D118: a feature that a named mail program lacks, and the look does not use anyhow."""
    found = _found(seen.html)
    for feature in sorted(lacked(found) - seen.material.support):
        told = f"uses {feature}, which is lacked by {_programs(GAPS[feature][0])}"
        yield Hit(path=seen.edition_file("issue.html"), message=told, line=found[feature])


def read_accepted(text: str, *, place: str) -> frozenset[str]:
    """Read the features that a look accepts to use, from the JSON of its `support.json`.

    Raise TemplateError, naming `place`, for what `accepted_text` does not write.
    """
    try:
        held = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TemplateError("is no JSON", where=place, fix=_FIX) from error
    listed = held.get("accepted") if isinstance(held, dict) else None
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise TemplateError("has no list of names under `accepted`", where=place, fix=_FIX)
    return frozenset(listed)


def accepted_text(accepted: Iterable[str]) -> str:
    """Write the features that a look accepts to use, as its `support.json` holds them."""
    return json.dumps({"accepted": sorted(accepted)}, indent=2) + "\n"


def _found(html: str) -> Mapping[str, int]:
    """Give the features of a mail that some named program has not in full, each with a line."""
    from digest.checks.support_html import (  # noqa: PLC0415 - lxml only where a mail is read
        html_features,
    )

    found: dict[str, int] = {}
    for feature, line in html_features(html):
        if feature in GAPS:
            found.setdefault(feature, line)
    return found


def _programs(letters: str) -> str:
    """Name mail programs, each with where it runs unless it is the same everywhere."""
    named = []
    for family in dict.fromkeys(family for family, _ in CLIENTS.values()):
        runs = {letter: place for letter, (name, place) in CLIENTS.items() if name == family}
        here = [place for letter, place in runs.items() if letter in letters]
        if here:
            named.append(family if len(here) == len(runs) else f"{family} ({', '.join(here)})")
    return ", ".join(named)
