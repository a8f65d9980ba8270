"""The relay's password: where it is kept, and how it is read when it is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import fstat
from pathlib import Path
from stat import S_IROTH, S_IWOTH
from typing import Final, Literal

from digest.config.secret import Secret
from digest.config.values import Wrong, line, shown
from digest.errors import ConfigError

__all__ = ["PasswordSource", "password_file", "read_password", "variable", "word"]

_SETTING: Final = "transport.smtp.password_"
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_PATIENCE: Final = 30.0
_LONGEST: Final = 4096
# What to call each kind of source, and what to do where it holds no password.
_SOURCES: Final = {
    "env": ("the variable", "set it for the account that runs this"),
    "file": ("the file", "write it on the first line"),
    "command": ("the answer of", "run it by hand once"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordSource:
    """Where a password is kept, and never the password.

    `words` is the name of a variable, the path of a file (relative to the newsletter's folder),
    or a program and its arguments.
    """

    kind: Literal["env", "file", "command"]
    words: tuple[str, ...]


def variable(value: object) -> str:
    """Check the name of a variable of the environment, or nothing."""
    if value == "":
        return ""
    text = line(value)
    if not _VARIABLE.fullmatch(text):
        raise Wrong("must be the name of a variable, such as LETTER_SMTP")
    if text.startswith("DIGEST_") and "__" in text:
        raise Wrong("must not name a setting", value=text, fix="drop one of the two underscores")
    return text


def word(value: object) -> str:
    """Check a word of a command, on one line and not blank; it stays as it is."""
    line(value)
    return str(value)


def password_file(value: object) -> str:
    """Check the path of a file, or nothing."""
    if value == "":
        return ""
    text = word(value)
    if text.startswith("~"):
        raise Wrong("must be a full path, or one in the newsletter's folder", value=text)
    return text


def read_password(source: PasswordSource, *, root: Path, environ: Mapping[str, str]) -> Secret:
    """Read a password: the first line of what its source gives. Raise ConfigError.

    `root` is the newsletter's folder, from which a path counts and in which a command runs: no
    shell, nothing to read, 30 seconds.
    """
    if source.kind == "env":
        data = environ.get(source.words[0], "").encode("utf-8", "surrogateescape")
    elif source.kind == "file":
        data = _from_file(root / source.words[0], source.words[0])
    else:
        data = _from_command(source.words, root, environ)
    try:
        text = data.decode("utf-8-sig").split("\n", 1)[0].removesuffix("\r")
    except UnicodeDecodeError:
        text = "\0"
    if not text or len(text) > _LONGEST or not text.isprintable():
        name, fix = _SOURCES[source.kind]
        found = "no password but data" if text else "no password"
        raise _fault(source.kind, f"{name} {shown(source.words[0])} holds {found}", fix)
    return Secret(text)


def _from_file(path: Path, told: str) -> bytes:
    try:
        with path.open("rb") as file:
            mode = fstat(file.fileno()).st_mode
            if mode & (S_IROTH | S_IWOTH):
                raise _fault(
                    "file",
                    f"{shown(told)} is open to everybody on this machine",
                    f"close it with `chmod 600`, and change the password: mode {mode & 0o777:o}",
                )
            return file.readline(_LONGEST + 2)
    except OSError as error:
        raise _fault(
            "file", f"{shown(told)} cannot be read: {error.strerror}", "name a file that can"
        ) from error


def _from_command(words: tuple[str, ...], root: Path, environ: Mapping[str, str]) -> bytes:
    import subprocess  # noqa: PLC0415 - 10 ms at each start, for those only who run a command

    program = shown(words[0])
    try:
        done = subprocess.run(  # noqa: S603 - the editor's own command, a list, without a shell
            words,
            cwd=root,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # it may name the secret
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        # The exception holds what was printed so far.
        raise _fault(
            "command", f"{program} gave no answer in {_PATIENCE:.0f} s", "run it by hand once"
        ) from None
    except OSError as error:
        raise _fault(
            "command", f"{program} cannot be run: {error.strerror}", "name a program that can"
        ) from error
    if done.returncode:
        raise _fault(
            "command", f"{program} ended with exit {done.returncode}", "run it by hand once"
        )
    return done.stdout


def _fault(kind: str, what: str, fix: str) -> ConfigError:
    return ConfigError(what, where=f"{_SETTING}{kind}", fix=fix)
