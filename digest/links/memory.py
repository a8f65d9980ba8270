"""What links answered in the last days, so that nobody is asked again for each look."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from digest.model import LinkState
from digest.model.summary import refuse_naive

__all__ = ["Known", "memory_bytes", "read_memory"]

_DAYS: Final = timedelta(days=7)
_SCHEMA: Final = 1
# Only good news keep: what was wrong may be mended at any time.
_KEPT: Final = frozenset({"ok", "redirected"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a link answered, and when."""

    state: LinkState
    at: datetime

    def __post_init__(self) -> None:
        refuse_naive(self.at)


def read_memory(data: bytes, *, now: datetime) -> dict[str, Known]:
    """Read the memory's file: address to what it answered, not more than 7 days ago.

    A file that is damaged, or of another version, holds nothing.
    """
    try:
        told = json.loads(data)
        found = _known(told["links"]) if told["schema"] == _SCHEMA else {}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return {url: one for url, one in found.items() if now - _DAYS <= one.at <= now}


def _known(links: Mapping[str, Mapping[str, Any]]) -> dict[str, Known]:
    return {
        url: Known(
            state=LinkState(
                url=url, result=one["result"], detail=str(one["detail"]), to=str(one["to"])
            ),
            at=datetime.fromisoformat(one["at"]),
        )
        for url, one in links.items()
        if one["result"] in _KEPT
    }


def memory_bytes(known: Mapping[str, Known]) -> bytes:
    """Write the memory's file: links that answered well, by address."""
    links = {
        url: {"at": one.at.astimezone(UTC).isoformat(timespec="seconds"), **_answer(one.state)}
        for url, one in sorted(known.items())
        if one.state.result in _KEPT
    }
    text = json.dumps({"schema": _SCHEMA, "links": links}, ensure_ascii=False, indent=1)
    return text.encode() + b"\n"


def _answer(state: LinkState) -> dict[str, str]:
    told = asdict(state)
    del told["url"]
    return told
