"""The program as a process of its own, in surroundings of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["run_lines"]

_ROOT = Path(__file__).resolve().parents[2]
# Several command lines in one process: each start costs half a second.
_SCRIPT = """
import json, sys
from digest.cli.main import run
for line in json.loads(sys.argv[1]):
    code = run(line)
    if code:
        sys.exit(code)
"""


def run_lines(
    lines: Sequence[Sequence[str]],
    *,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    flags: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    """Run command lines one after the other until one fails, in one new process.

    `environ` is laid over ours, `flags` are Python's own. The first exit code that is not 0 is
    the process's.
    """
    surroundings = {**os.environ, "PYTHONPATH": str(_ROOT), **(environ or {})}
    return subprocess.run(  # noqa: S603 - our own program, our own words
        [sys.executable, *flags, "-c", _SCRIPT, json.dumps([list(line) for line in lines])],
        env=surroundings,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
