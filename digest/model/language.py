"""What a language tag says: which language, in which script, and to which side it runs."""

from __future__ import annotations

from itertools import takewhile
from typing import Final, Literal

__all__ = ["RIGHT_TO_LEFT", "direction", "language_and_script"]

# Languages (ISO 639) whose usual script runs from right to left.
_LANGUAGES: Final = frozenset(
    {"ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "lrc", "mzn", "nqo", "ps", "sd", "sdh"}
    | {"syr", "ug", "ur", "yi"}
)
# Scripts (ISO 15924) that run from right to left.
RIGHT_TO_LEFT: Final = frozenset(
    {"Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"}
)
_SCRIPT: Final = 4  # letters


def direction(language: str) -> Literal["ltr", "rtl"]:
    """Tell by its tag (RFC 5646) whether a language is written `ltr` or `rtl`.

    A script that the tag names goes before the usual one of the language.
    """
    first, script = language_and_script(language)
    backwards = script in RIGHT_TO_LEFT if script else first in _LANGUAGES
    return "rtl" if backwards else "ltr"


def language_and_script(tag: str) -> tuple[str, str]:
    """Give the language of a tag and its script, as `("zh", "Hant")`; empty where it names none.

    Letter case does not count, and `_` stands for `-` too. What follows a single letter is an
    extension or for private use, and names no script (RFC 5646 §2.1).
    """
    parts = takewhile(lambda part: len(part) != 1, tag.replace("_", "-").split("-"))
    language = next(parts, "").lower()
    scripts = (part.capitalize() for part in parts if len(part) == _SCRIPT and part.isalpha())
    return language, next(scripts, "")
