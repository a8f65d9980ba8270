"""What the tests of the settings share: a small settings file, and a way to load one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from digest.config import Settings, load_settings
from digest.errors import ConfigError

LEAST: Final = """\
[newsletter]
name = "Tide Table"
tag = "tide.example,2026"

[site]
url = "https://tide.example"

[mail]
from = "Tide Table <post@tide.example>"
"""


@pytest.fixture
def least() -> str:
    """Give the least that a settings file must say."""
    return LEAST


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., Settings]:
    """Give a function that writes a settings file and loads it."""

    def call(
        text: str | bytes = LEAST,
        *overrides: str,
        environ: Mapping[str, str] | None = None,
    ) -> Settings:
        data = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "digest.toml").write_bytes(data)
        return load_settings(tmp_path, file=None, environ=environ or {}, overrides=overrides)

    return call


@pytest.fixture
def faults(load: Callable[..., Settings]) -> Callable[..., list[str]]:
    """Give a function that loads wrong settings and gives the complaints, one text each."""

    def call(
        text: str | bytes = LEAST,
        *overrides: str,
        environ: Mapping[str, str] | None = None,
    ) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            load(text, *overrides, environ=environ)
        return [str(problem) for problem in caught.value.problems]

    return call
