"""One step of the schedule: go on with what is open, send what is due, draft what is coming."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from functools import partial
from pathlib import Path
from typing import Final, Literal

from digest.delivery import Watch
from digest.errors import DigestError, GuardError, Problem, TransportError
from digest.files import sending_lock
from digest.model import (
    IssueKey,
    Send,
    Slot,
    SlotNote,
    SlotState,
    clean_line,
    draft_at,
    next_slot,
    slots_between,
)
from digest.publish.build import Built, build_issue
from digest.publish.carriers import Via, messages_folder, notices_folder
from digest.publish.guards import faults, reason_to_wait
from digest.publish.hold import hold_issue
from digest.publish.memory import read_memory, write_note
from digest.publish.notice import Notice, messages_of, missed_notice, notice_of, post
from digest.publish.project import Project
from digest.publish.release import publish_issue
from digest.publish.send import send_issue
from digest.publish.wording import count_text, moment_text, tally_text
from digest.transport import Transport

__all__ = ["Carrier", "Event", "Ticked", "What", "tick"]

What = Literal[
    "drafted", "nothing", "held", "missed", "published", "resumed", "sent", "waiting", "warned"
]
Carrier = Callable[[Path, Via], Transport]
# With `missed = "skip"` a slot is still served by a tick that comes every quarter of an hour.
_SKIP_AFTER: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that a step did about an issue, told in a sentence."""

    key: IssueKey
    what: What
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """What came of a step.

    `problems` are content files that could not be read and were left out; `next` is the slot that
    comes next. `failure` is what kept the step from doing all that was due; the next one tries
    again.
    """

    events: tuple[Event, ...]
    problems: tuple[Problem, ...]
    next: Slot
    failure: DigestError | None = None

    @property
    def code(self) -> int:
        """Give the exit code: that of the failure, else 4 held, 5 waiting, 1 problems, 0."""
        if self.failure is not None:
            return self.failure.exit_code
        done = {event.what for event in self.events}
        if "held" in done:
            return GuardError.exit_code
        return 5 if "waiting" in done else int(bool(self.problems))


def tick(project: Project, *, carrier: Carrier, watch: Watch, dry_run: bool = False) -> Ticked:
    """Do what the schedule asks for at this moment; doing it twice does nothing more.

    `carrier` gives the transport that writes into a folder, by a way. The lock for sending is
    held to the end, so that of two processes one does it all; the other one's LockError is
    raised. A dry run tells what would be done and changes nothing.
    """
    lock = nullcontext() if dry_run else sending_lock(project.private)
    with lock:
        step = _Step(project, carrier=carrier, watch=watch, dry_run=dry_run)
        step.do()
    return Ticked(
        events=tuple(step.events),
        problems=tuple(dict.fromkeys(step.problems)),
        next=step.coming,
        failure=step.failure,
    )


class _Step:
    """One step at one moment, and what came of it so far."""

    def __init__(self, project: Project, *, carrier: Carrier, watch: Watch, dry_run: bool) -> None:
        self.project, self.carrier, self.watch, self.dry_run = project, carrier, watch, dry_run
        # In UTC: two moments of one zone would compare by the wall clock, which in autumn shows
        # an hour twice.
        self.now = watch.clock().astimezone(UTC)
        self.zone = project.settings.newsletter.zone
        self.schedule = project.settings.schedule
        self.coming = next_slot(self.schedule.send, self.zone, self.now)
        self.memory = read_memory(project, now=self.now, dry_run=dry_run)
        self.events: list[Event] = []
        self.problems: list[Problem] = []
        self.failure: DigestError | None = None

    def do(self) -> None:
        """Do each part; what one of them fails at keeps no other from its work."""
        parts = (self._resume, self._serve_due, self._draft_coming, self._tell)
        for part, mails in zip(parts, (True, True, False, True), strict=True):
            if self.watch.stopped():
                return
            # A relay that was not there a moment ago is not asked again in the same step.
            if not (mails and isinstance(self.failure, TransportError)):
                try:
                    part()
                except DigestError as error:
                    self.failure = self.failure or error

    def _event(self, key: IssueKey, what: What, told: str) -> None:
        self.events.append(Event(key=key, what=what, told=told))

    def _note(
        self, key: IssueKey, state: SlotState, reason: str = "", *, told: bool = False
    ) -> None:
        """Write down what became of a slot; `told` where no editor need hear of it."""
        if not self.dry_run:
            nobody = not self.project.settings.editors
            note = SlotNote(key=key, state=state, at=self.now, reason=reason, told=told or nobody)
            write_note(self.project, note)
            self.memory = replace(self.memory, notes={**self.memory.notes, key: note})

    def _noted(self, key: IssueKey, *states: SlotState) -> SlotNote | None:
        note = self.memory.notes.get(key)
        return note if note is not None and note.state in states else None

    def _sealed(self, key: IssueKey) -> bool:
        issue = self.project.issue(key)
        return issue is not None and issue.seal is not None

    # Sends that are open.

    def _resume(self) -> None:
        """Go on with sends that were interrupted or have messages put off."""
        for send in self.memory.sends:
            if send.finished is None and not self._noted(send.issue, "held"):
                due = self.memory.due[send.issue]
                if due is not None and due > self.now:
                    told = f"messages were put off until {moment_text(due, self.zone)}"
                    self._event(send.issue, "waiting", told)
                else:
                    self._go_on(send)

    def _go_on(self, send: Send) -> None:
        self._event(send.issue, "resumed", f"goes on by {send.via} with what is still to go")
        if not self.dry_run:
            try:
                self._send(send.issue, send.via)
            except GuardError as error:
                self._hold(send.issue, _reason(error))
            self.memory = read_memory(self.project, now=self.now, dry_run=False)

    def _send(self, key: IssueKey, via: Via) -> None:
        sent = send_issue(
            self.project,
            key,
            transport=self.carrier(messages_folder(self.project, key), via),
            via=via,
            by="schedule",
            watch=self.watch,
        )
        counts = tally_text(sent.tally)
        if sent.state == "sent":
            self._event(key, "sent", counts)
        elif sent.halted is None:
            until = f"until {moment_text(sent.next_try, self.zone)}" if sent.next_try else ""
            self._event(key, "waiting", f"{counts}; the others wait {until}".rstrip())
        elif sent.halted.error is None and not self.watch.stopped():
            # The next step would run into the same wall a minute later: a person must look.
            fix = f"`digest send {key}` goes on once that is mended"
            self._hold(key, f"{counts}; {sent.halted.reason}; {fix}")
        else:
            self._event(key, "waiting", f"{counts}; {sent.halted.reason}")

    # Slots that are due.

    def _serve_due(self) -> None:
        """Serve the newest slot that is due, and write the others off."""
        passed = slots_between(
            self.schedule.send,
            self.zone,
            after=self.memory.first - timedelta.resolution,
            until=self.now,
        )
        due = [slot for slot in passed if not self._settled(slot)]
        late = self.schedule.catch_up
        if self.schedule.missed == "skip":
            late = min(late, _SKIP_AFTER)
        newest = due.pop() if due and self.now - due[-1].at <= late else None
        for slot in due:
            self._miss(slot)
        if newest is not None:
            self._serve(newest)
        elif passed and self.now - passed[-1].at <= self.schedule.catch_up:
            self._mend(passed[-1])

    def _settled(self, slot: Slot) -> bool:
        """Tell whether nothing is left to do for a slot."""
        key = slot.issue
        if key in self.memory.sent or self._noted(key, "held", "missed"):
            return True
        if (note := self._noted(key, "nothing", "drafted")) is not None and note.at >= slot.at:
            # Drafted at its time: it was to be sent, and published on the way there.
            return note.state == "nothing"
        return key in self.memory.published or self._sealed(key)

    def _miss(self, slot: Slot) -> None:
        told = f"was due on {moment_text(slot.at, self.zone)} and did not go out in time"
        self._note(slot.issue, "missed", told)
        self._event(slot.issue, "missed", told)

    def _mend(self, slot: Slot) -> None:
        """Bring to its end a publishing that was cut off after its commit."""
        key = slot.issue
        page = self.project.outbox / "site" / f"{key}.html"
        if key in self.memory.published and not (page.is_file() and self._sealed(key)):
            released = publish_issue(self.project, key, now=self.now, dry_run=self.dry_run)
            self._event(
                key, "published", f"number {released.kept.edition.number}, brought to its end"
            )

    def _serve(self, slot: Slot) -> None:
        try:
            built = build_issue(self.project, slot.issue, now=self.now, dry_run=self.dry_run)
            self.problems += built.library.problems
            self._go_out(slot, built)
        except GuardError as error:
            self._hold(slot.issue, _reason(error))

    def _go_out(self, slot: Slot, built: Built) -> None:
        key, memory = slot.issue, self.memory
        if built.issue is None:
            self._note(key, "nothing", built.skipped, told=True)
            self._event(key, "nothing", built.skipped)
        elif built.issue.hold:
            self._note(key, "held", built.issue.hold)
            self._event(key, "held", built.issue.hold)
        elif found := faults(self.project, built, now=self.now):
            self._hold(key, found)
        elif not memory.ever:
            self._publish(key)
        elif reason := reason_to_wait(memory, max_change=self.schedule.max_change):
            self._hold(key, reason)
        elif self.dry_run:
            self._event(key, "sent", f"would go to {count_text(memory.active, 'reader')}")
        else:
            self._note(key, "drafted", told=True)
            self._send(key, self.project.settings.transport.kind)

    def _publish(self, key: IssueKey) -> None:
        """Publish without mail: there never was a reader."""
        if self.dry_run:
            self._event(key, "published", "would be published; there is no reader yet")
        else:
            released = publish_issue(self.project, key, now=self.now)
            number = released.kept.edition.number
            self._event(key, "published", f"number {number}; there is no reader yet")

    def _hold(self, key: IssueKey, reason: str) -> None:
        """Hold an issue back for a person to look at; what is out already cannot be held."""
        try:
            if not self.dry_run:
                hold_issue(self.project, key, reason=reason)
        except GuardError:
            pass  # it is out: the note alone keeps the schedule from it
        except DigestError as error:
            # The file cannot say so; the schedule holds to it all the same.
            self.failure = self.failure or error
        self._note(key, "held", reason)
        self._event(key, "held", reason)

    # The slot that comes next, and the editors.

    def _draft_coming(self) -> None:
        """Draft the next issue once its time has come, where nobody has."""
        key, project = self.coming.issue, self.project
        known = key in self.memory.sent | self.memory.published or key in self.memory.notes
        if known or self.now < draft_at(self.schedule.draft, self.coming, self.zone):
            return
        if self._sealed(key):
            return
        if not (project.folder(key).is_dir() and project.issue_file(key).is_file()):
            built = build_issue(project, key, now=self.now, dry_run=self.dry_run)
            self.problems += built.library.problems
            if built.issue is None:
                self._note(key, "nothing", built.skipped, told=True)
                self._event(key, "nothing", built.skipped)
                return
        self._note(key, "drafted")
        self._event(key, "drafted", f"goes out on {moment_text(self.coming.at, self.zone)}")

    def _tell(self) -> None:
        """Tell the editors what they have not heard of yet, unless it is over."""
        if self.dry_run:
            return
        untold = [note for note in self.memory.notes.values() if not note.told]
        missed = [note for note in untold if note.state == "missed"]
        for note in untold:
            if self._over(note):
                write_note(self.project, replace(note, told=True))
            elif note.state != "missed":
                self._post(
                    note.key,
                    partial(notice_of, self.project, note, memory=self.memory, now=self.now),
                )
        if missed:
            self._post(
                missed[-1].key, partial(missed_notice, self.project, missed, coming=self.coming)
            )

    def _over(self, note: SlotNote) -> bool:
        """Tell whether a notice would come too late to be of use."""
        if note.state == "drafted":
            return self.project.slot(note.key).at <= self.now
        ended = {send.issue for send in self.memory.sends if send.finished is not None}
        return note.state == "nothing" or (note.state == "held" and note.key in ended)

    def _post(self, key: IssueKey, make: Callable[[], Notice]) -> None:
        """Send a notice; what goes wrong with it stops nothing, and the next step tries again."""
        try:
            notice = make()
            messages = messages_of(self.project, notice, now=self.now)
            via = self.project.settings.transport.kind
            transport = self.carrier(notices_folder(self.project), via)
            settled, trouble = post(transport, messages)
        except DigestError as error:
            self._event(key, "warned", f"the editors could not be told: {error.problems[0]}")
            return
        for text in trouble:
            self._event(key, "warned", f"a notice to an editor was not delivered: {text}")
        if settled:
            for note in notice.notes:
                write_note(self.project, replace(note, told=True))


def _reason(error: DigestError) -> str:
    """Write on one line why a guard said no."""
    told = (
        f"{problem.where}: {problem.what}" if problem.where else problem.what
        for problem in error.problems
    )
    return clean_line("; ".join(told))
