"""A listing: a heading line that names the source, then one paragraph for each summary."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

from digest.imports.escape import escape_markdown
from digest.imports.headings import HEADING_LENGTH, heading_of, is_title, split_heading
from digest.imports.paragraphs import (
    Paragraph,
    count_words,
    has_end,
    read_paragraphs,
    take_off_ellipsis,
)
from digest.imports.report import Failure, Skipped
from digest.imports.titles import derive_title
from digest.imports.words import read_words
from digest.model import Note, clean_line

__all__ = ["Entry", "Listing", "parse_listing"]

_SHORTEST = 5  # words of a summary
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_LONGEST_NAME = 6  # words of a name and year
_SPACED = frozenset(",;:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One paragraph of a listing as a summary.

    `line` is where it begins. `title` is plain text, `body` is Markdown on one line. `identity`
    stays the same when case, punctuation, white space or the ellipsis at the end change.
    """

    line: int
    source: str
    title: str
    title_derived: bool
    body: str
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a listing holds, and what in it failed, was left out or noticed, by line."""

    entries: tuple[Entry, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    failures: tuple[Failure, ...] = ()
    notices: tuple[Note, ...] = ()


def parse_listing(data: bytes, *, name: str) -> Listing:
    """Read a listing; never raises: what cannot be read is named in `failures`.

    `name` is the file's name as it shall stand before the line in each complaint; without its
    folder and suffix it is the source of a listing that has no heading line.
    """
    paragraphs = read_paragraphs(data)
    if not paragraphs:
        reason = (
            "the file is empty: expected a heading line, then paragraphs with a blank line between"
        )
        return Listing(failures=(Failure(place=f"{name}:1", reason=reason),))
    reader = _Reader(name)
    for paragraph in _part_heading_line(paragraphs):
        reader.read(paragraph)
    return reader.finish()


class _Reader:
    """Goes through the paragraphs and keeps which headings are open."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._source = _stem(name)
        self._first_heading = ""
        self._started = False
        self._title = ""
        self._open: dict[str, int] = {}  # "source" and "title": headings with nothing after them
        self._lines: dict[str, int] = {}  # by identity
        self._entries: list[Entry] = []
        self._skipped: list[Skipped] = []
        self._failures: list[tuple[int, str]] = []
        self._notices: list[tuple[int, str]] = []

    def read(self, paragraph: Paragraph) -> None:
        """Take in the next paragraph."""
        first, self._started = not self._started, True
        line = paragraph.lines[0] if len(paragraph.lines) == 1 else ""
        if _may_be_source(line) and (first or self._looks_like_source(line)):
            self._begin_source(line, paragraph.line)
            return
        if first:
            text = f"no heading line: the source is taken from the file's name, {self._source!r}"
            self._notices.append((paragraph.line, text))
        if line and is_title(line):
            self._begin("title", paragraph.line)
            self._title = heading_of(line)
            return
        self._open.clear()
        title, self._title = self._title, ""
        if paragraph.bad_line:
            reason = (
                f"not UTF-8 (byte 0x{paragraph.bad_byte:02x}): "
                "save the file as UTF-8 and import it again"
            )
            self._failures.append((paragraph.bad_line, reason))
        else:
            self._read_text(paragraph, title)

    def finish(self) -> Listing:
        """Close what is open and give the result."""
        self._close("source", "title")
        return Listing(
            entries=tuple(self._entries),
            skipped=tuple(self._skipped),
            failures=tuple(
                Failure(place=f"{self._name}:{line}", reason=reason)
                for line, reason in sorted(self._failures)
            ),
            notices=tuple(
                Note(place=f"{self._name}:{line}", text=text)
                for line, text in sorted(self._notices)
            ),
        )

    def _looks_like_source(self, line: str) -> bool:
        """Tell whether a line alone, further down, is of the first heading's kind."""
        if _is_name_and_year(line):
            return True
        first = self._first_heading
        marks, first_marks = _marks(line), _marks(first)
        if marks or first_marks:
            return marks == first_marks
        same_length = len(line.split(" ")) == len(first.split(" "))
        shape = _shape(line)
        return shape == _shape(first) and ("number" in shape or same_length)

    def _begin_source(self, line: str, number: int) -> None:
        self._begin("source", number)
        self._source = heading_of(line)
        if self._first_heading:
            text = f"from here on the source is {self._source!r}"
            self._notices.append((number, text))
        self._first_heading = self._first_heading or line
        self._title = ""

    def _begin(self, kind: str, line: int) -> None:
        self._close("title", *([kind] if kind != "title" else []))
        self._open[kind] = line

    def _close(self, *kinds: str) -> None:
        for kind in kinds:
            if kind in self._open:
                reason = "a heading with nothing after it: add its text or take it out"
                self._failures.append((self._open.pop(kind), reason))

    def _read_text(self, paragraph: Paragraph, title: str) -> None:
        text, is_cut = take_off_ellipsis(paragraph.text)
        last, _ = take_off_ellipsis(paragraph.lines[-1])
        lines = [*paragraph.lines[:-1], *([last] if last else [])]
        split = split_heading(lines or [""])
        if count_words(split.text) < _SHORTEST:
            reason = (
                f"fewer than {_SHORTEST} words: too short for a summary; write more or take it out"
            )
            self._failures.append((paragraph.line, reason))
            return
        identity = _identity(text)
        if identity in self._lines:
            reason = f"the same paragraph as in line {self._lines[identity]}"
            self._skipped.append(Skipped(place=f"{self._name}:{paragraph.line}", reason=reason))
            return
        self._lines[identity] = paragraph.line
        self._notice(paragraph, has_end=is_cut or has_end(text))
        title = title if title == split.title else ": ".join(filter(None, (title, split.title)))
        self._entries.append(
            Entry(
                line=paragraph.line,
                source=self._source,
                title=title or derive_title(split.text),
                title_derived=not title,
                body=escape_markdown(_with_ellipsis(split.text) if is_cut else split.text),
                identity=identity,
            )
        )

    def _notice(self, paragraph: Paragraph, *, has_end: bool) -> None:
        if not has_end:
            text = "the paragraph has no end: no full stop and no ellipsis; imported as it stands"
            self._notices.append((paragraph.line, text))
        for offset, line in enumerate(paragraph.lines[:-1], start=1):
            if take_off_ellipsis(line)[1]:
                text = "no blank line after an ellipsis: imported as one summary with what is above"
                self._notices.append((paragraph.line + offset, text))


def _part_heading_line(paragraphs: tuple[Paragraph, ...]) -> tuple[Paragraph, ...]:
    """Let a name and year in the first line, `ICAB 2031`, stand alone, blank line or not."""
    first = paragraphs[0]
    if len(first.lines) < 2 or not _is_name_and_year(first.lines[0]):  # noqa: PLR2004  one and more
        return paragraphs
    heading = Paragraph(line=first.line, lines=first.lines[:1])
    return (heading, Paragraph(line=first.line + 1, lines=first.lines[1:]), *paragraphs[1:])


def _may_be_source(line: str) -> bool:
    return bool(
        line
        and len(line) <= HEADING_LENGTH
        and not has_end(line)
        and not take_off_ellipsis(line)[1]
        and heading_of(line)
    )


def _is_name_and_year(line: str) -> bool:
    words = read_words(heading_of(line), _LONGEST_NAME + 1)
    kinds = [word.kind for word in words]
    return (
        1 < len(words) <= _LONGEST_NAME
        and set(kinds) <= {"title", "number"}
        and kinds[0] == "title"
        and _YEAR.search(words[-1].text) is not None
    )


def _shape(line: str) -> tuple[str, ...]:
    """Give how a line is written: its kinds of words, each run once."""
    return tuple(
        kind for kind, _ in groupby(word.kind for word in read_words(line, HEADING_LENGTH))
    )


def _marks(line: str) -> int:
    return len(line) - len(line.lstrip("#"))


def _stem(name: str) -> str:
    """Give a file's name without folder and suffix."""
    last = re.split(r"[/\\]", name)[-1]
    return clean_line(last.rpartition(".")[0] or last)


def _with_ellipsis(text: str) -> str:
    """Put an ellipsis to the last word, or with a space after a sentence that has its end."""
    return f"{text} \u2026" if has_end(text) or text[-1] in _SPACED else f"{text}\u2026"


def _identity(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text.casefold())
    # Letters, the marks on them and numbers stay; all else parts them.
    words = "".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in folded)
    digest = sha256(" ".join(words.split()).encode("utf-8"))
    return f"listing-{digest.hexdigest()[:12]}"
