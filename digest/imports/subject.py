"""Where a sentence begins after a heading, with a subject that may also be part of a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from digest.imports.strength import (
    Strength,
    asks_for_more,
    is_gerund,
    is_verb_form,
    strength_of,
)
from digest.imports.words import (
    AUXILIARIES,
    DETERMINERS,
    HEADLINE_STARTS,
    MODIFIERS,
    MONTHS,
    PASTS,
    PREPOSITIONS,
    PRONOUNS,
    SMALL,
    TERM_ENDS,
    VERBS,
    Word,
    word_set,
)

__all__ = [
    "PLURAL_FORMS",
    "find_verb",
    "is_plural",
    "is_subject",
    "is_term",
    "opens_with_modifier",
    "term_before",
]

Words = Sequence[Word]

_FARTHEST_VERB: Final = 8  # words after the subject's first
_SHORT_NAME: Final = re.compile(r"\((?P<letters>[A-Z][A-Za-z-]*?)s?\)")
_LONGEST_TERM: Final = 6  # words
PLURAL_FORMS: Final = word_set("are have were do aren haven weren don") | VERBS
_ADVERBS: Final = word_set("again ever here never now there today tomorrow tonight yesterday")
_LONGEST_ACRONYM: Final = 5  # letters
_PLAIN: Final = word_set("current existing large rare recent robust safe small traditional")
_SINGULAR_VERBS: Final = word_set("does has is was")
_PLURALS: Final = word_set("children data media people")


def is_subject(words: Words, place: int) -> bool:
    """Tell whether a sentence begins with the word at a place, after a heading before it.

    The weaker the heading's signs (`strength_of`), the more the word must bring itself.
    """
    before, word = words[:place], words[place]
    strength = _strength_before(before, word)
    if not find_verb(words, place) or _is_no_subject(word) or asks_for_more(before):
        return False
    if not strength:
        return _is_plain_adjective(words, place)
    # A heading has `Cross-Entropy`, and a name no word twice.
    return _is_mixed(word) or _is_said_again(before, word) or _goes_on(words, place, strength)


def _goes_on(words: Words, place: int, strength: Strength) -> bool:
    """Tell whether what follows the first word of a subject makes a sentence of it."""
    following = words[place + 1]
    if find_verb(words, place) == place + 1:
        return _is_bare_subject(words, place, strength)
    if following.text in DETERMINERS | PRONOUNS | {"this"}:
        return False
    if following.kind in {"lower", "small"}:
        return strength > 1 or opens_with_modifier(words, place) or _is_adjective(words, place)
    return is_term(words, place, strength)


def _strength_before(before: Words, word: Word) -> Strength:
    """Give a heading's strength, where capital letters throughout are its end as well."""
    shouts = all(one.bare.isupper() or one.kind in {"number", "sign"} for one in before)
    long = any(one.bare.isalpha() and len(one.bare) > _LONGEST_ACRONYM for one in before)
    if shouts and long and len(before) > 1 and not word.bare.isupper():
        return 3
    return strength_of(before)


def _is_plain_adjective(words: Words, place: int) -> bool:
    """Take `Rare diseases are` after `The Long Tail`: names have no such word amid them."""
    return (
        place > 2  # noqa: PLR2004  an article and two words
        and words[0].key in {"a", "an", "the"}
        and words[place].key in _PLAIN
        and words[place - 1].key not in MODIFIERS
        and opens_with_modifier(words, place)
    )


def opens_with_modifier(words: Words, place: int) -> bool:
    """Tell whether a sentence begins as `Deep learning has` does."""
    word = words[place]
    return (
        (word.key in MODIFIERS or _is_mixed(word))
        and place + 1 < len(words)
        and words[place + 1].kind == "lower"
        and find_verb(words, place) > place + 1
    )


def _is_mixed(word: Word) -> bool:
    return re.fullmatch(r"[A-Z][a-z]+(?:-[a-z]+)+", word.bare) is not None


def _is_said_again(before: Words, word: Word) -> bool:
    """Take `(Learning from Averages) Averages`, but not `(Web Crypto API Web Crypto) API`."""
    stems = [_stem(one) for one in before]
    listed = any(one.text.endswith(",") for one in before[-3:])
    return _stem(word) in stems and stems[-1] not in stems[:-1] and not listed


def _stem(word: Word) -> str:
    return word.key.removesuffix("s")


def _is_adjective(words: Words, place: int) -> bool:
    """Take `Social networks can` after a heading of three words, and `Trained robots fall`."""
    word, following = words[place], words[place + 1]
    if place < 3 or following.kind != "lower":  # noqa: PLR2004  with fewer words it is rather a name
        return False
    if re.search(r"..(?:al|ous|ive|ic|able)\Z", word.key):
        return True
    # A participle may be a noun, as in `Reading groups`; the plural of the verb settles it.
    verb = words[place + 2].key if find_verb(words, place) == place + 2 else ""
    plural = is_plural(following) and verb in PLURAL_FORMS and not _may_be_plural(words[:place])
    return plural and re.search(r"..(?:ed|ing|ent|ant)\Z", word.key) is not None


def term_before(words: Words, short: int) -> int:
    """Give the place where the term begins whose initials stand at `short`, in brackets.

    It is `short` itself where there is no such term.
    """
    match = _SHORT_NAME.match(words[short].text)
    letters = match["letters"].upper() if match else ""
    for start in range(max(0, short - _LONGEST_TERM), short):
        parts = re.split("[ -]", " ".join(word.bare for word in words[start:short]))
        initials = "".join(part[0] for part in parts if part and part not in SMALL)
        if initials.upper() == letters:
            return start
    return short


def _is_verb(word: Word) -> bool:
    """Tell whether a word in small letters is a verb that a subject may go with."""
    key = word.key
    if word.kind not in {"lower", "small"}:
        return False
    return (
        key in AUXILIARIES | PASTS | {"cannot"}
        or is_verb_form(key)
        or (key.endswith("ed") and len(key) > 4)  # noqa: PLR2004  longer than `need`
    )


def find_verb(words: Words, place: int) -> int:
    """Find the verb of the sentence that begins at a place; 0 where none is near."""
    for at in range(place, min(place + _FARTHEST_VERB + 1, len(words))):
        if at > place and _is_verb(words[at]):
            return at
        if words[at].text.endswith((".", "?", "!", ":", ";")):
            return 0
    return 0


def _is_no_subject(word: Word) -> bool:
    return (
        word.key in AUXILIARIES | SMALL | PREPOSITIONS | MONTHS | _ADVERBS
        or word.kind != "title"
        or word.text.startswith(("(", "["))
    )


def is_plural(word: Word) -> bool:
    """Tell whether a word is written as a noun in the plural is."""
    return word.key in _PLURALS or re.fullmatch(r"\w*[^\Wsiu]s", word.bare) is not None


def _is_bare_subject(words: Words, place: int, strength: int) -> bool:
    """Take `Robots have`, but not `(Graph Attention) Networks have`."""
    before, word, verb = words[:place], words[place], words[place + 1]
    singular = is_plural(word) and verb.key in _SINGULAR_VERBS
    if strength < 3 and (singular or word.key in TERM_ENDS or before[-1].key in MODIFIERS):  # noqa: PLR2004  its end
        return False
    return strength > 1 or (
        is_plural(word) and verb.key in PLURAL_FORMS and not _may_be_plural(before)
    )


def _may_be_plural(before: Words) -> bool:
    """Tell whether a verb in the plural may belong to what stands before the subject."""
    first = before[0]
    if is_gerund(first) or any(word.text.endswith(":") for word in before):
        return False
    if first.key not in HEADLINE_STARTS:
        return True
    if first.kind != "title" or first.key in PREPOSITIONS:
        return False
    return is_plural(before[_first_small(before) - 1])


def _first_small(before: Words) -> int:
    places = [at for at, word in enumerate(before) if at and word.kind == "small"]
    return places[0] if places else len(before)


def is_term(words: Words, place: int, strength: int) -> bool:
    """Take `Large Language Models (LLMs) have`, and after a closed heading also without `LLMs`."""
    verb = find_verb(words, place)
    for at in range(place + 1, verb):
        if _SHORT_NAME.match(words[at].text):
            return term_before(words, at) == place
    capitals = all(word.kind == "title" for word in words[place:verb])
    return capitals and strength > 1 and words[place].key in MODIFIERS
