"""Options and arguments that several commands have."""

from __future__ import annotations

from typing import Final

import click

__all__ = ["DRY_RUN", "DRY_TOLD", "ISSUE"]

DRY_RUN = click.option("--dry-run", is_flag=True, help="Tell what would happen; change nothing.")
# What stands behind the first line of what a dry run tells.
DRY_TOLD: Final = "  (dry run: nothing was written)"
ISSUE = click.argument("issue", required=False)
