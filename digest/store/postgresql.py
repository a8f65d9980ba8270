"""A database on a PostgreSQL server: how it is reached, and its transactions."""

from __future__ import annotations

import select
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, cast

import psycopg
from sqlalchemy import Connection, Dialect, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DisconnectionError
from sqlalchemy.pool import QueuePool

from digest.errors import StoreError
from digest.store.postgresql_faults import explained
from digest.store.raw import Compiled, Raw

__all__ = ["PostgresqlDatabase"]

# All writers take this one lock of the database first, so that they come one after the other, as
# with SQLite; it goes with the transaction. The number is `digest` in ASCII, and 1.
_WRITERS: Final = int.from_bytes(b"digest\0\1", "big")
_TAKE_LOCK: Final = f"SELECT pg_advisory_xact_lock({_WRITERS})"

# What was claimed must outlive a power cut. Any other level is its owner's choice, and safe.
_SYNC: Final = (
    "SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)

# A server that is gone without a word is noticed within half a minute: all in seconds, but for
# tcp_user_timeout, in milliseconds.
_REACHING: Final = {
    "connect_timeout": 10,
    "keepalives": 1,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
    "fallback_application_name": "digest",
    "client_encoding": "utf8",
}


class PostgresqlDatabase:
    """A database on a server, with one connection that is opened where it is needed.

    One that was lost fails the transaction at hand; the next one opens another. `password` is
    asked for each connection; without it libpq looks where it always does.
    """

    steps_are_synced = True

    def __init__(
        self,
        url: str,
        *,
        shown: str,
        wait: float = 5.0,
        read_only: bool = False,
        password: Callable[[], str] | None = None,
    ) -> None:
        self.shown = shown
        self._password = password
        settings = [
            # One of 0 would wait for ever.
            f"SET lock_timeout = {max(1, int(wait * 1000))}",
            # A writer waits for its lock first, and must then see what the one before it wrote.
            "SET default_transaction_isolation = 'read committed'",
            "SET client_min_messages = error",
            _SYNC,
        ]
        if read_only:
            settings.append("SET default_transaction_read_only = on")
        self._settings = "; ".join(settings)
        engine = create_engine(
            _address(url, shown),
            connect_args=_REACHING,
            poolclass=QueuePool,
            pool_size=1,
        )
        event.listen(engine, "do_connect", self._connect)
        event.listen(engine, "checkout", _refuse_lost)
        event.listen(engine, "begin", _begin)
        self.reader: Engine = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self.writer: Engine = self.reader if read_only else engine
        self._compiled = Compiled(engine.dialect)

    def _connect(
        self, dialect: Dialect, _record: object, arguments: list[Any], options: dict[str, Any]
    ) -> DBAPIConnection:
        if self._password is not None:
            options["password"] = self._password()
        driver: Any = dialect.connect(*arguments, **options)
        try:
            self._set_up(driver)
        except BaseException:
            driver.close()
            raise
        return cast("DBAPIConnection", driver)

    def _set_up(self, driver: psycopg.Connection) -> None:
        if (found := driver.info.parameter_status("server_encoding")) != "UTF8":
            raise StoreError(
                f"keeps its texts in {found}, which has no room for every letter",
                where=self.shown,
                fix="make a database with ENCODING 'UTF8', and name that in store.url",
            )
        driver.autocommit = True
        driver.execute(self._settings.encode())
        driver.autocommit = False

    def revision(self) -> str | None:
        """Give the revision of the tables; empty where it is not told, None without any."""
        with self.reader.connect() as connection:
            table = text("SELECT to_regclass('alembic_version') IS NULL")
            if connection.execute(table).scalar_one():
                return None
            found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
            return str(found or "")

    def explained(self) -> AbstractContextManager[None]:
        """Turn what the server or its driver raises into a StoreError."""
        return explained(self.shown)

    def raw(self, connection: Connection) -> Raw:
        """Give the driver's own connection of a transaction that was begun."""
        return Raw(connection.connection.driver_connection, self._compiled)

    @contextmanager
    def stepping(self) -> Iterator[Raw]:
        """Begin a writer's transaction; it is on the server's disk once it is committed."""
        held = self.writer.raw_connection()
        try:
            driver: Any = held.driver_connection
            driver.autocommit = True
            driver.execute(f"BEGIN; {_TAKE_LOCK}")
            yield Raw(driver, self._compiled)
            driver.execute("COMMIT")
            driver.autocommit = False
        except BaseException:
            # The server takes back what a connection leaves undone.
            held.invalidate()
            raise
        finally:
            held.close()

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Do nothing: a server is always ready."""
        yield

    def settle(self) -> None:
        """Do nothing, as above."""

    def close(self) -> None:
        """Close the connection."""
        self.writer.dispose()


def _address(url: str, shown: str) -> URL:
    """Read the address of a database; what is wrong with it is not shown."""
    try:
        address = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError(
            "is no address of a PostgreSQL database",
            where=shown,
            fix="write `postgresql://user@host/database` as store.url",
        ) from error
    if address.password is not None:
        raise StoreError(
            "has a password in its address",
            where=shown,
            fix="take it out of store.url, and set store.password_env or its like",
        )
    return address.set(drivername="postgresql+psycopg")


def _begin(starting: Connection) -> None:
    if not starting.get_execution_options().get("postgresql_readonly"):
        starting.exec_driver_sql(_TAKE_LOCK)


def _refuse_lost(driver: psycopg.Connection, _record: object, _proxy: object) -> None:
    """Let the pool open another connection where the other side has ended this one.

    Nothing was asked, so whatever has come is a farewell.
    """
    if driver.closed:
        raise DisconnectionError
    waiting = select.poll()
    waiting.register(driver.fileno(), select.POLLIN)
    if waiting.poll(0):
        raise DisconnectionError
