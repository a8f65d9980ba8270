"""The sends, and one row for each reader of each: none is lost, none is handed out twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import Connection, func, insert, literal, select, update
from sqlalchemy.exc import SQLAlchemyError

from digest.errors import GuardError
from digest.model import Delivery, DeliveryState, IssueKey, Send, Settled, Tally
from digest.model.summary import refuse_naive
from digest.store import queue
from digest.store.schema import deliveries, issues, readers, sends
from digest.store.transactions import Transactions

__all__ = ["Deliveries"]


class Deliveries:
    """The ledger of deliveries.

    One process at a time works on an issue, under the lock for sending. A row is in `wire` from
    before its message is handed over until the answer is written down, so that a process which
    died in between leaves a trace.
    """

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def enroll(self, send: Send) -> Send:
        """Begin a send: write it down, with a row for each active reader as they are now.

        Give it with the number of rows as its audience; where the issue has a send already, that
        one as it stands. Raise GuardError where no reader is active, or the issue was withdrawn.
        """
        with self._transactions.writing() as connection:
            if _is_withdrawn(connection, send.issue):
                raise GuardError(
                    "was withdrawn, and does not come back",
                    where=send.issue,
                    fix="put what it held into another issue",
                )
            if (known := _send(connection, send.issue)) is not None:
                return known
            active = select(func.count()).where(readers.c.state == "active")
            audience = connection.execute(active).scalar_one()
            if not audience:
                raise GuardError(
                    "there is no active reader",
                    where=self._transactions.shown,
                    fix="add readers with `digest readers add` or `digest readers import`",
                )
            return _begin(connection, send, audience)

    def send(self, issue: IssueKey) -> Send | None:
        """Give the send of an issue."""
        with self._transactions.reading() as connection:
            return _send(connection, issue)

    def sends(self) -> tuple[Send, ...]:
        """Give every send, oldest first."""
        wanted = select(sends).order_by(sends.c.began, sends.c.issue)
        with self._transactions.reading() as connection:
            return tuple(Send(**row) for row in connection.execute(wanted).mappings())

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

    def recover(self, issue: IssueKey, *, retry_unknown: bool, now: datetime) -> None:
        """Clear up after the run before: what it left in `wire` has an unknown outcome.

        With `retry_unknown` rows whose outcome is unknown for the first time are put at the end of
        the queue, due at once. To be called at the beginning of a run, under the lock for sending.
        """
        refuse_naive(now)
        with self._transactions.writing() as connection:
            queue.mark_unknown(connection, issue, now)
            if retry_unknown:
                queue.requeue(connection, issue)

    def step(self, issue: IssueKey, *, done: Settled | None, now: datetime) -> Delivery | None:
        """Settle the delivery before and give the next one that is due, marked `wire`, or None.

        Both are one commit. Fewest unknown outcomes come first, then fewest attempts, then the
        order of enrolment. Whether the reader is still active is asked again here; the rows of
        others are closed. The time it takes does not grow with the audience. Raise ValueError where
        `done` is not in `wire`; then nothing is written.
        """
        refuse_naive(now)
        with self._transactions.writing() as connection:
            if done is not None:
                queue.settle(connection, issue, done)
            return queue.take(connection, issue, now)

    def settle(self, issue: IssueKey, done: Settled) -> None:
        """Write down what became of a delivery; a dead mailbox suppresses its reader.

        Raise ValueError where it is not in `wire`.
        """
        with self._transactions.writing() as connection:
            queue.settle(connection, issue, done)

    def tally(self, issue: IssueKey) -> Tally:
        """Count the deliveries of an issue by state; one under way counts as unknown.

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
                found["unknown" if state == "wire" else state] += number
            try:
                return Tally(audience=0 if send is None else send.audience, **found)
            except ValueError as error:
                raise SQLAlchemyError(str(error)) from error

    def listed(
        self, issue: IssueKey, *, states: tuple[DeliveryState, ...] = ()
    ) -> tuple[Delivery, ...]:
        """Give the deliveries of an issue in these states, or in any, in the order of enrolment."""
        wanted = select(deliveries).where(deliveries.c.issue == issue)
        if states:
            wanted = wanted.where(deliveries.c.state.in_(states))
        with self._transactions.reading() as connection:
            rows = connection.execute(wanted.order_by(deliveries.c.position)).mappings()
            return tuple(queue.read_delivery(row) for row in rows)

    def next_due(self, issue: IssueKey) -> datetime | None:
        """Give the earliest moment at which a pending delivery may be tried; None without one.

        One that may be tried at once counts from the beginning of the send.
        """
        with self._transactions.reading() as connection:
            return queue.first_due(connection, issue)

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


def _begin(connection: Connection, send: Send, audience: int) -> Send:
    begun = replace(send, audience=audience, paused="", finished=None)
    connection.execute(insert(sends).values(asdict(begun)))
    columns = {
        "issue": literal(send.issue),
        "position": func.row_number().over(order_by=readers.c.key),
        "reader": readers.c.key,
        "address": readers.c.address,
        "name": readers.c.name,
        "state": literal("pending"),
        "attempts": literal(0),
        "unknowns": literal(0),
        "code": literal(0),
        "enhanced": literal(""),
        "text": literal(""),
    }
    rows = select(*columns.values()).where(readers.c.state == "active")
    connection.execute(insert(deliveries).from_select(list(columns), rows))
    return begun
