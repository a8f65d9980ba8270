"""What to write for a listing: a file for each summary that the library does not hold yet."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from digest.content import dump_header
from digest.imports.listing import Entry, parse_listing
from digest.imports.report import Imported, ImportReport, Skipped
from digest.model import slugify

__all__ = ["import_listing"]


def import_listing(
    data: bytes,
    *,
    name: str,
    known: Mapping[str, str],
    taken: frozenset[str],
    date: date | None,
    folder: str,
) -> ImportReport:
    """Plan the summary files of a listing; nothing is written.

    `known` maps ids that the library holds to their files, `taken` are the names of files that
    exist in `folder`, in small letters; `folder` is POSIX, without a slash at the end, and stands
    before each path. A `date` of None is left out. A second run on what the first one wrote
    imports nothing.
    """
    listing = parse_listing(data, name=name)
    imported: list[Imported] = []
    skipped = list(listing.skipped)
    files: dict[str, bytes] = {}
    used = {one.lower() for one in taken}
    for entry in listing.entries:
        if entry.identity in known:
            reason = f"in the library already, as {known[entry.identity]}"
            skipped.append(Skipped(place=f"{name}:{entry.line}", reason=reason))
            continue
        path = f"{folder}/{_free_name(entry.title, used)}".removeprefix("/")
        files[path] = _summary_file(entry, date)
        imported.append(
            Imported(
                id=entry.identity, title=entry.title, title_derived=entry.title_derived, path=path
            )
        )
    return ImportReport(
        imported=tuple(imported),
        skipped=tuple(sorted(skipped, key=_line)),
        failed=listing.failures,
        notices=listing.notices,
        files=files,
    )


def _line(skipped: Skipped) -> int:
    return int(skipped.place.rpartition(":")[2])


def _free_name(title: str, used: set[str]) -> str:
    """Name a file after its title, unlike all used names whatever their letter case."""
    slug = slugify(title)
    name, count = f"{slug}.md", 1
    while name in used:
        count += 1
        name = f"{slug}-{count}.md"
    used.add(name)
    return name


def _summary_file(entry: Entry, day: date | None) -> bytes:
    header = dump_header(
        [
            ("id", entry.identity),
            ("title", entry.title),
            ("title_derived", entry.title_derived or None),
            ("date", day),
            ("source", entry.source or None),
        ]
    )
    return f"{header}\n{entry.body}\n".encode()
