"""A password, of the relay or the database: where it is kept, and how it is read when needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_IROTH, S_IWOTH
from typing import Final, Literal

from digest.config.private_file import private_path, read_private
from digest.config.reading import Reading
from digest.config.secret import Secret
from digest.config.values import Wrong, line, lines, shown
from digest.errors import ConfigError

__all__ = ["PasswordSource", "password_source", "read_password"]

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
    or a program and its arguments. `table` is that of the settings which names it.
    """

    kind: Literal["env", "file", "command"]
    words: tuple[str, ...]
    table: str = "transport.smtp"

    @property
    def key(self) -> str:
        """Give the key of the setting that names it."""
        return f"{self.table}.password_{self.kind}"


def password_source(reading: Reading, table: str) -> PasswordSource | None:
    """Read where a password is kept, from the keys of a table; complain of a second place."""
    name = reading.take(f"{table}.password_env", _variable, "")
    path = reading.take(f"{table}.password_file", private_path, "")
    command = reading.take(f"{table}.password_command", lines(_word), [])
    found = [
        PasswordSource(kind="env", words=(name,), table=table) if name else None,
        PasswordSource(kind="file", words=(path,), table=table) if path else None,
        PasswordSource(kind="command", words=command, table=table) if command else None,
    ]
    sources = [source for source in found if source]
    for source in sources[1:]:
        reading.complain(
            source.key,
            f"is a second place for the password, after password_{sources[0].kind}",
            fix="keep one of them",
        )
    return sources[0] if sources else None


def _variable(value: object) -> str:
    """Check the name of a variable of the environment, or nothing."""
    if value == "":
        return ""
    text = line(value)
    if not _VARIABLE.fullmatch(text):
        raise Wrong("must be the name of a variable, such as LETTER_SMTP")
    if text.startswith("DIGEST_") and "__" in text:
        raise Wrong("must not name a setting", value=text, fix="drop one of the two underscores")
    return text


def _word(value: object) -> str:
    """Check a word of a command, on one line and not blank; it stays as it is."""
    line(value)
    return str(value)


def read_password(source: PasswordSource, *, root: Path, environ: Mapping[str, str]) -> Secret:
    """Read a password: the first line of what its source gives. Raise ConfigError.

    `root` is the newsletter's folder, from which a path counts and in which a command runs: no
    shell, nothing to read, 30 seconds.
    """
    if source.kind == "env":
        data = environ.get(source.words[0], "").encode("utf-8", "surrogateescape")
    elif source.kind == "file":
        data = read_private(
            root / source.words[0],
            told=source.words[0],
            setting=source.key,
            shut=S_IROTH | S_IWOTH,
            spoilt="change the password",
        )
    else:
        data = _from_command(source, root, environ)
    try:
        text = data.decode("utf-8-sig").split("\n", 1)[0].removesuffix("\r")
    except UnicodeDecodeError:
        text = "\0"
    if not text or len(text) > _LONGEST or not text.isprintable():
        name, fix = _SOURCES[source.kind]
        found = "no password but data" if text else "no password"
        raise _fault(source, f"{name} {shown(source.words[0])} holds {found}", fix)
    return Secret(text)


def _from_command(source: PasswordSource, root: Path, environ: Mapping[str, str]) -> bytes:
    import subprocess  # noqa: PLC0415 - 10 ms at each start, for those only who run a command

    program = shown(source.words[0])
    try:
        done = subprocess.run(  # noqa: S603 - the editor's own command, a list, without a shell
            source.words,
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
            source, f"{program} gave no answer in {_PATIENCE:.0f} s", "run it by hand once"
        ) from None
    except OSError as error:
        raise _fault(
            source, f"{program} cannot be run: {error.strerror}", "name a program that can"
        ) from error
    if done.returncode:
        raise _fault(source, f"{program} ended with exit {done.returncode}", "run it by hand once")
    return done.stdout


def _fault(source: PasswordSource, what: str, fix: str) -> ConfigError:
    return ConfigError(what, where=source.key, fix=fix)
