"""Strace around a command: what it asks of the system, and a fault at its k-th call of a kind."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

__all__ = ["SYNCS", "WRITES", "around", "calls", "failing", "in_full", "killing", "need_strace"]

SYNCS: Final = ("fdatasync", "fsync")
WRITES: Final = ("pwrite64", "write", "sendto", "sendmsg")

_CALL: Final = re.compile(r"(\d+) +(\w+)\(")


def need_strace() -> None:
    """Skip where there is no strace."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")


def around(file: Path, kinds: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """Give the program that writes the calls of these kinds into a file."""
    trace = f"trace={','.join(kinds)}"
    return ("strace", "-f", "-qq", "--seccomp-bpf", "-o", str(file), "-e", trace, *more)


def in_full(file: Path, kinds: tuple[str, ...], *, octets: int) -> tuple[str, ...]:
    """Give the program that writes the calls into a file with names, and so many octets of each."""
    return around(file, kinds, "-y", "-xx", "-s", str(octets))


def killing(kind: str, number: int, *, of: Path | None = None) -> tuple[str, ...]:
    """Give the program that kills a command at its n-th call of a kind; the call is not done.

    Where a file is named only calls about that file count.
    With `--seccomp-bpf` strace 6.1 does not send the signal.
    """
    inject = f"inject={kind}:signal=SIGKILL:when={number}"
    only = ("-P", str(of)) if of else ()
    return ("strace", "-f", "-qq", "-o", "/dev/null", *only, "-e", f"trace={kind}", "-e", inject)


def failing(kind: str, number: int, *, error: str, forever: bool = False) -> tuple[str, ...]:
    """Give the program that lets a command's n-th call of a kind fail, or that and all later."""
    inject = f"inject={kind}:error={error}:when={number}{'+' * forever}"
    return ("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={kind}", "-e", inject)


def calls(file: Path) -> Counter[str]:
    """Count the calls of each kind that the busiest thread made: strace counts by thread, too."""
    lines = file.read_text("ascii").splitlines()
    counts = Counter(match.groups() for match in map(_CALL.match, lines) if match)
    found: Counter[str] = Counter()
    for (_, kind), count in counts.items():
        found[kind] = max(found[kind], count)
    return found
