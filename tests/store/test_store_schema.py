"""The migrations lead to the tables that the program expects."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import ClauseElement, Connection, create_engine, create_mock_engine, text

from digest.store import migrate, open_store, sqlite
from digest.store.schema import REVISION, metadata

TABLES = text(
    "SELECT name, sql FROM sqlite_master WHERE name NOT IN ('alembic_version') AND sql IS NOT NULL"
    " ORDER BY name"
)


def statements(connection: Connection) -> dict[str, list[str]]:
    """Give what stands in the statement of each table and index, in the order of its letters.

    A table that was made anew tells its rules in another order, and has its name in quotes.
    """
    return {
        name: sorted(
            re.split(r", (?=CONSTRAINT)", " ".join(sql.replace('"', "").split())[:-1].strip())
        )
        for name, sql in connection.execute(TABLES)
    }


def test_migrating_from_nothing_gives_the_tables_of_the_program(url: str) -> None:
    """Alembic finds no difference."""
    with open_store(url, create=True):
        pass
    migrated = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with migrated.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    migrated.dispose()


def test_migrated_tables_are_written_as_those_of_the_program(url: str, file: Path) -> None:
    """What SQLite keeps of them says the same, to the rules that Alembic does not compare."""
    with open_store(url, create=True):
        assert file.exists()
    migrated, made = create_engine(url), create_engine("sqlite://")
    metadata.create_all(made)
    with migrated.connect() as left, made.connect() as right:
        assert statements(left) == statements(right)
    migrated.dispose()
    made.dispose()


def test_the_revision_named_is_the_last_migration() -> None:
    """The revision that opens without Alembic is the one head of the migrations."""
    settings = Config()
    settings.set_main_option("script_location", str(migrate._STEPS))  # noqa: SLF001 - no setting
    assert ScriptDirectory.from_config(settings).get_heads() == [REVISION]


def test_the_tables_can_be_written_for_postgresql() -> None:
    """No table needs something that only SQLite has."""
    written: list[str] = []

    def write(statement: ClauseElement, *_: object) -> None:
        written.append(str(statement.compile(dialect=engine.dialect)))

    engine = create_mock_engine("postgresql://", write)
    metadata.create_all(engine, checkfirst=False)
    made = [text.split()[2] for text in written if text.lstrip().startswith("CREATE TABLE")]
    assert sorted(made) == sorted(metadata.tables)


def test_an_open_database_syncs_and_keeps_its_references(url: str, file: Path) -> None:
    """Commits are synced with the folder, references are checked, no lasting mode is set."""
    with open_store(url, create=True):
        pass
    with closing(sqlite.connect(file)) as connection:
        found = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("synchronous", "foreign_keys", "journal_mode")
        ]
    assert found == [3, 1, "delete"]


def test_heavy_libraries_come_only_when_needed(
    url: str, file: Path, start: Callable[[str, str], subprocess.Popen[str]]
) -> None:
    """Importing the room loads no SQLAlchemy, opening a present database no Alembic."""
    with open_store(url, create=True):
        pass
    program = """
import sys
from digest.store import open_store, store_exists
store_exists(sys.argv[1])
print("sqlalchemy" in sys.modules, "sqlite3" in sys.modules)
with open_store(sys.argv[1]) as store:
    store.history()
print("sqlalchemy" in sys.modules, "alembic" in sys.modules)
"""
    output, _ = start(program, url).communicate()
    assert file.exists()
    assert output.splitlines() == ["False False", "True False"]
