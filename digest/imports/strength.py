"""How surely a run of words written as in a title is a heading, and no name or term."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from digest.imports.words import (
    ARTICLES,
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    HEADING_ENDS,
    INSTITUTIONS,
    NUMBERED,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    SMALL,
    VERBS,
    Word,
    word_set,
)

__all__ = [
    "Strength",
    "asks_for_more",
    "is_gerund",
    "is_label",
    "is_stock",
    "is_verb_form",
    "strength_of",
]

Words = Sequence[Word]
Strength = Literal[0, 1, 2, 3]

_FUNCTION: Final = (
    AUXILIARIES
    | PRONOUNS
    | DETERMINERS
    | word_set("isn doesn don can't won not me own us yourself")
)
# Of these, what no sentence after a heading begins with.
_TELLING: Final = _FUNCTION - DETERMINERS - {"that", "there", "this"}
# Prepositions that begin headings, and seldom sentences without a comma.
_HEADING_PREPOSITIONS: Final = word_set(
    "against behind beneath between beyond from inside into out past toward towards under"
)
_LONG_PREPOSITIONS: Final = frozenset(word for word in PREPOSITIONS if len(word) > 4)  # noqa: PLR2004  `with` is in names
_STOCK_ENDS: Final = HEADING_ENDS | word_set(
    "care found gist glance know learned matter matters means need next nutshell works"
)
_STOCK: Final = (
    _STOCK_ENDS
    | ARTICLES
    | QUESTION_WORDS
    | word_set(
        "and are at basic big bottom central core did do does far final first for future happens"
        " here i in is it key main my new of open our quick real related setting short should"
        " simple so some stage this to we will your"
    )
)
_STATE_OF_THE_ART: Final = ["the", "state", "of", "the", "art"]
_AMOUNT: Final = re.compile(r"[$\u20ac\u00a3]\d|\d%")
ROMAN: Final = re.compile(r"[IVX]{1,4}[.:)]")
_LABEL: Final = re.compile(r"\d{1,2}(?:\.\d{1,2})*[.:)]?\Z")
_CLOSED: Final = re.compile(r"[?!][\"'\u2019\u201d)]*\Z")


def strength_of(words: Words) -> Strength:
    """Tell what speaks for a heading: 0 nothing, 1 its form, 2 a word of it, 3 its end.

    Its form: a preposition in small letters, a colon, a gerund at its beginning. A word of it: a
    verb or pronoun with a capital, which no name has, or a sum of money. Its end: a question mark
    or a noun such as `Problem`, which leaves no doubt where it ends either.
    """
    if len(words) < 2 or (words[-1].text.endswith(":") and not is_stock(words)):  # noqa: PLR2004  one is no heading
        return 0
    if _is_closed(words):
        return 3
    if _tells(words):
        return 2
    if {word.key for word in words[:3]} & INSTITUTIONS:
        return 0
    return 1 if _has_form(words) else 0


def _tells(words: Words) -> bool:
    inner = [word for word in words[1:] if word.kind == "title"]
    if words[0].is_contracted and words[0].key in _FUNCTION:
        return True  # `Don't Look Back`
    if any(word.key in _TELLING and not word.bare[1:].isupper() for word in inner):
        return True
    asks = words[0].key in QUESTION_WORDS and any(is_verb_form(word.key) for word in inner)
    return asks or any(_AMOUNT.search(word.text) for word in words)


def _is_closed(words: Words) -> bool:
    first, last = words[0], words[-1]
    if first.key in QUESTION_WORDS and len(words) > 2 and is_verb_form(last.key):  # noqa: PLR2004  a subject between
        return True  # `Why Agents Fail`
    # `The Wall` may go on with `Street`.
    short = len(words) == 2 and first.key in DETERMINERS  # noqa: PLR2004  article and noun
    return _CLOSED.search(last.text) is not None or (last.key in HEADING_ENDS and not short)


def _has_form(words: Words) -> bool:
    first = words[0]
    label = words[1].kind == "number" or ROMAN.fullmatch(words[1].text) is not None
    return (
        is_gerund(first)
        or first.key in _HEADING_PREPOSITIONS
        or (first.key in NUMBERED | {"step"} and label)
        or is_label(first)
        or any(word.kind == "title" and word.key in _LONG_PREPOSITIONS for word in words[1:])
        or (len(words) > 2 and any(word.text.endswith(":") for word in words[:-1]))  # noqa: PLR2004  more than a label
        or (
            first.key not in SMALL
            and first.text.isalpha()
            and words[1].kind == "small"
            and words[1].text in ARTICLES
        )
        or any(
            word.kind == "small" and word.text in PREPOSITIONS | {"but", "vs"} for word in words[1:]
        )
    )


def is_verb_form(key: str) -> bool:
    """Tell whether a word is a verb of `VERBS`, in the singular or plural."""
    return key in VERBS or key.removesuffix("s") in VERBS or key.removesuffix("es") in VERBS


def is_label(word: Word) -> bool:
    """Tell whether a word numbers a section: `2.1`, `IV.`."""
    return (_LABEL.match(word.text) or ROMAN.fullmatch(word.text)) is not None


def is_gerund(word: Word) -> bool:
    """Tell whether a word is written as `Breaking` is."""
    return re.fullmatch(r"[A-Z][a-z]{2,}ing", word.bare) is not None


def is_stock(words: Words) -> bool:
    """Tell whether words are a heading that says nothing of its text: `Why This Matters`."""
    words = words[1:] if is_label(words[0]) else words
    if [word.key for word in words] == _STATE_OF_THE_ART:
        return True
    if [word.key for word in words[-2:]] == ["for", "you"]:
        words = words[:-2]
    return (
        len(words) > 1
        and all(word.key in _STOCK for word in words)
        and words[0].kind == "title"
        and words[-1].kind == "title"
        and words[-1].key in _STOCK_ENDS
        and all(word.kind == "title" or word.key in SMALL for word in words)
    )


def asks_for_more(words: Words) -> bool:
    """Tell whether a heading would be torn after these words: `Deep`, `Your`, `Was`."""
    word, key = words[-1], words[-1].key
    if len(words) > 1 and words[-2].key in AUXILIARIES and key not in _FUNCTION:
        return False  # `Why Labels Are Expensive`
    return (
        key in _FUNCTION | CONJUNCTIONS | PREPOSITIONS
        or word.is_contracted
        or re.search(r"..(?:al|ous|ive|[^s]ic|ary|ful|less|able|ible|ian|ern)\Z", key) is not None
    )
