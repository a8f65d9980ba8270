"""What the database tells the schedule, and what the schedule writes down there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from digest.model import IssueKey, Send, SlotNote
from digest.publish.project import Project
from digest.store import open_store, store_exists

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["Memory", "read_memory", "write_note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The state of one moment.

    `first` is the minute of the first tick ever. `due` says of each send that is open when it may
    go on; None is at once. `active` counts the readers who get mail; `ever` tells whether there
    was ever a reader, whatever became of them.
    """

    first: datetime
    notes: Mapping[IssueKey, SlotNote]
    sends: tuple[Send, ...]
    published: frozenset[IssueKey]
    due: Mapping[IssueKey, datetime | None]
    active: int
    ever: bool

    @property
    def sent(self) -> frozenset[IssueKey]:
        """Name the issues whose mails began to go out."""
        return frozenset(send.issue for send in self.sends)


def read_memory(project: Project, *, now: datetime, dry_run: bool) -> Memory:
    """Read it all at once; the first tick ever writes down that it was. Raise StoreError."""
    url, name = project.settings.store_url, project.settings.store_name
    if not dry_run:
        with open_store(url, create=True, shown=name) as store:
            return _read(store, store.slots.first_tick(now))
    minute = now.replace(second=0, microsecond=0)
    if not store_exists(url, shown=name):
        return Memory(
            first=minute,
            notes={},
            sends=(),
            published=frozenset(),
            due={},
            active=0,
            ever=False,
        )
    with open_store(url, read_only=True, shown=name) as store:
        return _read(store, store.slots.known_first_tick() or minute)


def _read(store: Store, first: datetime) -> Memory:
    sends = store.deliveries.sends()
    return Memory(
        first=first,
        notes=store.slots.all(),
        sends=sends,
        published=frozenset(past.key for past in store.history()),
        due={
            send.issue: store.deliveries.next_due(send.issue)
            for send in sends
            if send.finished is None
        },
        active=store.readers.count("active"),
        ever=store.readers.ever(),
    )


def write_note(project: Project, note: SlotNote) -> None:
    """Write down what became of a slot, in place of an earlier note. Raise StoreError."""
    settings = project.settings
    with open_store(settings.store_url, create=True, shown=settings.store_name) as store:
        store.slots.note(note)
