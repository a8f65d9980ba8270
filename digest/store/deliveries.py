"""The sends, and one row for each reader of each: none is lost, none is handed out twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Select, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from digest.errors import GuardError
from digest.model import (
    Claim,
    Delivery,
    DeliveryState,
    IssueKey,
    Limits,
    Send,
    Settled,
    Stepped,
    Tally,
)
from digest.model.summary import refuse_naive
from digest.store import claims, queue
from digest.store.enrolment import enroll_active, enroll_rows, look_over
from digest.store.schema import deliveries, issues, readers, sends
from digest.store.steps import Rows
from digest.store.transactions import Transactions

__all__ = ["Deliveries"]

_PAGE: Final = 500  # rows that are held at once
# What a tally calls the states that a sender's rows are in.
_TOLD: Final = {"claimed": "pending", "wire": "unknown"}


class Deliveries:
    """The ledger of deliveries.

    One sender at a time works on all issues, under a lease whose number, the fence, its rows carry.
    A row is claimed, on disk, before anything of it leaves, and in `wire` from before its content
    leaves until the answer is written down: so a sender that died leaves a trace.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def enroll(self, send: Send) -> Send:
        """Begin a send: write it down, with a row for each active reader as they are now.

        Give it with the number of rows as its audience; where the issue has a send already, that
        one as it stands. Raise GuardError where no reader is active, or the issue was withdrawn.
        """
        with self._transactions.writing() as connection:
            if (known := _known(connection, send, send.issue)) is not None:
                return known
            active = select(func.count()).where(readers.c.state == "active")
            audience = connection.execute(active).scalar_one()
            if not audience:
                raise GuardError(
                    "there is no active reader",
                    where=self._transactions.shown,
                    fix="add readers with `digest readers add` or `digest readers import`",
                )
            begun = _begin(connection, send, audience)
            enroll_active(connection, send.issue)
            look_over(connection)
            return begun

    def enroll_replay(self, send: Send, rows: Iterable[Delivery]) -> Send:
        """Begin to hand what the outbox holds of `send.replays` to a relay, under another key.

        The rows keep position, address and name; they may be any number, and must not be read from
        this database meanwhile. Give the send with their number as its audience; where it began
        before, that one as it stands. Raise GuardError where there is none, or the issue was
        withdrawn.
        """
        if not send.replays:
            raise ValueError(f"{send.issue} replays nothing")
        with self._transactions.writing() as connection:
            if (known := _known(connection, send, IssueKey(send.replays))) is not None:
                return known
            _begin(connection, send, 0)
            audience = enroll_rows(connection, send.issue, rows)
            if not audience:
                raise GuardError(
                    "holds no message",
                    where=f"the outbox of {send.replays}",
                    fix=f"`digest send {send.replays} --via outbox` fills it",
                )
            whole = update(sends).where(sends.c.issue == send.issue).values(audience=audience)
            connection.execute(whole)
            look_over(connection)
            return replace(send, audience=audience, paused="", finished=None)

    def send(self, issue: IssueKey) -> Send | None:
        """Give the send of an issue."""
        with self._transactions.reading() as connection:
            return _send(connection, issue)

    def sends(self) -> tuple[Send, ...]:
        """Give every first sending, oldest first; not those that hand on what an outbox holds."""
        wanted = select(sends).where(sends.c.replays == "")
        with self._transactions.reading() as connection:
            found = [Send(**row) for row in connection.execute(wanted).mappings()]
        # Sorted here, since databases differ in how they order letters.
        return tuple(sorted(found, key=lambda send: (send.began, send.issue)))

    def pause(self, issue: IssueKey, reason: str) -> bool:
        """Write down why the schedule must not go on with a send; no reason means that it may.

        Give False where there is no such send, it is finished, or it says so already.
        """
        wanted = (sends.c.issue == issue) & sends.c.finished.is_(None) & (sends.c.paused != reason)
        with self._transactions.writing() as connection:
            changed = connection.execute(update(sends).where(wanted).values(paused=reason))
            return bool(changed.rowcount)

    def take_back(self, issue: IssueKey) -> None:
        """Forget the refusals of an issue, where they were no word on the readers.

        The rows are due at once, behind those never tried, and readers who were suppressed by them
        are active again.
        """
        with self._transactions.writing() as connection:
            queue.take_back(connection, issue)

    def waiting(self, issue: IssueKey, *, retry_unknown: bool) -> int:
        """Count the deliveries of an issue that a run would still hand over."""
        with self._transactions.reading() as connection:
            return queue.count_open(connection, issue, retry_unknown=retry_unknown)

    def recover(self, issue: IssueKey, *, fence: int, retry_unknown: bool, now: datetime) -> None:
        """Clear up after senders that are gone, at the beginning of a run.

        What they left in `wire` has an unknown outcome. What they left claimed is due at once, as
        if it had not been, where steps are synced, or were made in the present run of this host;
        else its outcome is unknown too. With `retry_unknown` rows whose outcome is unknown for the
        first time are put at the end of the queue, due at once. Raise LockError where this fence no
        longer holds the lease.
        """
        refuse_naive(now)
        with self._transactions.writing() as connection:
            queue.recover(
                connection,
                issue,
                fence=fence,
                retry_unknown=retry_unknown,
                synced=self._transactions.steps_are_synced,
                now=now,
            )

    def claim(
        self,
        issue: IssueKey,
        *,
        limit: int,
        limits: Limits,
        fence: int,
        now: datetime,
        held: Collection[int] | None = None,
    ) -> Claim:
        """Take the next rows that are due, at most `limit`; they are on disk when it returns.

        Fewest unknown outcomes come first, then fewest attempts, then the order of enrolment. Rows
        whose readers are no longer active are closed on the way; a domain that may get no more for
        now is passed over. What is given counts for the limits from `now` on, of whatever issue: in
        any stretch of a rate's seconds at most its count is handed out. Where rows are due and no
        limit lets one go, `wait_until` says before when none goes. With `held` the claimed rows
        that this fence has besides are put back first: the answer to an earlier claim was lost.
        Raise LockError where this fence no longer holds the lease.
        """
        refuse_naive(now)
        with self._transactions.claiming() as both:
            if held is not None:
                queue.put_back(both[0], issue, fence=fence, held=held)
            return claims.claim(both, issue, limit=limit, limits=limits, fence=fence, now=now)

    def allowance_from(self, issue: IssueKey, limits: Limits, now: datetime) -> datetime | None:
        """Give the moment before which the limits let no message of an issue go; None for now.

        Where nothing of it is due they do not stand in its way. Nothing is written.
        """
        refuse_naive(now)
        with self._transactions.reading() as connection:
            return claims.opens(connection, issue, limits=limits, now=now)

    def step(
        self,
        issue: IssueKey,
        *,
        done: Sequence[Settled],
        mark: Sequence[int],
        ask: Sequence[int],
        fence: int,
        now: datetime,
    ) -> Stepped:
        """Settle rows, mark claimed ones as `wire`, ask whether others may be mailed: one commit.

        Only rows that this fence has are touched. A row of `mark` or `ask` whose reader is no
        longer active is closed, and is `gone`; so is one that is another's by now. A dead mailbox
        suppresses its reader; what is given back, pending without `due`, is due at once, as if it
        had not been claimed. The same step again changes nothing and gives the same. The time it
        takes does not grow with the audience.
        """
        for moment in (now, *(at for one in done for at in (one.at, one.due) if at is not None)):
            refuse_naive(moment)
        with self._transactions.stepping() as raw:
            rows = Rows(raw, issue, fence=fence)
            rows.settle(done)
            return rows.move(mark=mark, ask=ask, now=now)

    def give_back(
        self, issue: IssueKey, positions: Sequence[int], *, fence: int, now: datetime
    ) -> None:
        """Put rows back of which certainly nothing was taken: as if they had not been claimed.

        Rows that this fence does not have are left alone. The limits let others go in their place.
        """
        refuse_naive(now)
        with self._transactions.stepping() as raw:
            Rows(raw, issue, fence=fence).give_back(positions)

    def reopen(self, issue: IssueKey, *, now: datetime) -> int:
        """Let failed rows go once more, as if never tried: refused, unsupported or unknown.

        They are due at once, and the send is no longer finished. Give their number; rows whose
        readers are no longer active stay as they are.
        """
        refuse_naive(now)
        with self._transactions.writing() as connection:
            return queue.reopen(connection, issue, now)

    def tally(self, issue: IssueKey) -> Tally:
        """Count the deliveries of an issue by state.

        One on the wire counts as unknown, one that is claimed as pending.
        It looks at every row: 20,000 take some milliseconds.
        """
        counted = (
            select(deliveries.c.state, func.count())
            .where(deliveries.c.issue == issue)
            .group_by(deliveries.c.state)
        )
        with self._transactions.reading() as connection:
            send = _send(connection, issue)
            found = Counter[str]()
            for state, number in connection.execute(counted):
                found[_TOLD.get(state, state)] += number
            try:
                return Tally(audience=0 if send is None else send.audience, **found)
            except ValueError as error:
                raise SQLAlchemyError(str(error)) from error

    def listed(
        self, issue: IssueKey, *, states: tuple[DeliveryState, ...] = ()
    ) -> tuple[Delivery, ...]:
        """Give the deliveries of an issue in these states, or in any, in the order of enrolment."""
        with self._transactions.reading() as connection:
            rows = connection.execute(_listed(issue, states)).mappings()
            return tuple(queue.read_delivery(row) for row in rows)

    def each(
        self, issue: IssueKey, *, states: tuple[DeliveryState, ...] = ()
    ) -> Iterator[Delivery]:
        """Give what `listed` gives one by one, however many, without holding them all.

        Between the pages other transactions may change the rows that are still to come.
        """
        last = 0
        while True:
            page = _listed(issue, states).where(deliveries.c.position > last).limit(_PAGE)
            with self._transactions.reading() as connection:
                rows = connection.execute(page).mappings().all()
            yield from map(queue.read_delivery, rows)
            if len(rows) < _PAGE:
                return
            last = rows[-1]["position"]

    def next_due(self, issue: IssueKey) -> datetime | None:
        """Give the earliest moment at which a delivery that waits may be tried; None without one.

        One that may be tried at once counts from the beginning of the send, and so does one that a
        sender has claimed.
        """
        with self._transactions.reading() as connection:
            return queue.first_due(connection, issue)

    def last_at(self, issue: IssueKey) -> datetime | None:
        """Give the moment of the last word on any delivery of an issue; None where there is none.

        It looks at every row.
        """
        wanted = select(func.max(deliveries.c.at)).where(deliveries.c.issue == issue)
        with self._transactions.reading() as connection:
            return connection.execute(wanted).scalar()

    def finish(self, issue: IssueKey, *, retry_unknown: bool, now: datetime) -> bool:
        """Finish a send if no delivery is open, and tell whether it is finished.

        With `retry_unknown` one whose outcome is unknown for the first time is open too. A send
        finished before keeps its moment. Give False for an issue without a send.
        """
        refuse_naive(now)
        with self._transactions.writing() as connection:
            send = _send(connection, issue)
            if send is None or queue.is_open(connection, issue, retry_unknown=retry_unknown):
                return False
            if send.finished is None:
                connection.execute(update(sends).where(sends.c.issue == issue).values(finished=now))
            return True


def _send(connection: Connection, issue: IssueKey) -> Send | None:
    row = connection.execute(select(sends).where(sends.c.issue == issue)).mappings().first()
    return None if row is None else Send(**row)


def _is_withdrawn(connection: Connection, issue: IssueKey) -> bool:
    wanted = select(issues.c.withdrawn_at).where(issues.c.key == issue)
    return connection.execute(wanted).scalar() is not None


def _known(connection: Connection, send: Send, key: IssueKey) -> Send | None:
    """Give the send where it began before; refuse where the issue of this key was withdrawn."""
    if _is_withdrawn(connection, key):
        raise GuardError(
            "was withdrawn, and does not come back",
            where=key,
            fix="put what it held into another issue",
        )
    return _send(connection, send.issue)


def _listed(issue: IssueKey, states: tuple[DeliveryState, ...]) -> Select[tuple[object, ...]]:
    wanted = select(deliveries).where(deliveries.c.issue == issue)
    if states:
        wanted = wanted.where(deliveries.c.state.in_(states))
    return wanted.order_by(deliveries.c.position)


def _begin(connection: Connection, send: Send, audience: int) -> Send:
    begun = replace(send, audience=audience, paused="", finished=None)
    connection.execute(insert(sends).values(asdict(begun)))
    return begun
