"""Look whether the set-up is sound: settings, folders, database, readers, and the way out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Final

from digest.errors import DigestError
from digest.model import READER_STATES, Limits, ReaderState, Send
from digest.model.slots import draft_at, next_slot
from digest.publish.checkup import Check
from digest.publish.project import Project
from digest.publish.rights import check_folders, check_git, check_private
from digest.publish.way_out import check_limits, check_signing, check_transport
from digest.publish.wording import count_text, moment_text

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["examine"]

# Files from another machine may be a little ahead of this one's clock.
_LEEWAY: Final = timedelta(minutes=5)
_NAMED: Final = 3
# Names that lead nowhere (RFC 2606 §2 and §3), and what the sample says of itself.
_SAMPLE: Final = re.compile(
    r"\.(?:example|invalid|test)(?![\w.-])|(?<![\w-])example\.(?:com|net|org)(?![\w.-])"
    r"|\b1 Sample Street\b"
)
_PUBLIC: Final = re.compile(
    r"site\.url|newsletter\.(?:tag|postal_address)|mail\..*|desk\.editors|transport\.smtp\.host"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ledger:
    """What the database tells; all empty where there is none yet or it is not `readable`.

    `receivers` counts the active readers by domain, where there are limits.
    """

    readable: bool = True
    issues: int = 0
    receivers: Mapping[str, int] = field(default_factory=dict)
    latest: datetime | None = None
    readers: Mapping[ReaderState, int] = field(default_factory=dict)
    sends: tuple[Send, ...] = ()
    first_tick: datetime | None = None


def examine(
    project: Project,
    *,
    now: datetime,
    environ: Mapping[str, str],
    host_zone: tzinfo | None,
    offline: bool = False,
) -> tuple[Check, ...]:
    """Look at every part and change nothing; a fault of one part hides no other's.

    `host_zone` is the zone of this machine's clock, None for the system's own. A relay is reached
    and logged in to, and left without a mail; not so with `offline`.
    """
    limits = _limits(project)
    database, ledger = _database(project, limits)
    open_sends = tuple(send for send in ledger.sends if send.finished is None)
    looks: dict[str, Callable[[], Check]] = {
        "settings": lambda: _settings(project),
        "samples": lambda: _samples(project),
        "clock": lambda: _clock(project, ledger, now),
        "schedule": lambda: _schedule(project, ledger, now=now, host_zone=host_zone),
        "folders": lambda: check_folders(project),
        "private": lambda: check_private(project, open_sends),
        "git": lambda: check_git(project, environ),
        "database": lambda: database,
        "readers": lambda: _readers(ledger),
        "editors": lambda: _editors(project),
        "transport": lambda: check_transport(project, environ, offline=offline),
    }
    if project.settings.dkim or any(send.dkim for send in open_sends):
        looks["dkim"] = lambda: check_signing(project, open_sends)
    if limits:
        receivers = ledger.receivers if ledger.readable else None
        looks["limits"] = lambda: check_limits(limits, receivers)
    return tuple(_looked(name, look) for name, look in looks.items())


def _looked(name: str, look: Callable[[], Check]) -> Check:
    """Give what a look found, or what stopped it."""
    try:
        return look()
    except DigestError as error:
        return Check.of(error, name=name)
    except OSError as error:
        return Check(
            name=name,
            state="error",
            told=f"cannot be looked at: {error.strerror}",
            fix="mend the owner and the rights of the newsletter's folders",
        )


def _settings(project: Project) -> Check:
    told = project.settings.told
    own = sum(value.origin != "default" for value in told)
    return Check(
        name="settings",
        state="ok",
        told=f"{project.settings.file_name} was read; {own} of {len(told)} settings are your own",
    )


def _samples(project: Project) -> Check:
    """Look for what was never replaced: a mail from there would be refused, a site not found."""
    left = [
        f"{value.key} ({value.origin})"
        for value in project.settings.told
        if value.origin != "default"
        and _PUBLIC.fullmatch(value.key)
        and _SAMPLE.search(value.value)
    ]
    return Check(
        name="samples",
        state="warning" if left else "ok",
        told=f"still as in a sample: {', '.join(left)}" if left else "no sample values are left",
        fix="write your own, before the first issue goes out" if left else "",
    )


def _clock(project: Project, ledger: _Ledger, now: datetime) -> Check:
    zone = project.settings.newsletter.zone
    known = {"the last issue came out": ledger.latest, "the first tick was": ledger.first_tick}
    ahead = [
        f"{what} on {moment_text(at, zone)}"
        for what, at in known.items()
        if at is not None and at > now
    ]
    files = sorted(path for path, at in _times(project) if at > now + _LEEWAY)
    ahead += [f"{path} is from later" for path in files[:_NAMED]]
    return Check(
        name="clock",
        state="warning" if ahead else "ok",
        told=f"it is {moment_text(now, zone)}" + (f", but {'; '.join(ahead)}" if ahead else ""),
        fix="set this machine's clock: the schedule goes by it" if ahead else "",
    )


def _times(project: Project) -> Iterator[tuple[str, datetime]]:
    """Give when the settings and what lies in the content folder were last written."""
    for path in (project.root / project.settings.file_name, *project.content.rglob("*.md")):
        if path.is_file():
            yield project.shown(path), datetime.fromtimestamp(path.stat().st_mtime, UTC)


def _schedule(
    project: Project, ledger: _Ledger, *, now: datetime, host_zone: tzinfo | None
) -> Check:
    zone, schedule = project.settings.newsletter.zone, project.settings.schedule
    slot = next_slot(schedule.send, zone, now)
    after = next_slot(schedule.send, zone, slot.at)
    draft = draft_at(schedule.draft, slot, zone)
    told = (
        f"{slot.issue} is due on {moment_text(slot.at, zone)}, its draft on "
        f"{moment_text(draft, zone)}; then {after.issue} on {moment_text(after.at, zone)}"
    )
    here = slot.at.astimezone(host_zone)
    if here.utcoffset() != slot.at.utcoffset():
        told += f"; this machine's clock will say {here:%H:%M} then"
    if ledger.readable and ledger.first_tick is None:
        told += "; neither `digest tick` nor `digest run` has looked yet"
    return Check(name="schedule", state="ok", told=told)


def _database(project: Project, limits: Limits) -> tuple[Check, _Ledger]:
    name = project.settings.store_name
    ledger = _Ledger()
    told = (
        f"there is no {name} yet; the first reader or issue makes it"
        if project.settings.store_file
        else f"{name} answers, and has no tables yet; the first reader or issue makes them"
    )
    try:
        with project.ledger() as store:
            if store is not None:
                published = [past.at for past in store.history() if past.published]
                ledger = _Ledger(
                    issues=len(published),
                    latest=max(published, default=None),
                    readers={state: store.readers.count(state) for state in READER_STATES},
                    sends=store.deliveries.sends(),
                    first_tick=store.slots.known_first_tick(),
                    receivers=_receivers(store, limits),
                )
                issues = count_text(ledger.issues, "published issue")
                told = f"{name} opens: {issues}, {count_text(len(ledger.sends), 'send')}"
    except DigestError as error:
        return Check.of(error, name="database"), _Ledger(readable=False)
    if project.settings.store_is_proved:
        return Check(name="database", state="ok", told=told), ledger
    told += "; who is on the way there may read along"
    fix = "put `?sslmode=verify-full&sslrootcert=system` behind store.url, or a certificate's path"
    return Check(name="database", state="warning", told=told, fix=fix), ledger


def _limits(project: Project) -> Limits:
    """Give what a relay must not get more of; nothing where mail goes to none."""
    settings = project.settings.transport
    return settings.smtp.limits if settings.kind == "smtp" and settings.smtp else Limits()


def _receivers(store: Store, limits: Limits) -> Mapping[str, int]:
    """Count the active readers by domain; all under one that is empty where no limit asks."""
    if not limits.domains:
        return {"": store.readers.count("active")}
    readers = store.readers.all(states=("active",))
    return Counter(reader.address.rpartition("@")[2].lower() for reader in readers)


def _readers(ledger: _Ledger) -> Check:
    counts = ", ".join(f"{count} {state}" for state, count in ledger.readers.items() if count)
    if ledger.readers.get("active"):
        return Check(name="readers", state="ok", told=counts)
    if not ledger.readable:
        told = "not known while the database cannot be read"
        return Check(name="readers", state="warning", told=told)
    return Check(
        name="readers",
        state="warning",
        told=f"{counts or 'there are none'}, so nobody gets mail",
        fix="`digest readers add` and `digest readers import` bring them in",
    )


def _editors(project: Project) -> Check:
    addresses = ", ".join(editor.address for editor in project.settings.editors)
    if addresses:
        return Check(name="editors", state="ok", told=f"notices go to {addresses}")
    return Check(
        name="editors",
        state="warning",
        told="nobody gets a notice of a draft, or of an issue that is held",
        fix="set desk.editors",
    )
