"""Send the issue of a newsletter in a process of its own, and tell what that took.

It does what `digest send` does, and is a program of its own so that the time can be taken from the
moment at which all rows are enrolled to the one at which the last answer is written down.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from letter import ISSUE, NOW, load_project

from digest.delivery import Watch
from digest.model import Tally
from digest.publish.carriers import transport_for
from digest.publish.project import Project
from digest.publish.send import send_issue
from digest.publish.signing import present_signer

_OPERATIONS: Final = 300


class _Looker:
    """Takes the time whenever the tally is told: first before, last after all messages."""

    def __init__(self) -> None:
        self.told: list[tuple[float, float]] = []
        self.tally = Tally(audience=0)

    def __call__(self, tally: Tally) -> None:
        self.tally = tally
        self.told.append((time.perf_counter(), _used()))


def _used() -> float:
    """Give the processor's time of this process, and of those that signed for it and are gone."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    found = [resource.getrusage(who) for who in whose]
    return sum(each.ru_utime + each.ru_stime for each in found)


def _clock() -> datetime:
    return NOW.astimezone(UTC) + timedelta(seconds=time.monotonic() - _BEGAN)


_BEGAN: Final = time.monotonic()


def _send(project: Project) -> dict[str, float]:
    looker = _Looker()
    send_issue(
        project,
        ISSUE,
        transport=transport_for(project, folder=project.outbox, environ={}),
        via="smtp",
        by="hand",
        watch=Watch(clock=_clock, pause=time.sleep, progress=looker),
    )
    if looker.tally.accepted != looker.tally.audience:
        sys.exit(f"not all were accepted: {looker.tally}")
    (start, used), (end, all_used) = looker.told[0], looker.told[-1]
    count = looker.tally.accepted
    return {"seconds": (end - start) / count, "cpu": (all_used - used) / count}


def _operation(project: Project) -> float:
    """Give the processor's time for one signature alone, in seconds; 0 where nothing is signed."""
    signer = present_signer(project)
    if signer is None:
        return 0.0
    start = time.process_time()
    for _ in range(_OPERATIONS):
        signer.sign(bytes(32))
    return (time.process_time() - start) / _OPERATIONS


if __name__ == "__main__":
    _project = load_project(Path(sys.argv[1]))
    print(json.dumps({**_send(_project), "operation": _operation(_project)}))
