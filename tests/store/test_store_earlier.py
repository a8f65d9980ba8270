"""Databases that earlier versions left: brought up by a writer, read as they are by a reader."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from digest.model import IssueKey, PastIssue, Reader, Send, SlotNote
from digest.store import open_store
from digest.store.ledger import Store
from digest.store.schema import REVISION, metadata

Maker = Callable[..., PastIssue]
BEGAN = datetime(2026, 2, 9, 9, tzinfo=UTC)

# A database as the version before readers left it.
FIRST = """
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
CREATE TABLE issues (key TEXT NOT NULL, state TEXT NOT NULL, number INTEGER, slot TEXT,
    published_at TEXT, theme TEXT NOT NULL, edition TEXT NOT NULL,
    CONSTRAINT pk_issues PRIMARY KEY (key), CONSTRAINT ck_issues_published CHECK (
        state <> 'published' OR (number IS NOT NULL AND published_at IS NOT NULL)));
CREATE TABLE issue_items (issue TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
    url TEXT NOT NULL, title TEXT NOT NULL, CONSTRAINT pk_issue_items PRIMARY KEY (issue, position),
    CONSTRAINT fk_issue_items_issue FOREIGN KEY(issue) REFERENCES issues (key));
INSERT INTO alembic_version VALUES ('0001');
INSERT INTO issues VALUES ('2026-w05', 'published', 5, NULL, '2026-02-09T09:00:00.000000+00:00',
    'tides', '0000000000000000000000000000000000000000000000000000000000000005');
INSERT INTO issue_items VALUES ('2026-w05', 1, 'ebb-5', 'https://sea.example/ebb', 'Ebb'),
    ('2026-w05', 2, 'flow-5', '', 'Flöw');
"""

# What the version before sketches had besides.
SECOND = """
UPDATE alembic_version SET version_num = '0002';
CREATE TABLE readers (key TEXT NOT NULL, address TEXT NOT NULL, name TEXT NOT NULL,
    state TEXT NOT NULL, reason TEXT NOT NULL, since TEXT NOT NULL,
    CONSTRAINT pk_readers PRIMARY KEY (key), CONSTRAINT ck_readers_state CHECK (
        state IN ('pending', 'active', 'left', 'suppressed')));
CREATE TABLE consents (id INTEGER NOT NULL, reader TEXT NOT NULL, source TEXT NOT NULL,
    at TEXT NOT NULL, CONSTRAINT pk_consents PRIMARY KEY (id),
    CONSTRAINT fk_consents_reader FOREIGN KEY(reader) REFERENCES readers (key));
CREATE TABLE sends (issue TEXT NOT NULL, edition TEXT NOT NULL, began TEXT NOT NULL,
    via TEXT NOT NULL, "by" TEXT NOT NULL, key_id TEXT NOT NULL, audience INTEGER NOT NULL,
    paused TEXT NOT NULL, finished TEXT, CONSTRAINT pk_sends PRIMARY KEY (issue));
CREATE TABLE deliveries (issue TEXT NOT NULL, position INTEGER NOT NULL, reader TEXT NOT NULL,
    address TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
    unknowns INTEGER NOT NULL, due TEXT, outcome TEXT, code INTEGER NOT NULL,
    enhanced TEXT NOT NULL, text TEXT NOT NULL, at TEXT,
    CONSTRAINT pk_deliveries PRIMARY KEY (issue, position),
    CONSTRAINT uq_deliveries_issue UNIQUE (issue, reader),
    CONSTRAINT ck_deliveries_state CHECK (state IN ('pending', 'wire', 'accepted', 'refused',
        'unknown', 'left', 'suppressed', 'unsupported')),
    CONSTRAINT fk_deliveries_issue FOREIGN KEY(issue) REFERENCES sends (issue));
CREATE INDEX ix_deliveries_queue ON deliveries (issue, state, due, unknowns, attempts, position);
CREATE TABLE slots (key TEXT NOT NULL, state TEXT NOT NULL, at TEXT NOT NULL, reason TEXT NOT NULL,
    told BOOLEAN NOT NULL, CONSTRAINT pk_slots PRIMARY KEY (key));
CREATE TABLE moments (name TEXT NOT NULL, at TEXT NOT NULL,
    CONSTRAINT pk_moments PRIMARY KEY (name));
INSERT INTO readers VALUES ('ana@sea.example', 'Ana@sea.example', 'Ana', 'active', '',
    '2026-02-09T09:00:00.000000+00:00');
INSERT INTO consents VALUES (1, 'ana@sea.example', 'at the fair',
    '2026-02-09T09:00:00.000000+00:00');
INSERT INTO sends VALUES ('2026-w05', 'e', '2026-02-09T09:00:00.000000+00:00', 'smtp', 'hand',
    'k1', 1, '', NULL);
INSERT INTO deliveries VALUES ('2026-w05', 1, 'ana@sea.example', 'Ana@sea.example', 'Ana',
    'accepted', 1, 0, NULL, 'accepted', 250, '2.0.0', 'taken', '2026-02-09T09:00:00.000000+00:00');
INSERT INTO slots VALUES ('2026-w06', 'nothing', '2026-02-09T09:00:00.000000+00:00', '', 1);
INSERT INTO moments VALUES ('first_tick', '2026-02-09T09:00:00.000000+00:00');
"""


def lay(file: Path, *scripts: str) -> None:
    """Make a database of these statements."""
    file.parent.mkdir(parents=True)
    with closing(sqlite3.connect(file)) as raw:
        for script in scripts:
            raw.executescript(script)


@pytest.fixture
def first(url: str, file: Path) -> str:
    """Give the URL of a database of the first revision, with one issue."""
    lay(file, FIRST)
    return url


@pytest.fixture
def second(url: str, file: Path) -> str:
    """Give the URL of a database of the second revision, with that issue sent to one reader."""
    lay(file, FIRST, SECOND)
    return url


def look(file: Path) -> tuple[str, set[str]]:
    """Give the revision of a database and the names of its tables."""
    with closing(sqlite3.connect(file)) as raw:
        (revision,) = raw.execute("SELECT version_num FROM alembic_version").fetchone()
        found = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return revision, {name for (name,) in found}


def test_a_database_from_before_readers_gains_them(first: str, file: Path, past: Maker) -> None:
    """A database of the first revision keeps its issues and gets what came since."""
    with open_store(first) as store:
        assert store.history() == (past(5),)
        assert not store.record(past(5))
        assert not store.readers.ever()
        assert store.deliveries.sends() == ()
    assert look(file) == (REVISION, {"alembic_version", *metadata.tables})


def test_a_database_from_before_readers_is_read_as_it_is(
    first: str, past: Maker, tree: Callable[[], object]
) -> None:
    """Looking at a database of the first revision changes no byte of it."""
    before = tree()
    with open_store(first, read_only=True) as store:
        assert store.history() == (past(5),)
        assert store.readers.all() == ()
        assert store.slots.known_first_tick() is None
    assert tree() == before


def expect_second(store: Store, past: PastIssue) -> None:
    """Expect each row of the second revision's database."""
    assert store.history() == (past,)
    ana = Reader(address="Ana@sea.example", name="Ana", state="active", since=BEGAN)
    assert store.readers.all() == (ana,)
    assert store.deliveries.sends() == (
        Send(
            issue=IssueKey("2026-w05"),
            edition="e",
            began=BEGAN,
            via="smtp",
            by="hand",
            key_id="k1",
            audience=1,
        ),
    )
    assert store.deliveries.tally(IssueKey("2026-w05")).accepted == 1
    key = IssueKey("2026-w06")
    assert store.slots.all() == {key: SlotNote(key=key, state="nothing", at=BEGAN, told=True)}
    assert store.slots.known_first_tick() == BEGAN


def test_a_database_from_before_sketches_keeps_every_row(
    second: str, file: Path, past: Maker
) -> None:
    """A database of the second revision has all it had; its items have no sketches."""
    for _ in range(2):
        with open_store(second) as store:
            expect_second(store, past(5))
    assert look(file) == (REVISION, {"alembic_version", *metadata.tables})
    with closing(sqlite3.connect(file)) as raw:
        found = raw.execute("SELECT reader, source FROM consents").fetchall()
    assert found == [("ana@sea.example", "at the fair")]


def test_a_database_from_before_sketches_is_read_as_it_is(
    second: str, past: Maker, tree: Callable[[], object]
) -> None:
    """Looking at a database of the second revision changes no byte of it."""
    before = tree()
    with open_store(second, read_only=True) as store:
        expect_second(store, past(5))
    assert tree() == before


def test_an_issue_from_before_sketches_is_the_same_issue(second: str, past: Maker) -> None:
    """Recording it again, now with sketches, says False; it can be taken back like any other."""
    known = past(5)
    drawn = replace(known, items=tuple(replace(item, sketch=b"1234") for item in known.items))
    back = BEGAN + timedelta(days=1)
    with open_store(second) as store:
        assert not store.record(drawn)
        assert store.withdraw(known.key, at=back, freed=False)
        assert store.history() == (replace(known, withdrawn=back),)
