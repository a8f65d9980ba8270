"""Cut an entry body that no feed reader would take, between two of its blocks."""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser
from typing import Final

__all__ = ["BODY_LIMIT", "shorten"]

# In characters. Escaped for XML it may grow fivefold, which still fits into one feed.
BODY_LIMIT: Final = 500_000
_FRAMES: Final = frozenset({"article", "div", "main", "section"})
_BLOCKS: Final = _FRAMES | {
    *("aside", "blockquote", "dl", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("header", "hr", "ol", "p", "pre", "table", "ul"),
}
_VOID: Final = frozenset({"br", "col", "hr", "img", "source", "wbr"})


def shorten(body: str, *, url: str, limit: int = BODY_LIMIT) -> str:
    """Give a fragment of well-formed HTML whole, or its first blocks and a link to the rest.

    At most `limit` characters and the link are kept. A block is never split: one that is too
    large by itself leaves only the link.
    """
    if len(body) <= limit:
        return body
    seam = _Seam()
    seam.feed(body[:limit])
    starts = [0]
    for line in body[:limit].split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    line_number, column = seam.place
    kept = body[: starts[line_number - 1] + column]
    ends = "".join(f"</{tag}>" for tag in reversed(seam.frames))
    return f'{kept}{ends}<p><a href="{escape(url)}">Read the rest on the site</a></p>'


class _Seam(HTMLParser):
    """Find the last place where a block begins and nothing but frames is open."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.place = (1, 0)
        self.frames: tuple[str, ...] = ()
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _BLOCKS and _FRAMES.issuperset(self._open):
            self.place, self.frames = self.getpos(), tuple(self._open)
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag, attrs

    def handle_endtag(self, tag: str) -> None:
        while tag in self._open and self._open.pop() != tag:
            pass
