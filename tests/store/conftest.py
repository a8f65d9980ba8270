"""What the tests of the database share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

import digest
from digest.model import Consent, IssueKey, PastIssue, PastItem, Reader, Send, ThemeId
from digest.store import open_store

Tree = dict[str, tuple[str, int, int]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give the place of a database that is not there yet."""
    return tmp_path / "letter" / "private" / "digest.db"


@pytest.fixture
def url(file: Path) -> str:
    """Give the URL of that database."""
    return f"sqlite:///{file}"


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
def tree(tmp_path: Path) -> Callable[[], Tree]:
    """Give a function that takes down every file below the folder: hash, time and mode."""

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
