"""Remember the texts of what was sent by their sketches, and which issues were taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from digest.store.migrations import TEXT

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the columns; what is there has no sketches, and none of it was taken back."""
    op.add_column("issues", sa.Column("withdrawn_at", TEXT))
    op.add_column(
        "issues", sa.Column("freed", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("issue_items", sa.Column("sketch", TEXT, nullable=False, server_default=""))
