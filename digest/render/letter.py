"""An issue as its templates see it: every text cleaned, every address absolute.

Templates get two names: `letter`, a `Letter`, and `words`, the `Words` of the look.
"""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from digest.model import ThemeId

__all__ = ["Badge", "Figure", "Further", "Introduction", "Item", "Letter", "Section"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A theme as shown: its word and one of the eight colour names."""

    id: ThemeId
    label: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Further:
    """A further link of an item."""

    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """The picture of an item: its words, its file, and where each form loads it from.

    `url` leads to the file. `src` is what the mail loads it from, `page_src` the page, `entry_src`
    the feed: each is empty where that form only leads to the picture. `width` and `height` are in
    pixels, as the mail and the page show it; 0 where they are not known.
    """

    label: str
    url: str
    src: str = ""
    page_src: str = ""
    entry_src: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One summary of the issue.

    `meta` holds what stands under the title, each part one text. `html`, `page_html` and
    `entry_html` are safe fragments with headings below the item's own, for the mail, the page and
    the feed; `text` is wrapped and indented, `brief` the first words on one line. `repeat` says
    where it was sent before, in the language of the letter; empty where it was not. `rest` is where
    all of the text stands, empty where `html` is all. `path` and `commit` name its source file,
    `source_url` is where that can be read; each empty where it is not known. `start` is the side at
    which a line begins, `left` or `right`.
    """

    number: int
    id: str
    title: str
    url: str
    anchor: str
    badge: Badge
    meta: tuple[str, ...]
    repeat: str
    authors: tuple[str, ...]
    html: Markup
    page_html: Markup
    entry_html: Markup
    text: str
    brief: str
    links: tuple[Further, ...]
    image: Figure | None
    lang: str
    dir: str
    rest: str = ""
    path: str = ""
    commit: str = ""
    source_url: str = ""

    @property
    def start(self) -> str:
        """Give the side at which a line begins."""
        return "right" if self.dir == "rtl" else "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The items of one theme, in their order."""

    badge: Badge
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """The words before the items, each empty where there are none; forms as of an `Item`."""

    html: Markup
    page_html: Markup
    entry_html: Markup
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """The issue. `level` is the heading level of item titles: 2, or 3 below section headings.

    `title` is what feeds and the home page call the issue, `heading` what stands above it.
    `facts` are the parts of the line below. `long` says that the foot may be cut off, so that the
    way to leave must stand at the head, too. `leave_url` is a merge field, so it is not here.
    """

    newsletter: str
    description: str
    sender: str
    postal_address: str
    key: str
    number: int
    language: str
    dir: str
    subject: str
    preheader: str
    preheader_sentence: str
    title: str
    heading: str
    summary: str
    facts: tuple[str, ...]
    introduction: Introduction
    sections: tuple[Section, ...]
    level: int
    page_url: str
    site_url: str
    long: bool = False

    @property
    def start(self) -> str:
        """Give the side at which a line begins."""
        return "right" if self.dir == "rtl" else "left"

    @property
    def end(self) -> str:
        """Give the side at which a line ends."""
        return "left" if self.dir == "rtl" else "right"

    @property
    def items(self) -> tuple[Item, ...]:
        """Give the items of all sections."""
        return tuple(item for section in self.sections for item in section.items)

    @property
    def colours(self) -> tuple[str, ...]:
        """Give the badge colours that are used, each once."""
        return tuple(dict.fromkeys(section.badge.colour for section in self.sections))
