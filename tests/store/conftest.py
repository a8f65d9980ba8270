"""What the tests of the database share."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import digest
from digest.model import Consent, IssueKey, PastIssue, PastItem, Reader, Send, ThemeId
from digest.store import open_store

Tree = dict[str, tuple[str, int, int]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of a database on both kinds, but for those that look at its file."""
    if "kind" in metafunc.fixturenames:
        kinds = [pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.real)]
        metafunc.parametrize("kind", kinds[:1] if "file" in metafunc.fixturenames else kinds)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give the place of a SQLite database that is not there yet."""
    return tmp_path / "letter" / "private" / "digest.db"


@pytest.fixture
def url(kind: str, request: pytest.FixtureRequest) -> str:
    """Give the URL of a database of this kind that is not there yet."""
    if kind == "sqlite":
        return f"sqlite:///{request.getfixturevalue('file')}"
    return str(request.getfixturevalue("schema_url"))


@pytest.fixture(scope="session")
def fresh(request: pytest.FixtureRequest) -> Callable[[str, str], str]:
    """Give a function that names a new database of a kind, in a folder; for tests of many."""

    def name(kind: str, folder: str) -> str:
        if kind == "sqlite":
            return f"sqlite:///{folder}/digest.db"
        return str(request.getfixturevalue("server")())

    return name


@pytest.fixture
def schema_url(server: Callable[[], str]) -> str:
    """Give the URL of a PostgreSQL database without a table."""
    return server()


@pytest.fixture(scope="session")
def server() -> Iterator[Callable[[], str]]:
    """Give a function that makes a schema in a PostgreSQL database of its own; or skip."""
    given = os.environ.get("DIGEST_POSTGRES")
    if given is None:
        pytest.skip("DIGEST_POSTGRES names no server; `.ci/postgres` starts one")
    import psycopg  # noqa: PLC0415 - most tests do without

    name = f"digest_test_{os.getpid()}"
    place = f"{given.rpartition('/')[0]}/{name}"
    numbers = count(1)
    with psycopg.connect(given, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        with psycopg.connect(place, autocommit=True) as inside:

            def make() -> str:
                schema = f"letter_{next(numbers)}"
                inside.execute(f"CREATE SCHEMA {schema}")
                return f"{place}?options=-csearch_path%3D{schema}"

            yield make
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def behind() -> Callable[[str, str], list[tuple[object, ...]]]:
    """Give a function that runs a statement in a database behind the program's back."""

    def run(url: str, statement: str) -> list[tuple[object, ...]]:
        import psycopg  # noqa: PLC0415 - most tests do without

        path = url.removeprefix("sqlite:///")
        opened: Any = psycopg.connect(url) if path == url else sqlite3.connect(path)
        with closing(opened) as connection, connection:
            found = connection.execute(statement)
            return list(found.fetchall()) if found.description else []

    return run


@pytest.fixture
def past() -> Callable[..., PastIssue]:
    """Give a maker of published issues: the number also makes the week and the edition."""

    def make(number: int, edition: str = "") -> PastIssue:
        return PastIssue(
            key=IssueKey(f"2026-w{number:02d}"),
            at=datetime(2026, 1, 5, 9, tzinfo=UTC) + timedelta(weeks=number),
            theme=ThemeId("tides"),
            items=(
                PastItem(id=f"ebb-{number}", url="https://sea.example/ebb", title="Ebb"),
                PastItem(id=f"flow-{number}", url="", title="Flöw"),
            ),
            published=True,
            number=number,
            edition=edition or f"{number:064x}",
        )

    return make


@pytest.fixture
def now() -> datetime:
    """Give the moment at which the tests about readers take place."""
    return datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture
def consent(now: datetime) -> Consent:
    """Give the word of readers who agreed the day before."""
    return Consent(source="the list at the harbour fair", at=now - timedelta(days=1))


@pytest.fixture
def send(now: datetime) -> Send:
    """Give a send that begins now."""
    return Send(
        issue=IssueKey("2026-w49"),
        edition="e" * 64,
        began=now,
        via="smtp",
        by="hand",
        key_id="k1",
    )


@pytest.fixture
def enrolled(url: str, consent: Consent, *, now: datetime, send: Send) -> str:
    """Give the URL of a database in which the send begins, to ana, ben and cid."""
    names = ("ana", "ben", "cid")
    readers = [Reader(address=f"{n}@sea.example", name=n.title(), since=now) for n in names]
    with open_store(url, create=True) as store:
        store.readers.add(readers, consent=consent)
        store.deliveries.enroll(send)
    return url


@pytest.fixture
def tree(tmp_path: Path, file: Path) -> Callable[[], Tree]:
    """Give a function that takes down every file below the folder: hash, time and mode."""
    del file  # what is there to look at is SQLite's

    def take() -> Tree:
        return {
            path.relative_to(tmp_path).as_posix(): (
                sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
                path.stat().st_mtime_ns,
                path.stat().st_mode,
            )
            for path in sorted(tmp_path.rglob("*"))
        }

    return take


@pytest.fixture
def start() -> Iterator[Callable[[str, str], subprocess.Popen[str]]]:
    """Give a function that runs a program in another process, with one argument."""
    running: list[subprocess.Popen[str]] = []

    def run(program: str, argument: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and text
            [sys.executable, "-c", program, argument],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(digest.__file__).parents[1])},
        )
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.communicate()
