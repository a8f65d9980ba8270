"""Hand what the outbox holds of an issue to a relay, octet for octet and once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Final

from digest.delivery import AtOnce, Watch, connect
from digest.errors import GuardError, Problem
from digest.files import sending_lock
from digest.model import Delivery, IssueKey, Send
from digest.publish.carriers import as_carrier
from digest.publish.manifest import Entry, Manifest, opened_manifest
from digest.publish.project import Project
from digest.publish.send import Rehearsed, published
from digest.publish.send_guards import (
    count_active,
    day_text,
    list_change,
    outbox_key,
    refuse_hold,
    refuse_seal,
    to_retry,
)
from digest.publish.send_run import Job, Run, Sent, limited_until, put_off
from digest.publish.wording import count_text
from digest.transport import Transport

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["rehearse_replay", "replay_outbox"]

_TOLD: Final = 20  # files that are named


@dataclass(frozen=True, slots=True, kw_only=True)
class _Two:
    """The send that filled the outbox, and the one that hands it on, where that began.

    `last` is how many readers the last send before them went to.
    """

    first: Send
    second: Send | None
    last: int | None


def rehearse_replay(
    project: Project, key: IssueKey, *, now: datetime, retry: bool = False
) -> Rehearsed:
    """Ask every guard of handing an outbox on, look at each file, and count who would get it.

    Nothing changes. Raise as `replay_outbox` does, but for what only the relay can say.
    """
    two = _asked(project, key, retry=retry)
    with opened_manifest(project, key) as manifest:
        _refuse_edition(manifest, two.first)
        waiting = _waiting(project, two, manifest, retry=retry)
        counted = len(manifest)
    change = ""
    if two.second is None and two.last is not None:
        change = list_change(waiting, two.last, max_change=project.settings.schedule.max_change)
    return Rehearsed(
        key=key,
        audience=waiting,
        began=two.second is not None,
        released=published(project, key, now=now, dry_run=True),
        change=change,
        absent=counted - waiting if two.second is None else 0,
        without=two.first.audience - counted,
    )


def replay_outbox(
    project: Project, key: IssueKey, *, transport: Transport, watch: Watch, retry: bool = False
) -> Sent:
    """Hand the messages in an issue's outbox to a relay, as they are; go on where that was cut off.

    Who left or was suppressed since they were written gets nothing. With `retry` those go once more
    at whom it failed. Raise GuardError where the issue did not go to the outbox, or not all of it,
    where it was handed on already, where manifest, files and ledger do not fit together, and where
    the issue is held or withdrawn; raise TransportError where nothing could be handed over,
    LockError where another process sends.
    """
    carrier = as_carrier(transport)
    with sending_lock(project.private), ExitStack() as stack:
        two = _asked(project, key, retry=retry)
        if two.second is not None and not retry:
            until = limited_until(project, two.second, now=watch.clock())
            if until is not None:
                released = published(project, key, now=watch.clock())
                return put_off(project, two.second, until=until, released=released, by_hand=True)
        manifest = stack.enter_context(opened_manifest(project, key))
        _refuse_edition(manifest, two.first)
        _waiting(project, two, manifest, retry=retry)
        stack.callback(carrier.close)
        connect(carrier, watch)
        refuse_hold(project, key)  # that may have taken a while
        released = published(project, key, now=watch.clock())
        store = stack.enter_context(project.opened())
        refuse_hold(project, key)
        send = _enrolled(store, two.first, manifest, now=watch.clock())
        if retry:
            store.deliveries.reopen(send.issue, now=watch.clock())
        run = Run(project, store, carrier=carrier, watch=watch, by_hand=True)
        return run.do(
            Job(send=send, released=released, making=nullcontext(AtOnce(manifest.message)))
        )


def _asked(project: Project, key: IssueKey, *, retry: bool) -> _Two:
    """Ask what can be asked without a look into the outbox. Raise GuardError."""
    first, second, last = None, None, None
    with project.ledger() as store:
        if store is not None:
            first = store.deliveries.send(key)
            second = store.deliveries.send(outbox_key(key))
            finished = [
                send.audience
                for send in store.deliveries.sends()
                if send.finished is not None and send.issue != key
            ]
            last = finished[-1] if finished else None
    refuse_seal(project, project.issue(key), first)
    refuse_hold(project, key)
    if first is None:
        raise GuardError("has no messages in the outbox", where=key, fix=_fill(key, "writes them"))
    if first.via != "outbox":
        raise GuardError(
            f"was sent by {first.via}, and not into the outbox; nobody gets it twice",
            where=key,
            fix=f"run `digest send {key}`, which goes on with it where it is not through",
        )
    two = _Two(first=first, second=second, last=last)
    if second is None:
        _refuse_early(two, retry=retry)
    elif second.finished is not None and not retry:
        raise GuardError(
            f"was handed on already, on {day_text(project, second.began)}, to "
            f"{count_text(second.audience, 'reader')}; nobody gets it twice",
            where=key,
            fix="put what is new into another issue; `digest build --extra NAME` makes one",
        )
    return two


def _refuse_early(two: _Two, *, retry: bool) -> None:
    """Refuse what is too early where nothing was handed on."""
    key = two.first.issue
    if retry:
        raise GuardError(
            "was never handed on, so nobody is to be tried again",
            where=key,
            fix=f"run `digest send {key} --from-outbox`",
        )
    # Who is written into it later would never be handed on.
    if two.first.finished is None:
        raise GuardError(
            "is not all in the outbox yet", where=key, fix=_fill(key, "goes on with it")
        )


def _fill(key: IssueKey, what: str) -> str:
    return f"`digest send {key} --via outbox` {what}"


def _refuse_edition(manifest: Manifest, first: Send) -> None:
    if manifest.edition != first.edition:
        raise GuardError(
            "is of another edition than the one that was sent into the outbox",
            where=manifest.where,
            fix="put the folder back from a backup",
        )


def _waiting(project: Project, two: _Two, manifest: Manifest, *, retry: bool) -> int:
    """Count the messages that are to go. Raise GuardError where they must not, or where none is."""
    key, unknown = two.first.issue, project.settings.transport.on_unknown == "retry"
    with project.ledger() as store:
        if store is None:
            return 0
        if two.second is not None:
            again = to_retry(project, two.second) if retry else 0
            still = store.deliveries.waiting(two.second.issue, retry_unknown=unknown and not retry)
            return still + again
        problems = tuple(islice(_unfit(store, key, manifest), _TOLD + 1))
        if problems:
            raise GuardError.of(_cut(problems))
        waiting = count_active(store, (entry.recipient for entry in manifest.entries()))
    if waiting == 0:
        raise GuardError(
            "D119: nobody who has a message in the outbox is an active reader any more",
            where=key,
            fix="`digest readers list` tells who is active",
        )
    return waiting


def _unfit(store: Store, key: IssueKey, manifest: Manifest) -> Iterator[Problem]:
    """Tell where manifest and ledger do not fit together, and which files are not as written."""
    rows = store.deliveries.each(key, states=("accepted",))
    for entry, row in zip_longest(manifest.entries(), rows):
        if entry is None or row is None or not _fits(entry, row):
            number = (row or entry).position
            yield Problem(
                what=f"and the database tell different things of message {number}",
                where=manifest.where,
                fix=_RESTORE,
            )
            return
        if (problem := manifest.problem(entry)) is not None:
            yield replace(problem, fix=_RESTORE)


def _fits(entry: Entry, row: Delivery) -> bool:
    told = (entry.position, entry.recipient, entry.name)
    return told == (row.position, row.address, row.name)


_RESTORE: Final = "put the folder back from a backup; nothing was handed on"


def _cut(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    if len(problems) <= _TOLD:
        return problems
    return (*problems[:_TOLD], Problem(what="and there are more", fix=_RESTORE))


def _enrolled(store: Store, first: Send, manifest: Manifest, *, now: datetime) -> Send:
    """Write down that the outbox is handed on, with a row for each message."""
    key = outbox_key(first.issue)
    rows = (
        Delivery(issue=key, position=entry.position, address=entry.recipient, name=entry.name)
        for entry in manifest.entries()
    )
    send = Send(
        issue=key,
        edition=first.edition,
        began=now.replace(microsecond=0),
        via="smtp",
        by="hand",
        key_id=first.key_id,
        dkim=first.dkim,
        replays=first.issue,
    )
    return store.deliveries.enroll_replay(send, rows)
