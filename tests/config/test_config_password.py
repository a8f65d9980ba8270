"""How a password is read, and that no complaint holds it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

import pytest

from digest.config import PasswordSource, read_password
from digest.errors import ConfigError

_PYTHON = sys.executable


def _read(
    root: Path,
    kind: Literal["env", "file", "command"],
    *words: str,
    environ: dict[str, str] | None = None,
) -> str:
    source = PasswordSource(kind=kind, words=words)
    secret = read_password(source, root=root, environ=environ or {})
    assert "hunter2" not in repr(secret)
    return secret.reveal()


def _fault(
    root: Path,
    kind: Literal["env", "file", "command"],
    *words: str,
    environ: dict[str, str] | None = None,
) -> str:
    with pytest.raises(ConfigError) as caught:
        _read(root, kind, *words, environ=environ)
    told = str(caught.value)
    assert "hunter2" not in f"{told}{caught.value.__cause__}{caught.value.__context__}"
    assert str(root) not in told
    return told


def _file(root: Path, data: bytes, *, mode: int = 0o600, name: str = "word") -> Path:
    path = root / name
    path.write_bytes(data)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"hunter2", "hunter2"),
        (b"hunter2\n", "hunter2"),
        (b"hunter2\r\nrest\n", "hunter2"),
        (b"\xef\xbb\xbfhunter2\n", "hunter2"),
        (b" hunter2 \n", " hunter2 "),
        ("pässwörd\n".encode(), "pässwörd"),
        (b"a" * 4096, "a" * 4096),
    ],
)
def test_the_first_line_is_the_password(tmp_path: Path, data: bytes, expected: str) -> None:
    """Line ends and byte order marks are dropped; spaces and all letters stay."""
    _file(tmp_path, data)
    assert _read(tmp_path, "file", "word") == expected


def test_a_variable_is_taken_as_it_is(tmp_path: Path) -> None:
    """The variable that was named is read, from what was handed in."""
    assert _read(tmp_path, "env", "WORD", environ={"WORD": "hunter2"}) == "hunter2"


@pytest.mark.parametrize("environ", [{}, {"WORD": ""}, {"OTHER": "hunter2"}])
def test_a_variable_that_is_not_set_is_told(tmp_path: Path, environ: dict[str, str]) -> None:
    """A missing or empty variable is named, with what to do."""
    told = _fault(tmp_path, "env", "WORD", environ=environ)
    assert told.startswith('transport.smtp.password_env: the variable "WORD" holds no password\n')
    assert "set it" in told


@pytest.mark.parametrize(
    "data", [b"hunter2\0\n", b"hunter2\x1b[2J", b"hunter2\xff", b"hunter2" * 600]
)
def test_data_is_no_password(tmp_path: Path, data: bytes) -> None:
    """What no relay could be told is refused before anything is sent."""
    _file(tmp_path, data)
    told = _fault(tmp_path, "file", "word")
    assert told.startswith('transport.smtp.password_file: the file "word" holds no password but')


@pytest.mark.parametrize("mode", [0o604, 0o644, 0o602, 0o666])
def test_a_file_that_others_can_open_is_refused(tmp_path: Path, mode: int) -> None:
    """A password that anybody on the machine can read or change is none."""
    _file(tmp_path, b"hunter2\n", mode=mode)
    told = _fault(tmp_path, "file", "word")
    assert '"word" is open to everybody on this machine' in told
    assert "chmod 600" in told
    assert f"mode {mode:o}" in told


@pytest.mark.parametrize("mode", [0o400, 0o600, 0o640])
def test_a_file_of_ones_own_is_read(tmp_path: Path, mode: int) -> None:
    """Its owner and its group may read it; a full path is one too."""
    path = _file(tmp_path, b"hunter2\n", mode=mode)
    assert _read(tmp_path / "elsewhere", "file", str(path)) == "hunter2"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A missing file and a folder are told with the system's words, as the settings name them."""
    assert '"none" cannot be read: No such file' in _fault(tmp_path, "file", "none")
    (tmp_path / "folder").mkdir()
    assert '"folder" cannot be read: Is a directory' in _fault(tmp_path, "file", "folder")


def test_an_empty_file_holds_no_password(tmp_path: Path) -> None:
    """A file whose first line is empty is told."""
    _file(tmp_path, b"\nhunter2\n")
    assert 'the file "word" holds no password\n' in _fault(tmp_path, "file", "word")


def test_a_command_runs_in_the_newsletters_folder(tmp_path: Path) -> None:
    """The command gets its arguments as they are, the variables, and nothing to read."""
    program = (
        "import os, pathlib, sys; print(sys.argv[1], os.environ['WORD'], pathlib.Path().resolve() "
        "== pathlib.Path(sys.argv[2]).resolve(), repr(sys.stdin.read())); print('rest')"
    )
    words = (_PYTHON, "-c", program, "$HOME; ls", str(tmp_path))
    found = _read(tmp_path, "command", *words, environ={"WORD": "hunter2"})
    assert found == "$HOME; ls hunter2 True ''"


def test_a_command_that_fails_is_told_without_what_it_printed(tmp_path: Path) -> None:
    """An exit code other than 0 is no password, whatever was printed."""
    told = _fault(tmp_path, "command", _PYTHON, "-c", "print('hunter' + '2'); raise SystemExit(3)")
    assert told.startswith("transport.smtp.password_command: ")
    assert "ended with exit 3" in told


def test_a_command_that_prints_nothing_is_told(tmp_path: Path) -> None:
    """Silence is no password."""
    assert "holds no password\n" in _fault(tmp_path, "command", _PYTHON, "-c", "")


def test_a_command_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A program that cannot be found is named."""
    told = _fault(tmp_path, "command", "no-such-program-at-all", "hunter2")
    assert '"no-such-program-at-all" cannot be run: No such file' in told


def test_a_command_that_never_ends_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command has its time; what it printed before does not leave with the complaint."""
    monkeypatch.setattr("digest.config.password._PATIENCE", 0.5)
    program = "import threading; print('hunter' + '2', flush=True); threading.Event().wait()"
    told = _fault(tmp_path, "command", _PYTHON, "-c", program)
    assert "gave no answer in" in told
