"""Which slots are due, as the database and the issue files tell it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from digest.model import IssueKey, Seal, Slot, SlotNote, SlotState, slots_between
from digest.publish.memory import Memory, read_seal
from digest.publish.project import Project

__all__ = ["Due"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """The questions about slots at one moment, in UTC."""

    project: Project
    memory: Memory
    now: datetime

    def passed(self) -> tuple[Slot, ...]:
        """Give the slots since the first tick ever whose time has come, oldest first."""
        return slots_between(
            self.project.settings.schedule.send,
            self.project.settings.newsletter.zone,
            after=self.memory.first - timedelta.resolution,
            until=self.now,
        )

    def noted(self, key: IssueKey, *states: SlotState) -> SlotNote | None:
        """Give the note of an issue that is in one of the states."""
        note = self.memory.notes.get(key)
        if note is None or note.at > self.now:  # a clock that was ahead wrote it
            return None
        return note if note.state in states else None

    def seal(self, key: IssueKey) -> Seal | None:
        """Give the seal of an issue; None also where its file cannot be read."""
        return read_seal(self.project, key)

    def settled(self, slot: Slot) -> bool:
        """Tell whether nothing is left to do for a slot."""
        key = slot.issue
        if key in self.memory.sent | self.memory.withdrawn or self.noted(key, "held", "missed"):
            return True
        if (note := self.noted(key, "nothing", "drafted")) is not None and note.at >= slot.at:
            # Drafted at its time: it was to be sent, and published on the way there.
            return note.state == "nothing"
        seal = self.seal(key)
        if seal is not None and (seal.sent is not None or seal.withdrawn is not None):
            return True
        # One that is on the site already is still to be mailed, where there ever was a reader.
        return not self.memory.ever and (key in self.memory.published or seal is not None)
