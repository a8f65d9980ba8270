"""Opening a database: a new one, a missing one, one of another time, a damaged one."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from digest.errors import StoreError
from digest.model import Consent, IssueKey, PastIssue, Reader, Send
from digest.store import migrate, open_store, opening, sqlite, store_exists
from digest.store.schema import REVISION, metadata

Maker = Callable[..., PastIssue]
Way = dict[str, Any]
Behind = Callable[[str, str], list[tuple[object, ...]]]
WAYS: list[Way] = [{"read_only": True}, {"read_only": False}, {"create": True}]


@pytest.fixture
def filled(url: str, past: Maker) -> str:
    """Give the URL of a database with three issues."""
    with open_store(url, create=True) as store:
        for number in (1, 2, 3):
            store.record(past(number))
    return url


def change(file: Path, statement: str) -> None:
    """Change a database behind the program's back."""
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute(statement)


def test_a_new_database_is_private(url: str, file: Path) -> None:
    """A new file is for its owner only, and so is its folder; nothing else is left there."""
    assert not store_exists(url)
    with open_store(url, create=True) as store:
        assert store.history() == ()
    assert store_exists(url)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert list(file.parent.iterdir()) == [file]


def test_a_folder_that_is_there_keeps_its_rights(url: str, file: Path) -> None:
    """The rights of an existing folder are the owner's choice."""
    file.parent.mkdir(parents=True)
    file.parent.chmod(0o750)
    with open_store(url, create=True):
        assert file.parent.stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("name", ["50% off?.db", "a#b&c=d.db", "ø ü.db", "%25.db"])
def test_any_path_is_taken_as_it_is(tmp_path: Path, past: Maker, name: str) -> None:
    """Signs with a meaning in an address have none in a path."""
    folder = tmp_path / "50% private?"
    with open_store(f"sqlite:///{folder / name}", create=True) as store:
        store.record(past(1))
    assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize("read_only", [True, False])
def test_a_missing_database_is_not_made_unasked(url: str, *, read_only: bool) -> None:
    """Without `create` a missing database is an error that says how to make it."""
    with pytest.raises(StoreError, match="no database yet") as caught:
        open_store(url, read_only=read_only)
    assert str(caught.value) == (
        "private/digest.db: there is no database yet\n"
        "  `digest publish` and `digest readers add` make one"
    )
    assert not store_exists(url)


@pytest.mark.parametrize("url", ["sqlite:///", "sqlite://", "mysql://u:pw@h/d", "digest.db"])
def test_other_databases_are_refused(url: str) -> None:
    """Another kind of database is refused without showing its address."""
    with pytest.raises(StoreError, match="must be a SQLite file") as caught:
        open_store(url, create=True)
    assert "pw" not in str(caught.value)


def test_a_place_that_cannot_be_looked_up_is_not_taken_for_empty(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be entered is an error, since no history would repeat everything."""

    def refuse(_path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "lstat", refuse)
    with pytest.raises(StoreError, match="cannot be looked up: Permission denied"):
        store_exists(f"sqlite:///{file}")


def test_a_file_in_place_of_the_folder_is_an_error(url: str, file: Path) -> None:
    """Where the folder cannot be made, the error says so and the file there stays."""
    file.parent.parent.mkdir()
    file.parent.write_text("a note")
    assert not store_exists(url)
    with pytest.raises(StoreError, match=r"private/digest\.db: cannot be used: File exists"):
        open_store(url, create=True)
    assert file.parent.read_text() == "a note"


def test_a_link_to_nowhere_is_not_followed(url: str, file: Path, tmp_path: Path) -> None:
    """A dangling link in place of the database makes no file at its other end."""
    file.parent.mkdir(parents=True)
    file.symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(StoreError, match="cannot be used: unable to open database file"):
        open_store(url, create=True)
    assert not (tmp_path / "elsewhere.db").exists()


def test_a_failed_beginning_leaves_nothing(file: Path) -> None:
    """Where the first tables cannot be made, no file stays behind."""

    def fail(_connection: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.raises(sqlite3.OperationalError):
        sqlite.make_file(file, fail)
    assert list(file.parent.iterdir()) == []


def test_the_first_of_two_makers_wins(file: Path) -> None:
    """A database that appears while another is being made is not overwritten."""

    def lose(_connection: sqlite3.Connection) -> None:
        sqlite.make_file(file, lambda quicker: quicker.execute("CREATE TABLE quicker (a)"))

    sqlite.make_file(file, lose)
    with closing(sqlite.connect(file)) as found:
        assert found.execute("SELECT name FROM sqlite_master").fetchall() == [("quicker",)]
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("length", [0, 1, 50, 100, 4096, 8192, -4096])
def test_a_shortened_database_is_damaged(filled: str, file: Path, *, length: int, way: Way) -> None:
    """A file that was cut off, or is empty, is refused with what to do, and not filled anew."""
    cut = file.read_bytes()[:length]
    file.write_bytes(cut)
    with pytest.raises(StoreError, match=r"private/digest\.db: is damaged") as caught:
        open_store(filled, **way)
    assert caught.value.problems[0].fix.startswith("restore it from a backup, or move it away")
    assert file.read_bytes() == cut
    assert [path.name for path in file.parent.iterdir()] == ["digest.db"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "data", [b"shopping list\n" * 500, b"SQLite format 3\x00" + b"\xff" * 9000]
)
def test_another_file_is_no_database(url: str, file: Path, *, data: bytes, way: Way) -> None:
    """A file that is no database at all is refused and left as it is."""
    file.parent.mkdir(parents=True)
    file.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged"):
        open_store(url, **way)
    assert file.read_bytes() == data


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE issue_items",
        "DROP TABLE issues",
        "DROP TABLE readers",
        "DROP TABLE deliveries",
        "DROP TABLE alembic_version",
        "DELETE FROM alembic_version",
        "ALTER TABLE issues DROP COLUMN edition",
    ],
)
def test_a_missing_table_is_damage(filled: str, file: Path, *, statement: str, way: Way) -> None:
    """A database without one of its tables, columns or its revision is refused, unchanged."""
    change(file, statement)
    before = file.read_bytes()
    with pytest.raises(StoreError, match="is damaged"):
        open_store(filled, **way)
    assert file.read_bytes() == before


def test_a_page_overwritten_is_damage(filled: str, file: Path) -> None:
    """A page in the middle that holds rubbish is found when the file is opened."""
    data = bytearray(file.read_bytes())
    data[8192:12288] = b"\x07" * 4096
    file.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged"):
        open_store(filled)
    assert file.read_bytes() == data


@pytest.mark.parametrize("moment", ["last week", "2026-01-05T09:00:00", "", "7"])
def test_a_moment_that_cannot_be_read_is_damage(filled: str, behind: Behind, moment: str) -> None:
    """A published issue whose moment is none, or has no zone, is not guessed at."""
    behind(filled, f"UPDATE issues SET published_at = '{moment}' WHERE number = 2")  # noqa: S608 - ours
    with open_store(filled) as store, pytest.raises(StoreError, match="a moment that cannot"):
        store.history()


@pytest.mark.parametrize("moment", ["x'00'", "7"])
def test_a_value_in_place_of_a_moment_is_damage(filled: str, file: Path, moment: str) -> None:
    """A file may hold a value of another type than its column says."""
    change(file, f"UPDATE issues SET published_at = {moment} WHERE number = 2")  # noqa: S608 - ours
    with open_store(filled) as store, pytest.raises(StoreError, match="a moment that cannot"):
        store.history()


@pytest.mark.parametrize("way", WAYS)
def test_a_database_of_a_newer_version_is_refused(filled: str, behind: Behind, way: Way) -> None:
    """An unknown revision means a newer program: exit 6."""
    behind(filled, "UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(StoreError, match="was written by a newer version of digest") as caught:
        open_store(filled, **way)
    assert caught.value.exit_code == 6


@pytest.mark.parametrize("way", WAYS)
def test_a_file_of_a_newer_version_is_left_alone(filled: str, file: Path, way: Way) -> None:
    """Not a byte of it changes."""
    change(file, "UPDATE alembic_version SET version_num = '0999'")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="was written by a newer version of digest"):
        open_store(filled, **way)
    assert file.read_bytes() == before


@pytest.fixture
def later(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """Give a function after which the program has one migration more."""

    def arrive() -> None:
        steps = tmp_path_factory.mktemp("later") / "100% steps"
        shutil.copytree(migrate._STEPS, steps)  # noqa: SLF001 - no setting of the program
        (steps / "versions" / "v0998_more.py").write_text(
            "from alembic import op\n"
            "import sqlalchemy as sa\n"
            "revision = '0998'\n"
            f"down_revision = '{REVISION}'\n"
            "def upgrade():\n"
            "    op.create_table('more', sa.Column('a', sa.Text))\n"
            "    op.add_column('issues', sa.Column('note', sa.Text))\n"
        )
        monkeypatch.setattr(migrate, "_STEPS", steps)
        monkeypatch.setattr(opening, "REVISION", "0998")

    return arrive


def test_an_older_database_is_brought_up_to_date(
    filled: str, *, past: Maker, later: Callable[[], None], behind: Behind
) -> None:
    """A writer of a later version adds what is missing and keeps what is there, once."""
    later()
    for _ in range(2):
        with open_store(filled) as store:
            assert store.history() == (past(1), past(2), past(3))
    for table in (*metadata.tables, "more"):
        behind(filled, f"SELECT * FROM {table}")  # noqa: S608 - ours


def test_an_older_database_is_read_without_changing_it(
    filled: str, past: Maker, *, tree: Callable[[], object], later: Callable[[], None]
) -> None:
    """A reader of a later version brings only its copy in memory up to date."""
    later()
    before = tree()
    with open_store(filled, read_only=True) as store:
        assert store.history() == (past(1), past(2), past(3))
        assert len(store.history()) == 3
    assert tree() == before


def test_a_migration_that_fails_changes_nothing(
    filled: str, *, later: Callable[[], None], behind: Behind
) -> None:
    """A step that fails half-way takes back what it did before."""
    later()
    behind(filled, "ALTER TABLE issues ADD COLUMN note TEXT")
    with pytest.raises(StoreError, match=r"column.* note|\"note\" of .* already exists"):
        open_store(filled)
    assert behind(filled, "SELECT version_num FROM alembic_version") == [(REVISION,)]
    behind(filled, "CREATE TABLE more (a TEXT)")


def test_damage_among_the_deliveries_is_told_where_they_are_read(url: str, file: Path) -> None:
    """Opening does not look through the deliveries; reading damaged ones is an error all the same.

    Else each opening would take longer from issue to issue.
    """
    now = datetime(2026, 11, 30, 9, tzinfo=UTC)
    send = Send(
        issue=IssueKey("2026-w49"), edition="e", began=now, via="smtp", by="hand", key_id="k"
    )
    readers = [Reader(address=f"r{number}@sea.example", since=now) for number in range(200)]
    with open_store(url, create=True) as store:
        store.readers.add(readers, consent=Consent(source="at the fair", at=now))
        store.deliveries.enroll(send)
    with closing(sqlite3.connect(file)) as raw:
        (page,) = raw.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'deliveries'"
        ).fetchone()
    data = bytearray(file.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\x07" * 4096
    file.write_bytes(data)
    with open_store(url) as store:
        assert store.readers.count() == 200
        with pytest.raises(StoreError, match="is damaged"):
            store.deliveries.listed(send.issue)
    assert file.read_bytes() == data
