"""The files of a content folder, found without leaving it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from digest.content.options import ContentOptions
from digest.content.reading import shown_name
from digest.errors import Problem
from digest.model import Note

__all__ = ["Found", "Sign", "Walk", "walk"]

_COPY = "copy it here"
_WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}

Sign = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One file: `path` is POSIX, in NFC, relative to the content folder; `place` is shown.

    `sign` holds time of change of the text, size, inode, and time of any change, in nanoseconds:
    equal signs mean an unchanged file.
    """

    path: str
    on_disk: str
    place: str
    sign: Sign


@dataclass(slots=True, kw_only=True)
class Walk:
    """What was found, and what was wrong on the way."""

    found: list[Found] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def walk(folder: str, options: ContentOptions, *, prefix: str) -> Walk:
    """Find the files of a content folder, in the order of their paths; `prefix` is its own place.

    Names that begin with a dot are passed over. Links to folders are not followed, nor those to
    files outside; a problem or note says so.
    """
    return _Walker(folder, options, prefix).run()


class _Walker:
    """Walks through the folders, with a stack instead of recursion."""

    def __init__(self, folder: str, options: ContentOptions, prefix: str) -> None:
        self._prefix = prefix
        self._real = os.path.realpath(folder)
        self._included = _matcher(options.include)
        self._excluded = _matcher(options.exclude)
        self._issues = options.issues.strip("/")
        self._stack = [(folder, "")]
        self._walk = Walk()

    def run(self) -> Walk:
        """Walk through all folders."""
        while self._stack:
            folder, above = self._stack.pop()
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        if not entry.name.startswith("."):
                            self._visit(entry, above + entry.name)
            except OSError as error:
                self._problem(
                    above.rstrip("/"),
                    f"the folder cannot be read: {error.strerror}",
                    "mend its permissions, or leave it out with `exclude`",
                )
        self._walk.found.sort(key=lambda one: (one.path, one.on_disk))
        self._walk.problems.sort(key=lambda one: one.where)
        self._walk.notes.sort(key=lambda one: one.place)
        return self._walk

    def _visit(self, entry: os.DirEntry[str], name: str) -> None:
        """Take one name: a file is kept, a folder put on the stack."""
        path = unicodedata.normalize("NFC", name)
        wanted = bool(self._included(path))
        if path == self._issues or self._excluded(path):
            return
        if entry.is_symlink():
            self._visit_link(entry, name, wanted=wanted)
        elif entry.is_dir(follow_symlinks=False):
            if wanted:
                self._problem(name, "a folder with the name of a file", "give it another name")
            else:
                self._stack.append((entry.path, f"{name}/"))
        elif wanted:
            self._keep(entry, name)

    def _visit_link(self, entry: os.DirEntry[str], name: str, *, wanted: bool) -> None:
        """Follow a link to a file inside the content folder, and no other."""
        target = os.path.realpath(entry.path)
        inside = f"{target}/".startswith(self._real.rstrip("/") + "/")
        if not os.path.exists(target):  # noqa: PTH110 - thousands of entries: no Path for each
            if wanted:
                self._problem(name, "a link to nothing", "take it out")
        elif entry.is_dir():
            if inside:
                note = "a link to a folder is not followed; its files are read where they are"
                self._walk.notes.append(Note(place=self._place(name), text=note))
            else:
                self._problem(name, "a link to a folder outside the content folder", _COPY)
        elif wanted and inside:
            self._keep(entry, name)
        elif wanted:
            self._problem(name, "a link to a file outside the content folder", _COPY)

    def _keep(self, entry: os.DirEntry[str], name: str) -> None:
        """Keep one file."""
        path = unicodedata.normalize("NFC", name)
        try:
            path.encode()
            status = entry.stat()
        except UnicodeEncodeError:
            self._problem(name, "the file's name is not UTF-8", "give it another name")
        except OSError as error:
            self._problem(name, f"the file cannot be read: {error.strerror}", "mend it")
        else:
            sign = (status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns)
            self._walk.found.append(
                Found(path=path, on_disk=entry.path, place=self._place(name), sign=sign)
            )

    def _problem(self, name: str, what: str, fix: str) -> None:
        """Gather a problem."""
        self._walk.problems.append(Problem(what=what, where=self._place(name), fix=fix))

    def _place(self, name: str) -> str:
        """Show a path of the content folder."""
        return shown_name(f"{self._prefix}{name}")


def _matcher(patterns: tuple[str, ...]) -> Callable[[str], object]:
    """Make one test of several patterns; none matches nothing."""
    parts = "|".join(_expression(unicodedata.normalize("NFC", one)) for one in patterns)
    return re.compile(f"(?:{parts or '(?!)'})\\Z", re.DOTALL).match


def _expression(pattern: str) -> str:
    """Turn a pattern of paths into a regular expression."""
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", pattern.strip("/"))
    return "".join(_WILD.get(piece, re.escape(piece)) for piece in pieces)
