"""Files appear whole or not at all."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from digest.errors import FilesError
from digest.files import (
    read_bytes,
    read_tree,
    tree_changes,
    write_file,
    write_pieces,
    write_tree,
)


def test_equal_bytes_are_not_written_again(tmp_path: Path) -> None:
    """A file that already holds the bytes keeps its times."""
    file = tmp_path / "a.txt"
    assert write_file(file, b"one", root=tmp_path)
    os.utime(file, (1, 1))

    assert not write_file(file, b"one", root=tmp_path)
    assert file.stat().st_mtime == 1
    assert write_file(file, b"two", root=tmp_path)
    assert file.read_bytes() == b"two"


def test_mode_is_as_asked(tmp_path: Path) -> None:
    """A private file is made private."""
    write_file(tmp_path / "key", b"x", root=tmp_path, mode=0o600)

    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write that fails half-way leaves the file as it was and no temporary beside it."""
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("digest.files.tree.os.fsync", full)
    with pytest.raises(FilesError, match=r"a\.txt: cannot be written: No space left"):
        write_file(file, b"new", root=tmp_path)

    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert file.read_bytes() == b"old"


def test_link_in_the_place_of_a_file_is_replaced_not_followed(tmp_path: Path) -> None:
    """A symbolic link never leads a write out of the folder."""
    outside = tmp_path / "outside.txt"
    outside.write_bytes(b"mine")
    root = tmp_path / "letter"
    root.mkdir()
    (root / "a.txt").symlink_to(outside)

    write_file(root / "a.txt", b"new", root=root)

    assert outside.read_bytes() == b"mine"
    assert not (root / "a.txt").is_symlink()


def test_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """A folder of the outbox that is a symbolic link is an error that names it."""
    root = tmp_path / "letter"
    (tmp_path / "elsewhere").mkdir()
    root.mkdir()
    (root / "outbox").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FilesError, match="outbox: is a symbolic link"):
        write_file(root / "outbox" / "site" / "a.txt", b"x", root=root)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_place_outside_the_newsletter_is_refused(tmp_path: Path) -> None:
    """Nothing is written outside the newsletter's folder."""
    with pytest.raises(FilesError, match="outside"):
        write_file(tmp_path.parent / "x.txt", b"x", root=tmp_path / "letter")


def test_tree_holds_exactly_the_files(tmp_path: Path) -> None:
    """Old files go, kept sub-folders stay, and only what changed is named."""
    folder = tmp_path / "outbox" / "2026-w49"
    write_tree(folder, {"a": b"1", "b/c": b"2"}, root=tmp_path)
    (folder / "messages").mkdir()
    (folder / "messages" / "m.eml").write_bytes(b"m")

    assert tree_changes(folder, {"a": b"1", "d": b"3"}, root=tmp_path) == ("d",)
    changed = write_tree(folder, {"a": b"1", "d": b"3"}, root=tmp_path, keep=("messages",))

    assert changed == ("d", "b/c")
    assert read_tree(folder, root=tmp_path) == {"a": b"1", "d": b"3", "messages/m.eml": b"m"}


def test_missing_file_is_named(tmp_path: Path) -> None:
    """Reading what is not there names it relative to the newsletter."""
    with pytest.raises(FilesError, match=r"content/a\.md: cannot be read"):
        read_bytes(tmp_path / "content" / "a.md", root=tmp_path)


def test_tree_of_no_folder_is_empty(tmp_path: Path) -> None:
    """A folder that is not there holds nothing."""
    assert read_tree(tmp_path / "none", root=tmp_path) == {}


def test_file_in_pieces_is_whole_or_as_before(tmp_path: Path) -> None:
    """What goes wrong between two pieces leaves the former file and no litter."""
    file = tmp_path / "below" / "a"
    write_pieces(file, (b"one", b"two"), root=tmp_path, mode=0o600)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"onetwo", 0o600)

    def fails() -> Iterator[bytes]:
        yield b"three"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_pieces(file, fails(), root=tmp_path)
    assert file.read_bytes() == b"onetwo"
    assert list(file.parent.iterdir()) == [file]
    with pytest.raises(FilesError, match="outside the newsletter's folder"):
        write_pieces(tmp_path.parent / "b", (b"x",), root=tmp_path)


def test_names_of_new_folders_are_on_the_disk(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each folder that is made has its name synced in the one above it, outermost first."""
    synced: list[int] = []
    sync = os.fsync

    def noted(file: int) -> None:
        synced.append(os.fstat(file).st_ino)
        sync(file)

    monkeypatch.setattr("digest.files.tree.os.fsync", noted)
    write_file(tmp_path / "outbox" / "letters" / "a", b"x", root=tmp_path)
    below = tmp_path / "outbox"
    file, last = below / "letters" / "a", below / "letters"
    assert synced == [each.stat().st_ino for each in (tmp_path, below, file, last)]
