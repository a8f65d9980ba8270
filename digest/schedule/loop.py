"""One step a minute, on the library `schedule`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

from schedule import Scheduler

from digest.errors import DigestError

__all__ = ["run_every_minute"]

_MINUTE: Final = 60.0


def run_every_minute(
    step: Callable[[], object],
    *,
    tell: Callable[[DigestError], object],
    pause: Callable[[float], object],
    stopped: Callable[[], bool],
) -> None:
    """Do a step at once, then at the beginning of each minute, until `stopped` says so.

    A step that takes longer than a minute is followed by the next minute's. An error that a step
    ends with is told, and the next step comes all the same. `pause` waits for so many seconds, or
    less. The time zone of the process becomes UTC.
    """
    _keep_utc()
    scheduler = _planned(step, tell)
    _do(step, tell)
    while True:
        idle = scheduler.idle_seconds or 0.0
        if idle > _MINUTE:
            # Somebody set the clock back; the library would wait until it is as late again.
            scheduler = _planned(step, tell)
            continue
        if stopped():
            return
        pause(max(0.0, idle))
        if stopped():
            return
        scheduler.run_pending()


def _planned(step: Callable[[], object], tell: Callable[[DigestError], object]) -> Scheduler:
    scheduler = Scheduler()
    scheduler.every().minute.at(":00").do(_do, step, tell)
    return scheduler


def _do(step: Callable[[], object], tell: Callable[[DigestError], object]) -> None:
    try:
        step()
    except DigestError as error:
        tell(error)


def _keep_utc() -> None:
    """Put this process on UTC, whatever zone the machine keeps.

    The library plans by the wall clock of the process. In local time a job of every minute was
    seen to stand still for 61 minutes in the autumn, when an hour comes twice. When an issue is
    due is computed elsewhere, in the newsletter's own zone.
    """
    os.environ["TZ"] = "UTC"
    time.tzset()
