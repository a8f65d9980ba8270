"""A database on a PostgreSQL server: what is told of it in trouble, and what is not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, insert, select
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError

from digest.errors import StoreError
from digest.model import PastIssue
from digest.store import open_store, store_exists
from digest.store.postgresql import _refuse_lost
from digest.store.postgresql_faults import explained
from digest.store.schema import moments

Maker = Callable[..., PastIssue]
Behind = Callable[[str, str], list[tuple[object, ...]]]

real = pytest.mark.real
ADD = insert(moments).values(name=bindparam("what"), at=bindparam("when"))
NAMES = select(moments.c.name)
# Nothing listens on the port of the first.
SHUT = "postgresql://digest@127.0.0.1:1/letter"


@pytest.fixture
def place(schema_url: str) -> str:
    """Give the URL of a database with its tables."""
    with open_store(schema_url, create=True):
        return schema_url


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection]:
    """Open a connection of another program."""
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        yield connection


def end_all(url: str) -> None:
    """End every connection to this database but ours, as a server does that is shut down."""
    with connected(url) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = 'digest'"
        )


@real
def test_a_database_without_tables_is_none_yet(schema_url: str) -> None:
    """It is there once its tables are; a reader does not make them."""
    assert not store_exists(schema_url)
    for read_only in (True, False):
        with pytest.raises(StoreError, match="there is no database yet"):
            open_store(schema_url, read_only=read_only)
    with open_store(schema_url, create=True) as store:
        assert store.steps_are_synced
        assert store.history() == ()
    assert store_exists(schema_url)


@real
@pytest.mark.parametrize(("given", "used"), [("on", "on"), ("off", "on"), ("local", "local")])
def test_a_step_is_on_the_servers_disk(place: str, given: str, used: str) -> None:
    """A commit is synced even where the server's are not; how far else, is the server's choice."""
    with (
        open_store(f"{place}%20-csynchronous_commit%3D{given}") as store,
        store.sending(),
        store._transactions.stepping() as raw,  # noqa: SLF001 - as it is in a step
    ):
        found = raw._connection.execute("SHOW synchronous_commit").fetchone()  # noqa: SLF001 - as above
        assert found == (used,)


@real
def test_letters_are_in_the_order_of_their_code_points(place: str, behind: Behind) -> None:
    """Texts sort as in SQLite, though the server of the tests sorts as people do."""
    assert behind(place, "SELECT 'B' COLLATE \"default\" < 'a'") == [(False,)]
    for name in ("a", "B", "_", "é"):
        behind(place, f"INSERT INTO moments VALUES ('{name}', '')")  # noqa: S608 - ours
    found = behind(place, "SELECT name FROM moments ORDER BY name")
    assert found == [("B",), ("_",), ("a",), ("é",)]
    odd = behind(
        place,
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS NULL",
    )
    assert odd == []


@real
def test_a_reader_sees_one_state(place: str, past: Maker) -> None:
    """What others commit meanwhile is not seen in a transaction that reads."""
    with open_store(place) as store, open_store(place, read_only=True) as looking:
        with looking._transactions.reading() as connection:  # noqa: SLF001 - in the middle of it
            assert connection.execute(NAMES).all() == []
            store.record(past(1))
            with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
                raw.run(ADD, {"what": "a", "when": ""})
            assert connection.execute(NAMES).all() == []
        assert looking.history() == (past(1),)


@real
@pytest.mark.parametrize("way", ["writing", "stepping"])
def test_a_reader_never_writes(place: str, way: str) -> None:
    """Whoever opened it for reading is refused by the server, in a step as well."""

    def write() -> None:
        with getattr(store._transactions, way)() as opened:  # noqa: SLF001 - no method does it
            if way == "writing":
                opened.exec_driver_sql("INSERT INTO moments VALUES ('a', '')")
            else:
                opened.run(ADD, {"what": "a", "when": ""})

    with (
        open_store(place, read_only=True) as store,
        pytest.raises(StoreError, match="read-only transaction"),
    ):
        write()


@real
def test_writers_come_one_after_the_other(place: str, past: Maker) -> None:
    """A second writer waits for the first, then says that the database is in use."""
    with open_store(place) as first, open_store(place, wait=0.05) as second:
        with first._transactions.stepping():  # noqa: SLF001 - in the middle of it
            with pytest.raises(StoreError, match="is in use by another program"):
                second.record(past(1))
            with pytest.raises(StoreError, match="is in use by another program"):
                second._transactions.stepping().__enter__()  # noqa: SLF001 - as above
            assert second.history() == ()
        assert second.record(past(1))
        assert not first.record(past(1))


@real
def test_a_writer_sees_what_the_one_before_it_wrote(place: str, past: Maker) -> None:
    """The state that a writer sees is that after its wait, not before."""
    with open_store(place) as store, connected(place) as other:
        other.execute("SET default_transaction_isolation = 'serializable'")
        with store._transactions.writing() as connection:  # noqa: SLF001 - as it is inside
            found = connection.exec_driver_sql("SHOW transaction_isolation").scalar()
        assert found == "read committed"
        store.record(past(1))
        assert not store.record(past(1))


@real
def test_a_lost_connection_fails_one_transaction_at_most(place: str, past: Maker) -> None:
    """One that was ended between two transactions is not even noticed."""
    with open_store(place) as store:
        for number in (1, 2, 3):
            store.record(past(number))
            end_all(place)
        assert len(store.history()) == 3
        end_all(place)
        with store._transactions.stepping() as raw:  # noqa: SLF001 - the other way in
            assert raw.rows(NAMES, {}) == []


@real
@pytest.mark.parametrize("way", ["writing", "stepping", "reading"])
def test_a_connection_lost_in_the_middle_is_told(place: str, past: Maker, way: str) -> None:
    """The transaction is undone and an error; the next one opens another connection."""

    def lose() -> None:
        with getattr(store._transactions, way)() as opened:  # noqa: SLF001 - in the middle of it
            end_all(place)
            if way == "stepping":
                opened.rows(NAMES, {})
            else:
                opened.execute(NAMES)

    with open_store(place) as store:
        with pytest.raises(StoreError, match="was cut off: terminating connection") as caught:
            lose()
        assert caught.value.problems[0].fix.startswith("see that the server runs")
        assert store.record(past(1))


@real
def test_a_connection_lost_before_the_commit_keeps_nothing(place: str) -> None:
    """A step whose connection is gone before its end did not happen."""

    def lose() -> None:
        with store._transactions.stepping() as raw:  # noqa: SLF001 - in the middle of it
            raw.run(ADD, {"what": "a", "when": ""})
            end_all(place)

    with open_store(place) as store:
        with pytest.raises(StoreError, match="was cut off"):
            lose()
        with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
            assert raw.rows(NAMES, {}) == []
            raw.run(ADD, {"what": "a", "when": ""})
        with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
            assert raw.rows(NAMES, {}) == [("a",)]


@real
def test_a_reader_does_not_bring_tables_up_to_date(place: str, behind: Behind) -> None:
    """A server's tables cannot be copied for a look: it is told what brings them up to date."""
    behind(place, "UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(StoreError, match="was written by an older version") as caught:
        open_store(place, read_only=True)
    assert "`digest tick`" in str(caught.value)
    assert behind(place, "SELECT version_num FROM alembic_version") == [("0001",)]
    behind(place, "UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(StoreError, match="was written by a newer version"):
        open_store(place, read_only=True)


@real
@pytest.mark.parametrize("way", [{"read_only": True}, {"read_only": False}, {"create": True}])
@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE issue_items",
        "DROP TABLE deliveries",
        "DELETE FROM alembic_version",
        "ALTER TABLE issues DROP COLUMN edition",
    ],
)
def test_a_missing_table_on_a_server_is_told(
    place: str, behind: Behind, *, statement: str, way: dict[str, Any]
) -> None:
    """A database without one of its tables, columns or its revision is refused."""
    behind(place, statement)
    with pytest.raises(StoreError, match=r"is damaged|written by an older version"):
        open_store(place, **way)


@real
def test_who_has_no_rights_is_told(place: str, behind: Behind) -> None:
    """A user who may not read the tables is told what to grant."""
    with connected(place) as other:
        other.execute("DROP ROLE IF EXISTS digest_guest")
        other.execute("CREATE ROLE digest_guest LOGIN")
    try:
        schema = str(behind(place, "SELECT current_schema()")[0][0])
        behind(place, f"GRANT USAGE ON SCHEMA {schema} TO digest_guest")
        guest = place.replace("//digest@", "//digest_guest@")
        with pytest.raises(StoreError, match="does not let us: permission denied") as caught:
            open_store(guest)
        assert "grant" in caught.value.problems[0].fix
        behind(place, f"REVOKE USAGE ON SCHEMA {schema} FROM digest_guest")
    finally:
        with connected(place) as other:
            other.execute("DROP OWNED BY digest_guest; DROP ROLE digest_guest")


@real
def test_a_wrong_password_is_told_without_it(place: str) -> None:
    """The server's words are shown, the password nowhere; the right one lets in."""
    with connected(place) as other:
        other.execute("DROP ROLE IF EXISTS digest_guarded")
        other.execute("CREATE ROLE digest_guarded LOGIN SUPERUSER PASSWORD 'sesame'")
    guarded = place.replace("//digest@", "//digest_guarded@")
    asked = []

    def right() -> str:
        asked.append(1)
        return "sesame"

    try:
        for wrong in ("open barley", ""):
            with pytest.raises(StoreError, match=r"cannot be reached: .*password") as caught:
                open_store(guarded, password=lambda wrong=wrong: wrong)  # type: ignore[misc] # its default is a text
            assert "barley" not in str(caught.value)
            assert "barley" not in repr(caught.value.__cause__)
            assert caught.value.exit_code == 6
        assert store_exists(guarded, password=right)
        with open_store(guarded, password=right) as store:
            assert store.history() == ()
            assert "sesame" not in repr(store._engine.url)  # noqa: SLF001 - nor anywhere else
        assert asked == [1, 1]
    finally:
        with connected(place) as other:
            other.execute("DROP ROLE digest_guarded")


@real
def test_a_database_that_is_not_there_is_told(place: str) -> None:
    """The server's words say which one."""
    absent = f"{place.partition('?')[0]}_absent"
    for look in (store_exists, open_store):
        with pytest.raises(StoreError, match=r'cannot be reached: .*_absent" does not exist'):
            look(absent)


@real
def test_a_database_that_holds_no_letters_is_refused(place: str) -> None:
    """Names are kept as they are written, so the database must have room for every letter."""
    given, _, options = place.partition("?")
    with connected(place) as other:
        other.execute(
            "CREATE DATABASE digest_ascii ENCODING 'SQL_ASCII' TEMPLATE template0"
            " LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'"
        )
    try:
        with pytest.raises(StoreError, match="keeps its texts in SQL_ASCII"):
            open_store(f"{given.rpartition('/')[0]}/digest_ascii?{options}", create=True)
    finally:
        with connected(place) as other:
            other.execute("DROP DATABASE digest_ascii WITH (FORCE)")


@real
def test_a_database_that_is_only_read_is_told(place: str) -> None:
    """A standby lets nobody write; one that is set to be read only answers alike."""
    name = place.partition("?")[0].rpartition("/")[2]
    try:
        with connected(place) as other:
            other.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        with (
            open_store(place) as store,
            pytest.raises(StoreError, match="can only be read here") as caught,
            store._transactions.stepping() as raw,  # noqa: SLF001 - a writer's transaction
        ):
            raw.run(ADD, {"what": "a", "when": ""})
        assert "primary" in caught.value.problems[0].fix
    finally:
        with connected(place) as other:
            other.execute("SET default_transaction_read_only = off")
            other.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")


@real
def test_a_text_that_the_server_cannot_keep_is_told(place: str) -> None:
    """NUL has no place in a text there."""
    with (
        open_store(place) as store,
        pytest.raises(StoreError, match=r"cannot keep that: .*NUL"),
        store._transactions.stepping() as raw,  # noqa: SLF001 - the other rooms take it out
    ):
        raw.run(ADD, {"what": "a\x00b", "when": ""})


def test_a_server_that_does_not_answer_is_told() -> None:
    """Where nothing listens the error says what to look at, for each that asks."""
    for look in (store_exists, open_store):
        with pytest.raises(StoreError, match=r"cannot be reached: .*refused") as caught:
            look(SHUT, shown="PostgreSQL letter on 127.0.0.1")
        assert str(caught.value).startswith("PostgreSQL letter on 127.0.0.1: cannot be reached")
        assert caught.value.problems[0].fix.startswith("see that the server runs")
        assert caught.value.exit_code == 6


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://u:sesame@h/d", "has a password in its address"),
        ("postgresql://u:@h/d", "has a password in its address"),
        ("postgresql://h:sesame/d", "is no address of a PostgreSQL database"),
        ("postgresql://u@h:65x/sesame", "is no address of a PostgreSQL database"),
    ],
)
def test_a_wrong_address_is_not_shown(url: str, told: str) -> None:
    """What is wrong with it may be its password."""
    with pytest.raises(StoreError, match=told) as caught:
        open_store(url)
    assert "sesame" not in str(caught.value)


def test_a_missing_driver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without psycopg the error says what to install."""
    monkeypatch.delitem(sys.modules, "digest.store.postgresql", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        open_store(SHUT)
    assert caught.value.problems[0].fix == "install `digest-newsletter[postgresql]`"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (psycopg.errors.DiskFull("no space"), "cannot be used: no space"),
        (psycopg.errors.IoError("lost page"), "cannot be used: lost page"),
        (psycopg.errors.OutOfMemory("no room"), "cannot be used: no room"),
        (psycopg.errors.DataCorrupted("bad page"), "is damaged: bad page"),
        (psycopg.errors.DeadlockDetected("a knot"), "is in use by another program"),
        (psycopg.errors.QueryCanceled("time is up"), "cannot be used: time is up"),
        (psycopg.errors.ConnectionFailure("gone"), "was cut off: gone"),
        (psycopg.errors.TooManyConnections("full"), "cannot be used: full"),
        (psycopg.errors.CannotConnectNow("starting"), "was cut off: starting"),
        (psycopg.errors.ReadOnlySqlTransaction("no"), "can only be read here: no"),
        (psycopg.errors.UniqueViolation("twice"), "is damaged: twice"),
        (psycopg.errors.NumericValueOutOfRange("much"), "cannot keep that: much"),
        (psycopg.errors.ConfigFileError("odd"), "cannot be used: odd"),
        (SQLAlchemyError("a moment that cannot be read"), "is damaged: a moment"),
    ],
)
def test_each_fault_has_its_words(error: Exception, told: str) -> None:
    """What it is, where, and what to do about it; bugs of our own pass as they are."""
    with pytest.raises(StoreError) as caught, explained("PostgreSQL letter on sea"):
        raise error
    (problem,) = caught.value.problems
    assert problem.where == "PostgreSQL letter on sea"
    assert problem.what.startswith(told)
    assert problem.fix


def test_faults_of_others_pass() -> None:
    """What is no fault of a database is not dressed up as one."""
    with pytest.raises(ZeroDivisionError), explained("PostgreSQL letter on sea"):
        _ = 1 / 0


@real
def test_a_closed_connection_is_not_handed_out(place: str) -> None:
    """The pool opens another one in its place."""
    with connected(place) as driver:
        _refuse_lost(driver, None, None)
    with pytest.raises(DisconnectionError):
        _refuse_lost(driver, None, None)
