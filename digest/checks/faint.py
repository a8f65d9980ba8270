"""Which texts of a mail are hard to read, in its own colours and where a program changes them.

Imported only where a page is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from digest.checks.contrast import SeenText, faint_texts, seen_texts
from digest.checks.recolour import force_dark

__all__ = ["faint_anywhere"]


def faint_anywhere(text: str) -> Iterator[SeenText]:
    """Give the faint texts of a mail: light, dark, then those that are so only when forced dark.

    The line of one of the last is 0 where it is not known.
    """
    light: dict[str, SeenText] = {}
    for one in seen_texts(text, schemes=("light", "dark")):
        if one.ratio < one.least:
            yield one
        if one.scheme == "light":
            light.setdefault(one.text, one)
    for one in faint_texts(force_dark(text), schemes=("light",)):
        own = light.get(one.text)
        if own is None or own.ratio >= own.least:
            # Its own line is that of the mail as it was written anew.
            yield replace(one, scheme="forced", line=own.line if own else 0)
