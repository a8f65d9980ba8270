"""The way from each revision of the tables to the next."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

__all__ = ["TEXT"]

# Letters are in the order of their code points on either kind of database; a server's own order
# is that of some language.
TEXT: Final = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
