"""What is asked before an issue goes on its way to readers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from digest.errors import GuardError
from digest.model import DeliveryState, Issue, IssueKey, Send, reader_key
from digest.publish.carriers import Via
from digest.publish.project import Project
from digest.publish.release import refuse_stopped
from digest.publish.secret import key_id, known_key
from digest.publish.signing import present_signer, signing_of
from digest.publish.wording import count_text, moment_text

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = [
    "Asked",
    "By",
    "Order",
    "asked",
    "count_active",
    "day_text",
    "list_change",
    "outbox_key",
    "refuse_hold",
    "refuse_lost",
    "refuse_seal",
    "to_retry",
]

By = Literal["hand", "schedule"]
# What `--retry-failed` lets go once more.
_FAILED: Final[tuple[DeliveryState, ...]] = ("refused", "unsupported", "unknown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be sent: which issue, by which way, on whose word.

    With `retry` those go once more at whom the send failed.
    """

    key: IssueKey
    via: Via
    by: By
    retry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the guards found: the send that began, if one did, and how many messages are to go.

    `change` says how far the list is from the last send's, where that is more than the settings
    let pass unseen; empty for a send that began.
    """

    send: Send | None
    waiting: int
    change: str = ""


def outbox_key(key: IssueKey) -> IssueKey:
    """Name the send that hands on what the outbox holds of an issue."""
    return IssueKey(f"{key}.outbox")


def asked(project: Project, order: Order) -> Asked:
    """Ask the guards of a first sending, and look whether it can be signed.

    Raise GuardError, and ConfigError for a key that cannot be used.
    """
    send, waiting, readers, last = None, 0, 0, None
    known = frozenset[IssueKey]()
    key, retry = order.key, project.settings.transport.on_unknown == "retry"
    with project.ledger() as store:
        if store is not None:
            send = store.deliveries.send(key)
            waiting = store.deliveries.waiting(key, retry_unknown=retry and not order.retry)
            readers = store.readers.count("active")
            last = _last_audience(store)
            known = frozenset(each.issue for each in store.deliveries.sends())
    issue, secret = project.issue(key), known_key(project)
    refuse_seal(project, issue, send)
    refuse_hold(project, key)
    refuse_lost(project, known)
    if send is None:
        found = _fresh(project, order, readers=readers, last=last)
        present_signer(project)
        return found
    _refuse_send(project, send, order, secret=secret)
    if order.retry:
        waiting += to_retry(project, send)
    signing_of(project, send)
    return Asked(send=send, waiting=waiting)


def _fresh(project: Project, order: Order, *, readers: int, last: int | None) -> Asked:
    """Ask the guards of a send that did not begin."""
    key = order.key
    if order.retry:
        raise GuardError(
            "was never sent, so nobody is to be tried again",
            where=key,
            fix=f"run `digest send {key}`",
        )
    if readers == 0:
        raise GuardError(
            "D119: there is no active reader, so nobody would get it",
            where=key,
            fix='`digest readers add ADDRESS --consent "where and when they agreed"`; without '
            f"readers `digest publish {key}` is all there is",
        )
    change = ""
    if order.via == "smtp" and last is not None:
        change = list_change(readers, last, max_change=project.settings.schedule.max_change)
    return Asked(send=None, waiting=readers, change=change)


def _last_audience(store: Store) -> int | None:
    """Give how many readers the last finished send went to; None without one."""
    finished = [send.audience for send in store.deliveries.sends() if send.finished is not None]
    return finished[-1] if finished else None


def list_change(readers: int, last: int, *, max_change: int) -> str:
    """Say how far a list is from the last send's; empty within `max_change` percent."""
    if abs(readers - last) * 100 <= last * max_change:
        return ""
    return (
        f"{count_text(readers, 'reader')} would get it, and {last} got the last one: "
        f"more than {max_change} % apart (schedule.max_change)"
    )


def refuse_hold(project: Project, key: IssueKey) -> None:
    """Raise GuardError for an issue that its file holds back, skips or has withdrawn."""
    issue = project.issue(key)
    if issue is not None:
        refuse_stopped(project, issue)


def to_retry(project: Project, send: Send) -> int:
    """Count who would be tried again. Raise GuardError where that is nobody."""
    with project.ledger() as store:
        found = _failed(store, send.issue) if store is not None else (0, 0)
    failed, active = found
    if active:
        return active
    told = "nobody failed" if not failed else "of those who failed nobody is an active reader now"
    raise GuardError(
        f"{told}, so there is nobody to try again",
        where=send.replays or send.issue,
        fix="`digest readers list` tells who is active, and why others are not",
    )


def _failed(store: Store, issue: IssueKey) -> tuple[int, int]:
    """Count the rows that failed, and those of them whose readers still get mail."""
    failed = [row.address for row in store.deliveries.each(issue, states=_FAILED)]
    return len(failed), count_active(store, failed)


def count_active(store: Store, addresses: Iterable[str]) -> int:
    """Count the addresses of readers that get mail; all were readers once."""
    others = store.readers.all(states=("pending", "left", "suppressed"))
    inactive = {reader.key for reader in others}
    return sum(reader_key(address) not in inactive for address in addresses)


def _refuse_send(project: Project, send: Send, order: Order, *, secret: bytes | None) -> None:
    """Refuse to go on with a send that is done, or that began by another way or key."""
    if send.finished is not None and not order.retry:
        raise GuardError(
            f"was sent already, on {day_text(project, send.began)}, "
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
    if secret is None or send.key_id != key_id(secret):
        raise GuardError(
            "is not the key this send began with: a message that goes out again would have "
            "another Message-ID",
            where=project.shown(project.private / "key"),
            fix="put the file back from a backup",
        )
    if order.retry and send.via == "outbox":
        _refuse_handed_on(project, send)


def _refuse_handed_on(project: Project, send: Send) -> None:
    """Refuse to put more into an outbox that was handed on: nobody would ever send it."""
    with project.ledger() as store:
        handed = store.deliveries.send(outbox_key(send.issue)) if store is not None else None
    if handed is not None:
        raise GuardError(
            "what its outbox holds was handed on already",
            where=send.issue,
            fix=f"`digest send {send.issue} --from-outbox --retry-failed` tries those again at "
            "whom that failed",
        )


def refuse_seal(project: Project, issue: Issue | None, send: Send | None) -> None:
    """Refuse where the issue file and the ledger tell different things of a send."""
    if issue is None or issue.seal is None:
        return
    where = project.shown(project.issue_file(issue.key))
    restore = f"restore {project.settings.store_name} from a backup; without it nobody knows who "
    if issue.seal.sent is not None and send is None:
        raise GuardError(
            f"was sent on {day_text(project, issue.seal.sent)}, and the database does not know "
            "of it",
            where=where,
            fix=f"{restore}has had this issue",
        )
    if send is not None and send.finished is None and issue.seal.ended is not None:
        raise GuardError(
            f"was sent to its end on {day_text(project, issue.seal.ended)}, and the database tells "
            "of a part: it is an old copy",
            where=where,
            fix=f"{restore}has had this issue",
        )
    if send is not None and issue.seal.edition != send.edition:
        raise GuardError(
            "has a seal of another edition than the one that is being sent",
            where=where,
            fix="put the `published` lines back as they were, from git or a backup",
        )


def refuse_lost(project: Project, known: Collection[IssueKey]) -> None:
    """Refuse where issue files tell of sends that the ledger does not know: `known` are its own.

    Who left since then would get mail by it.
    """
    lost = [
        key
        for key, issue in project.issues().items()
        if issue.seal and issue.seal.sent and key not in known
    ]
    if lost:
        raise GuardError(
            f"does not know that {', '.join(lost)} went out by mail: it is new, or an old copy",
            where=project.settings.store_name,
            fix="restore it from a backup; without it nobody knows who the readers are",
        )


def day_text(project: Project, moment: datetime) -> str:
    """Write a moment in the newsletter's zone."""
    return moment_text(moment, project.settings.newsletter.zone)
