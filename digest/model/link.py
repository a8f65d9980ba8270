"""What became of a look at the target of a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["LinkResult", "LinkState"]

LinkResult = Literal["ok", "broken", "redirected", "unreachable", "not checked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkState:
    """How the target of a link answered.

    `detail` says it in words (`404 Not Found`, `no answer in time`), `to` is where a redirect
    led, empty where there was none.
    """

    url: str
    result: LinkResult
    detail: str = ""
    to: str = ""
