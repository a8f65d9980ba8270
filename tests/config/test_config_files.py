"""Which file the settings are read from, and in what forms it may be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from digest.config import Settings, effective, load_settings
from digest.errors import ConfigError

Load = Callable[..., Settings]
Faults = Callable[..., list[str]]


def test_the_nearest_file_upwards_is_read(load: Load, tmp_path: Path) -> None:
    """From a folder below, the file above is found, and its folder is the newsletter's."""
    load()
    below = tmp_path / "content" / "sea"
    below.mkdir(parents=True)
    assert load_settings(below, file=None, environ={}, overrides=()).root == tmp_path
    (tmp_path / "content" / "digest.toml").mkdir()
    assert load_settings(below, file=None, environ={}, overrides=()).root == tmp_path


def test_another_file_can_be_named(load: Load, least: str, tmp_path: Path) -> None:
    """A named file is looked for from the starting folder, and lends its name to complaints."""
    load()
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial" / "test.toml").write_text(least.replace("Tide", "Trial"))
    settings = load_settings(tmp_path, file=Path("trial/test.toml"), environ={}, overrides=())
    assert settings.newsletter.name == "Trial Table"
    assert (settings.root, settings.file_name) == (tmp_path / "trial", "test.toml")
    assert effective(settings)[0].origin == "test.toml:2"


def test_without_a_file_the_cure_is_named(tmp_path: Path) -> None:
    """In a folder that belongs to no newsletter, the error says how to begin one."""
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, file=None, environ={}, overrides=())
    assert str(caught.value) == "no digest.toml here or above\n  run `digest init`"
    assert caught.value.exit_code == 2


def test_a_folder_that_is_not_there_is_not_looked_for_above(load: Load, tmp_path: Path) -> None:
    """A mistyped folder inside a newsletter does not mean the newsletter."""
    load()
    with pytest.raises(ConfigError, match=r"^there is no folder contnet\n"):
        load_settings(tmp_path / "contnet", file=None, environ={}, overrides=())


def test_a_named_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """A missing file, and a folder in its place, are told without an absolute path."""
    (tmp_path / "folder.toml").mkdir()
    for name, words in (("none.toml", "No such file"), ("folder.toml", "Is a directory")):
        with pytest.raises(ConfigError, match=f"^{name}: cannot be read: {words}"):
            load_settings(tmp_path, file=Path(name), environ={}, overrides=())


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_files_of_any_editor_are_read(load: Load, least: str, *, mark: bytes, end: str) -> None:
    """A byte-order mark and CRLF line ends change neither values nor lines."""
    settings = load(mark + least.replace("\n", end).encode())
    assert settings.newsletter.name == "Tide Table"
    assert effective(settings)[0].origin == "digest.toml:2"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (b"a = 1\nb = \xe9\n", "digest.toml:2: is not UTF-8"),
        (b"\xff\xfea\x00", "digest.toml:1: is not UTF-8"),
        (b"[newsletter]\nname = \n", "digest.toml:2: is no TOML"),
        (b"[newsletter]\nname 3\n", "digest.toml:2: is no TOML"),
        (b"[site]\n\n[site]\n", "digest.toml:3: is no TOML"),
        (b'a = "b', "digest.toml:1: is no TOML"),
        (b"a = [1,\n2,\n\n", "digest.toml:2: is no TOML"),
        (b"a = 1\rb = 2", "digest.toml:1: is no TOML"),
        (b"a = " + b"9" * 5000, "digest.toml: is no TOML"),
        (b"a = " + b"[" * 5000, "digest.toml: is no TOML"),
    ],
)
def test_what_is_no_toml_is_told_with_its_line(faults: Faults, text: bytes, where: str) -> None:
    """A fault of form stops at once, with the line where the reader stumbled."""
    (fault,) = faults(text)
    assert fault.startswith(where)


def test_the_search_for_a_file_follows_the_real_folders(least: str, tmp_path: Path) -> None:
    """From a linked folder the search goes up from where the link leads."""
    (tmp_path / "letter" / "content").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "letter" / "content")
    (tmp_path / "letter" / "digest.toml").write_text(least)
    found = load_settings(tmp_path / "link", file=None, environ={}, overrides=())
    assert found.root == tmp_path / "letter"
    assert os.fspath(found.root) in found.store_url
