"""A content folder in, all its summaries out; one bad file stops no other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from digest.content.cache import Cache, Kept, begin_draft, cache_key, open_cache, pack
from digest.content.options import ContentOptions
from digest.content.reading import read_file, shown_path
from digest.content.summaries import parse_summary
from digest.content.walk import Found, Walk, walk
from digest.errors import ContentError, Problem
from digest.model import Note, Summary

__all__ = ["Library", "load_library"]

_ID = re.compile(rb"^(?:id|ID|Id)[ \t]*[:=]", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The summaries of a content folder, in the order of their paths.

    `problems` are of files that were left out, `notes` of such as were read all the same.
    """

    summaries: tuple[Summary, ...]
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()


def load_library(
    folder: Path,
    *,
    root: Path,
    zone: ZoneInfo,
    options: ContentOptions,
    cache: Path | None = None,
    write_cache: bool = False,
) -> Library:
    """Read the summaries of a content folder.

    Complaints show paths relative to `root`, the project. With a cache, only files are read that
    changed since it was written; it is written anew only if asked for, and only if something
    changed. Of two files with one id the first by path is kept. Raises ContentError where there is
    no such folder; what is wrong with single files is in the result.
    """
    place = shown_path(folder, root)
    if not folder.is_dir():
        raise ContentError(
            "there is no such folder", where=place, fix="make it, or set `[content] folder`"
        )
    prefix = "" if place == "." else f"{place}/"
    key = cache_key(zone, prefix, options.aliases)
    reader = _Reader(zone, options)
    with begin_draft(cache if write_cache else None) as draft:
        known = open_cache(cache, key)
        walked = walk(str(folder), options, prefix=prefix)
        for found in walked.found:
            reader.take(found, known.get(found.path, found.sign, zone))
        if cache is not None and draft is not None and reader.changed(len(known)):
            draft.save(cache, key, reader.rows(known))
    return reader.library(walked)


class _Reader:
    """Takes the files one by one, in the order of their paths."""

    def __init__(self, zone: ZoneInfo, options: ContentOptions) -> None:
        self._zone = zone
        self._options = options
        self._kept: list[tuple[Found, Kept]] = []
        self._fresh: set[str] = set()
        self._problems: list[Problem] = []

    def take(self, found: Found, known: Kept | None) -> None:
        """Take one file: from the cache, or from the disk."""
        try:
            kept = known or self._read(found)
        except ContentError as error:
            self._problems += error.problems
            return
        if known is None:
            self._fresh.add(found.path)
        self._kept.append((found, kept))

    def changed(self, known: int) -> bool:
        """Tell whether the cache, which holds so many files, should be written anew."""
        return bool(self._fresh) or len(self._kept) != known

    def rows(self, known: Cache) -> dict[str, str]:
        """Give what the cache is to hold."""
        return {
            found.path: pack(found.sign, kept) if found.path in self._fresh else known[found.path]
            for found, kept in self._kept
        }

    def library(self, walked: Walk) -> Library:
        """Give all that was read, without files that have the id of another."""
        summaries, notes, ids = [], list(walked.notes), dict[str, Found]()
        for found, (summary, noted) in self._kept:
            first = ids.setdefault(summary.id, found)
            if first is found:
                summaries.append(summary)
                notes += noted
            else:
                self._problems.append(_twice(summary.id, first, found))
        notes += _misnamed(self._kept, ids.keys())
        problems = sorted(walked.problems + self._problems, key=_by_place)
        return Library(summaries=tuple(summaries), notes=tuple(notes), problems=tuple(problems))

    def _read(self, found: Found) -> Kept:
        """Read one file."""
        data = read_file(found.on_disk, where=found.place)
        return parse_summary(
            data, path=found.path, where=found.place, zone=self._zone, options=self._options
        )


def _misnamed(kept: Iterable[tuple[Found, Kept]], ids: Collection[str]) -> Iterator[Note]:
    """Note each `supersedes` that names nobody, where it nearly names one.

    Others may mean a summary whose file is gone.
    """
    written = {name.casefold(): name for name in sorted(ids, reverse=True)}
    for found, (summary, _) in kept:
        for name in summary.supersedes:
            ending = (written.get(name.casefold().split("/", cut)[-1]) for cut in range(3))
            meant = next((one for one in ending if one and one != summary.id), None)
            if name not in ids and meant:
                text = f"`supersedes`: no summary has the id '{name}'; did you mean '{meant}'?"
                yield Note(place=f"{found.place}:1", text=text)


def _by_place(problem: Problem) -> tuple[str, int]:
    """Order problems by file, then by line as a number."""
    path, _, line = problem.where.rpartition(":")
    return (path, int(line)) if line.isdecimal() else (problem.where, 0)


def _twice(name: str, first: Found, second: Found) -> Problem:
    """Complain of an id that another file has already."""
    return Problem(
        what=f"the id '{name}' belongs to {_id_place(first)} already; this file is left out",
        where=_id_place(second),
        fix="give one of the two another `id`",
    )


def _id_place(found: Found) -> str:
    """Give the file and line of an id; the first line where the file's name is the id."""
    try:
        data = read_file(found.on_disk, where=found.place)
    except ContentError:
        data = b""
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    match = _ID.search(data)
    line = data.count(b"\n", 0, match.start()) + 1 if match else 1
    return f"{found.place}:{line}"
