"""Where settings come from: the file, the environment, the command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from digest.config.lines import KeyLines
from digest.config.values import shown_key
from digest.errors import ConfigError

__all__ = ["Raw", "Sources", "find_file", "read_file"]

_FILE: Final = "digest.toml"
_PREFIX: Final = "DIGEST_"
# Tables inside a section whose keys are settings of their own; any other one is a value.
_INNER: Final = frozenset({"transport.smtp"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """A value as it was given, and where: `digest.toml:12`, `DIGEST_SITE__URL` or `--set`.

    `text` is what stood in the environment or on the command line. `members` says of the keys of
    a table that is one value where each stands.
    """

    value: object
    origin: str
    text: str | None = None
    members: Mapping[str, str] = field(default_factory=dict)


def find_file(start: Path) -> Path:
    """Give the nearest `digest.toml` in a folder or above it; raise ConfigError."""
    folder = start.resolve()
    if not folder.is_dir():
        raise ConfigError(f"there is no folder {folder.name}", fix="name one that exists with -C")
    for above in (folder, *folder.parents):
        if (above / _FILE).is_file():
            return above / _FILE
    raise ConfigError(f"no {_FILE} here or above", fix="run `digest init`")


def read_file(path: Path, *, name: str, option: str) -> tuple[dict[str, Any], KeyLines]:
    """Read a file of settings; raise ConfigError where it is no TOML in UTF-8.

    Complaints show it as `name`; `option` is what names another one on the command line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"cannot be read: {error.strerror}", where=name, fix=f"name another with {option}"
        ) from error
    try:
        text = data.decode("utf-8-sig")
        return tomllib.loads(text), KeyLines(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            "is not UTF-8", where=f"{name}:{line}", fix="save the file as UTF-8"
        ) from error
    except (ValueError, RecursionError) as error:
        raise _syntax_error(str(error), name, text) from error


def _syntax_error(message: str, name: str, text: str) -> ConfigError:
    found = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z", message)
    where = name
    if found:
        where += f":{found[1] or text.rstrip().count(chr(10)) + 1}"
        message = message[: found.start()] + (f" in column {found[2]}" if found[2] else "")
    return ConfigError(
        f"is no TOML: {message}", where=where, fix="see https://toml.io for the form"
    )


class Sources:
    """All values given, by dotted path; a later source puts its value in place of an earlier one.

    A section stands there too, as a table; the tables of an array count from 1, `theme[2].label`.
    """

    def __init__(self) -> None:
        self.values: dict[str, Raw] = {}

    def add_file(self, document: Mapping[str, Any], lines: KeyLines, name: str) -> None:
        """Add what a settings file says."""
        for section, value in document.items():
            for path, below in _leaves(section, value):
                members = below if isinstance(below, dict) else ()
                self.values[path] = Raw(
                    value=below,
                    origin=_place(name, lines[path]),
                    members={key: _place(name, lines[f"{path}.{key}"]) for key in members},
                )

    def add_environment(self, environ: Mapping[str, str]) -> None:
        """Add the variables named DIGEST_SECTION__KEY; those without `__` are no settings."""
        for name in sorted(environ):
            section, cut, key = name.removeprefix(_PREFIX).partition("__")
            if name.startswith(_PREFIX) and cut:
                path = f"{section}.{key.replace('__', '.')}".lower()
                self._add_text(path, environ[name], shown_key(name))

    def add_overrides(self, overrides: tuple[str, ...]) -> None:
        """Add `section.key=value` pairs of the command line; raise ConfigError."""
        for pair in overrides:
            path, cut, text = pair.partition("=")
            if not cut or not path.strip():
                raise ConfigError(
                    "needs a key, an equals sign and a value",
                    where="--set",
                    fix="write --set section.key=value",
                )
            self._add_text(path.strip(), text.strip(), "--set")

    def _add_text(self, path: str, text: str, origin: str) -> None:
        value = _parse(text)
        for old in [key for key in self.values if key.startswith((f"{path}.", f"{path}["))]:
            del self.values[old]
        for key, below in _leaves(path, value):
            self.values[key] = Raw(value=below, origin=origin, text=text if key == path else None)


def _place(name: str, line: int) -> str:
    return f"{name}:{line}" if line else name


def _parse(text: str) -> object:
    """Read a text as a TOML value where it is one; else it is the value itself."""
    try:
        document = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return document["value"] if len(document) == 1 else text


def _leaves(path: str, value: object) -> list[tuple[str, object]]:
    """Take apart sections and arrays of tables; most tables inside a section are one value."""
    found = [(path, value)]
    if isinstance(value, dict) and ("." not in path or path in _INNER):
        for key, below in value.items():
            inside = f"{path}.{key}"
            found += _leaves(inside, below) if inside in _INNER else [(inside, below)]
    elif isinstance(value, list) and "." not in path:
        for place, below in enumerate(value, start=1):
            found += _leaves(f"{path}[{place}]", below)
    return found
