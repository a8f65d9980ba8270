"""What became of a file that was imported, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from digest.model import Note

__all__ = ["Failure", "ImportReport", "Imported", "Skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An entry that cannot be imported: `place` is `name:line`, `reason` says what to do."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An entry that is left out on purpose: `place` is `name:line`."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """An entry that became a summary file: `path` is POSIX, folder included."""

    id: str
    title: str
    title_derived: bool
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What to write, and what to tell: each in the order of the lines.

    `files` maps POSIX paths, folder included, to what the files shall hold.
    """

    imported: tuple[Imported, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    failed: tuple[Failure, ...] = ()
    notices: tuple[Note, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
