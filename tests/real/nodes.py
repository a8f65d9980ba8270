"""The judges that are written for Node.js: where they are, and how they are asked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

__all__ = ["ask_node", "node_module"]


def node_module(name: str) -> Path:
    """Give the folder of a package that `.ci/run` installs, or skip."""
    folder = os.environ.get("DIGEST_NODE_MODULES", "")
    if not folder or not (Path(folder) / name).is_dir():
        pytest.skip(f"{name} is not in DIGEST_NODE_MODULES: see .ci/node")
    return Path(folder) / name


def ask_node(script: Path, *arguments: str) -> Any:  # noqa: ANN401 - whatever JSON it prints
    """Run a script with the packages at hand; give what it prints as JSON."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    done = subprocess.run(  # noqa: S603 - a program found on this machine, a script of ours
        [node, str(script), *arguments],
        env={**os.environ, "NODE_PATH": os.environ["DIGEST_NODE_MODULES"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
