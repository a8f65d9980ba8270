"""A newsletter under the schedule, with a clock and a transport that tests hold in their hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from digest.config import load_settings
from digest.delivery import Watch
from digest.errors import TransportError
from digest.model import Consent, IssueKey, Message, Outcome, Reader, Send, SlotNote
from digest.publish.build import build_issue
from digest.publish.carriers import Via
from digest.publish.hold import hold_issue
from digest.publish.project import Project
from digest.publish.release import publish_issue
from digest.publish.send import Sent, pause_send, send_issue
from digest.publish.tick import Ticked, tick
from digest.store import open_store
from digest.store.ledger import Store
from digest.transport import Transport

__all__ = ["FRIDAY", "ITEMS", "MONDAY", "NEXT", "SETTINGS", "Letter", "Relay", "moment"]

_TAKEN = Outcome(state="accepted", code=250)
ITEMS: dict[str, str | bytes] = {
    f"content/n{number:02d}.md": f"---\ntitle: Note {number}\n---\n\nWords of note {number}.\n"
    for number in range(30)
}
SETTINGS = """
[schedule]
send = "mon 09:00"
draft = "fri 15:00"

[selection]
mode = "mixed"
min_items = 1
max_items = 1

[desk]
editors = ["Ed <ed@example.org>"]
"""
FRIDAY = "2026-11-27T15:00:00+01:00"  # when 2026-w49 is drafted
MONDAY = "2026-11-30T09:00:00+01:00"  # its slot
NEXT = "2026-12-07T09:00:00+01:00"  # the slot of 2026-w50


def moment(text: str) -> datetime:
    """Read an aware moment."""
    at = datetime.fromisoformat(text)
    assert at.tzinfo is not None
    return at


@dataclass
class Relay:
    """A transport that keeps what it is handed.

    `answer` says what becomes of a message; `down` is why it cannot be opened.
    """

    name: str = "relay"
    taken: list[Message] = field(default_factory=list)
    answer: Callable[[Message], Outcome] = lambda _: _TAKEN
    down: str = ""
    opened: int = 0

    def open(self) -> None:
        """Open, or say why not."""
        if self.down:
            raise TransportError(self.down)
        self.opened += 1

    def hand_over(self, message: Message) -> Outcome:
        """Answer, and keep what was accepted."""
        outcome = self.answer(message)
        if outcome.state == "accepted":
            self.taken.append(message)
        return outcome

    def close(self) -> None:
        """Do nothing."""


@dataclass
class Letter:
    """One newsletter: `mail` takes the issues, `notices` the notices to editors."""

    root: Path
    mail: Relay = field(default_factory=Relay)
    notices: Relay = field(default_factory=Relay)
    stopped: Callable[[], bool] = lambda: False

    @property
    def project(self) -> Project:
        """Open the newsletter anew, as each step does."""
        return Project(settings=load_settings(self.root, file=None, environ={}, overrides=()))

    def tick(self, at: str | datetime, *, dry_run: bool = False) -> Ticked:
        """Do one step at a moment."""
        now = moment(at) if isinstance(at, str) else at
        watch = Watch(clock=lambda: now, pause=lambda _: None, stopped=self.stopped)
        return tick(self.project, transport_for=self._transport_for, watch=watch, dry_run=dry_run)

    def _transport_for(self, folder: Path, via: Via) -> Transport:
        del via
        return self.notices if folder.name == "notices" else self.mail

    def did(self, at: str | datetime) -> list[str]:
        """Do one step and give what it did, `2026-w49 sent`."""
        return [f"{event.key} {event.what}" for event in self.tick(at).events]

    def add_readers(self, count: int, *, first: int = 0) -> None:
        """Add active readers."""
        at = moment("2026-01-01T00:00:00+00:00")
        people = [
            Reader(address=f"r{number}@example.org", since=at)
            for number in range(first, first + count)
        ]
        with self.store() as store:
            store.readers.add(people, consent=Consent(source="in a test", at=at))

    def store(self) -> Store:
        """Open the database."""
        settings = self.project.settings
        return open_store(settings.store_url, create=True, shown=settings.store_name)

    def notes(self) -> dict[IssueKey, SlotNote]:
        """Give the notes of the schedule."""
        with self.store() as store:
            return store.slots.all()

    def sends(self) -> tuple[Send, ...]:
        """Give the sends."""
        with self.store() as store:
            return store.deliveries.sends()

    def build(self, key: str, at: str) -> None:
        """Build an issue as a person does."""
        build_issue(self.project, IssueKey(key), now=moment(at))

    def publish(self, key: str, at: str) -> None:
        """Publish an issue as a person does."""
        publish_issue(self.project, IssueKey(key), now=moment(at))

    def hold(self, key: str, reason: str) -> None:
        """Hold an issue as a person does."""
        hold_issue(self.project, IssueKey(key), reason=reason)

    def release(self, key: str) -> None:
        """Release an issue as a person does."""
        hold_issue(self.project, IssueKey(key), reason="", release=True)

    def publish_built(self, key: str, at: str) -> None:
        """Build and publish an issue as a person does."""
        self.build(key, at)
        self.publish(key, at)

    def send_by_hand(self, key: str, at: str) -> Sent:
        """Build and send an issue as a person does."""
        now = moment(at)
        self.build(key, at)
        sent = send_issue(
            self.project,
            IssueKey(key),
            transport=self.mail,
            via="outbox",
            by="hand",
            watch=Watch(clock=lambda: now, pause=lambda _: None, stopped=self.stopped),
        )
        if sent.state == "sending" and self.stopped():
            pause_send(
                self.project, IssueKey(key), reason="stopped by Ctrl-C"
            )  # as the command does
        return sent

    def words(self, key: str) -> str:
        """Give what an issue file says, without the comments."""
        text = (self.root / f"content/issues/{key}.md").read_text("utf-8")
        return "\n".join(line for line in text.splitlines() if not line.startswith("#"))

    def edit(self, key: str, old: str, new: str) -> None:
        """Edit an issue file."""
        text = self.words(key)
        assert old in text
        self.write(key, text.replace(old, new, 1))

    def write(self, key: str, text: str) -> None:
        """Write an issue file."""
        (self.root / f"content/issues/{key}.md").write_text(text, "utf-8")
