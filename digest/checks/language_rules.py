"""Rules that look at the language and the direction of the items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from digest.checks.finding import Hit, Seen
from digest.checks.writing import SCRIPTS, script_shares, scripts_of
from digest.model import RIGHT_TO_LEFT, Summary, clean_line, direction

__all__ = ["language_differs"]

# Latin names and terms stand in texts of every script: only a text of nothing else is Latin.
_SPECK: Final = 0.05
_HALF: Final = 0.5
_FEW: Final = 12  # letters: fewer tell nothing
_ENOUGH: Final = 10_000  # characters
_NAMED: Final = 3
# What is Latin in any language: code, formulas, addresses, tags.
_ASIDE: Final = re.compile(
    r"```[\s\S]*?(?:```|\Z)|`[^`\n]*`|\\\([\s\S]{1,400}?\\\)|\\\[[\s\S]{1,400}?\\\]"
    r"|\]\([^()\n]*\)|\b[a-z]+://\S+|<[^<>\n]*>"
)


def language_differs(seen: Seen) -> Iterator[Hit]:
    """D122: an item whose script is not that of its language, or runs the other way."""
    for summary in seen.items():
        whole = f"{summary.title}\n{summary.summary or summary.body}"
        text = _ASIDE.sub(" ", whole[:_ENOUGH])
        if sum(map(str.isalpha, text)) < _FEW:
            continue
        own = clean_line(summary.lang)
        language = own or seen.material.newsletter.language
        whose = f"its `lang` is {language}" if own else f"it has no `lang`, so {language} is taken"
        told = _difference(script_shares(text), language=language, whose=whose)
        if told := told or _backwards(summary, script_shares(text), language=language):
            yield Hit(path=seen.summary_file(summary), message=told)


def _difference(shares: Mapping[str, float], *, language: str, whose: str) -> str:
    """Say that a text is not in a script of its language; empty where it is."""
    known = scripts_of(language)
    main = next(iter(shares), "")
    if not main or not known or main in known:
        return ""
    fitting = sum(shares.get(script, 0) for script in known)
    if fitting >= (_SPECK if main == "Latn" else _HALF):
        return ""
    script = SCRIPTS[main]
    examples = ", ".join(script.languages[:_NAMED])
    return f"is written in {script.name} script ({examples}), but {whose}"


def _backwards(summary: Summary, shares: Mapping[str, float], *, language: str) -> str:
    """Say that a text runs the other way than it is told to; empty where it does not."""
    leftward = sum(shares.get(script, 0) for script in RIGHT_TO_LEFT)
    told = summary.dir or direction(language)
    if leftward > _HALF and told == "ltr":
        return "runs from right to left, but its direction is ltr"
    if summary.dir == "rtl" and shares and leftward < _SPECK:
        return "runs from left to right, but its `dir` is rtl"
    return ""
