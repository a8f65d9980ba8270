"""Commands about the people who get the newsletter: readers add, import, list, remove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from digest.cli.call import Call, Command, Group
from digest.cli.options import DRY_RUN, DRY_TOLD
from digest.errors import Problem
from digest.model import READER_STATES, Reader, ReaderState
from digest.publish.readers import (
    Added,
    TakenIn,
    add_reader,
    import_readers,
    list_readers,
    remove_readers,
)

__all__ = ["add_command", "import_command", "list_command", "readers_command", "remove_command"]

_COMMANDS: Final = dict.fromkeys(("add", "import", "list", "remove"), "digest.cli.readers")
_CONSENT = click.option(
    "--consent", metavar="TEXT", default="", help="Where and when they agreed to get it."
)


@click.group(
    "readers",
    cls=Group,
    commands_of=_COMMANDS,
    no_args_is_help=True,
    short_help="Say who gets the newsletter.",
)
def readers_command() -> None:
    """Say who gets the newsletter: add, import, list and remove readers."""


@click.command("add", cls=Command, short_help="Add one reader.")
@click.argument("address")
@click.option("--name", default="", help="The reader's name.")
@_CONSENT
@DRY_RUN
@click.pass_obj
def add_command(call: Call, *, address: str, name: str, consent: str, dry_run: bool) -> int:
    """Add one reader, or bring back one who left and now asks for it again.

    --consent says where and when they agreed; without it nobody gets mail.
    """
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    added = add_reader(project, address, name=name, consent=consent, now=now, dry_run=dry_run)
    call.say(f"{added.reader.address}  {_done(added)}" + (DRY_TOLD if dry_run else ""))
    call.answer({"reader": _told(added.reader), "done": added.done})
    return 0


def _done(added: Added) -> str:
    return {
        "added": "added",
        "back": "back on the list",
        "confirmed": "active now",
        "renamed": f"on the list already; is now called {added.reader.name}",
        "nothing": f"on the list already, {added.reader.state}; nothing to do",
    }[added.done]


def _told(reader: Reader) -> dict[str, str]:
    return {
        "email": reader.address,
        "name": reader.name,
        "state": reader.state,
        "reason": reader.reason,
        "since": reader.since.isoformat(),
    }


@click.command("import", cls=Command, short_help="Import a list of readers.")
@click.argument("file", type=click.Path())
@_CONSENT
@DRY_RUN
@click.pass_obj
def import_command(call: Call, *, file: str, consent: str, dry_run: bool) -> int:
    """Import a list: CSV with the columns email, name, status, or one address a line.

    Who is on the list already stays as they are. Exit 1 where a row could not be read.
    """
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    taken = import_readers(project, Path(file), consent=consent, now=now, dry_run=dry_run)
    for reader in taken.imported if call.verbose else ():
        call.say(f"  {reader.address}  {reader.state}")
    for skipped in taken.skipped if call.verbose else ():
        call.say(f"  skipped {skipped.place}: {skipped.reason}")
    call.notes(taken.notices)
    call.say(_summed(taken) + (DRY_TOLD if dry_run else ""))
    call.answer(
        {
            "columns": list(taken.columns),
            "imported": [_told(reader) for reader in taken.imported],
            "skipped": [{"place": one.place, "reason": one.reason} for one in taken.skipped],
            "failed": [{"place": one.place, "reason": one.reason} for one in taken.failed],
        }
    )
    failed = [Problem(what=one.reason, where=one.place) for one in taken.failed]
    if not taken.imported and not taken.known:
        found = f"; the columns found are: {', '.join(taken.columns)}" if taken.columns else ""
        failed.append(Problem(what=f"nobody was imported{found}"))
    return call.complain(failed)


def _summed(taken: TakenIn) -> str:
    twice = len(taken.skipped) - len(taken.known)
    parts = [
        f"{len(taken.imported)} imported{_counted(taken.imported)}",
        f"{len(taken.known)} on the list already{_counted(taken.known)}",
        *([f"{twice} twice in the file"] if twice else []),
        f"{len(taken.failed)} failed",
    ]
    return ", ".join(parts)


def _counted(readers: Sequence[Reader]) -> str:
    """Count by state, in brackets, where not all are active."""
    counts = Counter(reader.state for reader in readers)
    told = ", ".join(f"{counts[state]} {state}" for state in READER_STATES if counts[state])
    return f" ({told})" if len(readers) != counts["active"] else ""


@click.command("list", cls=Command, short_help="List the readers.")
@click.option("--state", type=click.Choice(READER_STATES), help="Only those in this state.")
@click.pass_obj
def list_command(call: Call, *, state: ReaderState | None) -> int:
    """List the readers with their states, sorted by address."""
    project = call.project()
    zone = project.settings.newsletter.zone
    readers = list_readers(project, *([state] if state else []))
    width = max((len(reader.address) for reader in readers), default=0)
    for reader in readers:
        shown = f"{reader.address:<{width}}  {reader.state:<10}"
        shown += f"  {reader.since.astimezone(zone):%Y-%m-%d}  {reader.name}".rstrip()
        reason = reader.reason if call.verbose or reader.state != "active" else ""
        call.say(f"{shown}  ({reason})" if reason else shown)
    counts = Counter(reader.state for reader in readers)
    told = ", ".join(f"{counts[one]} {one}" for one in READER_STATES if counts[one])
    none = f"no reader is {state}" if state else "no reader yet; `digest readers add` adds one"
    call.say(told or none)
    call.answer({"readers": [_told(reader) for reader in readers]})
    return 0


@click.command("remove", cls=Command, short_help="Take readers off the list.")
@click.argument("addresses", nargs=-1, required=True, metavar="ADDRESS...")
@DRY_RUN
@click.pass_obj
def remove_command(call: Call, *, addresses: tuple[str, ...], dry_run: bool) -> int:
    """Take readers off the list: they get no more mail, and no import brings them back.

    Exit 1 where an address is not on the list.
    """
    project = call.project()
    now = call.now(project.settings.newsletter.zone)
    gone = remove_readers(project, addresses, now=now, dry_run=dry_run)
    for reader in gone.removed:
        call.say(f"{reader.address}  removed" + (DRY_TOLD if dry_run else ""))
    for reader in gone.kept:
        call.say(f"{reader.address}  {reader.state} before; nothing to do")
    problems = [
        Problem(
            what="is not on the list",
            where=address,
            fix="`digest readers list` tells who is",
        )
        for address in gone.unknown
    ]
    call.answer(
        {
            "removed": [_told(reader) for reader in gone.removed],
            "kept": [_told(reader) for reader in gone.kept],
        },
        problems=problems,
    )
    return call.complain(problems)
