"""How checks count words."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["count_words"]

# Scripts that part no words by blanks (Thai, kana, ideographs): each sign counts as a word.
_SIGN: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_SIGN}]|[^\W{_SIGN}]+")


def count_words(text: str) -> int:
    """Count the words of a text; addresses, of the web and of mail, are none."""
    parts = (part for part in text.split() if "://" not in part and "@" not in part)
    return sum(len(_WORD.findall(part)) for part in parts)
