"""One summary: the content item of a newsletter, as read from its Markdown file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

__all__ = ["Direction", "Image", "Link", "Note", "Summary", "refuse_naive"]

Direction = Literal["", "ltr", "rtl"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A further link of a summary: the words shown, and where it leads."""

    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture of a summary: its address, absolute or relative to the file, and its words."""

    url: str
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something noticed while reading a file that stops nothing: `place` is `file:line`."""

    place: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One content item.

    `id` is the header's `id`, else `path` without its suffix; both in NFC. `path` is POSIX,
    relative to the content folder. `body` is Markdown without the header, with LF line ends.
    `summary` is the header's text (Markdown), empty where the file gives none. Moments are aware;
    `day_only` tells that the file gave a day without a time. `themes` are ids named by the
    file itself. `fingerprint` is the SHA-256 of the file's bytes, in hex. A withdrawn one is
    never picked. `cooldown` is the number of weeks after which it may come again, None where it
    goes out once. `supersedes` are the ids of summaries whose place it takes.
    """

    id: str
    path: str
    title: str
    body: str
    fingerprint: str
    title_derived: bool = False
    summary: str = ""
    date: datetime | None = None
    day_only: bool = False
    updated: datetime | None = None
    url: str = ""
    themes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    source: str = ""
    links: tuple[Link, ...] = ()
    image: Image | None = None
    lang: str = ""
    dir: Direction = ""
    weight: float = 0.0
    pin: bool = False
    draft: bool = False
    not_before: datetime | None = None
    not_after: datetime | None = None
    withdrawn: bool = False
    cooldown: int | None = None
    supersedes: tuple[str, ...] = ()
    slug: str = ""
    extra: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for moment in (self.date, self.updated, self.not_before, self.not_after):
            refuse_naive(moment)

    @property
    def excerpt(self) -> str:
        """Give the summary text, or the first paragraph of the body, as Markdown."""
        if self.summary:
            return self.summary
        for block in self.body.split("\n\n"):
            text = block.strip()
            if text and not text.startswith(("#", "<!--", "```", "~~~", "---", "|", "![")):
                return text
        return self.body.strip()


def refuse_naive(moment: datetime | None) -> None:
    """Raise ValueError for a moment without a zone: it would mean another time elsewhere."""
    if moment is not None and moment.utcoffset() is None:
        message = f"{moment.isoformat()} has no zone"
        raise ValueError(message)
