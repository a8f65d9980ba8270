"""Send an issue: publish it if it is not out yet, enroll its readers, hand the messages over."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from digest.delivery import AtOnce, Making, Watch, connect
from digest.errors import GuardError
from digest.files import sending_lock
from digest.model import IssueKey, Send
from digest.publish.carriers import Via, as_carrier
from digest.publish.editions import Kept
from digest.publish.messages import message_maker
from digest.publish.outbox import Hashed, clear_litter, write_manifest
from digest.publish.project import Project, taken_back
from digest.publish.release import Released, publish_issue
from digest.publish.secret import key_id, read_key
from digest.publish.send_guards import By, Order, asked, refuse_hold
from digest.publish.send_run import Job, Run, Sent, limited_until, put_off
from digest.publish.send_seal import reopen_seal, seal_end, seal_sent
from digest.publish.signers import signed_ahead
from digest.publish.signing import signature_name, signing_of
from digest.transport import Carrier, Transport

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["Rehearsed", "Sent", "pause_send", "published", "rehearse_send", "send_issue"]

_MANY: Final = 500  # messages that are signed no sooner than processes that help are started


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """What a send would do now: to how many; of one that `began`, how many are still to go.

    `change` says how far the list is from the last send's, where a person should look at it.
    `absent` counts those who have a message in the outbox and are no active readers any more,
    `without` those of the issue's audience who have none.
    """

    key: IssueKey
    audience: int
    began: bool
    released: Released
    change: str = ""
    absent: int = 0
    without: int = 0


def rehearse_send(
    project: Project, key: IssueKey, *, via: Via, now: datetime, retry: bool = False
) -> Rehearsed:
    """Ask every guard of a send and count who would get it; nothing changes.

    Raise as `send_issue` does, but for what only the relay can say.
    """
    found = asked(project, Order(key=key, via=via, by="hand", retry=retry))
    released = published(project, key, now=now, dry_run=True)
    return Rehearsed(
        key=key,
        audience=found.waiting,
        began=found.send is not None,
        released=released,
        change=found.change,
    )


def send_issue(  # noqa: PLR0913 - what two sends may differ in, all by name
    project: Project,
    key: IssueKey,
    *,
    transport: Transport,
    via: Via,
    by: By,
    watch: Watch,
    retry: bool = False,
) -> Sent:
    """Send an issue to every active reader, once; go on with a send that was interrupted.

    With `retry` those readers go once more whose message was refused, is in doubt, or could not be
    written. The transport is opened before anything is written, so that a relay that is not there
    changes nothing. Raise GuardError where the issue is held, withdrawn or sent already, where
    nobody would get it, where a seal tells of a send that the database does not know, and as
    `publish_issue` does; raise TransportError where nothing could be handed over, LockError where
    another process sends.
    """
    order = Order(key=key, via=via, by=by, retry=retry)
    carrier = as_carrier(Hashed(transport) if via == "outbox" else transport)
    with sending_lock(project.private):
        began = asked(project, order).send
        if began is not None and not retry:
            until = limited_until(project, began, now=watch.clock())
            if until is not None:
                released = published(project, key, now=watch.clock())
                return put_off(project, began, until=until, released=released, by_hand=by == "hand")
        try:
            return _handed_over(project, order, carrier=carrier, watch=watch)
        finally:
            carrier.close()


def _handed_over(project: Project, order: Order, *, carrier: Carrier, watch: Watch) -> Sent:
    """Publish, enroll and hand over; the carrier is opened first."""
    key = order.key
    connect(carrier, watch)
    refuse_hold(project, key)  # that may have taken a while
    secret = read_key(project)
    released = published(project, key, now=watch.clock())
    with project.opened() as store:
        refuse_hold(project, key)
        job = _job(project, store, order, released=released, secret=secret, now=watch.clock())
        job = replace(job, finished=partial(seal_end, project, job.send, watch=watch))
        run = Run(project, store, carrier=carrier, watch=watch, by_hand=order.by == "hand")
        return run.do(job)


def published(project: Project, key: IssueKey, *, now: datetime, dry_run: bool = False) -> Released:
    """Publish, and raise GuardError for an issue that was withdrawn, also without a seal of it."""
    released = publish_issue(project, key, now=now, dry_run=dry_run)
    if released.state == "withdrawn":
        raise taken_back(project.shown(project.issue_file(key)))
    return released


def pause_send(project: Project, key: IssueKey, *, reason: str) -> None:
    """Keep the schedule from going on with a send, until a person does."""
    with project.opened() as store:
        store.deliveries.pause(key, reason)


def _job(
    project: Project,
    store: Store,
    order: Order,
    *,
    released: Released,
    secret: bytes,
    now: datetime,
) -> Job:
    """Enroll, seal, and say what is to be handed over."""
    send = _enrolled(project, store, order, released=released, secret=secret, now=now)
    kept = released.kept
    tally = store.deliveries.tally(send.issue)
    many = tally.pending + tally.unknown >= _MANY
    making = _making(project, send, kept=kept, secret=secret, many=many)
    job = Job(send=send, released=released, making=making)
    if send.via == "smtp":
        return job
    clear_litter(project, send.issue)
    return replace(
        job, closing=lambda: write_manifest(project, store, send, kept=kept, secret=secret)
    )


def _making(
    project: Project, send: Send, *, kept: Kept, secret: bytes, many: bool
) -> AbstractContextManager[Making]:
    signing = signing_of(project, send)
    maker = message_maker(kept, send, secret, signer=None if signing is None else signing.signer)
    if signing is None or not many:
        return nullcontext(AtOnce(maker.message))
    return signed_ahead(maker.draft, signing)


def _enrolled(
    project: Project,
    store: Store,
    order: Order,
    *,
    released: Released,
    secret: bytes,
    now: datetime,
) -> Send:
    """Write down the send and its rows, and in the issue file that its mails go out."""
    fingerprint = released.kept.fingerprint
    before = store.deliveries.send(order.key)
    send = store.deliveries.enroll(
        Send(
            issue=order.key,
            edition=fingerprint,
            began=now.replace(microsecond=0),
            via=order.via,
            by=order.by,
            key_id=key_id(secret),
            # One that began goes on with its own key, whatever is wrong with a newer one.
            dkim=signature_name(project) if before is None else before.dkim,
        )
    )
    if send.edition != fingerprint:
        raise GuardError(
            "is being sent as another edition than the one in the outbox",
            where=send.issue,
            fix="put the edition's folder back from a backup or from git",
        )
    seal_sent(project, send)
    if order.retry:
        _reopen(project, store, send, now=now)
    return send


def _reopen(project: Project, store: Store, send: Send, *, now: datetime) -> None:
    """Let those go once more at whom the send failed.

    The seal loses its end first: beside it, a ledger that has open rows is taken for an old copy.
    """
    with project.writing():
        reopen_seal(project, send)
        store.deliveries.reopen(send.issue, now=now)
