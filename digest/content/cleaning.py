"""The model's cleaning of texts, with a shorter way for the texts that need none: nearly all."""

from __future__ import annotations

import unicodedata

from digest.model import clean_line, clean_text

__all__ = ["quick_line", "quick_text"]


def quick_text(text: str) -> str:
    """Give the same as `clean_text`.

    What is printable holds nothing that it would drop: controls, surrogates, non-characters.
    """
    if text.replace("\n", "").replace("\t", "").isprintable():
        return unicodedata.normalize("NFC", text)
    return clean_text(text)


def quick_line(text: str) -> str:
    """Give the same as `clean_line`; of all white space only the plain blank is printable."""
    if text.isprintable() and "  " not in text:
        return unicodedata.normalize("NFC", text).strip()
    return clean_line(text)
