"""Write files whole or not at all: temporary beside the place, synced, renamed."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final
from unicodedata import normalize

from digest.errors import FilesError

__all__ = [
    "on_disk",
    "read_bytes",
    "read_tree",
    "remove_file",
    "settle_folders",
    "sweep",
    "tree_changes",
    "write_file",
    "write_pieces",
    "write_tree",
]


def _shown(path: Path, root: Path) -> str:
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return path.name


@contextmanager
def _saying(path: Path, root: Path, verb: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FilesError(
            f"cannot be {verb}: {error.strerror or error.__class__.__name__}",
            where=_shown(path, root),
            fix="mend the folder (owner, rights, free space), then repeat the command",
        ) from error


def _refuse_links(path: Path, root: Path) -> None:
    """Refuse a folder below the project that is a symbolic link: what is written must stay."""
    for folder in path.parents:
        if folder == root:
            return
        if folder.is_symlink():
            raise FilesError(
                "is a symbolic link; files are not written through it",
                where=_shown(folder, root),
                fix="put a real folder in its place",
            )
    raise FilesError("lies outside the newsletter's folder", where=path.name)


def write_file(path: Path, data: bytes, *, root: Path, mode: int = 0o644) -> bool:
    """Write a file below `root` whole or not at all; give False where it already held the bytes.

    A symbolic link in its place is replaced, not followed. Raise FilesError.
    """
    _refuse_links(path, root)
    with _saying(path, root, "written"):
        if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
            return False
        _put(path, (data,), mode)
    return True


def write_pieces(path: Path, pieces: Iterable[bytes], *, root: Path, mode: int = 0o644) -> None:
    """Write a file below `root` whole or not at all, as its pieces come: they are never all held.

    A symbolic link in its place is replaced, not followed. Raise FilesError; what `pieces` raises
    leaves the file as it was.
    """
    _refuse_links(path, root)
    with _saying(path, root, "written"):
        _put(path, pieces, mode)


def _put(path: Path, pieces: Iterable[bytes], mode: int) -> None:
    """Put a file in its place by renaming, once all of it is on the disk."""
    _make_folder(path.parent)
    beside = path.with_name(f".{path.name[:100]}.{os.getpid()}.tmp")
    try:
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, mode)
        with os.fdopen(file, "wb") as stream:
            for piece in pieces:
                stream.write(piece)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    _sync_folder(path.parent)


def remove_file(path: Path, *, root: Path) -> bool:
    """Remove a file below `root`; give False where none was. Raise FilesError."""
    _refuse_links(path, root)
    if not (path.is_file() or path.is_symlink()):
        return False
    with _saying(path, root, "removed"):
        path.unlink()
        _sync_folder(path.parent)
    return True


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it, each of whose names outlives a power cut."""
    missing = [folder, *folder.parents]
    missing = missing[: next(n for n, each in enumerate(missing) if each.exists())]
    folder.mkdir(parents=True, exist_ok=True)
    for each in reversed(missing):
        _sync_folder(each.parent)


def _sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def write_tree(
    folder: Path, files: Mapping[str, bytes], *, root: Path, keep: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Make a folder hold exactly these files, all at once; give the names that changed.

    A new folder is filled beside the old one and takes its place by renaming; a process killed in
    between leaves the old or the new one, which `settle_folders` sorts out. What is equal keeps
    its times. Sub-folders named in `keep` move along. Names are relative POSIX paths. Raise
    FilesError.
    """
    _refuse_links(folder / "file", root)
    changed = tree_changes(folder, files, root=root, keep=keep)
    if not changed:
        return ()
    beside, before = _beside(folder)
    _remove_folder(beside)
    for name, data in files.items():
        if name in changed or not _linked(folder / name, beside / name):
            write_file(beside / name, data, root=root)
    with _saying(folder, root, "written"):
        if folder.exists():
            folder.rename(before)
        beside.rename(folder)
        _sync_folder(folder.parent)
        _bring_along(before, folder, keep)
    return changed


def _beside(folder: Path) -> tuple[Path, Path]:
    return folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.before")


def _linked(old: Path, new: Path) -> bool:
    """Give a file a second name; False where the file system knows none."""
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        new.hardlink_to(old)
    except OSError:
        return False
    return True


def _bring_along(before: Path, folder: Path, keep: tuple[str, ...]) -> None:
    for name in keep:
        if (before / name).is_dir() and not (folder / name).exists():
            (before / name).rename(folder / name)
    _remove_folder(before)


def _remove_folder(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    elif folder.is_dir():
        shutil.rmtree(folder, onerror=_made_writable)


def _made_writable(remove: Callable[[str], object], path: str, _: object) -> None:
    """Remove what lies in a folder that was made read-only: what takes its place is there."""
    Path(path).parent.chmod(0o700)
    remove(path)


_EDITIONS: Final = "[0-9][0-9][0-9][0-9]-w[0-9][0-9]*"  # other people's folders are theirs


def settle_folders(parent: Path, *, root: Path, keep: tuple[str, ...] = ()) -> None:
    """Finish or undo what a process was killed at in `write_tree`, below one folder.

    Only while nobody else writes. Raise FilesError.
    """
    for before in sorted(parent.glob(f".{_EDITIONS}.before")) if parent.is_dir() else ():
        folder = before.with_name(before.name[1 : -len(".before")])
        with _saying(folder, root, "put in order"):
            if folder.exists():
                _bring_along(before, folder, keep)
            else:
                before.rename(folder)
    for new in sorted(parent.glob(f".{_EDITIONS}.new")) if parent.is_dir() else ():
        with _saying(new, root, "removed"):
            _remove_folder(new)


def tree_changes(
    folder: Path, files: Mapping[str, bytes], *, root: Path, keep: tuple[str, ...] | None = None
) -> tuple[str, ...]:
    """Tell which names differ: first those to be written, then, with `keep`, those to be removed.

    Without `keep` nothing is to be removed. Raise FilesError.
    """
    new = [
        name
        for name, data in files.items()
        if not (folder / name).is_file() or read_bytes(folder / name, root=root) != data
    ]
    if keep is None:
        return tuple(new)
    return (*new, *sorted(read_names(folder, skip=keep) - set(files)))


def read_names(folder: Path, *, skip: tuple[str, ...] = ()) -> frozenset[str]:
    """Give the relative POSIX paths of all files below a folder; links count as files.

    Sub-folders named in `skip` are not looked into.
    """
    if not folder.is_dir():
        return frozenset()
    tops = (path for path in folder.iterdir() if path.name not in skip)
    return frozenset(
        path.relative_to(folder).as_posix()
        for top in tops
        for path in (top, *top.rglob("*"))
        if path.is_symlink() or path.is_file()
    )


def read_tree(folder: Path, *, root: Path, skip: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Read all files below a folder: relative POSIX path to bytes, by path. Raise FilesError.

    Sub-folders named in `skip` are not looked into.
    """
    names = sorted(read_names(folder, skip=skip))
    return {name: read_bytes(folder / name, root=root) for name in names}


def on_disk(folder: Path, path: str) -> Path:
    """Find a file by its relative path in NFC, whichever form its names have on disk."""
    place = folder
    for name in PurePosixPath(path).parts:
        found = place / name
        if not found.exists() and place.is_dir():
            twins = (one for one in place.iterdir() if normalize("NFC", one.name) == name)
            found = min(twins, default=found)
        place = found
    return place


# What a killed process leaves beside the file it was writing.
_LITTER: Final = re.compile(r"\..+\.(?:\d+\.)?tmp(?:-journal)?\Z")


def sweep(*folders: Path) -> None:
    """Remove what killed writers left behind; only while nobody else writes."""
    for folder in folders:
        for path in folder.glob(".*tmp*") if folder.is_dir() else ():
            if _LITTER.match(path.name):
                with suppress(OSError):
                    path.unlink()


def read_bytes(path: Path, *, root: Path) -> bytes:
    """Read one file. Raise FilesError."""
    with _saying(path, root, "read"):
        return path.read_bytes()
