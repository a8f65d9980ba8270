"""Run the migrations on the connection that `digest.store.migrate` hands over."""

from __future__ import annotations

from alembic import context

__all__: list[str] = []

# The transaction belongs to the caller: all steps together, or none.
context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
