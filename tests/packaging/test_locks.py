"""The versions that are installed for a user run on each Python that is promised to them."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

_ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_locked_versions_run_on_the_oldest_python(lock: str) -> None:
    """`make issue` works on the first release of the oldest Python that pyproject.toml names."""
    settings = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))
    promised = re.fullmatch(r">=(\d+\.\d+)", settings["project"]["requires-python"])
    assert promised is not None
    text = (_ROOT / ".ci" / lock).read_text("utf-8")
    pinned = re.findall(r"^([A-Za-z0-9._-]+)==", text, re.MULTILINE)
    assert len(pinned) > 20
    asked = {name: metadata(name).get("Requires-Python") or "" for name in pinned}
    refused = {
        name: asks
        for name, asks in asked.items()
        if not SpecifierSet(asks).contains(f"{promised[1]}.0")
    }
    assert refused == {}
