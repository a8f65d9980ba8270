"""The settings of the database: where it is, and where its password is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, unquote_plus

from digest.config import formats
from digest.config.addresses import is_loopback
from digest.config.password import PasswordSource, password_source
from digest.config.reading import Reading
from digest.config.values import Wrong, line

__all__ = ["DatabaseSettings", "database", "file_of", "is_proved"]

_SQLITE: Final = "sqlite:///"
_POSTGRESQL: Final = "postgresql://"
_FORM: Final = f"{_POSTGRESQL}USER@HOST/NAME"
_KEPT: Final = "password_env, password_file or password_command below [store]"
_SIGN: Final = r"[A-Za-z0-9._~$-]"
_HOST: Final = r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]"
_SERVER: Final = re.compile(
    # Of these only the user, and what follows the `?`, may have `%40` for an at sign.
    rf"{_POSTGRESQL}(?:(?:{_SIGN}|%[0-9A-Fa-f]{{2}})+@)?"
    rf"(?P<host>{_HOST})?(?::(?P<port>\d{{1,5}}))?/(?P<name>{_SIGN}+)"
    r"(?:\?(?P<options>[^?#]+))?",
    re.ASCII,
)
# What else libpq may be told: the folder of a socket, and how it knows the other side.
_OPTIONS: Final = ("host", "sslmode", "sslrootcert", "sslcert", "sslkey")
_SYSTEM: Final = ("sslrootcert", "system")
_SSL_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseSettings:
    """Where the database is.

    `url` holds an absolute path or a server, and never a password. `name` is the same place as
    complaints show it.
    """

    url: str
    name: str
    password: PasswordSource | None


def database(reading: Reading, root: Path) -> DatabaseSettings:
    """Read where the database is; a relative path counts from `root`."""
    url = reading.take("store.url", _url, f"{_SQLITE}private/digest.db")
    password = password_source(reading, "store")
    if url.startswith(_POSTGRESQL):
        return DatabaseSettings(url=url, name=_server_name(url), password=password)
    if password and not reading.faulty("store.url"):
        reading.complain(
            password.key,
            "is for PostgreSQL: a SQLite file has no password",
            fix="leave it out, or set store.url",
        )
    place = url.removeprefix(_SQLITE)
    return DatabaseSettings(
        url=f"{_SQLITE}{(root / place).as_posix()}",
        name=Path(place).name if place.startswith("/") else place,
        password=None,
    )


def file_of(url: str) -> Path | None:
    """Give the file that a database is; None where it is on a server."""
    return Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None


def is_proved(url: str) -> bool:
    """Tell whether nobody on the way to the database can read along.

    So it is with a file, on this machine, and where the server's certificate is looked at.
    """
    if file_of(url):
        return True
    found = _server(url)
    host = (found["host"] or "localhost").strip("[]")
    return is_loopback(host) or dict(_options(found)).get("sslmode", "").startswith("verify-")


def _server(url: str) -> re.Match[str]:
    """Take apart the address of a server that was checked."""
    found = _SERVER.fullmatch(url)
    if found is None:
        raise ValueError("is no address of a database on a server")
    return found


def _url(value: object) -> str:
    """Check where the database lies. What is wrong is not shown: it may hold a password."""
    try:
        text = line(value)
    except Wrong:
        raise Wrong("must be a text of one line, without control characters") from None
    if text.startswith(_SQLITE):
        return _sqlite_url(text)
    if text.startswith(_POSTGRESQL):
        return _postgresql_url(text)
    if text.lower().startswith(("postgres", "pgsql")):
        raise Wrong(f"must begin with {_POSTGRESQL}", fix=f"write {_FORM}")
    raise Wrong(f"must be {_SQLITE} and the path of a file, or {_FORM}")


def _sqlite_url(text: str) -> str:
    path = text.removeprefix(_SQLITE)
    if path in {"", ":memory:"} or path.endswith("/"):
        raise Wrong(f"must be {_SQLITE} and the path of a file")
    if path.startswith("/"):
        return text
    inside = formats.folder(path)
    if inside.partition("/")[0] == "outbox":
        raise Wrong("must not lie in outbox, which is published")
    return _SQLITE + inside


def _postgresql_url(text: str) -> str:
    if ":" in text.removeprefix(_POSTGRESQL).rpartition("@")[0]:
        raise Wrong("must not hold a password", fix=f"write {_FORM}, and set {_KEPT}")
    found = _SERVER.fullmatch(text)
    clean = unquote(text).isprintable() and "\ufffd" not in unquote(text)
    if not found or not clean or int(found["port"] or 1) not in range(1, 65_536):
        raise Wrong(f"must have the form {_FORM}", fix="write `%40` for an at sign in the user")
    options = _options(found)
    for name, value in options:
        _check_option(name, value)
    names = [name for name, _ in options] + (["host"] if found["host"] else [])
    if len(set(names)) < len(names):
        raise Wrong("says one thing twice", fix="leave one of the two out")
    return text


def _check_option(name: str, value: str) -> None:
    if "pass" in name.lower():
        raise Wrong("must not hold a password", fix=f"set {_KEPT}")
    if name not in _OPTIONS:
        raise Wrong(f"can have {', '.join(_OPTIONS)} behind the `?`, and nothing else")
    if name == "sslmode":
        if value not in _SSL_MODES:
            raise Wrong(f"has an sslmode that must be one of {', '.join(_SSL_MODES)}")
    elif not value.startswith("/") and (name, value) != _SYSTEM:
        raise Wrong(f"has behind the `?` a {name} that must be a full path")


def _options(found: re.Match[str]) -> list[tuple[str, str]]:
    """Give what stands behind the question mark, names and values."""
    pairs = [pair.partition("=") for pair in (found["options"] or "").split("&")]
    return [(unquote_plus(name), unquote_plus(value)) for name, _, value in pairs if name or value]


def _server_name(url: str) -> str:
    """Name a database and its server as people do."""
    found = _server(url)
    host, port = found["host"], found["port"]
    place = f"{host or 'this machine'}{f':{port}' if host and port else ''}"
    return f"PostgreSQL {found['name']} on {place}"
