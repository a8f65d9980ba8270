"""Bring summaries in from elsewhere."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from digest.errors import FilesError
from digest.files import write_file
from digest.imports import ImportReport, import_listing
from digest.publish.project import Project

__all__ = ["gather_listing"]


def gather_listing(
    project: Project, file: Path, *, day: date, dry_run: bool = False
) -> ImportReport:
    """Import the paragraphs of a listing as summaries dated `day`; twice imports nothing twice.

    Raise FilesError where the listing cannot be read or a summary cannot be written.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise FilesError(
            f"cannot be read: {error.strerror}",
            where=file.name,
            fix="check the name and its rights",
        ) from error
    with project.writing(dry_run=dry_run):
        library, folder = project.library(), project.settings.content.folder
        report = import_listing(
            data,
            name=file.name,
            known={one.id: f"{folder}/{one.path}" for one in library.summaries},
            taken=frozenset(path.name.lower() for path in project.content.glob("*")),
            date=day,
            folder=folder,
        )
        if not dry_run:
            for path, text in report.files.items():
                write_file(project.root / path, text, root=project.root)
    return report
