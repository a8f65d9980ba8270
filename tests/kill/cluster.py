"""A PostgreSQL server of the tests' own that can be struck down and started again."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import Self

import psycopg
import pytest

__all__ = ["Cluster", "states_in"]

_SCRIPT = Path(__file__).resolve().parents[2] / ".ci/postgres"


class Cluster:
    """A server for as long as the `with` block lasts, and its databases."""

    def __init__(self) -> None:
        self._programs = _programs()
        self._databases = 0

    def __enter__(self) -> Self:
        # The server has a user of its own, who must be able to get there.
        self._folder = Path(mkdtemp(prefix="digest-kill-"))
        self._folder.chmod(0o755)
        self._server = self._run(str(_SCRIPT), "start", str(self._folder)).strip()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.strike()
        shutil.rmtree(self._folder)

    def make(self, like: str = "template1") -> str:
        """Make a database that holds what another one does, and give its URL."""
        self._databases += 1
        name = f"letter_{self._databases}"
        with psycopg.connect(self._server, autocommit=True) as connection:
            template = like.rpartition("/")[2]
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        return f"{self._server.rpartition('/')[0]}/{name}"

    def strike(self) -> None:
        """End the server at once, as a crash does: nothing is written down any more."""
        self._run(str(_SCRIPT), "stop", str(self._folder))

    def start(self) -> None:
        """Start it again where it was; it has recovered when this returns."""
        port = self._server.rpartition(":")[2].partition("/")[0]
        self._run(
            *("setpriv", f"--reuid={self._folder.stat().st_uid}", "--clear-groups"),
            *(str(self._programs / "pg_ctl"), "--pgdata", str(self._folder / "data")),
            *("--log", str(self._folder / "log"), "--wait", "--silent", "--options"),
            f"-c listen_addresses=127.0.0.1 -c port={port}"
            f" -c unix_socket_directories='{self._folder}'",
            "start",
        )

    def _run(self, *words: str) -> str:
        done = subprocess.run(  # noqa: S603 - our own program, and the server's
            words, stdout=subprocess.PIPE, cwd="/", check=True, text=True
        )
        return done.stdout


def _programs() -> Path:
    """Find the server's programs, which Debian keeps out of PATH; or skip."""
    found = shutil.which("postgres") or next(
        (str(p) for p in sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), reverse=True)),
        None,
    )
    if found is None or (os.getuid() == 0 and shutil.which("setpriv") is None):
        pytest.skip("PostgreSQL is not installed")
    return Path(found).parent


def states_in(url: str) -> dict[str, str]:
    """Read each reader's state in a database."""
    with psycopg.connect(url) as connection:
        return dict(connection.execute("SELECT address, state FROM deliveries").fetchall())
