"""How alike two texts are, told from small sketches of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from struct import pack, unpack
from typing import Final
from zlib import crc32

from digest.model.summary import Summary

__all__ = ["handles", "likeness", "marks", "sketch"]

_MARKS: Final = 64
_HANDLES: Final = 8
_SIZE: Final = 4  # octets of a hash
# What fewer words than twenty say can be said of two things: such texts must be equal.
_SHORT: Final = 40
# Scripts that part no words by blanks (Thai, kana, ideographs): each sign counts as a word.
_SIGN: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(r"\w+")
_SIGNS: Final = re.compile(f"[{_SIGN}]")
_WORD_OR_SIGN: Final = re.compile(rf"[{_SIGN}]|[^\W{_SIGN}]+")


def sketch(summary: Summary) -> bytes:
    """Sketch the words of a summary: title, text and body, whatever their case and signs.

    The sketch holds the 64 smallest hashes of its words and pairs of neighbouring words (Broder,
    On the resemblance and containment of documents, 1997), and before them the 8 smallest of its
    triples, by which texts that may be alike are found. Texts of the same words in the same order
    have the same sketch; that of no word is empty.
    """
    text = f"{summary.title}\n{summary.summary}\n{summary.body}"
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFC", text.casefold())
    parted = not folded.isascii() and _SIGNS.search(folded) is not None
    words = [word.encode() for word in (_WORD_OR_SIGN if parted else _WORD).findall(folded)]
    if not words:
        return b""
    found = _smallest([*words, *_runs(words, 2)], _MARKS)
    triples = _smallest(_runs(words, 3), _HANDLES)
    return pack(f">B{len(triples) + len(found)}I", len(triples), *triples, *found)


def _runs(words: Sequence[bytes], length: int) -> Iterable[bytes]:
    """Give each run of neighbouring words."""
    return map(b" ".join, zip(*(words[start:] for start in range(length)), strict=False))


def _smallest(parts: Iterable[bytes], count: int) -> list[int]:
    return sorted({crc32(part) for part in parts})[:count]


def handles(sketched: bytes) -> tuple[int, ...]:
    """Give what two sketches must share one of to be alike without being equal.

    Of two texts that have a share s of their triples in common, 1 - (1 - s) ** 8 do.
    """
    count = sketched[0] if sketched else 0
    return unpack(f">{count}I", sketched[1 : 1 + count * _SIZE])


def _marks(sketched: bytes) -> tuple[int, ...]:
    start = 1 + sketched[0] * _SIZE
    return unpack(f">{(len(sketched) - start) // _SIZE}I", sketched[start:])


# Where many texts share a footer each is compared with many others: 50 MB at most.
@lru_cache(maxsize=8192)
def marks(sketched: bytes) -> frozenset[int]:
    """Give the hashes of a sketch that `likeness` compares."""
    return frozenset(_marks(sketched))


def likeness(one: bytes, other: bytes, *, least: float = 0.0) -> float:
    """Tell from two sketches which share of their words and pairs is in both texts, 0 to 1.

    It is exact for texts of fewer than about thirty words, and within 0.06 as a rule for longer
    ones. Of texts of fewer than about twenty words only equal ones are alike. Less than `least`
    is told as 0, which takes far less time.
    """
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    first, second = marks(one), marks(other)
    if min(len(first), len(second)) < _SHORT:
        return 0.0
    common = first.intersection(second)
    size = min(_MARKS, len(first) + len(second) - len(common))
    if len(common) < least * size:
        return 0.0
    both = sorted(first.union(second))[:_MARKS]
    share = len(common.intersection(both)) / len(both)
    return share if share >= least else 0.0
