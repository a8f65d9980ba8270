"""Run commands as whole processes and take their time and their memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

__all__ = ["ROOT", "Measured", "interleaved", "measured", "timed"]

ROOT: Final = Path(__file__).resolve().parent.parent.parent
# Linux gives ru_maxrss in kilobytes, macOS in octets.
_UNIT: Final = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one process took: seconds, the peak of its resident memory in octets, its output."""

    seconds: float
    peak: int
    told: str


def measured(command: list[str], *, cwd: Path = ROOT) -> Measured:
    """Run a command as a whole process; a failure stops the run."""
    with TemporaryFile() as out, TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen(  # noqa: S603 - fixed commands
            command, cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=out, stderr=err
        )
        # By this call, since no other gives the memory of one child alone.
        _, status, used = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if child.returncode:
            sys.exit(f"{command[:4]} failed: {err.read().decode()[-800:]}")
        return Measured(seconds=seconds, peak=used.ru_maxrss * _UNIT, told=out.read().decode())


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
