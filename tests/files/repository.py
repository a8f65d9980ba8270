"""Git repositories as tests make them: run git, commit files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

__all__ = ["ENVIRON", "commit", "run"]

ENVIRON: Mapping[str, str] = {"PATH": os.environ["PATH"], "HOME": "nowhere"}


def run(folder: Path, *words: str, told: bytes = b"") -> str:
    """Run git with a name to commit under, and give what it prints."""
    done = subprocess.run(  # noqa: S603 - words of these tests
        ["git", "-c", "user.name=Ana", "-c", "user.email=ana@sea.example", *words],  # noqa: S607 - the git of whoever runs the tests
        cwd=folder,
        env={**ENVIRON, "GIT_CONFIG_NOSYSTEM": "1"},
        input=told,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def commit(root: Path, files: Mapping[str, bytes], message: str = "Change") -> str:
    """Write files, commit all that is there, and give the hash."""
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    run(root, "add", "-A")
    run(root, "commit", "-q", "-m", message)
    return run(root, "rev-parse", "HEAD")
