"""Remember the readers, what each was sent, and what the schedule did."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from digest.store.migrations import TEXT

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables of the readers, of the deliveries and of the schedule."""
    _readers()
    _sends()
    _deliveries()
    _schedule()


def _readers() -> None:
    op.create_table(
        "readers",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("address", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("since", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_readers"),
        sa.CheckConstraint(
            "state IN ('pending', 'active', 'left', 'suppressed')", name=op.f("ck_readers_state")
        ),
    )
    op.create_table(
        "consents",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("reader", TEXT, nullable=False),
        sa.Column("source", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_consents"),
        sa.ForeignKeyConstraint(["reader"], ["readers.key"], name="fk_consents_reader"),
    )


def _sends() -> None:
    op.create_table(
        "sends",
        sa.Column("issue", TEXT, nullable=False),
        sa.Column("edition", TEXT, nullable=False),
        sa.Column("began", TEXT, nullable=False),
        sa.Column("via", TEXT, nullable=False),
        sa.Column("by", TEXT, nullable=False),
        sa.Column("key_id", TEXT, nullable=False),
        sa.Column("audience", sa.Integer, nullable=False),
        sa.Column("paused", TEXT, nullable=False),
        sa.Column("finished", TEXT),
        sa.PrimaryKeyConstraint("issue", name="pk_sends"),
    )


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("issue", TEXT, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("reader", TEXT, nullable=False),
        sa.Column("address", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("unknowns", sa.Integer, nullable=False),
        sa.Column("due", TEXT),
        sa.Column("outcome", TEXT),
        sa.Column("code", sa.Integer, nullable=False),
        sa.Column("enhanced", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("at", TEXT),
        sa.PrimaryKeyConstraint("issue", "position", name="pk_deliveries"),
        sa.UniqueConstraint("issue", "reader", name="uq_deliveries_issue"),
        sa.CheckConstraint(
            "state IN ('pending', 'wire', 'accepted', 'refused', 'unknown', 'left', 'suppressed',"
            " 'unsupported')",
            name=op.f("ck_deliveries_state"),
        ),
        sa.ForeignKeyConstraint(["issue"], ["sends.issue"], name="fk_deliveries_issue"),
    )
    op.create_index(
        "ix_deliveries_queue",
        "deliveries",
        ["issue", "state", "due", "unknowns", "attempts", "position"],
    )


def _schedule() -> None:
    op.create_table(
        "slots",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
        sa.Column("reason", TEXT, nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_slots"),
    )
    op.create_table(
        "moments",
        sa.Column("name", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_moments"),
    )
