"""Rules that look at when the issue goes out, and to how many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, timedelta
from typing import Final

from digest.checks.finding import Hit, Seen

__all__ = ["readers_changed", "slot_out_of_order"]

_CHANGE: Final = 20  # percent
# The schedule goes on with a slot that nobody served for a day, where not told otherwise.
_LATE: Final = timedelta(days=1)


def readers_changed(seen: Seen) -> Iterator[Hit]:
    """D119: an issue that nobody would get, or many more or fewer than got the last one."""
    readers, before = seen.material.readers, seen.material.audience
    if readers == 0:
        told = "no reader is active, so nobody would get it by mail"
        # Where there were some, that is a change that somebody should look at.
        yield Hit(path="", message=told, line=0, level="warning" if before else None)
    elif readers is None or before is None:
        return
    elif abs(readers - before) * 100 > before * _CHANGE:
        told = f"{readers} would get it, and {before} got the last one: more than {_CHANGE} % apart"
        yield Hit(path="", message=told, line=0, level="warning")


def slot_out_of_order(seen: Seen) -> Iterator[Hit]:
    """D120: a slot that is over, or an hour that the clocks skip or go through twice."""
    material = seen.material
    if material.issue.seal is not None:
        return
    slot, zone = material.issue.slot, material.newsletter.zone
    wall = slot.at.astimezone(zone)
    shown = wall.strftime("%Y-%m-%d %H:%M")
    weekly = material.newsletter.send
    regular = slot.at.astimezone(UTC) == weekly.slot(slot.issue, zone).at.astimezone(UTC)
    if material.at is not None and material.at.astimezone(UTC) - slot.at.astimezone(UTC) > _LATE:
        yield Hit(path=seen.issue_file, message=f"its time {shown} is over by more than a day")
    if regular and (wall.hour, wall.minute) != (weekly.hour, weekly.minute):
        told = f"the clocks skip {weekly.hour:02d}:{weekly.minute:02d} that day ({zone}), so it"
        yield Hit(path=seen.issue_file, message=f"{told} goes out at {shown}")
    elif wall.replace(fold=0).utcoffset() != wall.replace(fold=1).utcoffset():
        which = "second" if wall.fold else "first"
        told = f"the clocks come to {shown} twice ({zone}); it goes out at the {which} time"
        yield Hit(path=seen.issue_file, message=told)
