"""Send an issue: publish it if it is not out yet, enroll its readers, hand the messages over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from digest.delivery import Halted, Watch, connect, deliver
from digest.errors import GuardError
from digest.files import sending_lock
from digest.mime import message_id, reader_message
from digest.model import Delivery, Issue, IssueKey, Mailbox, Message, Send, Tally
from digest.publish.carriers import Via
from digest.publish.drafts import seal_issue
from digest.publish.editions import Kept, material_from
from digest.publish.project import Project
from digest.publish.release import Released, publish_issue
from digest.publish.secret import key_id, read_key
from digest.publish.wording import moment_text
from digest.store import open_store, store_exists
from digest.transport import Transport

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["Rehearsed", "Sent", "rehearse_send", "send_issue"]

By = Literal["hand", "schedule"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What came of a send.

    `state` is `sent` where no message is open, else `sending`; `next_try` is when the first of
    those put off may go. `failed` are the rows that were refused, are unknown, or wait. `halted`
    says why the run ended while messages were due.
    """

    key: IssueKey
    state: Literal["sent", "sending"]
    tally: Tally
    released: Released
    next_try: datetime | None = None
    failed: tuple[Delivery, ...] = ()
    halted: Halted | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """What a send would do now: to how many; of one that `began`, how many are still to go."""

    key: IssueKey
    audience: int
    began: bool
    released: Released


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What is to be sent: which issue, by which way, on whose word."""

    key: IssueKey
    via: Via
    by: By


def rehearse_send(project: Project, key: IssueKey, *, via: Via, now: datetime) -> Rehearsed:
    """Ask every guard of a send and count who would get it; nothing changes.

    Raise as `send_issue` does, but for what only the relay can say.
    """
    send, audience = _asked(project, _Order(key=key, via=via, by="hand"))
    released = publish_issue(project, key, now=now, dry_run=True)
    return Rehearsed(key=key, audience=audience, began=send is not None, released=released)


def send_issue(
    project: Project, key: IssueKey, *, transport: Transport, via: Via, by: By, watch: Watch
) -> Sent:
    """Send an issue to every active reader, once; go on with a send that was interrupted.

    The transport is opened before anything is written, so that a relay that is not there changes
    nothing. Raise GuardError where the issue was sent already, where nobody would get it, where a
    seal tells of a send that the database does not know, and as `publish_issue` does; raise
    TransportError where nothing could be handed over.
    """
    order = _Order(key=key, via=via, by=by)
    settings = project.settings
    with sending_lock(project.private):
        _asked(project, order)
        try:
            connect(transport, watch)
            released = publish_issue(project, key, now=watch.clock())
            with open_store(settings.store_url, create=True, shown=settings.store_name) as store:
                return _deliver(
                    project, store, order, released=released, transport=transport, watch=watch
                )
        finally:
            transport.close()


def _asked(project: Project, order: _Order) -> tuple[Send | None, int]:
    """Ask the guards; give the send that began, if one did, and how many messages are to go."""
    settings, send, waiting, readers = project.settings, None, 0, 0
    if store_exists(settings.store_url, shown=settings.store_name):
        with open_store(settings.store_url, read_only=True, shown=settings.store_name) as store:
            send = store.deliveries.send(order.key)
            tally = store.deliveries.tally(order.key)
            waiting, readers = tally.pending + tally.unknown, store.readers.count("active")
    _refuse_seal(project, project.issue(order.key), send)
    if send is None:
        if readers == 0:
            raise GuardError(
                "D119: there is no active reader, so nobody would get it",
                where=order.key,
                fix='`digest readers add ADDRESS --consent "where and when they agreed"`; without '
                f"readers `digest publish {order.key}` is all there is",
            )
        return None, readers
    if send.finished is not None:
        raise GuardError(
            f"was sent already, on {_day(project, send.began)}, to {send.audience}; "
            "nobody gets it twice",
            where=order.key,
            fix="put what is new into another issue; `digest build --extra NAME` makes one",
        )
    if send.via != order.via:
        raise GuardError(
            f"is being sent by {send.via}, and cannot go on by {order.via}",
            where=order.key,
            fix=f"run `digest send {order.key} --via {send.via}`",
        )
    return send, waiting


def _refuse_seal(project: Project, issue: Issue | None, send: Send | None) -> None:
    """Refuse where the issue file and the ledger tell different things of a send."""
    if issue is None or issue.seal is None:
        return
    where = project.shown(project.issue_file(issue.key))
    restore = f"restore {project.settings.store_name} from a backup; without it nobody knows who "
    if issue.seal.sent is not None and send is None:
        raise GuardError(
            f"was sent on {_day(project, issue.seal.sent)}, and the database does not know of it",
            where=where,
            fix=f"{restore}has had this issue",
        )
    if send is not None and issue.seal.edition != send.edition:
        raise GuardError(
            "has a seal of another edition than the one that is being sent",
            where=where,
            fix="put the `published` lines back as they were, from git or a backup",
        )


def _day(project: Project, moment: datetime) -> str:
    return moment_text(moment, project.settings.newsletter.zone)


def _deliver(
    project: Project,
    store: Store,
    order: _Order,
    *,
    released: Released,
    transport: Transport,
    watch: Watch,
) -> Sent:
    """Enroll, seal, hand over, and say what came of it."""
    key, ledger, secret = order.key, store.deliveries, read_key(project)
    send = ledger.enroll(
        Send(
            issue=key,
            edition=released.kept.fingerprint,
            began=watch.clock().replace(microsecond=0),
            via=order.via,
            by=order.by,
            key_id=key_id(secret),
        )
    )
    _refuse_other(project, send, edition=released.kept.fingerprint, secret=secret)
    _seal(project, send)
    retry = project.settings.transport.on_unknown == "retry"
    watch.progress(ledger.tally(key))
    halted = deliver(
        ledger,
        send,
        transport=transport,
        make=_maker(released.kept, send, secret),
        watch=watch,
        retry_unknown=retry,
    )
    done = ledger.finish(key, retry_unknown=retry, now=watch.clock())
    tally = ledger.tally(key)
    watch.progress(tally)
    return Sent(
        key=key,
        state="sent" if done else "sending",
        tally=tally,
        released=released,
        next_try=_next_try(ledger.next_due(key), watch.clock()),
        failed=ledger.listed(key, states=("refused", "unknown", "unsupported", "pending")),
        halted=halted,
    )


def _next_try(due: datetime | None, now: datetime) -> datetime | None:
    """Give when somebody is to be tried again; None where nobody waits."""
    return due if due is not None and due > now else None


def _refuse_other(project: Project, send: Send, *, edition: str, secret: bytes) -> None:
    """Refuse to go on with other bytes than the send began with."""
    if send.edition != edition:
        raise GuardError("is being sent as another edition", where=send.issue)
    if send.key_id != key_id(secret):
        raise GuardError(
            "is another key than the one this send began with: a message that goes out again "
            "would have another Message-ID",
            where=project.shown(project.private / "key"),
            fix="put the file back from a backup",
        )


def _seal(project: Project, send: Send) -> None:
    """Note in the issue file that its mails go out, before the first one does."""
    with project.writing():
        issue = project.issue(send.issue)
        if issue is not None and issue.seal is not None and issue.seal.sent is None:
            began = send.began.astimezone(project.settings.newsletter.zone)
            seal_issue(project, replace(issue, seal=replace(issue.seal, sent=began)))


def _maker(kept: Kept, send: Send, secret: bytes) -> Callable[[Delivery], Message]:
    """Give what makes one reader's message from the frozen edition, the same bytes each time."""
    newsletter = material_from(kept).newsletter
    domain = newsletter.sender.domain

    def make(row: Delivery) -> Message:
        return reader_message(
            kept.edition,
            newsletter=newsletter,
            to=Mailbox(address=row.address, name=row.name),
            message_id=message_id(secret, issue=send.issue, address=row.address, domain=domain),
            date=send.began,
        )

    return make
