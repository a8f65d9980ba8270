"""A letter within the octets that mail programs show: long items are shortened, never left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from typing import Final

from markupsafe import Markup

from digest.model.limits import FILLED, FIRST_SHOWN, HTML_MOST
from digest.render.letter import Item, Letter
from digest.render.shorten import Cut, cut_html, find_cuts

__all__ = ["fit"]

# Before merge fields are filled in.
_MOST: Final = HTML_MOST - FILLED
_TRIES: Final = 3
# What the link to the rest takes in the mail, besides title and anchor, in octets.
_LINK: Final = 200


def fit(letter: Letter, *, html_of: Callable[[Letter], str], budget: int) -> tuple[Letter, str]:
    """Give the letter and its HTML within `budget` octets, items shortened as far as need be.

    0 is no bound; merge fields are not filled in yet. The longest items are shortened first, all to
    one measure: the highest with which the HTML was seen to fit, by at most six renderings.

    Where not even the shortest fits, nothing is shortened in vain: all items stay whole, unless
    that would be more than a mail may have and the shortest is not. Such a letter, and one of which
    a mail program may not show all, comes back as `long`.
    """
    html = html_of(letter)
    if _octets(html) > FIRST_SHOWN and not 0 < budget <= FIRST_SHOWN:
        letter = replace(letter, long=True)
        html = html_of(letter)
    if budget == 0 or _octets(html) <= budget:
        return letter, html
    items = tuple(_shortening(item, turn) for turn, item in enumerate(letter.items))
    press = _Press(letter=letter, html_of=html_of, items=items)
    return press.fitted(html, budget=budget)


def _octets(html: str) -> int:
    return len(html.encode())


# How long items may be: so many octets for those up to a turn, less for those after it. Items of
# one length would otherwise all be shortened by the same step.
_Measure = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shortening:
    """One item and its shorter forms: one for each cut, from the shortest on.

    `whole`, `link` to the rest and `sizes` are octets: `sizes` one for each of `cuts`; both are
    empty where nothing would be gained. A cut that is None gives `briefest`, the first words alone.
    """

    item: Item
    turn: int
    whole: int
    link: int
    briefest: str
    cuts: tuple[Cut | None, ...]
    sizes: tuple[int, ...]

    def place(self, measure: _Measure) -> int:
        """Give the place among `sizes` of the longest form within a measure; -1 for the whole."""
        octets, last = measure
        most = octets if self.turn <= last else octets - 1
        if self.whole <= most or not self.sizes:
            return -1
        return max(bisect_right(self.sizes, most) - 1, 0)

    def octets(self, measure: _Measure) -> int:
        """Count the octets of the form for a measure, with the link to the rest."""
        place = self.place(measure)
        return self.whole if place < 0 else self.sizes[place] + self.link

    def shortened(self, measure: _Measure, *, page_url: str) -> Item:
        """Give the item in its form for a measure."""
        place = self.place(measure)
        if place < 0:
            return self.item
        cut = self.cuts[place]
        html = cut_html(str(self.item.html), cut) if cut else self.briefest
        rest = f"{page_url}#{self.item.anchor}"
        return replace(self.item, html=Markup(html), rest=rest)  # noqa: S704 - part of what is safe


def _shortening(item: Item, turn: int) -> _Shortening:
    """Find the forms that are worth their link to the rest; of a short item there is none."""
    whole, link = _octets(item.html), _LINK + _octets(item.title) + _octets(item.anchor)
    briefest = f"<p>{escape(item.brief, quote=False)}</p>" if item.brief else ""
    least, most = _octets(briefest), whole - link
    found = [
        cut
        for cut in find_cuts(str(item.html))
        if cut.octets <= most and (cut.octets > least or not cut.within)
    ]
    cuts: list[Cut | None] = [*sorted(found, key=lambda cut: cut.octets)]
    sizes = [cut.octets for cut in cuts if cut]
    # A first block that is short by itself is better than words that are taken from several.
    if least <= most and not (sizes and sizes[0] <= least):
        cuts, sizes = [None, *cuts], [least, *sizes]
    return _Shortening(
        item=item,
        turn=turn,
        whole=whole,
        link=link,
        briefest=briefest,
        cuts=tuple(cuts),
        sizes=tuple(sizes),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """A letter rendered: the measure of its items, their octets before, and its own after."""

    measure: _Measure
    raw: int
    letter: Letter
    html: str
    octets: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Press:
    """Renders a letter with its items shortened."""

    letter: Letter
    html_of: Callable[[Letter], str]
    items: tuple[_Shortening, ...]

    def fitted(self, html: str, *, budget: int) -> tuple[Letter, str]:
        """Fit a letter whose HTML is too long."""
        longest = max((item.whole for item in self.items), default=0)
        whole = self._trial((longest, len(self.items)), self.letter, html)
        shortest = self._at((0, 0), whole)
        if shortest.octets > budget:
            trial = shortest if shortest.octets <= _MOST < whole.octets else whole
            letter = replace(trial.letter, long=True)
            return letter, trial.html if letter == trial.letter else self.html_of(letter)
        best = self._highest(shortest, whole, budget=budget)
        return best.letter, best.html

    def _highest(self, low: _Trial, high: _Trial, *, budget: int) -> _Trial:
        """Close in on the highest measure that fits, between one that does and one that does not.

        The octets of the mail are taken to grow evenly with those of the items; after each trial
        that failed, less evenly than thought, the next one is the more careful.
        """
        failed = 0
        for _ in range(_TRIES):
            room = (budget - low.octets) * (high.raw - low.raw) // (high.octets - low.octets)
            room -= room * failed * failed // 64
            measure = self._measure(low, high, raw=low.raw + room)
            if measure <= low.measure:
                break
            trial = self._at(measure, high)
            if trial.octets <= budget:
                low = trial
            else:
                high, failed = trial, failed + 1
        return low

    def _measure(self, low: _Trial, high: _Trial, *, raw: int) -> _Measure:
        """Give the highest measure between two trials with which the items have so many octets."""
        steps = {(size, item.turn) for item in self.items for size in (*item.sizes, item.whole)}
        between = sorted(step for step in steps if low.measure < step < high.measure)
        place = bisect_right(between, raw, key=self._raw)
        return between[place - 1] if place else low.measure

    def _raw(self, measure: _Measure) -> int:
        return sum(item.octets(measure) for item in self.items)

    def _at(self, measure: _Measure, known: _Trial) -> _Trial:
        """Render with a measure, unless that makes the letter that is known."""
        made = iter(item.shortened(measure, page_url=self.letter.page_url) for item in self.items)
        sections = tuple(
            replace(section, items=tuple(islice(made, len(section.items))))
            for section in self.letter.sections
        )
        letter = replace(self.letter, sections=sections)
        html = known.html if letter == known.letter else self.html_of(letter)
        return self._trial(measure, letter, html)

    def _trial(self, measure: _Measure, letter: Letter, html: str) -> _Trial:
        raw = self._raw(measure)
        return _Trial(measure=measure, raw=raw, letter=letter, html=html, octets=_octets(html))
