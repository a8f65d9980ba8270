"""What a newsletter holds on disk, as tests compare it before and after."""

from __future__ import annotations

from pathlib import Path

from cases.forms import tree

__all__ = ["kept"]

_PASSING = ("private/lock", "private/sending", "private/cache/")


def kept(root: Path) -> dict[str, str]:
    """Give the hash of each file but those of the locks and of the cache, which hold nothing."""
    return {name: data for name, data in tree(root).items() if not name.startswith(_PASSING)}
