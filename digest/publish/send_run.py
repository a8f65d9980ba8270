"""One run over the rows of a send: as the only sender, within the limits, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

from digest.delivery import DOUBTED, LIMITED, PATIENCE, Halted, Making, Terms, Watch, deliver
from digest.errors import ConfigError, FilesError, LockError, StoreError
from digest.model import Delivery, DeliveryState, IssueKey, Limits, Send, Tally
from digest.publish.holder import lives, this_process
from digest.publish.project import Project
from digest.publish.release import Released
from digest.publish.send_seal import HoldWatch
from digest.transport import Carrier

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["Job", "Run", "Sent", "limited_until", "put_off"]

# Far longer than the loop is ever held up; it is renewed each minute.
_LEASE: Final = 900
_TOLD: Final = 1_000
_FAILED: Final[tuple[DeliveryState, ...]] = ("refused", "unknown", "unsupported", "pending")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What came of a send.

    `state` is `sent` where no message is open, else `sending`; `next_try` is when the first of
    those put off may go. `failed` are the rows that were refused, put off or are unknown, the first
    thousand of `failures`. `halted` says why the run ended while messages were due.
    """

    key: IssueKey
    state: Literal["sent", "sending"]
    tally: Tally
    released: Released
    next_try: datetime | None = None
    failed: tuple[Delivery, ...] = ()
    failures: int = 0
    halted: Halted | None = None


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a run does: hand over the rows of `send`, whose messages `making` gives.

    `released` is the issue, whose file may hold it back. `closing` is called once nothing more is
    handed over, before the send may be finished; `finished` after it is.
    """

    send: Send
    released: Released
    making: AbstractContextManager[Making]
    closing: Callable[[], None] = _nothing
    finished: Callable[[], None] = _nothing


def limited_until(project: Project, send: Send, *, now: datetime) -> datetime | None:
    """Give when the limits of the relay let the next message go, where that is worth no waiting.

    A relay that would be logged in to each minute of a day, for nothing, is not opened at all.
    """
    limits = _limits(project, send)
    with project.ledger() as store:
        until = (
            store.deliveries.allowance_from(send.issue, limits, now) if store and limits else None
        )
    return until if until is not None and until - now > PATIENCE else None


def _limits(project: Project, send: Send) -> Limits:
    smtp = project.settings.transport.smtp
    return smtp.limits if smtp is not None and send.via == "smtp" else Limits()


def put_off(
    project: Project, send: Send, *, until: datetime, released: Released, by_hand: bool
) -> Sent:
    """Say that a send waits for what the relay allows; the schedule goes on with a person's."""
    with project.opened() as store:
        if by_hand and send.paused not in {"", DOUBTED}:
            store.deliveries.pause(send.issue, "")
        tally = store.deliveries.tally(send.issue)
    return Sent(
        key=released.key,
        state="sending",
        tally=tally,
        released=released,
        next_try=until,
        halted=Halted(reason=LIMITED, until=until),
    )


class Run:
    """One run; the carrier is open. `by_hand` is whether a person began it."""

    def __init__(
        self,
        project: Project,
        store: Store,
        *,
        carrier: Carrier,
        watch: Watch,
        by_hand: bool,
    ) -> None:
        self._project, self._store = project, store
        self._ledger = store.deliveries
        self._carrier, self._watch, self._by_hand = carrier, watch, by_hand
        self._retry = project.settings.transport.on_unknown == "retry"

    def do(self, job: Job) -> Sent:
        """Hand over what is due, and say what came of it."""
        key, ledger, watch = job.send.issue, self._ledger, self._watch
        # A person who sends it goes on with what the run before stopped at.
        if self._by_hand and job.send.paused != DOUBTED:
            ledger.pause(key, "")
        watch.progress(ledger.tally(key))
        hold = HoldWatch(self._project, job.released.key)
        stopping = replace(watch, stopped=lambda: watch.stopped() or bool(hold()))
        try:
            halted = self._delivered(job, watch=stopping)
        except (StoreError, LockError, FilesError, ConfigError) as error:
            # What was handed over before is told all the same.
            halted = Halted(reason=error.brief, error=error)
        job.closing()
        done = ledger.finish(key, retry_unknown=self._retry, now=watch.clock())
        if done:
            halted = None
            job.finished()
        else:
            halted = self._parted(job, halted, hold=hold())
        tally = ledger.tally(key)
        watch.progress(tally)
        failed, failures = self._failed(key)
        return Sent(
            key=job.released.key,
            state="sent" if done else "sending",
            tally=tally,
            released=job.released,
            next_try=(halted.until if halted is not None else None)
            or _next_try(ledger.next_due(key), watch.clock()),
            failed=failed,
            failures=failures,
            halted=halted,
        )

    def _delivered(self, job: Job, *, watch: Watch) -> Halted | None:
        """Hand over what is due, as the only sender of this database."""
        send = job.send
        with self._lease() as (fence, renew), self._store.sending(), job.making as making:
            return deliver(
                self._ledger,
                send,
                carrier=self._carrier,
                making=making,
                watch=watch,
                terms=Terms(
                    fence=fence,
                    limits=_limits(self._project, send),
                    retry_unknown=self._retry,
                    renew=renew,
                ),
            )

    @contextmanager
    def _lease(self) -> Iterator[tuple[int, Callable[[], None]]]:
        """Hold the lease of who sends: its number, and what keeps it. Raise LockError."""
        leases, watch = self._store.leases, self._watch
        fence = leases.acquire(this_process(), now=watch.clock(), seconds=_LEASE, alive=lives)

        def renew() -> None:
            if not leases.renew(fence, now=watch.clock(), seconds=_LEASE):
                raise LockError(
                    "another process took over as the sender",
                    where=self._project.settings.store_name,
                    fix="nothing is lost; look which machine sends, and repeat the command there",
                )

        try:
            yield fence, renew
        finally:
            with suppress(StoreError):  # it ends by itself, and must not hide what came before
                leases.release(fence)

    def _parted(self, job: Job, halted: Halted | None, *, hold: str) -> Halted | None:
        """Keep the schedule from going on by itself with what a person should look at.

        Who holds the issue, or asks the process to stop, need not be kept from it.
        """
        if halted is None or halted.error is not None or halted.until is not None:
            return halted
        if hold:
            return Halted(reason=hold)
        if not self._watch.stopped():
            self._ledger.pause(job.send.issue, halted.reason)
        return halted

    def _failed(self, key: IssueKey) -> tuple[tuple[Delivery, ...], int]:
        """Give the first rows that somebody may want to look at, and how many there are."""
        # Those that were never tried are none.
        tried = (row for row in self._ledger.each(key, states=_FAILED) if row.attempts)
        telling = (row for row in tried if row.outcome or row.due)
        first = tuple(islice(telling, _TOLD))
        return first, len(first) + sum(1 for _ in telling)


def _next_try(due: datetime | None, now: datetime) -> datetime | None:
    """Give when somebody is to be tried again; None where nobody waits."""
    return due if due is not None and due > now else None
