"""The alphabets of mathematics: which letters stand italic, bold or in their own Unicode signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Final

__all__ = ["letter_of", "set_letter"]

# Unicode 16, block "Mathematical Alphanumeric Symbols": words of a name, the first that fits.
_ALPHABETS: Final = (
    ("BOLD ITALIC", "bold-italic"),
    ("BOLD SCRIPT", "script"),
    ("BOLD FRAKTUR", "fraktur"),
    ("SANS-SERIF", "normal"),
    ("MONOSPACE", "normal"),
    ("DOUBLE-STRUCK", "double-struck"),
    ("SCRIPT", "script"),
    ("FRAKTUR", "fraktur"),
    ("BOLD", "bold"),
    ("ITALIC", "italic"),
)
# The older letters of an alphabet stand in another block under another name.
_OLDER: Final[Mapping[str, str]] = MappingProxyType(
    {"double-struck": "DOUBLE-STRUCK", "script": "SCRIPT", "fraktur": "BLACK-LETTER"}
)
_TAGS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "bold": ("<b>", "</b>"),
        "italic": ("<i>", "</i>"),
        "bold-italic": ("<b><i>", "</i></b>"),
    }
)


def set_letter(name: str, *, variant: str, italic: bool) -> tuple[str, str]:
    """Set a letter, digit, sign or word as HTML and as text.

    `variant` is MathML's `mathvariant` (MathML 3 §3.2.2), empty for the usual one, in which a
    single letter is italic where `italic` says so.
    """
    if len(name) == 1:
        name, variant = _taken_apart(name, variant)
    if not variant and italic and _is_variable(name):
        variant = "italic"
    if variant in _OLDER and len(name) == 1:
        sign = name if name == "O" and variant == "script" else _of_alphabet(name, variant)
        return escape(sign, quote=False), sign
    before, after = _TAGS.get(variant, ("", ""))
    return before + escape(name, quote=False) + after, name


def letter_of(sign: str, variant: str) -> str:
    """Give the letter or digit of an alphabet that is a Unicode sign of its own, else as it is.

    `variant` is MathML's `mathvariant`; italic Latin letters have no need of it where MathML
    itself makes a single letter italic.
    """
    if not variant or variant == "normal" or (variant == "italic" and sign.isascii()):
        return sign
    return _of_alphabet(sign, variant)


def _taken_apart(letter: str, variant: str) -> tuple[str, str]:
    """Give the plain letter and the alphabet of a sign that is both at once, as U+1D431 is."""
    name = unicodedata.name(letter, "")
    if not name.startswith("MATHEMATICAL "):
        return letter, variant
    for words, alphabet in _ALPHABETS:
        if words in name:
            return unicodedata.normalize("NFKC", letter), alphabet
    return letter, variant


def _of_alphabet(letter: str, alphabet: str) -> str:
    name = re.sub("^(LATIN|GREEK) | LETTER", "", unicodedata.name(letter, ""))
    full = f"MATHEMATICAL {alphabet.replace('bold-', 'bold ').upper()}"
    for first in filter(None, (full, _OLDER.get(alphabet))):
        try:
            return unicodedata.lookup(f"{first} {name}")
        except KeyError:
            continue
    return letter


def _is_variable(name: str) -> bool:
    """Tell whether a sign stands italic: a Latin letter or a small Greek one, as TeX sets them."""
    if len(name) != 1 or not name.isalpha():
        return False
    full = unicodedata.name(name, "")
    return name.isascii() or (full.startswith("GREEK ") and "CAPITAL" not in full)
