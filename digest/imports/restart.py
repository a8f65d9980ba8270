"""Where, in a run of words written as in a title, a sentence begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from digest.imports.strength import is_gerund, is_label, is_stock, strength_of
from digest.imports.subject import (
    PLURAL_FORMS,
    find_verb,
    is_plural,
    is_subject,
    is_term,
    opens_with_modifier,
    term_before,
)
from digest.imports.words import (
    ABBREVIATIONS,
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    MONTHS,
    NUMBERED,
    OPENERS,
    PLURAL_VERBS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    SMALL,
    UNFINISHED,
    Class,
    Word,
    word_set,
)

__all__ = ["begins_sentence", "find_restart", "is_opener"]

Words = Sequence[Word]

_SHORTEST_HEADING: Final = 3  # words
# With these a heading of two words is enough: nothing else puts their capital into a sentence.
_SURE: Final = word_set("consider during for if imagine in over picture suppose when")
_LONGEST_QUESTION: Final = 14  # words of a heading written as a sentence is
_LONG_HEADING: Final = 5  # words; so long a name is rare
_NAMES: Final = 6  # words between a preposition and the comma that ends its phrase
_STOPS: Final = (".", "!", "?", ";", "\u2026")
_CLOSING: Final = "\"'\u2019\u201d)]*_"
_AFTER_COMMAND: Final = frozenset(["about", "at", "back", "for", "me", "of", "us"])
_AFTER_SET: Final = {
    "ever": PRONOUNS | word_set("since tried wonder wondered"),
    "last": MONTHS | word_set("century decade fall month night week weekend year"),
    "only": word_set("a by few if in one two when"),
    "welcome": word_set("back to"),
}
_AFTER_IT: Final = AUXILIARIES | word_set(
    "all began begins comes exists feels happens looks remains seems sounds started starts takes"
    " turns"
)


def find_restart(words: Words) -> int:
    """Find the place of the word that begins a sentence after a heading; 0 where none does."""
    run = _run_length(words)
    stock = _after_stock(words, run)
    if stock:
        return stock
    places = range(min(run, len(words) - 1) - 1, 0, -1)
    # What sentences begin with goes first: `In May 1911, New York City bakers were`.
    for place in sorted(places, key=lambda at: not is_opener(words[at])):
        before = words[:place]
        sure = _is_sure(words, place) or strength_of(before) > 0
        whole = _is_whole(before, sure=sure)
        if whole and begins_sentence(words, place) and not _in_term(words, place):
            return place
    return _after_question(words, run) or _after_plain_question(words)


def _after_stock(words: Words, run: int) -> int:
    """Find the place after a heading such as `The Problem`, where a sentence follows; else 0."""
    for place in range(min(run, len(words) - 2), 1, -1):
        if is_stock(words[:place]) and _follows_stock(words, place):
            return place
    return 0


def _follows_stock(words: Words, place: int) -> bool:
    """Take `(The Problem) Robots have`, but not `(The Challenge) Cup was`."""
    word, following = words[place], words[place + 1]
    if word.kind not in {"title", "number"}:
        return False
    if begins_sentence(words, place):
        return True
    verb = find_verb(words, place)
    if not verb or is_opener(word):
        return False
    if verb > place + 1 and following.kind == "title":
        return is_term(words, place, 2)
    if place > 2 or words[0].key not in DETERMINERS:  # noqa: PLR2004  article and noun
        return True
    plural = verb == place + 1 and is_plural(word) and following.key in PLURAL_FORMS
    return plural or opens_with_modifier(words, place)


def is_opener(word: Word) -> bool:
    """Tell whether a word is one that sentences begin with, written as it is there."""
    return word.key in OPENERS and word.bare[:1].isupper() and not word.bare[1:].isupper()


def _run_length(words: Words) -> int:
    """Count the words from the start on that could all stand in a heading."""
    for place, word in enumerate(words):
        if word.kind == "lower":
            return place
        if _stops(word) and not (place == 0 and is_label(word)):
            return place + 1
    return len(words)


def _stops(word: Word) -> bool:
    """Tell whether a sentence ends with this word."""
    text = word.text.rstrip(_CLOSING)
    if not text.endswith(_STOPS) or word.kind == "sign":
        return False
    short = word.key in ABBREVIATIONS or len(word.bare) == 1
    return not (text.endswith(".") and short)


def _is_whole(words: Words, *, sure: bool) -> bool:
    """Tell whether words can be a heading: enough of them, and none that asks for more."""
    counted = [word for word in words if word.kind != "sign"]
    last = words[-1]
    return (
        len(counted) >= _SHORTEST_HEADING - sure
        and words[0].kind in {"title", "number"}
        and last.kind != "small"
        and last.key not in UNFINISHED
        and not last.text.endswith((",", ":", "-", "\u2013", "\u2014", "&", "+", "/"))
        and _is_balanced(" ".join(word.text for word in words))
    )


def _is_balanced(text: str) -> bool:
    """Tell whether each quotation and bracket that is opened is closed."""
    pairs = (text.count(a) == text.count(b) for a, b in ("()", "[]", "\u201c\u201d"))
    return all(pairs) and text.count('"') % 2 == 0


def _is_sure(words: Words, place: int) -> bool:
    return words[place].key in _SURE and _flows(words, place)


def begins_sentence(words: Words, place: int) -> bool:
    """Tell whether a sentence begins at a place, by the rule of the word that stands there."""
    word = words[place]
    if word.kind == "title" and is_opener(word):
        if word.is_contracted:
            return _flows(words, place)
        return _RULES[OPENERS[word.key]](words, place)
    if is_gerund(word) and words[place + 1].text in DETERMINERS | {"one", "such"}:
        return True
    return is_subject(words, place)


def _flows(words: Words, place: int) -> bool:
    """Tell whether the text goes on in small letters, past words that headings write small too."""
    if words[place].text[-1] in ",:;":
        return False
    following = (word.kind for word in words[place + 1 :] if word.kind != "small")
    return next(following, "") == "lower"


def _in_term(words: Words, place: int) -> bool:
    """Tell whether a place is amid a term whose initials follow: `You Only Look Once (YOLO)`."""
    return any(
        term_before(words, at) < place < at
        for at in range(place + 1, min(place + _NAMES, len(words)))
    )


def _after_question(words: Words, run: int) -> int:
    """Find the place after a question in capitals, `What Is Salt? It`; else 0."""
    heading, rest = words[:run], words[run:]
    if not rest or not run or rest[0].kind not in {"title", "number"}:
        return 0
    last = heading[-1]
    if len(heading) == 2 and _is_short_question(heading, rest[0]):  # noqa: PLR2004  `Why Graphs?`
        return run
    if not last.text.rstrip(_CLOSING).endswith("?") or last.kind == "small":
        return 0
    # In a sentence only names have capitals; a heading gives them to verbs and pronouns too.
    capital = any(
        word.kind == "title" and word.key in AUXILIARIES | PRONOUNS | SMALL for word in heading[1:]
    )
    enough = len(heading) > _SHORTEST_HEADING or (capital and len(heading) == _SHORTEST_HEADING)
    return run if enough and heading[0].kind == "title" else 0


def _is_short_question(heading: Words, following: Word) -> bool:
    first, last = heading
    return (
        first.key in QUESTION_WORDS
        and last.kind == "title"
        and last.text.endswith("?")
        and following.key != "because"
    )


def _after_plain_question(words: Words) -> int:
    """Find the place after a heading in small letters, `How bread rises In a kitchen`; else 0."""
    if not words or words[0].key not in QUESTION_WORDS:
        return 0
    for place in range(1, min(_LONGEST_QUESTION, len(words) - 1)):
        before = words[place - 1]
        if not before.text[-1].isalnum():
            return 0
        if place >= _SHORTEST_HEADING and before.kind == "lower" and is_opener(words[place]):
            found = _is_sure(words, place) and begins_sentence(words, place)
            return place if found and before.key not in UNFINISHED else 0
    return 0


def _adverb(words: Words, place: int) -> bool:
    """Take `Today, the` and `Today we`, but not `Today and Tomorrow`."""
    following = words[place + 1]
    if words[place].text.endswith(","):
        return following.kind in {"small", "lower"} and following.key not in CONJUNCTIONS
    return following.text in PRONOUNS | DETERMINERS


def _agent(words: Words, place: int) -> bool:
    """Take `Farmers have`, but not `(Union of) Farmers has`."""
    return words[place + 1].text in PLURAL_VERBS or is_subject(words, place)


def _article(words: Words, place: int) -> bool:
    """Take `The sea`, `The Arctic has`, but not `The Lower Depths is`."""
    return _flows(words, place) or _one_name(words, place)


def _one_name(words: Words, place: int) -> bool:
    """Tell whether one name follows, and then a verb or a noun in small letters."""
    following = words[place + 1 : place + 3]
    return (
        len(following) > 1
        and following[0].kind in {"title", "number"}
        and (following[1].kind == "lower" or following[1].text in AUXILIARIES)
    )


def _clause(words: Words, place: int) -> bool:
    """Take `If you`, `When Rome fell`, but not `How to Live` or `When the Sea Rises`."""
    return _flows(words, place) or _one_name(words, place)


def _command(words: Words, place: int) -> bool:
    """Take `Imagine a`, but not `(the song) Imagine is`."""
    following = words[place + 1].text
    if words[place].key not in {"consider", "imagine", "suppose"}:
        return following in DETERMINERS | PRONOUNS | _AFTER_COMMAND
    return _flows(words, place) and following not in AUXILIARIES | CONJUNCTIONS | PREPOSITIONS


def _it(words: Words, place: int) -> bool:
    """Take `It is`, `Here is a`, but not `(as we know) It is`, where the word is no subject."""
    if words[place].key == "here" and not words[place].is_contracted:
        following = [word.text for word in words[place + 1 : place + 3]]
        return following[0] == "is" and following[-1] in DETERMINERS
    before = {word.text for word in words[max(0, place - 2) : place]}
    subject = not any(text.lower() in PRONOUNS for text in before)
    return subject and words[place + 1].text in _AFTER_IT


def _one(words: Words, place: int) -> bool:
    """Take `Many cities` and `One of`, but not `(Plan) A is`."""
    following = words[place + 1]
    if words[place - 1].key in NUMBERED:
        return False
    if following.text in {"of", "a", "an"}:
        return _flows(words, place)
    letter = words[place].key == "a" and following.text.endswith("ed")  # (Letter) A followed
    if words[place].key in {"many", "modern", "most", "recent", "some"} and _one_name(words, place):
        return following.bare.endswith("s")  # `Modern GPUs can`
    return following.kind == "lower" and following.text not in AUXILIARIES and not letter


def _phrase(words: Words, place: int) -> bool:
    """Take `In the north`, `In May a`, `In New York,`, but not `In May is` or `(Log) In to`."""
    following = words[place + 1]
    if following.text == "to":
        return False
    end = place
    while end + 2 < len(words) and _is_date(words[end + 1]) and words[end].text[-1] != ",":
        end += 1
    dated = end > place
    if _flows(words, end) or (dated and words[end].text.endswith(",")):
        return not dated or words[end + 1].text not in AUXILIARIES
    for word in words[place + 1 : place + 1 + _NAMES]:
        if word.kind == "lower":
            return False
        if word.text.endswith(","):
            return True
    return False


def _is_date(word: Word) -> bool:
    return word.kind != "lower" and (word.key in MONTHS or word.bare.isdigit())


def _set(words: Words, place: int) -> bool:
    """Take `Last July` and `Welcome to`, but not `(Nice Guys Finish) Last in`."""
    return words[place + 1].key in _AFTER_SET[words[place].key]


def _question(words: Words, place: int) -> bool:
    """Take `Have you`, and after a closed heading `Can a model`."""
    following = words[place + 1].text
    return following in PRONOUNS or (
        following in DETERMINERS and strength_of(words[:place]) > 2  # noqa: PLR2004  its end
    )


def _subject(words: Words, place: int) -> bool:
    """Take `We often`, `This is`, `This French bread`, but not `(people like) You is`."""
    if words[place].key == "you" and words[place + 1].text in {"is", "was"}:
        return False
    return _flows(words, place) or (
        words[place].key in {"this", "these"} and _one_name(words, place)
    )


_RULES: Final[dict[Class, Callable[[Words, int], bool]]] = {
    "adverb": _adverb,
    "agent": _agent,
    "article": _article,
    "clause": _clause,
    "command": _command,
    "it": _it,
    "one": _one,
    "phrase": _phrase,
    "question": _question,
    "set": _set,
    "subject": _subject,
}
