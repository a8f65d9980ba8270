"""Readers beside writers, writers beside writers, and writers that are killed."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from digest.model import PastIssue
from digest.store import open_store

Maker = Callable[..., PastIssue]
Start = Callable[[str, str], "subprocess.Popen[str]"]

# Each waits for a line, so that all begin at the same moment.
PUBLISH = """
import sys
from datetime import UTC, datetime
from digest.errors import GuardError
from digest.model import PastIssue, PastItem
from digest.store import open_store
url, edition = sys.argv[1].rsplit("|", 1)
past = PastIssue(
    key="2026-w10", at=datetime(2026, 3, 2, 9, tzinfo=UTC), theme="tides", number=10,
    items=(PastItem(id="ebb", url=""),), published=True, edition=edition,
)
print("ready", flush=True)
sys.stdin.readline()
try:
    with open_store(url, create=True, wait=60) as store:
        print(store.record(past))
except GuardError:
    print("refused")
"""

KILLED = """
import os, signal, sys
from sqlalchemy import event
from digest.store import open_store
from datetime import UTC, datetime
from digest.model import PastIssue, PastItem
past = PastIssue(
    key="2026-w11", at=datetime(2026, 3, 9, 9, tzinfo=UTC), theme="tides", number=11,
    items=tuple(PastItem(id=f"ebb-{place}", url="", title="x" * 900) for place in range(200)),
    published=True, edition="a",
)
with open_store(sys.argv[1]) as store:
    with store._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA cache_size = 1")  # pages reach the disk early
    event.listen(store._engine, "commit", lambda _: os.kill(os.getpid(), signal.SIGKILL))
    store.record(past)
"""


def race(start: Start, *arguments: str) -> list[str]:
    """Run one publisher for each argument at the same time, and give their answers in order."""
    processes = [start(PUBLISH, argument) for argument in arguments]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return [process.communicate()[0].strip() for process in processes]


@pytest.mark.parametrize("there", [True, False])
def test_of_two_publishers_one_writes(url: str, start: Start, *, there: bool) -> None:
    """Two processes that publish one edition at once, into a new or an old database, write once."""
    if there:
        with open_store(url, create=True):
            pass
    answers = race(start, f"{url}|same", f"{url}|same")
    assert sorted(answers) == ["False", "True"]
    with open_store(url, read_only=True) as store:
        assert [past.key for past in store.history()] == ["2026-w10"]


def test_of_two_editions_one_is_refused(url: str, start: Start) -> None:
    """Two processes that publish different editions of one issue leave exactly the winner's."""
    answers = race(start, f"{url}|one", f"{url}|two")
    assert sorted(answers) == ["True", "refused"]
    with open_store(url, read_only=True) as store:
        (past,) = store.history()
    assert past.edition == ("one", "two")[answers.index("True")]


def test_a_reader_changes_nothing(url: str, past: Maker, tree: Callable[[], object]) -> None:
    """A database opened for reading leaves every file, time and right as it was."""
    with open_store(url, create=True) as store:
        store.record(past(1))
    before = tree()
    with open_store(url, read_only=True) as store:
        assert store.history() == (past(1),)
        assert tree() == before
    assert tree() == before


def test_opening_for_writing_changes_nothing_by_itself(
    url: str, past: Maker, tree: Callable[[], object]
) -> None:
    """A writer that writes nothing new leaves every file as it was."""
    with open_store(url, create=True) as store:
        store.record(past(1))
    before = tree()
    with open_store(url, create=True) as store:
        assert not store.record(past(1))
    assert tree() == before


def test_a_reader_sees_no_half_of_a_transaction(url: str, file: Path, past: Maker) -> None:
    """While another program writes, a reader gets what was there before."""
    with open_store(url, create=True) as store:
        store.record(past(1))
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM issue_items")
        with open_store(url, read_only=True) as store:
            assert store.history() == (past(1),)


@pytest.fixture
def cut_off(url: str, file: Path, *, past: Maker, start: Start) -> str:
    """Give the URL of a database whose writer was killed with half of its pages on disk."""
    with open_store(url, create=True) as store:
        store.record(past(1))
    whole = file.read_bytes()
    process = start(KILLED, url)
    process.communicate()
    assert process.returncode == -9
    assert file.read_bytes() != whole
    assert file.with_name("digest.db-journal").exists()
    return url


def test_a_killed_writer_is_undone_by_the_next(cut_off: str, file: Path, past: Maker) -> None:
    """After kill -9 before the commit nothing of the issue is there, and it can be recorded."""
    with open_store(cut_off) as store:
        assert store.history() == (past(1),)
        assert store.record(past(11))
        assert store.history() == (past(1), past(11))
    assert list(file.parent.iterdir()) == [file]


def test_a_killed_writer_is_not_undone_by_a_reader(
    cut_off: str, past: Maker, tree: Callable[[], object]
) -> None:
    """A reader after kill -9 sees the state before, and leaves the traces to the next writer."""
    before = tree()
    with open_store(cut_off, read_only=True) as store:
        assert store.history() == (past(1),)
        assert len(store.history()) == 1
    assert tree() == before


def test_a_backup_is_a_copy_of_the_file(
    url: str, file: Path, *, tmp_path: Path, past: Maker
) -> None:
    """The one file is the whole database: a copy of it opens elsewhere."""
    with open_store(url, create=True) as store:
        store.record(past(1))
        shutil.copy(file, tmp_path / "backup.db")
    with open_store(f"sqlite:///{tmp_path / 'backup.db'}") as store:
        assert store.history() == (past(1),)
