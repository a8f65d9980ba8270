"""A new repository, and a git that is another program."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from files.repository import ENVIRON, run


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give the folder of a repository without a commit."""
    folder = tmp_path / "repo"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main")
    return folder


@pytest.fixture
def fake(tmp_path: Path) -> Callable[[str], Mapping[str, str]]:
    """Give a maker of environments in which git is another program."""

    def make(script: str) -> Mapping[str, str]:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "git").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin" / "git").chmod(0o755)
        return {**ENVIRON, "PATH": f"{tmp_path / 'bin'}{os.pathsep}{ENVIRON['PATH']}"}

    return make
