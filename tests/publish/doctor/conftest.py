"""What the tests of the examination share: a newsletter, and a function that examines it."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Final

import pytest

from digest.config import load_settings
from digest.publish.checkup import Check
from digest.publish.doctor import examine
from digest.publish.project import Project

_NOW: Final = datetime(2027, 3, 24, 12, 0, tzinfo=UTC)
_ITEM = "---\ntitle: Tide mills\nurl: https://mills.example/1\n---\n\nMills ground corn.\n"
_NAMES = [
    "settings",
    "samples",
    "clock",
    "schedule",
    "folders",
    "private",
    "git",
    "database",
    "readers",
    "editors",
    "transport",
]
# Told only where the settings ask for it, behind the others.
_SOMETIMES = ("dkim", "limits")


@pytest.fixture
def root(newsletter: Callable[..., Path]) -> Path:
    """Give a newsletter whose files are from before the present moment of these tests."""
    made = newsletter({"content/mills.md": _ITEM})
    for path in made.rglob("*"):
        os.utime(path, (0, 0))
    return made


@pytest.fixture
def look(root: Path, tmp_path: Path) -> Callable[..., dict[str, Check]]:
    """Give a function that examines the newsletter and gives the checks by name."""
    # None of the settings of whoever runs the tests.
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}

    def call(
        *overrides: str,
        now: datetime = _NOW,
        host_zone: tzinfo | None = UTC,
        offline: bool = False,
        **more: str,
    ) -> dict[str, Check]:
        settings = load_settings(root, file=None, environ={}, overrides=overrides)
        found = examine(
            Project(settings=settings),
            now=now,
            environ=environ | more,
            host_zone=host_zone,
            offline=offline,
        )
        assert [check.name for check in found if check.name not in _SOMETIMES] == _NAMES
        assert all(check.fix for check in found if check.state == "error")
        assert not any(str(root) in f"{check.told}{check.fix}" for check in found)
        return {check.name: check for check in found}

    return call
