"""Titles for paragraphs that bring none: the topic of their first sentence."""

from __future__ import annotations

import re

from digest.imports.paragraphs import count_words
from digest.imports.words import (
    ABBREVIATIONS,
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    UNFINISHED,
    word_set,
)

__all__ = ["derive_title"]

_LENGTH = 70
_LONGEST_TOPIC = 40
_SHORTEST = 3  # words of a title
_SHORTEST_CLAUSE = 45  # characters that a title keeps, at least, when it is cut at a clause
_SHORTEST_HEAD = 25  # the same when it is cut at a bracket
# A scene is set before the matter comes: `In the days of sail,` or `If you ever baked bread,`.
_SCENE = re.compile(r"(?:In|Over|If|When|As|For|During)[ ](?!which\b)[^,.;:?!]{2,200},[ ]+(?=\S)")
# Some scenes name the topic: `In the fast-moving world of sailing,`.
_TOPIC = re.compile(
    r"In[ ](?:the|this|our|an?)[ ](?:[\w-]+[ ]){0,4}?"
    r"(?:world|landscape|universe|realm|field|domain|sphere|area|era|age|study|science|art|craft"
    r"|practice|business|history)[ ]of[ ](?:the[ ])?(?P<topic>[^,.;:?!\u2014]{3,200}),[ ]"
)
_ASIDE = re.compile("\u2014[^\u2014.;:?!]{1,200}\u2014")
_THERE_IS = re.compile(r"there (?:is|are) ")
# Of a clause with `if` the matter may be there, and nothing new after it.
_CLAUSE = re.compile(r"(?:If|When|As)[ ]")
_PART_END = re.compile(r"[,;:\u2014]")
_HOLLOW = word_set(
    "actually again almost already always awful bad become becomes begin begins being better"
    " bigger certainly clear difficult easy else encounter encountered ever every everything"
    " experience experienced face faced familiar feel feeling felt find frustrating frustration"
    " gets good great happen happened happens hard heard hidden important inevitably interesting"
    " intimately issue joke knew know known knows likely look looks might much must need never"
    " notice noticed often pain phenomenon probably problem problems question questions quite"
    " realize really same saying seem seems seen should something somewhat soon strange sure"
    " surely that them then thing things think this trouble true understand very want wants what"
    " will wonder wondered worse would your yourself"
)
_CONTENT = re.compile(r"[^\W\d_][\w'\u2019-]{3,}")
# What does not begin a sentence of its own once the scene is gone.
_NO_START = re.compile(
    r"(?:and|or|but|so|then|nor|yet|which|who|where|that|as|like|such|including|especially|say)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?\u2026][\"'\u2019\u201d)\]]*(?=[ ]+[\"'\u2018\u201c(\[]?[^\Wa-z_])")
_LAST_WORD = re.compile(r"[^\s(]*\Z")
_END_STOP = re.compile(r"(?<!\.)\.(?=[\"'\u2019\u201d)\]]*\Z)")
_OPEN = {"(": ")", "[": "]", "\\(": "\\)", "\\[": "\\]"}
_EMPTY = _HOLLOW | AUXILIARIES | DETERMINERS | PREPOSITIONS | PRONOUNS
_LEAST_MATTER = 2  # words
_LOOSE_WORDS = UNFINISHED | PREPOSITIONS | {"last"}
_LOOSE = " ,;:-\u2013\u2014([.\u201c\u2018"


def derive_title(text: str) -> str:
    """Give a title of at most 70 characters; one that was cut ends with an ellipsis.

    It is the first sentence without what is set between dashes. A scene before the matter is
    left out, or where it names the topic, shortened to that: `In the world of sailing, there is
    a quarrel over knots.` becomes `Sailing: a quarrel over knots`.
    """
    title = _matter(_END_STOP.sub("", _without_asides(_first_sentence(text)))).rstrip(" ,;:")
    title = _capital(title) if title.partition(" ")[0].islower() else title
    return title if len(title) <= _LENGTH else _cut(title)


def _first_sentence(text: str) -> str:
    for end in _SENTENCE.finditer(text):
        match = _LAST_WORD.search(text[max(0, end.start() - 20) : end.start()])
        word = match[0] if match else ""
        short = end[0].startswith(".") and (word.lower() in ABBREVIATIONS or len(word) == 1)
        if not short and count_words(text[: end.end()]) >= _SHORTEST:
            return text[: end.end()]
    return text


def _without_asides(sentence: str) -> str:
    """Leave out what is set between dashes; behind a scene a comma takes its place."""
    aside = _ASIDE.search(sentence)
    if aside is None:
        return sentence
    head = sentence[: aside.start()]
    is_scene = "," not in head and _SCENE.match(f"{head}, x")
    return head + (", " if is_scene else " ") + sentence[aside.end() :]


def _matter(sentence: str) -> str:
    """Leave out the scene, or shorten it to the topic that it names."""
    topic = _TOPIC.match(sentence)
    scene = topic or _SCENE.match(sentence)
    rest = sentence[scene.end() :] if scene else ""
    if count_words(rest.split(",", 1)[0]) < _SHORTEST or _NO_START.match(rest):
        return sentence  # the comma was rather one of a list
    if scene and _CLAUSE.match(sentence) and _is_hollow(rest):
        clause = scene[0].rstrip(" ,")
        return sentence if len(sentence) <= _LENGTH or len(clause) >= _LENGTH else f"{clause}\u2026"
    if topic and len(topic["topic"]) <= _LONGEST_TOPIC:
        title = f"{_capital(topic['topic'])}: {_THERE_IS.sub('', rest, count=1)}"
        # Better the whole matter without its topic than half of it.
        return title if len(title) <= _LENGTH or len(rest) > _LENGTH else _capital(rest)
    return _capital(rest)


def _is_hollow(clause: str) -> bool:
    """Tell whether a clause names no matter: `you know the pain of it`, but not `you know LoRA`."""
    end = _PART_END.search(clause)
    clause = clause[: end.start()] if end else clause
    if re.search(r"[\u201c\"\d]|[ ](?!I\b)[^\W\d_a-z]", clause):
        return False  # a quotation, a number or a name
    words = {word.lower() for word in _CONTENT.findall(clause)} - _EMPTY
    vague = clause.partition(" ")[0].lower() in PRONOUNS
    count = len([word for word in words if not re.search("[\u2019']", word)])
    return count < _LEAST_MATTER + vague


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _cut(title: str) -> str:
    """Cut a title at a clause, where that leaves enough, else at a word."""
    head = title[: _LENGTH - 1]
    clause = max(title[:_LENGTH].rfind(sign) for sign in (":", ";", "\u2014", " \u2013"))
    if clause >= _SHORTEST_CLAUSE:
        head = title[:clause]
    elif " " in head and title[_LENGTH - 1] != " ":
        head = head.rpartition(" ")[0]
    for sign, close in _OPEN.items():
        start = head.rfind(sign)
        if start >= _SHORTEST_HEAD and close not in head[start:]:
            head = head[:start]
    head = head.rstrip(_LOOSE)
    while len(head) > _SHORTEST_HEAD and head.rpartition(" ")[2].lower() in _LOOSE_WORDS:
        head = head.rpartition(" ")[0].rstrip(_LOOSE)
    open_quote = head.rfind("\u201c") > head.rfind("\u201d")
    return head + ("\u2026\u201d" if open_quote and len(head) < _LENGTH - 1 else "\u2026")
