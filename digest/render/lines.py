"""The one-line texts of an issue: subject, preheader, facts, and how they are cut."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from wcwidth import iter_graphemes

__all__ = ["PREHEADER_LIMIT", "cut", "reading_minutes", "reading_words", "sentence"]

# Inbox lists show no more than this of a preheader.
PREHEADER_LIMIT: Final = 110
_WORDS_A_MINUTE: Final = 220
_LONGEST: Final = 50  # characters that one sign may take, with all its marks
# Full stops, exclamation and question marks: Latin, ellipsis, CJK, Arabic, Devanagari.
_ENDS: Final = tuple(".!?\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964")
_CLOSING: Final = "\"')]\u201d\u2019\xbb"
# Scripts written without spaces: two signs are read in about the time of one word.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def cut(text: str, limit: int) -> str:
    """Cut a line to so many characters at a word, with an ellipsis; a short one stays whole."""
    if len(text) <= limit:
        return text
    room = _room(text, limit - 1)
    whole, space, _ = room.rpartition(" ")
    kept = whole if space and len(whole) > limit // 2 else room
    return kept.rstrip(" ·,;:.\u2013\u2014-") + "…"


def _room(text: str, limit: int) -> str:
    """Give the beginning of a line, its last sign whole: an emoji may be of seven characters."""
    end = 0
    for sign in iter_graphemes(text[: limit + _LONGEST]):
        if end + len(sign) > limit:
            break
        end += len(sign)
    return text[:end] or text[:limit]


def sentence(text: str) -> str:
    """End a line like a sentence, unless it does so already."""
    if not text or text.rstrip(_CLOSING).endswith(_ENDS):
        return text
    return f"{text}."


def reading_minutes(texts: Iterable[str]) -> int:
    """Tell how many minutes a reader needs, rounded up and at least one."""
    return max(1, -(-reading_words(texts) // _WORDS_A_MINUTE))


def reading_words(texts: Iterable[str]) -> int:
    """Count the words to be read; without spaces two signs count as one."""
    words = 0
    for text in texts:
        unspaced = len(_UNSPACED.findall(text))
        words += len(_UNSPACED.sub(" ", text).split()) + (unspaced + 1) // 2
    return words
