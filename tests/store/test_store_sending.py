"""A SQLite file while mail is sent: written ahead, looked at meanwhile, left by a kill."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import bindparam, update

from digest.errors import StoreError
from digest.model import PastIssue
from digest.store import header, open_store, sqlite
from digest.store.ledger import Store
from digest.store.raw import Raw
from digest.store.schema import issues

Maker = Callable[..., PastIssue]
Start = Callable[[str, str], "subprocess.Popen[str]"]
Tree = dict[str, tuple[str, int, int]]

RENAME = update(issues).where(issues.c.number == 1).values(theme=bindparam("to"))

# Steps until it is told to go, then dies or ends.
SENDER = """
import os, signal, sys
from digest.store import open_store
from sqlalchemy import bindparam, update
from digest.store.schema import issues
rename = update(issues).where(issues.c.number == 1).values(theme=bindparam("to"))
with open_store(sys.argv[1]) as store, store.sending():
    for number in range(200):
        with store._transactions.stepping() as raw:
            raw.run(rename, {"to": f"step-{number}"})
    print("stepped", flush=True)
    if sys.stdin.readline() == "die\\n":
        os.kill(os.getpid(), signal.SIGKILL)
"""

# Looks again and again while it is told to.
LOOKER = """
import sys
from digest.store import open_store
print("ready", flush=True)
for _ in range(40):
    with open_store(sys.argv[1], read_only=True) as store:
        (past,) = store.history()
        assert past.theme == "tides" or past.theme.startswith("step-"), past
print("done", flush=True)
sys.stdin.readline()
"""


def rename(store: Store, theme: str) -> None:
    """Step: give the first issue another theme."""
    with store._transactions.stepping() as raw:  # noqa: SLF001 - what it does to the disk is tested
        assert raw.run(RENAME, {"to": theme}) == 1


def fail_after(store: Store, theme: str) -> None:
    """Step, and then fail."""
    rename(store, theme)
    _ = 1 / 0


def fail_in(raw: Raw) -> None:
    """Fail in the middle of a step."""
    raw.run(RENAME, {"to": "storms"})
    _ = 1 / 0


def pragma(store: Store, name: str) -> object:
    """Ask SQLite for one of its settings."""
    connection = store._database._connection  # type: ignore[attr-defined]  # noqa: SLF001 - as above
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def names(file: Path) -> list[str]:
    """Name the files beside the database, and itself."""
    return sorted(path.name for path in file.parent.iterdir())


def say(process: subprocess.Popen[str], line: str) -> None:
    """Tell another process to go on."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[str]) -> str:
    """Give the next line of another process."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.fixture
def one(url: str, file: Path, past: Maker) -> str:
    """Give the URL of a SQLite database with one issue."""
    with open_store(url, create=True) as store:
        store.record(past(1))
    assert names(file) == ["digest.db"]
    return url


@pytest.fixture
def sender(one: str, start: Start) -> subprocess.Popen[str]:
    """Give a process that has stepped, and is sending still."""
    process = start(SENDER, one)
    assert heard(process) == "stepped"
    return process


@pytest.fixture
def killed(one: str, sender: subprocess.Popen[str]) -> str:
    """Give the URL of a database whose sender was killed after its steps."""
    say(sender, "die")
    assert sender.wait() == -9
    return one


def theme(url: str) -> str:
    """Look which theme the first issue has."""
    with open_store(url, read_only=True) as store:
        return store.history()[0].theme


def test_a_file_is_written_ahead_only_while_sending(one: str, file: Path) -> None:
    """Meanwhile there are two files more; afterwards the one file is the whole database again."""
    with open_store(one) as store:
        assert not store.steps_are_synced
        with store.sending():
            rename(store, "storms")
            assert names(file) == ["digest.db", "digest.db-shm", "digest.db-wal"]
            assert pragma(store, "journal_mode") == "wal"
        assert names(file) == ["digest.db"]
        assert pragma(store, "journal_mode") == "delete"
        assert store.history()[0].theme == "storms"


def test_sending_ends_where_something_fails(one: str, file: Path) -> None:
    """An error in the middle is passed on, and the file is left as between sendings."""
    with open_store(one) as store:
        with pytest.raises(ZeroDivisionError), store.sending():
            fail_after(store, "storms")
        assert names(file) == ["digest.db"]
    assert theme(one) == "storms"


def test_a_fault_at_the_end_does_not_hide_what_came_before(
    one: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the file cannot be put back, what ended the sending is told; else that is."""

    def fail(*, wait: float) -> None:
        raise sqlite3.OperationalError(f"disk I/O error after {wait}")

    with open_store(one) as store:
        monkeypatch.setattr(store._database, "_go_back", fail)  # noqa: SLF001 - as above
        with pytest.raises(ZeroDivisionError), store.sending():
            fail_after(store, "storms")
        with pytest.raises(StoreError, match=r"disk I/O error after 5\.0"), store.sending():
            pass
    assert theme(one) == "storms"


def test_a_step_that_fails_is_undone(one: str) -> None:
    """Nothing of a step stays that raises, and the next one works."""
    with open_store(one) as store, store.sending():
        with (
            pytest.raises(ZeroDivisionError),
            store._transactions.stepping() as raw,  # noqa: SLF001 - as above
        ):
            fail_in(raw)
        assert store.history()[0].theme == "tides"
        rename(store, "ebb")
        assert store.history()[0].theme == "ebb"


def test_steps_alone_are_not_synced(one: str, past: Maker) -> None:
    """While sending a step takes the level NORMAL, and what else is written EXTRA, to and fro."""
    seen = []
    with open_store(one) as store, store.sending():
        for number in (2, 3):
            rename(store, f"step-{number}")
            seen.append(pragma(store, "synchronous"))
            store.record(past(number))
            seen.append(pragma(store, "synchronous"))
    assert seen == [1, 3, 1, 3]


def test_a_step_outside_of_sending_is_synced(one: str) -> None:
    """With the rollback journal a step takes the level EXTRA, as all else."""
    with open_store(one) as store:
        rename(store, "storms")
        assert pragma(store, "synchronous") == 3
        with store.sending():
            rename(store, "ebb")
        rename(store, "flow")
        assert pragma(store, "synchronous") == 3


def test_what_is_written_ahead_stays_small(one: str, file: Path) -> None:
    """However many steps there are, the file beside the database has an end."""
    with open_store(one) as store, store.sending():
        connection = store._database._connection  # type: ignore[attr-defined]  # noqa: SLF001 - as above
        assert pragma(store, "wal_autocheckpoint") == 8000
        connection.execute("PRAGMA wal_autocheckpoint = 20")
        for number in range(200):
            rename(store, f"step-{number}")
        assert file.with_name("digest.db-wal").stat().st_size < 50 * 4200


def test_who_is_kept_from_writing_ahead_goes_on_as_ever(one: str, file: Path) -> None:
    """Where somebody reads all the time, the rollback journal stays, and steps are synced."""
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as other,
        open_store(one, wait=0.01) as store,
    ):
        other.execute("BEGIN")
        other.execute("SELECT * FROM issues").fetchone()
        with store.sending():
            assert pragma(store, "journal_mode") == "delete"
            other.execute("COMMIT")
            rename(store, "storms")
            assert pragma(store, "synchronous") == 3
            assert names(file) == ["digest.db"]
    assert theme(one) == "storms"


def test_another_fault_at_the_beginning_is_told(
    one: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails is no lock: it ends the sending before it began."""
    with open_store(one) as store:
        with closing(sqlite3.connect(file)) as other:
            other.execute("PRAGMA journal_mode = WAL")
        monkeypatch.setattr("digest.store.sqlite_database.is_locked", lambda _error: False)
        monkeypatch.setattr(store._database, "_wait", 0.01)  # noqa: SLF001 - as above
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN")
            other.execute("SELECT * FROM issues").fetchone()
            with pytest.raises(StoreError), store.sending():
                pass


def test_who_is_kept_from_going_back_leaves_it_to_the_next_writer(one: str, file: Path) -> None:
    """While somebody reads, it stays written ahead, on disk; a later writer puts that right."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        with open_store(one, wait=0.01) as store:
            with store.sending():
                rename(store, "storms")
                other.execute("BEGIN")
                other.execute("SELECT * FROM issues").fetchone()
            assert pragma(store, "journal_mode") == "wal"
            rename(store, "ebb")
            assert pragma(store, "synchronous") == 3
        assert theme(one) == "ebb"
        other.execute("COMMIT")
    with open_store(one) as store:
        assert pragma(store, "journal_mode") == "delete"
        assert store.history()[0].theme == "ebb"
    assert names(file) == ["digest.db"]


def test_the_last_to_close_ends_it(one: str, file: Path) -> None:
    """A writer that came in the middle and stays for longer than the sender leaves one file."""
    with open_store(one) as sending:
        with sending.sending():
            rename(sending, "storms")
            other = open_store(one)
            sending._database._wait = 0.01  # type: ignore[attr-defined]  # noqa: SLF001 - as above
        assert pragma(other, "journal_mode") == "wal"
    with other:
        assert other.history()[0].theme == "storms"
    assert names(file) == ["digest.db"]


def test_a_reader_beside_a_sender_changes_nothing(
    one: str, sender: subprocess.Popen[str], tree: Callable[[], Tree]
) -> None:
    """It sees the last step, and leaves every file, time and right as it was."""
    before = tree()
    assert theme(one) == "step-199"
    assert tree() == before
    say(sender, "end")
    assert sender.wait() == 0


def test_a_writer_beside_a_sender_writes(
    one: str, sender: subprocess.Popen[str], past: Maker, file: Path
) -> None:
    """Others record while mail is sent; nothing of theirs or of the steps is lost."""
    with open_store(one) as store:
        assert store.record(past(2))
        assert pragma(store, "journal_mode") == "wal"
    say(sender, "end")
    assert sender.wait() == 0
    with open_store(one, read_only=True) as store:
        assert [known.theme for known in store.history()] == ["step-199", "tides"]
    assert names(file) == ["digest.db"]


def test_readers_come_and_go_while_steps_are_made(one: str, file: Path, start: Start) -> None:
    """Whoever looks, at whatever moment, finds one whole state, and no step fails for it.

    Who looked at the very moments of the end may have kept it from that: the next writer does it.
    """
    looker = start(LOOKER, one)
    assert heard(looker) == "ready"
    with open_store(one) as store:
        for number in range(6):
            with store.sending():
                for step in range(300):
                    rename(store, f"step-{number}-{step}")
    assert heard(looker) == "done"
    with open_store(one) as store:
        assert names(file) == ["digest.db"]
        assert store.history()[0].theme == "step-5-299"


def test_a_reader_after_a_kill_changes_nothing(killed: str, tree: Callable[[], Tree]) -> None:
    """It sees every step that was committed, though the sender had no time to carry them over."""
    before = tree()
    assert "letter/private/digest.db-wal" in before
    assert theme(killed) == "step-199"
    assert theme(killed) == "step-199"
    assert tree() == before


def test_a_writer_after_a_kill_puts_it_right(killed: str, file: Path) -> None:
    """No step is lost, and the one file is the whole database again."""
    with open_store(killed) as store:
        assert names(file) == ["digest.db"]
        assert store.history()[0].theme == "step-199"


@pytest.mark.parametrize("missing", [("-shm",), ("-wal",), ("-shm", "-wal")])
def test_a_reader_makes_none_of_the_files_that_are_missing(
    killed: str, file: Path, *, missing: tuple[str, ...], tree: Callable[[], Tree]
) -> None:
    """Of a copy that lacks a file all is read that is there, and no byte changes."""
    for suffix in missing:
        file.with_name(f"digest.db{suffix}").unlink()
    before = tree()
    assert theme(killed) == ("tides" if "-wal" in missing else "step-199")
    assert tree() == before
    with open_store(killed) as store:
        assert names(file) == ["digest.db"]
        assert store.history()


def test_a_reader_waits_for_what_is_not_ready() -> None:
    """What its maker has not filled yet is looked at again; no other fault is waited for."""
    faults = [sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY_RECOVERY, sqlite3.SQLITE_CORRUPT]
    given = iter(faults)

    def read() -> str:
        error = sqlite3.OperationalError("not now")
        error.sqlite_errorcode = next(given)
        raise error

    with pytest.raises(sqlite3.Error) as caught:
        sqlite.when_ready(read)
    assert caught.value.sqlite_errorcode == sqlite3.SQLITE_CORRUPT
    assert sqlite.when_ready(lambda: "done") == "done"


def test_a_reader_stays_while_sendings_begin_and_end(one: str, file: Path) -> None:
    """One that was there before sees each state in turn, however the file is written."""
    with open_store(one, read_only=True) as looking, open_store(one, wait=0.01) as store:
        for number in range(3):
            with store.sending():
                rename(store, f"a{number}")
                assert looking.history()[0].theme == f"a{number}"
            rename(store, f"b{number}")
            assert looking.history()[0].theme == f"b{number}"
    with open_store(one):
        assert names(file) == ["digest.db"]


def test_a_file_that_changes_while_it_is_copied_is_waited_for(
    killed: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where somebody writes each time, the reader says so, and makes nothing of halves."""
    file.with_name("digest.db-shm").unlink()
    times = iter(range(100))
    monkeypatch.setattr(sqlite, "_state", lambda _path: next(times))
    with pytest.raises(StoreError, match="is in use by another program"):
        open_store(killed, read_only=True)
    states = iter([1, 2, 3, 3])
    monkeypatch.setattr(sqlite, "_state", lambda _path: next(states))
    assert theme(killed) == "step-199"


def test_an_older_revision_is_read_while_it_is_written_ahead(
    killed: str, file: Path, *, tree: Callable[[], Tree], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader brings its copy in memory up to date, and no byte changes."""
    ran = []
    monkeypatch.setattr("digest.store.opening.REVISION", "later")
    monkeypatch.setattr("digest.store.opening._upgrade", lambda _database: ran.append(1))
    before = tree()
    assert theme(killed) == "step-199"
    assert ran == [1]
    assert tree() == before
    assert file.exists()


def test_looking_at_the_header_lets_go_of_no_lock(one: str, file: Path) -> None:
    """A process that reads a database keeps the lock that it has as a writer of it."""
    program = (
        "import sqlite3, sys\n"
        "other = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)\n"
        "other.execute('BEGIN IMMEDIATE')\n"
    )
    with open_store(one) as store, store._transactions.writing():  # noqa: SLF001 - holds the lock
        assert theme(one) == "tides"
        command = [sys.executable, "-c", program, str(file)]
        found = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - ours
    assert "database is locked" in found.stderr


def test_headers_are_told_by_file_not_by_name(tmp_path: Path) -> None:
    """A file that took another's place is looked at anew, however many there were."""
    place = tmp_path / "a.db"
    assert not header.is_ahead(place)
    for number in range(20):
        made = tmp_path / f"{number}.db"
        with closing(sqlite3.connect(made)) as raw:
            raw.execute(f"PRAGMA journal_mode = {'WAL' if number % 2 else 'DELETE'}")
            raw.execute("CREATE TABLE a (b)")
        shutil.move(made, place)
        for _ in range(2):
            assert header.is_ahead(place) == bool(number % 2)
