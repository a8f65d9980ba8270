"""Run commands as whole processes and take their time and their memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

__all__ = ["ROOT", "Measured", "interleaved", "measured", "timed"]

ROOT: Final = Path(__file__).resolve().parent.parent.parent
# Linux gives ru_maxrss in kilobytes, macOS in octets.
_UNIT: Final = 1 if sys.platform == "darwin" else 1024
# The peak of a process is at least that of the one which started it, up to then (Linux hands it
# on through exec), so a small one stands between a command and the bench.
_STARTER: Final = """
import resource, subprocess, sys, time
start = time.perf_counter()
code = subprocess.call(sys.argv[2:])
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
with open(sys.argv[1], "w") as told:
    told.write(f"[{seconds}, {peak}]")
sys.exit(code)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one process took: seconds, the peak of its resident memory in octets, its output."""

    seconds: float
    peak: int
    told: str


def measured(command: list[str], *, cwd: Path = ROOT) -> Measured:
    """Run a command as a whole process; a failure stops the run."""
    with TemporaryDirectory() as folder:
        told = Path(folder) / "told.json"
        done = subprocess.run(  # noqa: S603 - fixed commands
            [sys.executable, "-c", _STARTER, str(told), *command],
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{command[:4]} failed: {done.stderr[-800:]}")
        seconds, peak = json.loads(told.read_text("ascii"))
    return Measured(seconds=seconds, peak=peak * _UNIT, told=done.stdout)


def timed(command: list[str], *, cwd: Path = ROOT) -> float:
    """Run a command as a whole process and give its seconds; a failure stops the run."""
    return measured(command, cwd=cwd).seconds


def interleaved(jobs: dict[str, Callable[[], float]], runs: int) -> dict[str, list[float]]:
    """Run all jobs in turn, several times over, so that what disturbs one disturbs all."""
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for place in range(runs):
        for name, job in jobs.items():
            taken[name].append(job())
            if sys.stderr.isatty():
                print(f"\r  run {place + 1} of {runs}: {name:<28}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    return taken
