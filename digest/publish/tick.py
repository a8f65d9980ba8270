"""One step of the schedule: go on with what is open, send what is due, draft what is coming."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Final

from digest.delivery import GIVE_UP, Watch
from digest.errors import (
    DigestError,
    FilesError,
    GuardError,
    LockError,
    Problem,
    StoreError,
    TransportError,
)
from digest.files import sending_lock
from digest.model import (
    IssueKey,
    Send,
    Slot,
    SlotNote,
    SlotState,
    draft_at,
    next_slot,
)
from digest.publish.build import Built, build_issue
from digest.publish.carriers import Via, messages_folder
from digest.publish.due import Due
from digest.publish.editors import TransportFor, tell_editors
from digest.publish.guards import faults, reason_to_wait
from digest.publish.hold import hold_issue
from digest.publish.memory import read_memory, write_note, write_trouble
from digest.publish.project import Project
from digest.publish.release import publish_issue
from digest.publish.send import send_issue
from digest.publish.send_guards import refuse_lost
from digest.publish.ticked import Event, Ticked, What
from digest.publish.wording import count_text, moment_text, tally_text

__all__ = ["Event", "Ticked", "TransportFor", "What", "tick"]

# With `missed = "skip"` a slot is still served by a tick that comes every quarter of an hour.
_SKIP_AFTER: Final = timedelta(minutes=15)
# By then every message has its end: what was put off is given up after three days.
_STALE: Final = GIVE_UP + timedelta(days=1)


def tick(
    project: Project, *, transport_for: TransportFor, watch: Watch, dry_run: bool = False
) -> Ticked:
    """Do what the schedule asks for at this moment; doing it twice does nothing more.

    `transport_for` gives the transport that writes into a folder, by a way. The lock for sending is
    held to the end, so that of two processes one does it all; the other one's LockError is
    raised. A dry run tells what would be done and changes nothing.
    """
    lock = nullcontext() if dry_run else sending_lock(project.private)
    with lock:
        step = _Step(project, transport_for=transport_for, watch=watch, dry_run=dry_run)
        step.do()
    return Ticked(
        events=tuple(step.events),
        problems=tuple(dict.fromkeys(step.problems)),
        next=step.coming,
        failure=step.failure,
    )


class _Step:
    """One step at one moment, and what came of it so far."""

    def __init__(
        self, project: Project, *, transport_for: TransportFor, watch: Watch, dry_run: bool
    ) -> None:
        self.project, self.transport_for, self.watch, self.dry_run = (
            project,
            transport_for,
            watch,
            dry_run,
        )
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
        self.unreached = False  # no notice could be handed over

    def do(self) -> None:
        """Do each part; what one of them fails at keeps no other from its work."""
        quiet = self._quiet()
        parts = (self._resume, self._serve_due, self._draft_coming, self._tell)
        for part, mails in zip(parts, (True, self.memory.ever, False, True), strict=True):
            if self.watch.stopped():
                break
            # A relay that was not there a moment ago is not asked again in the same step.
            if not (mails and (quiet or isinstance(self.failure, TransportError))):
                try:
                    part()
                except DigestError as error:
                    self.failure = self.failure or error
        if not (quiet or self.dry_run):
            self._remember_trouble()

    def _quiet(self) -> bool:
        """Tell whether the transport is to be left alone; that is a failure where mail waits."""
        until = self.memory.quiet_until(self.now)
        if until is None:
            return False
        open_sends = any(not (send.finished or send.paused) for send in self.memory.sends)
        if open_sends or any(not self.due.settled(slot) for slot in self.due.passed()):
            self.failure = TransportError(
                "could not be used when it was tried last; it is tried again from "
                + moment_text(until, self.zone),
                where="transport",
                fix="`digest doctor` says what is wrong; `digest send` does not wait",
            )
        return True

    def _remember_trouble(self) -> None:
        """Write down whether the transport could be used, where that was found out."""
        if isinstance(self.failure, TransportError) or self.unreached:
            write_trouble(self.project, self.now)
        elif self.memory.trouble is not None:
            write_trouble(self.project, None)

    @property
    def due(self) -> Due:
        """Give the questions about slots, as of now."""
        return Due(project=self.project, memory=self.memory, now=self.now)

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

    # Sends that are open.

    def _resume(self) -> None:
        """Go on with sends that were interrupted or have messages put off."""
        for send in self.memory.sends:
            if send.finished is None and not send.paused:
                try:
                    with self._sticking(send.issue):
                        self._resume_one(send)
                except TransportError:
                    raise
                except DigestError as error:
                    self.failure = self.failure or error

    def _resume_one(self, send: Send) -> None:
        issue = self.project.issue(send.issue)
        due = self.memory.due[send.issue]
        if issue is not None and issue.hold:
            return
        if self.now - self.memory.stirred[send.issue] >= _STALE:
            self._hold(send.issue, self._stale(send))
        elif due is not None and due > self.now:
            told = f"messages were put off until {moment_text(due, self.zone)}"
            self._event(send.issue, "waiting", told)
        else:
            self._event(send.issue, "resumed", f"goes on by {send.via} with what is still to go")
            if not self.dry_run:
                self._send(send.issue, send.via)
                self.memory = read_memory(self.project, now=self.now, dry_run=False)

    def _stale(self, send: Send) -> str:
        """Say why a send that rested for long is not gone on with: the database may be old."""
        began = moment_text(send.began, self.zone)
        return (
            f"its mails began to go out on {began} and some are open still: if the database is an "
            "old copy they have gone out since, and would go out again"
        )

    def _send(self, key: IssueKey, via: Via) -> None:
        sent = send_issue(
            self.project,
            key,
            transport=self.transport_for(messages_folder(self.project, key), via),
            via=via,
            by="schedule",
            watch=self.watch,
        )
        counts = tally_text(sent.tally)
        if sent.state == "sent":
            self._event(key, "sent", counts)
        elif sent.halted is None or sent.halted.until is not None:
            until = f"until {moment_text(sent.next_try, self.zone)}" if sent.next_try else ""
            self._event(key, "waiting", f"{counts}; the others wait {until}".rstrip())
        elif sent.halted.error is None and not self.watch.stopped():
            # The next step would run into the same wall a minute later: a person must look. Who
            # held it meanwhile has said why.
            issue = self.project.issue(key)
            hold = issue.hold if issue is not None else ""
            self._hold(key, hold or f"{counts}; {sent.halted.reason}")
        else:
            self.failure = self.failure or sent.halted.error
            self._event(key, "waiting", f"{counts}; {sent.halted.reason}")

    # Slots that are due.

    def _serve_due(self) -> None:
        """Serve the newest slot that is due, and write the others off."""
        passed = self.due.passed()
        due = [slot for slot in passed if not self.due.settled(slot)]
        late = self.schedule.catch_up
        if self.schedule.missed == "skip":
            late = min(late, _SKIP_AFTER)
        newest = due.pop() if due and self.now - due[-1].at <= late else None
        for slot in due:
            self._miss(slot)
        for slot in passed:
            self._note_published(slot)
        if newest is not None:
            with self._sticking(newest.issue):
                refuse_lost(self.project, self.memory.sent)
                self._serve(newest)
        elif passed and self.now - passed[-1].at <= self.schedule.catch_up:
            self._mend(passed[-1])

    def _note_published(self, slot: Slot) -> None:
        """Remember that an issue was out before there was a reader to mail it to."""
        key = slot.issue
        if not self.memory.ever and key in self.memory.published and key not in self.memory.notes:
            self._note(key, "nothing", "published; there was no reader yet", told=True)

    def _miss(self, slot: Slot) -> None:
        told = f"was due on {moment_text(slot.at, self.zone)} and did not go out in time"
        if (stuck := self.due.noted(slot.issue, "stuck")) is not None:
            told = f"{told}: {stuck.reason}"
        self._note(slot.issue, "missed", told)
        self._event(slot.issue, "missed", told)

    def _mend(self, slot: Slot) -> None:
        """Bring to its end a publishing that was cut off after its commit."""
        key = slot.issue
        page = self.project.outbox / "site" / f"{key}.html"
        if key in self.memory.published and not (page.is_file() and self.due.seal(key)):
            released = publish_issue(self.project, key, now=self.now, dry_run=self.dry_run)
            self._event(
                key, "published", f"number {released.kept.edition.number}, brought to its end"
            )

    @contextmanager
    def _sticking(self, key: IssueKey) -> Iterator[None]:
        """Write down what keeps an issue back, so that its editors hear of it, and go on failing.

        It is tried again by each step: once the error is mended it goes on by itself.
        """
        try:
            yield
        except (TransportError, LockError, StoreError):
            raise
        except DigestError as error:
            stuck = self.due.noted(key, "stuck")
            if stuck is None or stuck.reason != error.brief:
                self._note(key, "stuck", error.brief)
            raise

    def _serve(self, slot: Slot) -> None:
        try:
            built = build_issue(self.project, slot.issue, now=self.now, dry_run=self.dry_run)
            self.problems += built.library.problems
            self._go_out(slot, built)
        except GuardError as error:
            self._hold(slot.issue, error.brief)

    def _go_out(self, slot: Slot, built: Built) -> None:
        key, memory = slot.issue, self.memory
        if not built.library.summaries:
            raise FilesError(
                "holds no summary at all, so the issue waits",
                where=self.project.shown(self.project.content),
                fix="put the folder back; each step looks again",
            )
        if built.issue is None:
            self._note(key, "nothing", built.skipped)
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
            # Who comes onto the list this afternoon gets the next one.
            self._note(key, "nothing", "published; there was no reader yet", told=True)
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
        key = self.coming.issue
        noted = self.due.noted(key, "drafted", "nothing", "held", "missed")
        known = noted is not None or key in self.memory.sent | self.memory.published
        if known or self.now < draft_at(self.schedule.draft, self.coming, self.zone):
            return
        with self._sticking(key):
            if self.due.seal(key) is None and self._drafted(key):
                self._note(key, "drafted")
                when = moment_text(self.coming.at, self.zone)
                self._event(key, "drafted", f"goes out on {when}")

    def _drafted(self, key: IssueKey) -> bool:
        """Build an edition where there is none; False where there is nothing to send."""
        project = self.project
        issue = project.issue(key)
        decided = issue is not None and issue.picked and not issue.skip
        if decided and project.folder(key).is_dir():
            return True
        built = build_issue(project, key, now=self.now, dry_run=self.dry_run)
        self.problems += built.library.problems
        if built.issue is not None:
            return True
        self._note(key, "nothing", built.skipped)
        self._event(key, "nothing", built.skipped)
        return False

    def _tell(self) -> None:
        """Tell the editors what they have not heard of yet."""
        if self.dry_run:
            return
        told = tell_editors(
            self.project,
            self.memory,
            transport_for=self.transport_for,
            watch=self.watch,
            coming=self.coming,
        )
        for key, text in told.warnings:
            self._event(key, "warned", text)
        self.unreached = told.reached is False
