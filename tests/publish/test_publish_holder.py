"""Whether the process that has the right to send still runs."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from digest.publish.holder import lives, this_process

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="this system has no /proc"
)


def test_this_process_lives() -> None:
    """It is told from one of the same number that began at another time."""
    here = this_process()
    assert here.pid == os.getpid()
    assert lives(here) is True
    assert lives(replace(here, started="1")) is False


def test_a_process_that_ended_and_was_not_asked_for_is_gone() -> None:
    """What is left of it, until its parent asks, sends nothing."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        stat = Path(f"/proc/{child.pid}/stat").read_text("ascii")
        holder = replace(this_process(), pid=child.pid, started=stat.rpartition(")")[2].split()[19])
        assert lives(holder) is True
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it stays unasked for
        assert lives(holder) is False
    finally:
        child.communicate()


def test_of_other_machines_and_containers_nobody_knows() -> None:
    """Another host, or another count of processes on this one, cannot be looked into."""
    here = this_process()
    boot = here.boot.partition(" ")[0]
    assert lives(replace(here, host="pier")) is None
    assert lives(replace(here, boot=f"{boot} pid:[1]")) is None
    assert lives(replace(here, boot="another boot")) is False
