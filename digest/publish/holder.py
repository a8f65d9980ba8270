"""Which process this is, and whether another one still runs."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Final

from digest.model import Holder

__all__ = ["lives", "this_process"]

_PROC: Final = Path("/proc")
_START: Final = 19  # field 22, counted behind the name
_ENDED: Final = ("Z", "X", "x")


def this_process() -> Holder:
    """Give what tells this process from every other one, here and elsewhere, before and after.

    Where the system has no `/proc`, boot and start are empty: then nothing is known of a process
    of before, and it counts as one of another boot. So does one in another container, which counts
    its processes for itself.
    """
    pid = os.getpid()
    return Holder(host=socket.gethostname(), boot=_boot(), pid=pid, started=_started(pid))


def lives(holder: Holder) -> bool | None:
    """Tell whether a process still runs; None where that cannot be known from here."""
    here = this_process()
    if holder.host != here.host or not here.boot:
        return None
    # A number is given to another process once its own has ended, so its start is asked for too.
    if holder.boot != here.boot:
        return None if _same_machine(holder.boot, here.boot) else False
    return _started(holder.pid) == holder.started


def _same_machine(boot: str, other: str) -> bool:
    """Tell whether two names of boots differ in the container alone."""
    return boot.partition(" ")[0] == other.partition(" ")[0]


def _boot() -> str:
    boot = _read(_PROC / "sys/kernel/random/boot_id").strip()
    try:
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}" if boot else ""
    except OSError:
        return boot


def _started(pid: int) -> str:
    """Give when a process began, in ticks since the boot (proc(5)); empty where there is none.

    One that has ended, and was not yet asked for, is none.
    """
    # Its name may hold blanks and brackets, and stands before the last one.
    fields = _read(_PROC / str(pid) / "stat").rpartition(")")[2].split()
    if len(fields) <= _START or fields[0] in _ENDED:
        return ""
    return fields[_START]


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""
