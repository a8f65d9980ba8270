"""Which summaries are in an issue already, as the rules see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from digest.model import History, IssueKey, Slot, Summary, Theme
from digest.picking.claims import Claims
from digest.picking.decide import stock_up
from digest.picking.fresh import setback_by
from digest.picking.policy import Policy
from digest.picking.situation import situate

__all__ = ["already_out", "sent_before"]


def already_out(
    summaries: Iterable[Summary],
    *,
    slot: Slot,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
    reserved: bool = False,
) -> Mapping[str, str]:
    """Tell of the summaries that were in a published issue, by id, in which, as a sentence.

    One that may come again by then, by its cooldown or since repeats may fill an issue, is not
    among them; nor is what the issue of the slot itself holds. With `reserved` those are told, too,
    that the file of another issue holds which is not published.
    """
    stock = stock_up(summaries, themes, policy)
    situation = situate(slot, Claims(history), policy, kin=stock.kin)
    kinds = ("reserved", "already sent") if reserved else ("already sent",)
    told = (
        (candidate.summary.id, setback_by(kinds, candidate, situation)) for candidate in stock.shelf
    )
    return {name: against.reason for name, against in told if against is not None}


def sent_before(
    summaries: Iterable[Summary],
    *,
    slot: Slot,
    themes: tuple[Theme, ...],
    history: History,
    policy: Policy,
) -> Mapping[str, IssueKey]:
    """Give of the summaries that were out, by id, the nearest issue that held them.

    What takes another's place is new; what the issue of the slot itself holds does not count.
    """
    stock = stock_up(summaries, themes, policy)
    situation = situate(slot, Claims(history), policy, kin=stock.kin)
    found = ((one.summary.id, situation.last(one)) for one in stock.shelf)
    return {name: claim.past.key for name, claim in found if claim is not None}
