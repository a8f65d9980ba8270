"""A policy to try on the issues of the past: another `[selection]`, other themes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from digest.config.reading import Reading
from digest.config.selection import policy, themes
from digest.config.settings import SECTIONS, Settings
from digest.config.sources import Sources, read_file
from digest.errors import ConfigError
from digest.model import Theme
from digest.picking import Policy

__all__ = ["load_policy"]

_OURS: Final = frozenset({"selection", "theme"})


def load_policy(path: Path, *, root: Path, base: Settings) -> tuple[Policy, tuple[Theme, ...]]:
    """Read a policy file: TOML with `[selection]` and `[[theme]]`, one of them or both.

    Each key of `[selection]` that is missing is as in the settings, and all themes are where the
    file has none. A relative path is one of the working directory; complaints show it relative to
    `root`, the project. Raise ConfigError with all that is wrong.
    """
    name = _shown(path, root)
    document, places = read_file(path, name=name, option="--policy")
    sources = Sources()
    sources.add_file(document, places, name)
    reading = Reading(sources.values, file=name)
    topics = themes(reading)
    picking = policy(reading, base.policy)
    for section in SECTIONS:
        if section not in _OURS:
            reading.refuse(
                section,
                "has no place in a policy file",
                fix="leave [selection] and [[theme]] in it, and take out the rest",
            )
    if problems := reading.problems():
        raise ConfigError.of(problems)
    return picking, topics if reading.given("theme") else base.themes


def _shown(path: Path, root: Path) -> str:
    """Give a path relative to the project; of one outside of it only the name."""
    whole, above = path.resolve(), root.resolve()
    return whole.relative_to(above).as_posix() if whole.is_relative_to(above) else whole.name
