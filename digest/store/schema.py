"""The tables, as they are after the last migration."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import CheckConstraint, Column, Dialect, ForeignKey, Integer, MetaData, Table, Text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.types import TypeDecorator

from digest.model.summary import refuse_naive

__all__ = ["REVISION", "Moment", "issue_items", "issues", "metadata"]

# The last migration; kept here so that a database of this revision opens without Alembic.
REVISION: Final = "0001"


class Moment(TypeDecorator[datetime]):
    """An aware moment, kept as ISO 8601 text in UTC: SQLite has no type that keeps the zone."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> str | None:
        """Write a moment; each text is of one length, so that they sort as the moments do."""
        if value is None:
            return None
        return value.astimezone(UTC).isoformat(timespec="microseconds")

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


metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

# An issue that was skipped has no number, moment or edition.
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
)
