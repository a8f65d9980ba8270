"""What the database tells the schedule, and what the schedule writes down there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from digest.errors import IssueFileError
from digest.model import IssueKey, Seal, Send, SlotNote
from digest.publish.project import Project

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["Memory", "read_memory", "read_seal", "write_note", "write_trouble"]

_SHORTEST: Final = timedelta(minutes=5)
_LONGEST: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The state of one moment.

    `first` is the minute of the first tick ever. `due` says of each send that is open when it may
    go on; None is at once. `stirred` is when each of these was last at work. `active` counts the
    readers who get mail; `ever` tells whether there was ever a reader, whatever became of them.
    `trouble` is since when the transport could not be used, and when it was tried last.
    """

    first: datetime
    notes: Mapping[IssueKey, SlotNote]
    sends: tuple[Send, ...]
    published: frozenset[IssueKey]
    withdrawn: frozenset[IssueKey]
    due: Mapping[IssueKey, datetime | None]
    stirred: Mapping[IssueKey, datetime]
    active: int
    ever: bool
    trouble: tuple[datetime, datetime] | None = None

    def quiet_until(self, now: datetime) -> datetime | None:
        """Say until when the transport is left alone: as long again as the trouble has lasted.

        That is five minutes at least and an hour at most, so that a refused login is not tried
        every minute until the account is locked. None where it need not be, also where a clock
        that was ahead wrote the trouble down.
        """
        if self.trouble is None or self.trouble[1] > now:
            return None
        since, last = self.trouble
        until = last + min(max(last - since, _SHORTEST), _LONGEST)
        return until if until > now else None

    @property
    def sent(self) -> frozenset[IssueKey]:
        """Name the issues whose mails began to go out."""
        return frozenset(send.issue for send in self.sends)


def read_memory(project: Project, *, now: datetime, dry_run: bool) -> Memory:
    """Read it all at once; the first tick ever writes down that it was. Raise StoreError."""
    if not dry_run:
        with project.opened() as store:
            return _read(project, store, store.slots.first_tick(now))
    minute = now.replace(second=0, microsecond=0)
    with project.ledger() as found:
        if found is not None:
            return _read(project, found, found.slots.known_first_tick() or minute)
    return Memory(
        first=minute,
        notes={},
        sends=(),
        published=frozenset(),
        withdrawn=frozenset(),
        due={},
        stirred={},
        active=0,
        ever=False,
    )


def _read(project: Project, store: Store, first: datetime) -> Memory:
    history, known = store.history(), store.deliveries.sends()
    withdrawn = {past.key for past in history if past.withdrawn}
    # Of a send that is open in it a database that is an old copy does not know it.
    opened = (send.issue for send in known if send.finished is None)
    withdrawn |= {key for key in opened if (seal := read_seal(project, key)) and seal.withdrawn}
    sends = tuple(_stopped(send, withdrawn) for send in known)
    going = tuple(send for send in sends if send.finished is None)
    return Memory(
        first=first,
        notes=store.slots.all(),
        sends=sends,
        published=frozenset(past.key for past in history),
        withdrawn=frozenset(withdrawn),
        due={send.issue: store.deliveries.next_due(send.issue) for send in going},
        stirred={
            send.issue: max(store.deliveries.last_at(send.issue) or send.began, send.began)
            for send in going
        },
        active=store.readers.count("active"),
        ever=store.readers.ever(),
        trouble=store.slots.trouble(),
    )


def read_seal(project: Project, key: IssueKey) -> Seal | None:
    """Give the seal of an issue; None also where its file cannot be read: who serves it says so."""
    try:
        issue = project.issue(key)
    except IssueFileError:
        return None
    return issue.seal if issue is not None else None


def _stopped(send: Send, withdrawn: set[IssueKey]) -> Send:
    """Keep the schedule from going on with the mails of an issue that was taken back."""
    return replace(send, paused=send.paused or "withdrawn") if send.issue in withdrawn else send


def write_note(project: Project, note: SlotNote) -> None:
    """Write down what became of a slot, in place of an earlier note. Raise StoreError."""
    with project.opened() as store:
        store.slots.note(note)


def write_trouble(project: Project, now: datetime | None) -> None:
    """Write down that the transport could not be used now, or, without a moment, that it could.

    Raise StoreError.
    """
    with project.opened() as store:
        if now is None:
            store.slots.end_trouble()
        else:
            store.slots.note_trouble(now)
