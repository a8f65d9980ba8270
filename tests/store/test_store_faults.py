"""What a database in trouble is told as."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from digest.errors import StoreError
from digest.model import PastIssue
from digest.store import open_store
from digest.store.faults import explained

Maker = Callable[..., PastIssue]


@pytest.mark.parametrize("read_only", [True, False])
def test_a_locked_database_is_waited_for_and_then_told(
    url: str, file: Path, *, read_only: bool
) -> None:
    """Where another program keeps the lock, the error says so; nothing is damaged."""
    with open_store(url, create=True):
        pass
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="is in use by another program"):
            open_store(url, read_only=read_only, wait=0.01)


def test_a_writer_waits_for_another_writer(url: str, file: Path, past: Maker) -> None:
    """A lock taken between opening and recording is told the same way, and can be repeated."""
    with open_store(url, create=True, wait=0.01) as store:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert store.history() == ()
            with pytest.raises(StoreError, match="is in use by another program"):
                store.record(past(1))
        assert store.record(past(1))


def test_a_writer_takes_its_lock_before_it_looks(url: str, file: Path, past: Maker) -> None:
    """Even what turns out to need no writing waits: a look without the lock could be outdated."""
    with open_store(url, create=True, wait=0.01) as store:
        store.record(past(1))
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="is in use by another program"):
                store.record(past(1))


def test_a_full_disk_loses_nothing(url: str, file: Path, past: Maker) -> None:
    """An issue that does not fit is not recorded at all, and can be recorded later."""
    assert not file.exists()
    long = past(2, edition="f" * 100_000)
    with open_store(url, create=True) as store:
        store.record(past(1))
        with store._engine.connect() as connection:  # noqa: SLF001 - a disk cannot be filled here
            (pages,) = connection.exec_driver_sql("PRAGMA page_count").one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="cannot be used: database or disk is full") as caught:
            store.record(long)
        assert caught.value.problems[0].fix.startswith("make room on the disk")
        assert store.history() == (past(1),)
        with store._engine.connect() as connection:  # noqa: SLF001 - as above
            connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        assert store.record(long)


def test_a_database_open_for_reading_is_not_written(url: str, past: Maker) -> None:
    """Recording into a database that was opened for reading is refused."""
    with open_store(url, create=True):
        pass
    with (
        open_store(url, read_only=True) as store,
        pytest.raises(StoreError, match=r"attempt to write a readonly|read-only transaction"),
    ):
        store.record(past(1))


def test_a_fault_of_the_system_names_no_folder(tmp_path: Path) -> None:
    """An error of the system is told by its words, not by its absolute path."""
    with pytest.raises(StoreError) as caught, explained("private/digest.db"):
        (tmp_path / "none" / "digest.db").read_bytes()
    assert str(tmp_path) not in str(caught.value)
    assert str(caught.value).startswith(
        "private/digest.db: cannot be used: No such file or directory\n  mend the folder"
    )


@pytest.mark.parametrize(
    ("number", "fix"),
    [
        (errno.ENOSPC, "make room"),
        (errno.EDQUOT, "make room"),
        (errno.EIO, "see that the disk"),
        (errno.EROFS, "mend the folder"),
    ],
)
def test_a_fault_of_the_system_says_what_to_do(number: int, fix: str) -> None:
    """A full disk, a broken one and one that is only read ask for different things."""
    with pytest.raises(StoreError) as caught, explained("private/digest.db"):
        raise OSError(number, "it failed")
    assert caught.value.problems[0].fix.startswith(fix)


@pytest.mark.parametrize(
    ("code", "told", "fix"),
    [
        (sqlite3.SQLITE_FULL, "cannot be used", "make room"),
        (sqlite3.SQLITE_IOERR_FSYNC, "cannot be used", "see that the disk"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "cannot be used", "mend the folder"),
        (sqlite3.SQLITE_CANTOPEN, "cannot be used", "mend the folder"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "is in use", "wait until"),
        (sqlite3.SQLITE_PROTOCOL, "is in use", "wait until"),
        (sqlite3.SQLITE_CORRUPT, "is damaged", "restore it"),
    ],
)
def test_a_fault_of_sqlite_says_what_to_do(code: int, told: str, fix: str) -> None:
    """Each kind of fault, in whatever flavour, has its words."""
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    with pytest.raises(StoreError, match=told) as caught, explained("private/digest.db"):
        raise error
    assert caught.value.problems[0].fix.startswith(fix)


def test_other_faults_pass() -> None:
    """What is no fault of a database is not dressed up as one."""
    with pytest.raises(ZeroDivisionError), explained("private/digest.db"):
        _ = 1 / 0
