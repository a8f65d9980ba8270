"""Where every summary stands in its life."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, Literal

from digest.model import History, IssueKey, Slot, Summary, Theme
from digest.picking.claims import Claims
from digest.picking.decide import stock_up
from digest.picking.fresh import TWIN, sift
from digest.picking.policy import Policy
from digest.picking.situation import situate

__all__ = ["LIVES", "Life", "life"]

Life = Literal[
    "waiting", "reserved", "sent", "embargoed", "expired", "draft", "withdrawn", "duplicate"
]
LIVES: Final[tuple[Life, ...]] = (
    "waiting",
    "reserved",
    "sent",
    "embargoed",
    "expired",
    "draft",
    "withdrawn",
    "duplicate",
)
_BY_KIND: Final[Mapping[str, Life]] = {
    "withdrawn": "withdrawn",
    "draft": "draft",
    "empty": "draft",
    "superseded": "withdrawn",
    "held back": "embargoed",
    "lapsed": "expired",
    "dated later": "embargoed",
    "too old": "expired",
    "reserved": "reserved",
    "already sent": "sent",
    "alike": "duplicate",
    TWIN: "duplicate",
}


def life(
    summaries: Iterable[Summary],
    *,
    at: datetime,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
) -> tuple[tuple[Summary, Life], ...]:
    """Tell where each summary stands at a moment, in the order of the shelf.

    What an issue holds is reserved or sent, whatever else its file says by now.
    """
    stock = stock_up(summaries, themes, policy)
    year, week, _ = at.isocalendar()
    slot = Slot(issue=IssueKey(f"{year:04d}-w{week:02d}"), at=at)
    situation = situate(slot, Claims(history), policy, kin=stock.kin, afresh=False)
    sifted = sift(stock.shelf, situation, shared=stock.shared)
    against = {id(candidate): why.kind for candidate, why in sifted.stale}
    again = {id(candidate) for candidate in sifted.repeats}
    found: list[tuple[Summary, Life]] = []
    for candidate in stock.shelf:
        state: Life = "sent" if id(candidate) in again else "waiting"
        kind = against.get(id(candidate), "")
        if kind:
            state = _BY_KIND[kind]
        if kind and situation.reserved(candidate):
            state = "reserved"
        elif kind and situation.last(candidate):
            state = "sent"
        found.append((candidate.summary, state))
    return tuple(found)
