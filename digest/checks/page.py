"""What the HTML of an edition holds, as a mail program would see it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Anchor", "Page", "PictureTag"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A link: where it leads, and its words on one line."""

    href: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureTag:
    """A picture; `alt` is None where there is none, `decorative` where none is needed."""

    src: str
    alt: str | None
    has_width: bool
    decorative: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Links and pictures in their order, and every text that a reader can come to see.

    `words` counts those that stand on the page; what is hidden, as the line beside the subject is,
    does not count.
    """

    anchors: tuple[Anchor, ...] = ()
    pictures: tuple[PictureTag, ...] = ()
    texts: tuple[str, ...] = ()
    words: int = 0
