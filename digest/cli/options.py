"""Options and arguments that several commands have."""

from __future__ import annotations

import click

__all__ = ["DRY_RUN", "ISSUE"]

DRY_RUN = click.option("--dry-run", is_flag=True, help="Tell what would happen; change nothing.")
ISSUE = click.argument("issue", required=False)
