"""When issues are due: the slots of a weekly time, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Literal
from zoneinfo import ZoneInfo

from digest.model.issue import Slot, WeeklyTime
from digest.model.names import IssueKey, issue_key
from digest.model.summary import refuse_naive

__all__ = ["SlotNote", "SlotState", "draft_at", "next_slot", "slots_between"]

SlotState = Literal["drafted", "nothing", "held", "missed", "stuck"]
_WEEK = timedelta(days=7)
# Two moments of one zone compare by the wall clock, which goes over some hours twice: all that is
# compared here is put into UTC first.


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotNote:
    """What the schedule did about the slot of an issue, and when; `told` once editors know.

    `drafted`: an edition was built before its time. `nothing`: there was nothing to send. `held`:
    it waits for a person, and `reason` says why. `missed`: nobody ran when it was due. `stuck`: an
    error, which `reason` tells, keeps it back; once that is mended it goes on by itself.
    """

    key: IssueKey
    state: SlotState
    at: datetime
    reason: str = ""
    told: bool = False

    def __post_init__(self) -> None:
        refuse_naive(self.at)


def _occurrences(weekly: WeeklyTime, zone: ZoneInfo, start: datetime) -> Iterator[Slot]:
    """Give the slots of the week before `start`, of its own week, and so on, in order."""
    # Weeks are counted at noon: no zone has ever moved it into another day by its clocks.
    noon = (start.astimezone(zone) - _WEEK).replace(hour=12, minute=0)
    while True:
        yield weekly.slot(issue_key(noon, zone), zone)
        noon += _WEEK


def slots_between(
    send: WeeklyTime, zone: ZoneInfo, *, after: datetime, until: datetime
) -> tuple[Slot, ...]:
    """Give all slots with `after` < at <= `until`, oldest first, each in the zone."""
    begin, end = after.astimezone(UTC), until.astimezone(UTC)
    upto = takewhile(lambda slot: slot.at <= end, _occurrences(send, zone, begin))
    return tuple(slot for slot in upto if slot.at > begin)


def next_slot(send: WeeklyTime, zone: ZoneInfo, now: datetime) -> Slot:
    """Give the first slot after a moment."""
    moment = now.astimezone(UTC)
    return next(slot for slot in _occurrences(send, zone, moment) if slot.at > moment)


def draft_at(draft: WeeklyTime, slot: Slot, zone: ZoneInfo) -> datetime:
    """Give the moment from which a slot's issue may be drafted: the last one up to its slot."""
    end = slot.at.astimezone(UTC)
    *_, last = takewhile(lambda one: one.at <= end, _occurrences(draft, zone, end - _WEEK))
    return last.at
