"""Remember who sends, what was claimed, and how much went out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from digest.store.migrations import TEXT

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0004"
down_revision = "0003"

_READY = sa.text("state = 'pending' AND due IS NULL")
_WAITING = sa.text("state = 'pending' AND due IS NOT NULL")


def upgrade() -> None:
    """Add the columns and tables; what is there is a first sending that no key signed."""
    op.add_column("sends", sa.Column("dkim", TEXT, nullable=False, server_default=""))
    op.add_column("sends", sa.Column("replays", TEXT, nullable=False, server_default=""))
    _deliveries()
    op.create_table(
        "leases",
        sa.Column("fence", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("host", TEXT, nullable=False),
        sa.Column("boot", TEXT, nullable=False),
        sa.Column("pid", sa.Integer, nullable=False),
        sa.Column("started", TEXT, nullable=False),
        sa.Column("since", TEXT, nullable=False),
        sa.Column("until", TEXT),
        sa.PrimaryKeyConstraint("fence", name="pk_leases"),
    )
    op.create_table(
        "outflow",
        sa.Column("domain", TEXT, nullable=False),
        sa.Column("seconds", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("slot", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("domain", "seconds", "slot", name="pk_outflow"),
    )


def _deliveries() -> None:
    """Let rows be claimed, and find the next ones by smaller indexes."""
    op.drop_index("ix_deliveries_queue", "deliveries")
    # SQLite cannot change a check: Alembic makes the table anew there and moves the rows.
    with op.batch_alter_table("deliveries") as table:
        table.add_column(sa.Column("domain", TEXT, nullable=False, server_default=""))
        table.add_column(sa.Column("worker", sa.Integer))
        table.drop_constraint(op.f("ck_deliveries_state"), type_="check")
        table.create_check_constraint(
            op.f("ck_deliveries_state"),
            "state IN ('pending', 'claimed', 'wire', 'accepted', 'refused', 'unknown', 'left',"
            " 'suppressed', 'unsupported')",
        )
    # The domain is what stands behind the last `@`.
    op.execute(
        "UPDATE deliveries SET domain = lower(substr(address,"
        " length(rtrim(address, replace(address, '@', ''))) + 1))"
    )
    op.create_index(
        "ix_deliveries_ready",
        "deliveries",
        ["issue", "unknowns", "attempts", "position", "domain"],
        sqlite_where=_READY,
        postgresql_where=_READY,
    )
    op.create_index(
        "ix_deliveries_waiting",
        "deliveries",
        ["issue", "due"],
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    )
