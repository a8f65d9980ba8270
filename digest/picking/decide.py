"""One decision: the theme of a slot, what is in and what is out, before it is written down."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from digest.errors import UsageError
from digest.model import OTHER, LeftOut, Pick, Slot, Summary, Theme, ThemeId
from digest.picking.assign import themes_in_order
from digest.picking.choose import Choice, Groups, Offer, choose_themed, standing
from digest.picking.claims import Claims
from digest.picking.fresh import RULES, TWIN, Fresh, same_page, setback, sift
from digest.picking.kin import Kin, find_kin
from digest.picking.mixed import choose_mixed
from digest.picking.policy import Policy
from digest.picking.score import Supply, ThemeScore, by_theme, score_text, score_themes, weeks_since
from digest.picking.shelf import Candidate, ordinal, shelve, times
from digest.picking.situation import Situation, situate
from digest.picking.wish import NOTHING_ASKED, Wish
from digest.picking.worth import Ranked, rank

__all__ = ["MIXED", "Decision", "Stock", "decide", "left_of", "stock_up"]

MIXED: Final = ThemeId("")
_NOTHING: Final = Choice(taken=(), left=(), own=0, shortages=())
# What no editor means to send by leaving it in an issue file. Who wants a repeat says `cooldown`.
_UNFIT: Final = frozenset(
    {
        "withdrawn",
        "draft",
        "empty",
        "superseded",
        "held back",
        "lapsed",
        "dated later",
        "already sent",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """All summaries on their shelf, and all themes; the same for every slot.

    `shared` are the names that several summaries have; in the themes `apart` no two texts are
    alike.
    """

    shelf: tuple[Candidate, ...]
    by_id: Mapping[str, Candidate]
    shared: frozenset[str]
    themes: tuple[Theme, ...]
    declared: bool
    policy: Policy
    kin: Kin
    apart: frozenset[ThemeId]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided for a slot; `skipped` is the reason why there is no issue, else empty.

    `lead` is empty for a mixed issue. `least` is the number of items that a theme must have to
    lead. `kept` is what people have put into it and stays, with `held` as its candidates; `removed`
    is what of that may not go out.
    `passed_over` counts what could not be picked, by kind.
    """

    situation: Situation
    lead: ThemeId
    lead_reason: str
    least: int
    scores: tuple[ThemeScore, ...]
    groups: Groups
    sifted: Fresh
    kept: tuple[Pick, ...]
    held: tuple[Candidate, ...]
    removed: tuple[LeftOut, ...]
    choice: Choice
    skipped: str
    passed_over: tuple[str, ...]


def stock_up(summaries: Iterable[Summary], themes: tuple[Theme, ...], policy: Policy) -> Stock:
    """Shelve summaries once for any number of slots; `themes` are the declared ones."""
    held = tuple(summaries)
    shelf = shelve(held, themes)
    by_id: dict[str, Candidate] = {}
    for candidate in shelf:
        by_id.setdefault(candidate.name, candidate)
    names = Counter(name for candidate in shelf for name in candidate.names)
    kin = find_kin(shelf, policy)
    return Stock(
        shelf=shelf,
        by_id=by_id,
        shared=frozenset(name for name, count in names.items() if count > 1),
        themes=themes_in_order(themes, held),
        declared=any(theme.id != OTHER.id for theme in themes),
        policy=policy,
        kin=kin,
        apart=kin.alike.apart(),
    )


def decide(stock: Stock, slot: Slot, held: Claims, *, wish: Wish = NOTHING_ASKED) -> Decision:
    """Decide for one slot, as the wish asks and else by the rules.

    Raise UsageError for a theme that is not known.
    """
    if wish.theme:
        _refuse_unknown(wish.theme, stock.themes)
    situation = situate(slot, held, stock.policy, kin=stock.kin, dropped=wish.dropped)
    kept, removed = _keep(stock, situation, wish)
    own = tuple(stock.by_id[pick.id] for pick in kept)
    sifted = _besides(own, sift(stock.shelf, situation, shared=stock.shared))
    lead, least, offer = _offer(stock, situation, sifted, wish=wish, kept=own)
    skipped = "" if kept else _nothing(stock, sifted, wish.theme or None)
    choice = _NOTHING if skipped else _choose(lead, offer)
    return Decision(
        situation=situation,
        lead=lead,
        lead_reason=_lead_reason(stock, lead, offer, forced=wish.theme is not None, least=least),
        least=least,
        scores=offer.scores,
        groups=offer.groups,
        sifted=sifted,
        kept=kept,
        held=own,
        removed=removed,
        choice=choice,
        skipped=skipped or ("" if kept else _too_thin(choice, lead, stock.policy)),
        passed_over=_passed_over(sifted),
    )


def _offer(
    stock: Stock,
    situation: Situation,
    sifted: Fresh,
    *,
    wish: Wish,
    kept: tuple[Candidate, ...],
) -> tuple[ThemeId, int, Offer]:
    """Find the theme that leads, what one must have to lead, and what the issue may be made of."""
    mixed = wish.theme == MIXED or (
        wish.theme is None and (stock.policy.mode == "mixed" or not stock.declared)
    )
    least = 1 if mixed else stock.policy.min_items
    groups, repeats = by_theme(sifted.fresh), by_theme(sifted.repeats)
    scores = score_themes(
        stock.themes,
        Supply(fresh=groups, offered=groups or repeats, apart=stock.apart),
        situation,
        weeks=weeks_since(situation, stock.by_id),
        least=least,
    )
    lead = MIXED if mixed else wish.theme or scores[0].theme
    most = stock.policy.max_items
    offer = Offer(
        situation=situation,
        groups=groups,
        repeats=repeats,
        kept=kept,
        scores=scores,
        room=most if wish.room is None else min(most, wish.room),
    )
    return lead, least, offer


def _keep(
    stock: Stock, situation: Situation, wish: Wish
) -> tuple[tuple[Pick, ...], tuple[LeftOut, ...]]:
    """Part what people have put into an issue: what stays, and what may not go out any more."""
    kept: dict[str, Pick] = {}
    removed: list[LeftOut] = []
    for pick in wish.keep:
        name = unicodedata.normalize("NFC", pick.id)
        candidate = stock.by_id.get(name)
        against = setback(candidate, situation) if candidate else None
        if candidate is None:
            removed.append(LeftOut(id=pick.id, reason="taken out: its file is gone"))
        elif against is not None and against.kind in _UNFIT:
            removed.append(LeftOut(id=pick.id, reason=f"taken out: {against.reason}"))
        else:
            kept.setdefault(name, replace(pick, id=name))
    return tuple(kept.values()), tuple(removed)


def _besides(held: tuple[Candidate, ...], sifted: Fresh) -> Fresh:
    """Take what the issue holds already, under any name, from what may be picked for it."""
    if not held:
        return sifted
    names = {name: candidate for candidate in held for name in candidate.names}
    stale = [(found, why) for found, why in sifted.stale if found not in held]
    for found in (*sifted.fresh, *sifted.repeats):
        other = next((names[name] for name in found.names if name in names), found)
        if found not in held and other is not found:
            stale.append((found, same_page(other, "which is in the issue")))
    return Fresh(
        fresh=tuple(found for found in sifted.fresh if names.keys().isdisjoint(found.names)),
        repeats=tuple(found for found in sifted.repeats if names.keys().isdisjoint(found.names)),
        stale=tuple(stale),
    )


def _choose(lead: ThemeId, offer: Offer) -> Choice:
    return choose_mixed(offer) if lead == MIXED else choose_themed(lead, offer)


def left_of(decision: Decision) -> Iterator[tuple[Ranked, str]]:
    """Give the fresh summaries that were not taken, nearest first, each with the reason.

    Themes that were not asked are ranked when their turn comes.
    """
    yield from decision.choice.left
    told = {one.candidate for one, _ in decision.choice.left}
    told.update(one.candidate for one in decision.choice.taken)
    for score in decision.scores if decision.lead else ():
        if score.theme == decision.lead:
            continue
        for one in rank(decision.groups.get(score.theme, ()), decision.situation):
            if one.candidate not in told:
                yield one, standing(score, decision.lead)


def _refuse_unknown(theme: ThemeId, themes: tuple[Theme, ...]) -> None:
    known = [found.id for found in themes]
    if theme in known:
        return
    near = get_close_matches(theme, known, n=1, cutoff=0.5)
    raise UsageError(
        f"there is no theme {theme!r}",
        fix=f"did you mean {near[0]}?" if near else f"known themes: {', '.join(known)}",
    )


def _passed_over(sifted: Fresh, theme: ThemeId | None = None) -> tuple[str, ...]:
    counts = Counter(
        against.kind
        for candidate, against in sifted.stale
        if theme is None or candidate.theme == theme
    )
    kinds = [*(rule.kind for rule in RULES), TWIN]
    return tuple(f"{counts[kind]} {kind}" for kind in kinds if counts[kind])


def _nothing(stock: Stock, sifted: Fresh, theme: ThemeId | None) -> str:
    """Say why there is nothing to send at all, empty where there is something."""
    if any(theme in {None, found.theme} for found in (*sifted.fresh, *sifted.repeats)):
        return ""
    held = sum(theme in {None, candidate.theme} for candidate in stock.shelf)
    whose = f" of theme {theme}" if theme else ""
    if not held:
        return f"nothing to send: there is no summary{whose}"
    why = ", ".join(_passed_over(sifted, theme))
    count = times(held, "summary")
    return f"nothing to send: no fresh one among {count}{whose} ({why})"


def _too_thin(choice: Choice, lead: ThemeId, policy: Policy) -> str:
    if policy.when_thin != "skip" or len(choice.taken) >= policy.min_items:
        return ""
    subject = lead or "a mixed issue"
    return (
        f"too little to send: {subject} has {choice.own} of {times(policy.min_items, 'item')}, "
        "and thin issues are skipped"
    )


def _lead_reason(stock: Stock, lead: ThemeId, offer: Offer, *, forced: bool, least: int) -> str:
    scores = offer.scores
    if lead == MIXED:
        fresh = sum(score.fresh for score in scores)
        themes = sum(score.fresh > 0 for score in scores)
        cause = "as the settings ask" if stock.declared else "since no theme is declared"
        cause = "as its file asks" if forced else cause
        return f"mixed, {cause}: {fresh} fresh from {times(themes, 'theme')}"
    score = next(found for found in scores if found.theme == lead)
    rank_text = f"{ordinal(score.place)} of {times(len(scores), 'theme')}"
    head = f"{lead} was asked for, {rank_text}" if forced else f"{lead} leads, {rank_text}"
    return f"{head}: {score_text(score, offer.situation, least=least)}"
