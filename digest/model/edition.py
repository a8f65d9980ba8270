"""An issue rendered: its files, byte for byte, and what feeds and pages need to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from digest.model.names import IssueKey, ThemeId
from digest.model.summary import refuse_naive

__all__ = ["Edition", "EditionItem", "FieldPlace", "Published"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionItem:
    """One item as shown: `title` is plain text, `url` absolute, `anchor` its place on the page.

    `path` is its file in the content folder, `commit` the one that last changed this file, empty
    where git does not know the file as it is. `shortened` says that the mail has not all of it.
    """

    id: str
    title: str
    url: str
    anchor: str
    theme: ThemeId
    authors: tuple[str, ...] = ()
    path: str = ""
    commit: str = ""
    shortened: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPlace:
    """Where a merge field stands in a file of an edition: octets from `start` up to `end`.

    The file holds the general value there; a reader's own takes its place. `default` stands
    where a reader has none.
    """

    name: str
    default: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """An issue rendered.

    `files` maps the names `issue.html`, `issue.txt`, `issue.eml`, `page.html`, `entry.html`, and
    `pictures/<name>` for each picture that is shown, to their bytes; `fields` gives the merge
    fields of `issue.html` and `issue.txt`, in the order in which they stand there. `summary` is one
    plain sentence for feeds. `slot` is aware.
    """

    key: IssueKey
    number: int
    slot: datetime
    subject: str
    preheader: str
    title: str
    summary: str
    theme: ThemeId
    items: tuple[EditionItem, ...]
    tags: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    fields: Mapping[str, tuple[FieldPlace, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        refuse_naive(self.slot)

    @property
    def imprint(self) -> str:
        """Give the hash by which mail and page name this edition: hexadecimal SHA-256.

        It is taken of subject, HTML and text of the general copy, each after its length in octets.
        """
        parts = (self.subject.encode(), self.files["issue.html"], self.files["issue.txt"])
        return sha256(b"".join(b"%d:%b," % (len(part), part) for part in parts)).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """An edition that is out: when it was published, and when its text last changed.

    `withdrawn` is when it was taken back; None where it was not.
    """

    edition: Edition
    at: datetime
    updated: datetime
    withdrawn: datetime | None = None

    def __post_init__(self) -> None:
        for moment in (self.at, self.updated, self.withdrawn):
            refuse_naive(moment)
