"""The tables, as they are after the last migration."""

from __future__ import annotations

from base64 import b64decode, b64encode
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    func,
    text,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.types import TypeDecorator

from digest.model.summary import refuse_naive

__all__ = [
    "REVISION",
    "Moment",
    "Octets",
    "consents",
    "deliveries",
    "domain_of",
    "issue_items",
    "issues",
    "leases",
    "metadata",
    "moments",
    "outflow",
    "readers",
    "sends",
    "slots",
    "written",
]

# The last migration; kept here so that a database of this revision opens without Alembic.
REVISION: Final = "0004"


def written(moment: datetime) -> str:
    """Write an aware moment as `Moment` keeps it; the texts sort as the moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


class Moment(TypeDecorator[datetime]):
    """An aware moment, kept as ISO 8601 text in UTC: SQLite has no type that keeps the zone."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> str | None:
        """Write a moment; each text is of one length, so that they sort as the moments do."""
        return None if value is None else written(value)

    def process_result_value(self, value: str | None, _dialect: Dialect) -> datetime | None:
        """Read a moment; raise SQLAlchemyError for a text that is none."""
        if value is None:
            return None
        try:
            moment = datetime.fromisoformat(value)
            refuse_naive(moment)
        except (TypeError, ValueError) as error:
            raise SQLAlchemyError("a moment that cannot be read") from error
        return moment


class Octets(TypeDecorator[bytes]):
    """Octets, kept as Base64 text (RFC 4648 §4), so that a dump of the tables can be read."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: bytes | None, _dialect: Dialect) -> str:
        """Write octets; none at all is the empty text."""
        return b64encode(value or b"").decode("ascii")

    def process_result_value(self, value: str | None, _dialect: Dialect) -> bytes:
        """Read octets; raise SQLAlchemyError for a text that is no Base64."""
        try:
            return b64decode(value or "", validate=True)
        except ValueError as error:
            raise SQLAlchemyError("octets that cannot be read") from error


metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

# An issue that was skipped has no number, moment or edition. One that is freed was taken back
# before any mail of it went out.
issues: Final = Table(
    "issues",
    metadata,
    Column("key", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("number", Integer),
    Column("slot", Moment),
    Column("published_at", Moment),
    Column("theme", Text, nullable=False),
    Column("edition", Text, nullable=False),
    Column("withdrawn_at", Moment),
    Column("freed", Boolean, nullable=False, server_default=false()),
    CheckConstraint(
        "state <> 'published' OR (number IS NOT NULL AND published_at IS NOT NULL)",
        name="published",
    ),
)

# What is remembered of a summary outlives its file: it may be renamed, retitled or deleted.
issue_items: Final = Table(
    "issue_items",
    metadata,
    Column("issue", Text, ForeignKey("issues.key"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("id", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("sketch", Octets, nullable=False, server_default=""),
)

# `key` is the address with its letter case set aside.
readers: Final = Table(
    "readers",
    metadata,
    Column("key", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("since", Moment, nullable=False),
    CheckConstraint("state IN ('pending', 'active', 'left', 'suppressed')", name="state"),
)

# Rows are only ever added.
consents: Final = Table(
    "consents",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("reader", Text, ForeignKey("readers.key"), nullable=False),
    Column("source", Text, nullable=False),
    Column("at", Moment, nullable=False),
)

sends: Final = Table(
    "sends",
    metadata,
    Column("issue", Text, primary_key=True),
    Column("edition", Text, nullable=False),
    Column("began", Moment, nullable=False),
    Column("via", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("key_id", Text, nullable=False),
    Column("audience", Integer, nullable=False),
    Column("paused", Text, nullable=False),
    Column("finished", Moment),
    Column("dkim", Text, nullable=False, server_default=""),
    Column("replays", Text, nullable=False, server_default=""),
)

# Address and name are copies, so that a retry has the bytes of the first try. `outcome`, `code`,
# `enhanced` and `text` tell the last answer; `unknowns` how often none came. `at` is when the row
# was claimed, answered or closed last. `domain` is what stands behind the `@`, in small letters;
# `worker` the fence of the sender that has the row, NULL where none has. The rows outlive the
# reader, so `reader` refers to nothing.
_STATE = "state IN ('pending', 'claimed', 'wire', 'accepted', 'refused', 'unknown', 'left',"
deliveries: Final = Table(
    "deliveries",
    metadata,
    Column("issue", Text, ForeignKey("sends.issue"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("reader", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("unknowns", Integer, nullable=False),
    Column("due", Moment),
    Column("outcome", Text),
    Column("code", Integer, nullable=False),
    Column("enhanced", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Moment),
    Column("domain", Text, nullable=False, server_default=""),
    Column("worker", Integer),
    UniqueConstraint("issue", "reader"),
    CheckConstraint(f"{_STATE} 'suppressed', 'unsupported')", name="state"),
)
# The next ones to claim are found in their order without a look at the others, and so are those
# whose moment has come.
_READY = text("state = 'pending' AND due IS NULL")
_WAITING = text("state = 'pending' AND due IS NOT NULL")
Index(
    "ix_deliveries_ready",
    *(deliveries.c[name] for name in ("issue", "unknowns", "attempts", "position", "domain")),
    sqlite_where=_READY,
    postgresql_where=_READY,
)
Index(
    "ix_deliveries_waiting",
    *(deliveries.c[name] for name in ("issue", "due")),
    sqlite_where=_WAITING,
    postgresql_where=_WAITING,
)

# One row for each time that somebody became the one who sends; the last is who it is now, until
# its `until`, or no more where that is NULL. Earlier ones tell on which host, and in which run of
# it, the rows were claimed that a sender left.
leases: Final = Table(
    "leases",
    metadata,
    Column("fence", Integer, primary_key=True, autoincrement=False),
    Column("host", Text, nullable=False),
    Column("boot", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started", Text, nullable=False),
    Column("since", Moment, nullable=False),
    Column("until", Moment),
)

# How many messages were handed out, to one domain or (empty) to all, counted for a limit over
# `seconds` in slots of a 64th of that; `slot` counts them from 1970.
outflow: Final = Table(
    "outflow",
    metadata,
    Column("domain", Text, primary_key=True),
    Column("seconds", BigInteger, primary_key=True, autoincrement=False),
    Column("slot", BigInteger, primary_key=True, autoincrement=False),
    Column("count", Integer, nullable=False),
)

# What the schedule made of a slot.
slots: Final = Table(
    "slots",
    metadata,
    Column("key", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("reason", Text, nullable=False),
    Column("told", Boolean, nullable=False),
)

# Moments of the newsletter as a whole, by name.
moments: Final = Table(
    "moments",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", Moment, nullable=False),
)


def domain_of(address: ColumnElement[str]) -> ColumnElement[str]:
    """Give what stands behind the last `@` of an address, in small letters, in SQL of any dialect.

    Domains are kept in ASCII, so what a dialect makes of other letters does not matter.
    """
    local = func.rtrim(address, func.replace(address, "@", ""))
    return func.lower(func.substr(address, func.length(local) + 1))
