"""Send an issue: publish it if it is not out yet, enroll its readers, hand the messages over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from digest.delivery import Halted, Watch, connect, deliver
from digest.errors import DigestError, GuardError, IssueFileError, LockError
from digest.files import sending_lock
from digest.mime import message_id, reader_message
from digest.model import Delivery, DeliveryState, Issue, IssueKey, Mailbox, Message, Send, Tally
from digest.publish.carriers import Via
from digest.publish.drafts import seal_issue
from digest.publish.editions import Kept, material_from
from digest.publish.project import Project, taken_back
from digest.publish.release import Released, publish_issue, refuse_stopped
from digest.publish.secret import key_id, known_key, read_key
from digest.publish.wording import count_text, moment_text
from digest.transport import Transport

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["Rehearsed", "Sent", "pause_send", "rehearse_send", "send_issue"]

By = Literal["hand", "schedule"]
_SEAL_TRIES: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What came of a send.

    `state` is `sent` where no message is open, else `sending`; `next_try` is when the first of
    those put off may go. `failed` are the rows that were refused, put off or are unknown. `halted`
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
    released = _published(project, key, now=now, dry_run=True)
    return Rehearsed(key=key, audience=audience, began=send is not None, released=released)


def send_issue(
    project: Project, key: IssueKey, *, transport: Transport, via: Via, by: By, watch: Watch
) -> Sent:
    """Send an issue to every active reader, once; go on with a send that was interrupted.

    The transport is opened before anything is written, so that a relay that is not there changes
    nothing. Raise GuardError where the issue is held, withdrawn or sent already, where nobody would
    get it, where a seal tells of a send that the database does not know, and as `publish_issue`
    does; raise TransportError where nothing could be handed over.
    """
    order = _Order(key=key, via=via, by=by)
    with sending_lock(project.private):
        _asked(project, order)
        try:
            connect(transport, watch)
            _refuse_hold(project, key)  # that may have taken a while
            secret = read_key(project)
            released = _published(project, key, now=watch.clock())
            with project.opened() as store:
                run = _Run(project, store, order, transport=transport, watch=watch)
                return run.do(released, secret)
        finally:
            transport.close()


def _published(
    project: Project, key: IssueKey, *, now: datetime, dry_run: bool = False
) -> Released:
    """Publish, and raise GuardError for an issue that was withdrawn, also without a seal of it."""
    released = publish_issue(project, key, now=now, dry_run=dry_run)
    if released.state == "withdrawn":
        raise taken_back(project.shown(project.issue_file(key)))
    return released


def pause_send(project: Project, key: IssueKey, *, reason: str) -> None:
    """Keep the schedule from going on with a send, until a person does."""
    with project.opened() as store:
        store.deliveries.pause(key, reason)


def _asked(project: Project, order: _Order) -> tuple[Send | None, int]:
    """Ask the guards; give the send that began, if one did, and how many messages are to go."""
    send, waiting, readers = None, 0, 0
    retry = project.settings.transport.on_unknown == "retry"
    with project.ledger() as store:
        if store is not None:
            send = store.deliveries.send(order.key)
            waiting = store.deliveries.waiting(order.key, retry_unknown=retry)
            readers = store.readers.count("active")
    issue, key = project.issue(order.key), known_key(project)
    _refuse_seal(project, issue, send)
    _refuse_hold(project, order.key)
    if send is None:
        if readers == 0:
            raise GuardError(
                "D119: there is no active reader, so nobody would get it",
                where=order.key,
                fix='`digest readers add ADDRESS --consent "where and when they agreed"`; without '
                f"readers `digest publish {order.key}` is all there is",
            )
        return None, readers
    _refuse_send(project, send, order, key=key)
    return send, waiting


def _refuse_hold(project: Project, key: IssueKey) -> None:
    issue = project.issue(key)
    if issue is not None:
        refuse_stopped(project, issue)


def _refuse_send(project: Project, send: Send, order: _Order, *, key: bytes | None) -> None:
    """Refuse to go on with a send that is done, or that began by another way or key."""
    if send.finished is not None:
        raise GuardError(
            f"was sent already, on {_day(project, send.began)}, "
            f"to {count_text(send.audience, 'reader')}; nobody gets it twice",
            where=order.key,
            fix="put what is new into another issue; `digest build --extra NAME` makes one",
        )
    if send.via != order.via:
        raise GuardError(
            f"is being sent by {send.via}, and cannot go on by {order.via}",
            where=order.key,
            fix=f"run `digest send {order.key} --via {send.via}`",
        )
    if key is None or send.key_id != key_id(key):
        raise GuardError(
            "is not the key this send began with: a message that goes out again would have "
            "another Message-ID",
            where=project.shown(project.private / "key"),
            fix="put the file back from a backup",
        )


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
    if send is not None and send.finished is None and issue.seal.ended is not None:
        raise GuardError(
            f"was sent to its end on {_day(project, issue.seal.ended)}, and the database tells of "
            "a part: it is an old copy",
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


class _Run:
    """One run of a send, from its enrolment to what came of it."""

    def __init__(
        self,
        project: Project,
        store: Store,
        order: _Order,
        *,
        transport: Transport,
        watch: Watch,
    ) -> None:
        self._project, self._ledger, self._order = project, store.deliveries, order
        self._transport, self._watch = transport, watch
        self._retry = project.settings.transport.on_unknown == "retry"

    def do(self, released: Released, secret: bytes) -> Sent:
        """Enroll, seal, hand over, and say what came of it."""
        key, ledger, watch = self._order.key, self._ledger, self._watch
        _refuse_hold(self._project, key)
        send = self._enrolled(released.kept, secret)
        # A person who sends it goes on with what the run before stopped at.
        if self._order.by == "hand":
            ledger.pause(key, "")
        watch.progress(ledger.tally(key))
        hold = _HoldWatch(self._project, key)
        halted = deliver(
            ledger,
            send,
            transport=self._transport,
            make=_maker(released.kept, send, secret),
            watch=replace(watch, stopped=lambda: watch.stopped() or bool(hold())),
            retry_unknown=self._retry,
        )
        done = ledger.finish(key, retry_unknown=self._retry, now=watch.clock())
        if done:
            halted = None
            _seal_end(self._project, send, watch=watch)
        elif halted is not None and halted.error is None:
            halted = self._paused(halted, hold=hold())
        tally = ledger.tally(key)
        watch.progress(tally)
        return Sent(
            key=key,
            state="sent" if done else "sending",
            tally=tally,
            released=released,
            next_try=_next_try(ledger.next_due(key), watch.clock()),
            failed=self._failed(),
            halted=halted,
        )

    def _paused(self, halted: Halted, *, hold: str) -> Halted:
        """Keep the schedule from going on by itself with what a person should look at.

        Who holds the issue, or asks the process to stop, need not be kept from it.
        """
        if hold:
            return Halted(reason=hold)
        if not self._watch.stopped():
            self._ledger.pause(self._order.key, halted.reason)
        return halted

    def _enrolled(self, kept: Kept, secret: bytes) -> Send:
        """Write down the send and its rows, and in the issue file that its mails go out."""
        order = self._order
        send = self._ledger.enroll(
            Send(
                issue=order.key,
                edition=kept.fingerprint,
                began=self._watch.clock().replace(microsecond=0),
                via=order.via,
                by=order.by,
                key_id=key_id(secret),
            )
        )
        if send.edition != kept.fingerprint:
            raise GuardError(
                "is being sent as another edition than the one in the outbox",
                where=send.issue,
                fix="put the edition's folder back from a backup or from git",
            )
        _seal(self._project, send)
        return send

    def _failed(self) -> tuple[Delivery, ...]:
        """Give the rows that somebody may want to look at: not those that were never tried."""
        states: tuple[DeliveryState, ...] = ("refused", "unknown", "unsupported", "pending")
        rows = self._ledger.listed(self._order.key, states=states)
        return tuple(row for row in rows if row.attempts and (row.outcome or row.due))


class _HoldWatch:
    """Tells whether somebody held the issue back meanwhile, or withdrew it, by its file."""

    def __init__(self, project: Project, key: IssueKey) -> None:
        self._project, self._key = project, key
        self._seen, self._hold = (-1, -1), ""  # read when it is asked first

    def _stamp(self) -> tuple[int, int]:
        try:
            found = self._project.issue_file(self._key).stat()
        except OSError:
            return (0, 0)
        return (found.st_mtime_ns, found.st_size)

    def __call__(self) -> str:
        """Give the reason, empty without one; the file is read where it was changed."""
        if (stamp := self._stamp()) != self._seen:
            self._seen = stamp
            try:
                self._hold = _reason(self._project.issue(self._key))
            except IssueFileError as error:
                self._hold = f"held: {error.brief}"  # nobody knows what it says
        return self._hold


def _reason(issue: Issue | None) -> str:
    """Say why an issue that is being sent must not go on; empty where nothing stands against it."""
    if issue is None:
        return ""
    if issue.seal is not None and issue.seal.withdrawn is not None:
        return "withdrawn"
    return f"held: {issue.hold}" if issue.hold else ""


def _seal_end(project: Project, send: Send, *, watch: Watch) -> None:
    """Note the end in the issue file; where that cannot be, the next publishing does it.

    Nothing of it undoes what was sent.
    """
    for _ in range(_SEAL_TRIES):
        try:
            return _seal(project, send, ended=watch.clock())
        except LockError:
            watch.pause(1.0)
        except DigestError:
            return None
    return None


def _next_try(due: datetime | None, now: datetime) -> datetime | None:
    """Give when somebody is to be tried again; None where nobody waits."""
    return due if due is not None and due > now else None


def _seal(project: Project, send: Send, *, ended: datetime | None = None) -> None:
    """Note in the issue file that its mails go out, before the first one does, and their end.

    It tells a later database that is an old copy.
    """
    zone = project.settings.newsletter.zone
    with project.writing():
        issue = project.issue(send.issue)
        if issue is None or issue.seal is None:
            return
        seal = replace(issue.seal, sent=issue.seal.sent or send.began.astimezone(zone))
        if ended is not None:
            seal = replace(seal, ended=ended.astimezone(zone))
        if seal != issue.seal:
            seal_issue(project, replace(issue, seal=seal))


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
