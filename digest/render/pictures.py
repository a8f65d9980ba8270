"""Pictures of a text as links: neither the mail nor the page loads anything from elsewhere."""

from __future__ import annotations

import re

__all__ = ["pictures_as_links"]

_TAG = re.compile(r"<(/?)(a|img)\b((?:[^\"'<>]|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE = re.compile(r"\b(src|alt)=\"([^\"]*)\"")


def pictures_as_links(html: str, *, word: str) -> str:
    """Turn each `img` of a safe fragment into a link to it, called by its `alt`, else by `word`.

    One that stands inside a link gives way to its words. `word` is HTML.
    """
    inside = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal inside
        if match[2] == "a":
            inside += -1 if match[1] else 1
            return match[0]
        found = dict(_ATTRIBUTE.findall(match[3]))
        shown = found.get("alt", "").strip() or word
        return shown if inside or not found.get("src") else f'<a href="{found["src"]}">{shown}</a>'

    return _TAG.sub(replaced, html)
