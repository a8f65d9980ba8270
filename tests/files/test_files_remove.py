"""A file is removed below the newsletter's folder and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from digest.errors import FilesError
from digest.files import remove_file


def test_a_file_is_removed_and_told(tmp_path: Path) -> None:
    """What lies beside it stays, and so does its folder."""
    folder = tmp_path / "site/pictures"
    folder.mkdir(parents=True)
    for name in ("a.png", "b.png"):
        (folder / name).write_bytes(b"x")

    assert remove_file(folder / "a.png", root=tmp_path)
    assert [file.name for file in folder.iterdir()] == ["b.png"]
    assert remove_file(folder / "b.png", root=tmp_path)
    assert list(folder.iterdir()) == []


def test_what_is_not_there_is_no_change(tmp_path: Path) -> None:
    """A second call, and one for a folder that never was, tell that nothing was removed."""
    (tmp_path / "a.png").write_bytes(b"x")

    assert remove_file(tmp_path / "a.png", root=tmp_path)
    assert not remove_file(tmp_path / "a.png", root=tmp_path)
    assert not remove_file(tmp_path / "site/pictures/a.png", root=tmp_path)


def test_a_folder_is_never_removed(tmp_path: Path) -> None:
    """In the place of the file it is somebody's own: it stays with all that it holds."""
    (tmp_path / "a.png").mkdir()
    (tmp_path / "a.png/note.txt").write_bytes(b"mine")

    assert not remove_file(tmp_path / "a.png", root=tmp_path)
    assert (tmp_path / "a.png/note.txt").read_bytes() == b"mine"


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path: Path, *, there: bool) -> None:
    """Neither a file of the newsletter nor one outside goes with it; a dead link goes, too."""
    root = tmp_path / "letter"
    root.mkdir()
    outside = tmp_path / "outside.png"
    if there:
        outside.write_bytes(b"mine")
    (root / "a.png").symlink_to(outside)

    assert remove_file(root / "a.png", root=root)
    assert not (root / "a.png").is_symlink()
    assert outside.exists() is there


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """A site that is a link to elsewhere is an error that names it, and nothing is lost there."""
    root, elsewhere = tmp_path / "letter", tmp_path / "elsewhere"
    root.mkdir()
    elsewhere.mkdir()
    (elsewhere / "a.png").write_bytes(b"mine")
    (root / "site").symlink_to(elsewhere)

    with pytest.raises(FilesError, match="site: is a symbolic link"):
        remove_file(root / "site/a.png", root=root)
    assert (elsewhere / "a.png").read_bytes() == b"mine"


def test_a_place_outside_the_newsletter_is_refused(tmp_path: Path) -> None:
    """Nothing is removed outside the newsletter's folder."""
    (tmp_path / "letter").mkdir()
    file = tmp_path / "mine.png"
    file.write_bytes(b"mine")

    with pytest.raises(FilesError, match=r"mine\.png: lies outside the newsletter's folder"):
        remove_file(file, root=tmp_path / "letter")
    assert file.read_bytes() == b"mine"


def test_what_the_system_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the file and says why; the file is still there."""
    file = tmp_path / "site/a.png"
    file.parent.mkdir()
    file.write_bytes(b"x")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(FilesError, match=r"site/a\.png: cannot be removed: Permission denied"):
        remove_file(file, root=tmp_path)
    assert file.exists()


def test_the_folder_is_made_to_remember_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a crash the file does not come back: its folder is written to the disk."""
    synced: list[os.stat_result] = []
    sync = os.fsync

    def noted(file: int) -> None:
        synced.append(os.fstat(file))
        sync(file)

    (tmp_path / "a.png").write_bytes(b"x")
    monkeypatch.setattr("digest.files.tree.os.fsync", noted)
    assert remove_file(tmp_path / "a.png", root=tmp_path)
    assert [one.st_ino for one in synced] == [tmp_path.stat().st_ino]
