"""Words that could make a rule: what summaries without a theme have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from digest.model import Summary
from digest.picking.assign import Rule, fold

__all__ = ["Hint", "hints"]

_MOST: Final = 10  # hints
_NEAR: Final = 500  # words to choose them from
_ALIKE: Final = 3  # hints for the same summaries
_TIMES: Final = 2  # as common among the unthemed as among the others
# Four letters or more: shorter words are seldom topics. Nor are addresses and TeX commands.
_WORD: Final = re.compile(r"(?<!\w)[^\W\d_]{4,}(?!\w)")
_NO_WORDS: Final = re.compile(r"\w+://\S+|\\\w+")
# English words of four letters or more that stand in texts on anything.
_COMMON: Final = frozenset(
    """
    able about above across actual actually after again against almost alone along already also
    although always among another answer anything around asked asks away back because become
    becomes been before behind being below best better between beyond both bring came cannot case
    cases come comes common could days different does doing done down during each early easily
    easy either else enough even ever every everyone everything example fact find finds first five
    following four from full fully gave getting give given gives giving goes going gone good great
    half happens hard have having hence here hours however idea imagine instead into itself just
    keep kind knew know known large largely larger last late later learn least left less like
    likely little long longer look looks made main mainly make makes making many matter maybe mean
    means might minutes month months more moreover most mostly much must near nearly need needs
    neither never newer next none nothing number often once only onto open order other others
    ought over part parts past people perhaps place possible pretty problem problems question
    questions quite rather real really recent recently right said same says second seem seems seen
    several shall short should show showed shown shows similar simple simply since small smaller
    some someone something sometimes soon still story such sure take taken takes than that their
    them themselves then there therefore these they thing things think this those though thought
    three through thus time times today together told took toward towards tried truly turn turns
    twice under unless unlike until upon used useful uses using usual usually very want wants week
    weeks well went were what whatever when where whether which while whole whose will with within
    without word words work worked working works world would write wrong year years yesterday your
    yours
    """.split()  # noqa: SIM905 - a block of words is easier to keep than a list of strings
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A rule that nobody wrote: `word:tides` or `word:tide*`, and in how many summaries it is."""

    rule: str
    items: int


def hints(
    unthemed: Sequence[Summary],
    themed: Iterable[Summary],
    *,
    rules: Mapping[str, tuple[Rule, ...]],
) -> tuple[Hint, ...]:
    """Give up to ten words that two or more unthemed summaries share, the most common first.

    A word is left out where a word rule has it, where texts on anything have it, and where it is
    not twice as common among the unthemed as among the themed. Singular and plural count as one.
    """
    known = {word for rule in rules["word"] for word in _WORD.findall(rule.needle)} | _COMMON
    # Texts are read again and again rather than kept: a library may hold a great many.
    common = Counter(stem for summary in unthemed for stem in _stems(_words(summary) - known))
    others, elsewhere = 0, Counter[str]()
    for summary in themed:
        others += 1
        elsewhere.update(_stems(_words(summary)) & common.keys())
    near = sorted(
        (
            stem
            for stem, count in common.items()
            if count > 1 and _TIMES * elsewhere[stem] * len(unthemed) < count * max(1, others)
        ),
        key=lambda stem: (-common[stem], stem),
    )
    return _told(_varied(near[:_NEAR], unthemed), unthemed)


def _varied(stems: Sequence[str], unthemed: Iterable[Summary]) -> list[str]:
    """Keep the first few of the words that the same summaries share."""
    held: dict[str, list[int]] = {stem: [] for stem in stems}
    for place, summary in enumerate(unthemed):
        for stem in _stems(_words(summary)) & held.keys():
            held[stem].append(place)
    alike: Counter[tuple[int, ...]] = Counter()
    chosen: list[str] = []
    for stem, places in held.items():
        alike[tuple(places)] += 1
        if alike[tuple(places)] <= _ALIKE:
            chosen.append(stem)
    return chosen[:_MOST]


def _words(summary: Summary) -> frozenset[str]:
    text = f"{summary.title}\n{summary.summary}\n{summary.body}"
    if "\\" in text or "://" in text:
        text = _NO_WORDS.sub(" ", text)
    return frozenset(_WORD.findall(fold(text)))


def _stems(words: Iterable[str]) -> set[str]:
    return {_singular(word) for word in words}


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _told(stems: Sequence[str], unthemed: Iterable[Summary]) -> tuple[Hint, ...]:
    """Write for each word the narrowest rule that finds what shares it."""
    forms: dict[str, Counter[str]] = {stem: Counter() for stem in stems}
    begun: Counter[str] = Counter()
    for summary in unthemed:
        words = _words(summary)
        for stem in stems:
            found = [word for word in words if word.startswith(stem)]
            begun[stem] += bool(found)
            forms[stem].update(word for word in found if _singular(word) == stem)
    told = (
        Hint(rule=f"word:{stem}*", items=begun[stem])
        if len(counts) > 1
        else Hint(rule=f"word:{next(iter(counts))}", items=counts.total())
        for stem, counts in forms.items()
    )
    return tuple(sorted(told, key=lambda hint: (-hint.items, hint.rule)))
