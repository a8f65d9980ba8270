"""Summaries kept from one run to the next, so that only changed files are read.

A cache is lines of JSON. The first says what it was made with: format, version, zone, options, the
moment it was begun, and the SHA-256 of all others. The second lists the paths; then comes one line
for each, with its sign, summary and notes: a line is read only when it is asked for, which spares
the garbage collector of Python hundreds of thousands of objects. A cache that is broken, cut short,
or made with anything else is taken for none.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from digest import __version__
from digest.content.walk import Sign
from digest.model import Image, Link, Note, Summary

__all__ = ["FORMAT", "Cache", "Draft", "begin_draft", "cache_key", "open_cache", "pack"]

FORMAT: Final = 2  # goes up whenever the same file would give another summary

# The coarsest clock of a file system in use (FAT). A file that changed within this time before it
# was read may have changed once more without a trace: it is read again.
_COARSE = 2_000_000_000

_MOMENTS = ("date", "updated", "not_before", "not_after")
_DEFAULTS = {one.name: one.default for one in fields(Summary) if one.default is not MISSING}

Kept = tuple[Summary, tuple[Note, ...]]


class Cache:
    """The summaries of an earlier run."""

    def __init__(self, rows: Mapping[str, str], stamp: int) -> None:
        self._rows = rows
        self._stamp = stamp

    def __getitem__(self, path: str) -> str:
        return self._rows[path]

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, path: str, sign: Sign, zone: ZoneInfo) -> Kept | None:
        """Give what is known of a file, if it is certain that the file did not change."""
        line = self._rows.get(path)
        if line is None or sign[3] + _COARSE > self._stamp:
            return None
        try:
            row = json.loads(line)
            return _unpacked(row, zone) if tuple(row[0]) == sign else None
        except (ValueError, TypeError, LookupError, RecursionError):
            return None


class Draft:
    """A cache that is being written beside the present one."""

    def __init__(self, file: int, name: str) -> None:
        self._file = file
        self._name = name

    def save(self, path: Path, key: Mapping[str, object], rows: Mapping[str, str]) -> None:
        """Take the place of the present cache, whole or not at all; a full disk keeps the old."""
        body = "\n".join([json.dumps(list(rows)), *rows.values()]).encode()
        stamp = os.fstat(self._file).st_mtime_ns
        head = {**key, "stamp": stamp, "sha256": sha256(body).hexdigest()}
        with contextlib.suppress(OSError):
            with open(self._file, "wb", closefd=False) as file:
                file.write(json.dumps(head).encode() + b"\n" + body)
            os.replace(self._name, path)  # noqa: PTH105 - the temporary file has no Path


def cache_key(zone: ZoneInfo, prefix: str, aliases: Mapping[str, str]) -> dict[str, object]:
    """Give all that decides what summary a file gives, besides the file."""
    return {
        "format": f"digest content {FORMAT}",
        "version": [__version__, *sys.version_info[:2]],
        "zone": zone.key,
        "prefix": prefix,
        "aliases": sorted([alias, target] for alias, target in aliases.items()),
    }


def open_cache(path: Path | None, key: Mapping[str, object]) -> Cache:
    """Open a cache; one that is missing, broken, or has another key is empty."""
    if path is None:
        return Cache({}, 0)
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        found = json.loads(head)
        stamp, digest = found.pop("stamp"), found.pop("sha256")
        if found != key or digest != sha256(body).hexdigest():
            return Cache({}, 0)
        first, *lines = body.decode().split("\n")
        return Cache(dict(zip(json.loads(first), lines, strict=True)), int(stamp))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Cache({}, 0)


@contextlib.contextmanager
def begin_draft(path: Path | None) -> Iterator[Draft | None]:
    """Begin a cache before the first file is looked at: its time of making is compared to theirs.

    Gives None without a path, and where nothing can be written there. Leaves nothing behind that
    was not saved.
    """
    if path is None:
        yield None
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError:
        yield None
        return
    try:
        yield Draft(file, name)
    finally:
        os.close(file)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)  # noqa: PTH108 - the temporary file has no Path


def pack(sign: Sign, kept: Kept) -> str:
    """Give one file as a line of JSON: of the summary, what is not as by default."""
    summary, notes = kept
    values = {one: getattr(summary, one) for one in Summary.__slots__}
    values = {one: value for one, value in values.items() if value != _DEFAULTS.get(one, MISSING)}
    for name in _MOMENTS:
        if name in values:
            values[name] = values[name].isoformat()
    if summary.links:
        values["links"] = [(one.label, one.url) for one in summary.links]
    if summary.image:
        values["image"] = (summary.image.url, summary.image.alt)
    row = (sign, values, [(one.place, one.text) for one in notes])
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def _unpacked(row: Any, zone: ZoneInfo) -> Kept | None:  # noqa: ANN401 - it comes from JSON
    """Give a summary and its notes; None where the rules of the zone have changed since."""
    values = dict(row[1])
    for name in _MOMENTS:
        if name in values:
            written = datetime.fromisoformat(values[name])
            values[name] = moment = written.astimezone(zone)
            if moment.utcoffset() != written.utcoffset():
                return None
    for name, made in _LISTS.items():
        if name in values:
            values[name] = tuple([made(one) for one in values[name]])
    if "image" in values:
        values["image"] = Image(url=values["image"][0], alt=values["image"][1])
    return Summary(**values), tuple([Note(place=place, text=text) for place, text in row[2]])


def _link(pair: list[str]) -> Link:
    """Make a link of its label and url."""
    return Link(label=pair[0], url=pair[1])


_LISTS: Final[Mapping[str, Callable[[Any], object]]] = {
    "themes": str,
    "tags": str,
    "authors": str,
    "supersedes": str,
    "links": _link,
    "extra": tuple,
}
