"""Bring a database to the present revision with Alembic (0.5 s to import)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

from digest.errors import StoreError

__all__ = ["upgrade"]

_STEPS: Final = Path(__file__).parent / "migrations"


def upgrade(connection: Connection, *, shown: str) -> None:
    """Run the missing steps in the transaction of the connection.

    Raise StoreError for a revision that none of our steps leads from.
    """
    settings = Config()
    # Alembic reads its settings with interpolation, where a percent sign must be doubled.
    settings.set_main_option("script_location", str(_STEPS).replace("%", "%%"))
    settings.attributes["connection"] = connection
    try:
        command.upgrade(settings, "head")
    except CommandError as error:
        raise StoreError(
            "was written by a newer version of digest",
            where=shown,
            fix="install the newer version again; nothing was changed",
        ) from error
