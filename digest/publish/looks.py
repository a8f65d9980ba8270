"""The looks of a newsletter: which there are, and files of them to start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from digest.errors import UsageError
from digest.files import write_file
from digest.files.shipped import (
    LookFile,
    known_looks,
    look_files,
    own_place,
    require_look,
    shipped_looks,
    shipped_names,
    shipped_templates,
)
from digest.publish.project import Project

__all__ = ["Exported", "Look", "export_look", "looks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A look: whether it is shipped, whether the mail has it, the newsletter's own files of it."""

    name: str
    shipped: bool
    used: bool
    own: tuple[LookFile, ...]


def looks(project: Project) -> tuple[Look, ...]:
    """Give all looks, shipped ones first. Raise ConfigError where the one set is none of them."""
    root, used = project.root, project.settings.look
    require_look(root, used)
    shipped = shipped_looks()
    return tuple(
        Look(
            name=name,
            shipped=name in shipped,
            used=name == used,
            own=tuple(file for file in look_files(root, name) if not file.shipped),
        )
        for name in known_looks(root)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What came of an export: the places written, and those where a file was already."""

    look: str
    written: tuple[str, ...]
    there: tuple[str, ...]


def export_look(project: Project, words: Sequence[str], *, dry_run: bool) -> Exported:
    """Put shipped files of a look into the newsletter's folder; none that is there is touched.

    `words` are the name of a look, unless it is the one in use, and names of files, unless all of
    the look's own are meant. Raise ConfigError for a look that is not there, UsageError for a file
    that no look has, FilesError where one cannot be written.
    """
    look, names = _read_words(project, words)
    place, shipped = own_place(look), shipped_templates(look)
    for name in names:
        _require_file(name, tuple(shipped))
    wanted = names or shipped_names(look)
    if not wanted:
        raise UsageError(
            f"{look} is a look of your own, so no file of it is shipped",
            fix="name the files to start from, such as letter.mjml.j2",
        )
    written: list[str] = []
    there: list[str] = []
    with project.writing(dry_run=dry_run):
        for name in wanted:
            file = project.root / place / name
            found = file.exists() or file.is_symlink()
            (there if found else written).append(f"{place}/{name}")
            if not found and not dry_run:
                write_file(file, shipped[name], root=project.root)
    return Exported(look=look, written=tuple(written), there=tuple(there))


def _read_words(project: Project, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Tell the name of a look from names of files."""
    first, used = words[0] if words else "", project.settings.look
    named = bool(first) and (first in known_looks(project.root) or "." not in first)
    if named:
        require_look(project.root, first, where="")
        return first, tuple(dict.fromkeys(words[1:]))
    require_look(project.root, used)
    return used, tuple(dict.fromkeys(words))


def _require_file(name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        near = get_close_matches(name, known, n=1)
        told = f"did you mean {near[0]}?" if near else f"the files are {', '.join(known)}"
        raise UsageError(f"no look has a file {name!r}", fix=told)
