"""Remember the readers, what each was sent, and what the schedule did."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

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
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("since", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_readers"),
        sa.CheckConstraint(
            "state IN ('pending', 'active', 'left', 'suppressed')", name=op.f("ck_readers_state")
        ),
    )
    op.create_table(
        "consents",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("reader", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_consents"),
        sa.ForeignKeyConstraint(["reader"], ["readers.key"], name="fk_consents_reader"),
    )


def _sends() -> None:
    op.create_table(
        "sends",
        sa.Column("issue", sa.Text, nullable=False),
        sa.Column("edition", sa.Text, nullable=False),
        sa.Column("began", sa.Text, nullable=False),
        sa.Column("via", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("audience", sa.Integer, nullable=False),
        sa.Column("paused", sa.Text, nullable=False),
        sa.Column("finished", sa.Text),
        sa.PrimaryKeyConstraint("issue", name="pk_sends"),
    )


def _deliveries() -> None:
    op.create_table(
        "deliveries",
        sa.Column("issue", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("reader", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("unknowns", sa.Integer, nullable=False),
        sa.Column("due", sa.Text),
        sa.Column("outcome", sa.Text),
        sa.Column("code", sa.Integer, nullable=False),
        sa.Column("enhanced", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Text),
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
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_slots"),
    )
    op.create_table(
        "moments",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_moments"),
    )
