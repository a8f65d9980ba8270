"""Who gets the newsletter: readers come onto the list, leave it, and are looked up.

Nothing here takes the newsletter's lock, which a send may hold for hours: a list comes in as one
transaction of the database, and each change of a reader is one, which may be repeated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from digest.errors import GuardError, UsageError
from digest.imports import LONGEST_NAME, Failure, ReaderRow, Skipped, parse_readers
from digest.mime import parse_address
from digest.model import Consent, Note, Reader, ReaderState, clean_line
from digest.publish.gather import read_source
from digest.publish.project import Project

__all__ = [
    "Added",
    "Removed",
    "TakenIn",
    "add_reader",
    "import_readers",
    "list_readers",
    "remove_readers",
]

_BY_HAND: Final = "added by hand"
_ONE: Final = "asked me by mail on 30 November 2026"
_MANY: Final = "signed up on paper at the open day, May 2026"
_OFF: Final = ("left", "suppressed")
_UNASKED: Final = {
    "left": "has left; only their own word brings them back",
    "pending": "has not confirmed yet",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """A reader as they stand now, and what was done: `back` is one who had left."""

    reader: Reader
    done: Literal["added", "back", "confirmed", "renamed", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What became of a list.

    `known` were on the list already and are as the database has them; `skipped` tells of these,
    and of addresses that stand in the file twice. `columns` are those of the file's header.
    """

    imported: tuple[Reader, ...]
    known: tuple[Reader, ...]
    skipped: tuple[Skipped, ...]
    failed: tuple[Failure, ...]
    notices: tuple[Note, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """Who left now, who got no mail before, and which addresses are not on the list."""

    removed: tuple[Reader, ...]
    kept: tuple[Reader, ...]
    unknown: tuple[str, ...]


def list_readers(project: Project, *states: ReaderState) -> tuple[Reader, ...]:
    """Give the readers in these states, or all, sorted by address. Raise StoreError."""
    with project.ledger() as store:
        return store.readers.all(states=states) if store else ()


def add_reader(
    project: Project, address: str, *, name: str, consent: str, now: datetime, dry_run: bool = False
) -> Added:
    """Let one person get the newsletter; of one who gets it already only the name may change.

    Raise UsageError for an address that is none, and where somebody new, or who left, comes
    without a consent; GuardError for one who is suppressed; StoreError.
    """
    wanted = Reader(address=_address(address), name=_name(name), reason=_BY_HAND, since=now)
    known = _known(project, [wanted]).get(wanted.key)
    if known is None:
        agreed = _agreed(
            consent, now, lacking=f"{wanted.address} is new, so a consent is needed", example=_ONE
        )
        there = _add(project, [wanted], consent=agreed, dry_run=dry_run)
        # Another process may have been quicker by a moment.
        known = there.get(wanted.key)
        return Added(reader=known or wanted, done="nothing" if known else "added")
    if known.state == "suppressed":
        raise GuardError(
            f"{known.address} is suppressed and gets no mail: {known.reason}",
            fix="ask for another address; this one stays suppressed",
        )
    if known.state == "active":
        after = replace(known, name=wanted.name or known.name)
        _change(project, [after] if after != known else [], dry_run=dry_run)
        return Added(reader=after, done="renamed" if after != known else "nothing")
    agreed = _agreed(consent, now, lacking=f"{known.address} {_UNASKED[known.state]}", example=_ONE)
    after = replace(wanted, address=known.address, name=wanted.name or known.name)
    _change(project, [after], consent=agreed, dry_run=dry_run)
    return Added(reader=after, done="back" if known.state == "left" else "confirmed")


def import_readers(
    project: Project, file: Path, *, consent: str, now: datetime, dry_run: bool = False
) -> TakenIn:
    """Take in a list; whoever is on ours already stays as they are, whatever the file says.

    All rows that can be read come in, in one transaction. Raise UsageError without a consent,
    FilesError where the file cannot be read, StoreError.
    """
    agreed = _agreed(consent, now, lacking="the consent of these readers is needed", example=_MANY)
    shown = clean_line(file.name)
    found = parse_readers(read_source(file), name=shown)
    readers = [_reader(row, file=shown, now=now) for row in found.rows]
    known = _add(project, readers, consent=agreed, dry_run=dry_run)
    skipped = list(found.skipped)
    notices = list(found.notices)
    for row in found.rows:
        if row.key in known:
            there, place = known[row.key], f"{shown}:{row.line}"
            reason = f"{there.address} is on the list already and stays {there.state}"
            skipped.append(Skipped(place=place, reason=reason))
            if row.state in _OFF and there.state not in _OFF:
                told = f"{reason}, though the file says {row.status}"
                told += f"; `digest readers remove {there.address}` takes them off"
                notices.append(Note(place=place, text=told))
    return TakenIn(
        imported=tuple(reader for reader in readers if reader.key not in known),
        known=tuple(known.values()),
        skipped=tuple(sorted(skipped, key=lambda one: _line(one.place))),
        failed=found.failures,
        notices=tuple(sorted(notices, key=lambda one: _line(one.place))),
        columns=found.columns,
    )


def remove_readers(
    project: Project, addresses: Sequence[str], *, now: datetime, dry_run: bool = False
) -> Removed:
    """Take people off the list: they get no more mail, and no import brings them back.

    Raise UsageError for an address that is none, before anybody is taken off; StoreError.
    """
    asked = [
        Reader(address=_address(one), state="left", reason="removed by hand", since=now)
        for one in addresses
    ]
    known = _known(project, asked)
    removed: dict[str, Reader] = {}
    for one in asked:
        before = known.get(one.key)
        if before and before.state not in _OFF:
            removed[one.key] = replace(one, address=before.address, name=before.name)
    _change(project, removed.values(), dry_run=dry_run)
    return Removed(
        removed=tuple(removed.values()),
        kept=tuple(reader for key, reader in known.items() if key not in removed),
        unknown=tuple({one.key: one.address for one in asked if one.key not in known}.values()),
    )


def _address(typed: str) -> str:
    try:
        return parse_address(typed)
    except ValueError as error:
        raise UsageError(
            f"{clean_line(typed)!r} is no mail address: {error}",
            fix="write it as anna@example.org, without a name",
        ) from None


def _name(typed: str) -> str:
    name = clean_line(typed)
    if len(name) > LONGEST_NAME:
        raise UsageError(
            f"the name is longer than {LONGEST_NAME} characters", where="--name", fix="shorten it"
        )
    return name


def _agreed(typed: str, now: datetime, *, lacking: str, example: str) -> Consent:
    source = clean_line(typed)
    if not source:
        raise UsageError(
            lacking,
            where="--consent",
            fix=f'say where and when they agreed, such as --consent "{example}"',
        )
    return Consent(source=source, at=now)


def _reader(row: ReaderRow, *, file: str, now: datetime) -> Reader:
    status = f" as {row.status}" if row.state != "active" else ""
    return Reader(
        address=row.address,
        name=row.name,
        state=row.state,
        reason=f"imported from {file}{status}",
        since=now,
    )


def _line(place: str) -> int:
    return int(place.rpartition(":")[2])


def _known(project: Project, wanted: Iterable[Reader]) -> dict[str, Reader]:
    """Give those of these readers who are on the list, as they stand there, by key."""
    with project.ledger() as store:
        found = [store.readers.get(one.address) for one in wanted] if store else []
    return {reader.key: reader for reader in found if reader}


def _add(
    project: Project, readers: Sequence[Reader], *, consent: Consent, dry_run: bool
) -> dict[str, Reader]:
    """Add those who are not there; give the others as they stand there, by key."""
    if dry_run or not readers:
        # All at once: a list may be long, and each question of its own takes a transaction.
        there = {reader.key: reader for reader in list_readers(project)}
        return {one.key: there[one.key] for one in readers if one.key in there}
    with project.opened() as store:
        return {one.key: one for one in store.readers.add(readers, consent=consent)}


def _change(
    project: Project,
    readers: Collection[Reader],
    *,
    consent: Consent | None = None,
    dry_run: bool = False,
) -> None:
    """Put readers who are on the list into the state, with the name, that these have."""
    if dry_run or not readers:
        return
    with project.opened() as store:
        for one in readers:
            store.readers.change(
                one.address,
                state=one.state,
                reason=one.reason,
                at=one.since,
                name=one.name,
                consent=consent,
            )
