"""What was saved after an edition was built, and is not in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from digest.content import dump_issue
from digest.errors import FilesError
from digest.files import on_disk, read_bytes
from digest.model import Issue
from digest.publish.editions import Kept, material_from
from digest.publish.project import Project

__all__ = ["edited_since", "stale_sources"]


def edited_since(issue: Issue, built: Issue) -> bool:
    """Tell whether an issue file says something else than the one that an edition was built from.

    Seal, hold, and what was dropped are no part of the edition.
    """
    return _said(issue, built) != _said(built, built)


def _said(issue: Issue, built: Issue) -> str:
    # An item named without a theme has the one it was built under.
    themes = {pick.id: pick.theme for pick in built.items}
    items = tuple(
        pick if pick.theme else replace(pick, theme=themes.get(pick.id, pick.theme))
        for pick in issue.items
    )
    return dump_issue(replace(issue, items=items, seal=None, hold="", skip="", dropped=()))


def stale_sources(project: Project, kept: Kept, *, lost: bool = False) -> tuple[str, ...]:
    """Name the files of summaries that say something else than the edition holds.

    With `lost` also those that are gone or cannot be read any more. Raise ContentError where the
    edition's own inputs cannot be read.
    """
    stale: list[str] = []
    for path, data in material_from(kept).sources.items():
        file = on_disk(project.content, path)
        now = _read(project, file)
        if now != data and (lost or now is not None):
            stale.append(project.shown(file))
    return tuple(stale)


def _read(project: Project, file: Path) -> bytes | None:
    try:
        return read_bytes(file, root=project.root)
    except FilesError:
        return None
