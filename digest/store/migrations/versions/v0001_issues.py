"""Remember the published issues and their summaries."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from digest.store.migrations import TEXT

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables `issues` and `issue_items`."""
    op.create_table(
        "issues",
        sa.Column("key", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("slot", TEXT),
        sa.Column("published_at", TEXT),
        sa.Column("theme", TEXT, nullable=False),
        sa.Column("edition", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_issues"),
        sa.CheckConstraint(
            "state <> 'published' OR (number IS NOT NULL AND published_at IS NOT NULL)",
            name=op.f("ck_issues_published"),
        ),
    )
    op.create_table(
        "issue_items",
        sa.Column("issue", TEXT, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("url", TEXT, nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("issue", "position", name="pk_issue_items"),
        sa.ForeignKeyConstraint(["issue"], ["issues.key"], name="fk_issue_items_issue"),
    )
