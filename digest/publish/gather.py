"""Bring summaries in from elsewhere."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

from digest.content import Library
from digest.errors import FilesError
from digest.files import write_file
from digest.imports import ImportReport, import_listing
from digest.publish.project import Project

__all__ = ["gather_listing", "read_source"]

_ID: Final = re.compile(rb"\blisting-[0-9a-f]{12}\b")


def gather_listing(
    project: Project, file: Path, *, day: date, dry_run: bool = False
) -> tuple[ImportReport, Library]:
    """Import the paragraphs of a listing as summaries dated `day`; twice imports nothing twice.

    Give the report, and the library as it was before. Raise FilesError where the listing cannot be
    read or a summary cannot be written.
    """
    data = read_source(file)
    with project.writing(dry_run=dry_run):
        library = project.library()
        report = import_listing(
            data,
            name=file.name,
            known=_known(project, library),
            taken=frozenset(path.name.lower() for path in project.content.glob("*")),
            date=day,
            folder=project.settings.content.folder,
        )
        if not dry_run:
            for path, text in report.files.items():
                write_file(project.root / path, text, root=project.root)
    return report, library


def read_source(file: Path) -> bytes:
    """Read a file that somebody names for an import. Raise FilesError."""
    try:
        if not file.is_file():  # a pipe would be waited for without end
            raise FileNotFoundError(2, "No such file")
        return file.read_bytes()
    except OSError as error:
        raise FilesError(
            f"cannot be read: {error.strerror}",
            where=file.name,
            fix="check the name and its rights",
        ) from error


def _known(project: Project, library: Library) -> dict[str, str]:
    """Give the ids that the content folder holds, with their files.

    A file that cannot be read at present may be one that was imported: its id counts too.
    """
    folder = project.settings.content.folder
    known = {summary.id: f"{folder}/{summary.path}" for summary in library.summaries}
    for problem in library.problems:
        place = problem.where.rpartition(":")[0] or problem.where
        with suppress(OSError):  # a folder, or a file that may not be read
            for found in _ID.findall((project.root / place).read_bytes()):
                known.setdefault(found.decode(), place)
    return known
