"""Who sends: one process at a time for a whole database, by a lease with a number that grows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, RowMapping, func, insert, select, update

from digest.errors import LockError
from digest.model import Holder
from digest.model.summary import refuse_naive
from digest.store.schema import leases
from digest.store.transactions import Transactions

__all__ = ["Leases", "refuse_other"]


class Leases:
    """The right to send, held by one process until it gives it up, is gone, or lets it lapse."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def acquire(
        self,
        holder: Holder,
        *,
        now: datetime,
        seconds: int,
        alive: Callable[[Holder], bool | None],
    ) -> int:
        """Become the one who sends for so many seconds, and give the fence: larger than any before.

        `alive` tells of the holder before whether its process is there, None where nobody can know.
        One that is not is followed at once, and so is the same process; one that is there never.
        Where nobody knows, its time has to be up by this clock, or end later than any it could have
        asked for: so the clocks of all who send must agree to some minutes. Raise LockError where
        another one sends.
        """
        refuse_naive(now)
        with self._transactions.writing() as connection:
            last = _last(connection)
            if last is not None and last["until"] is not None:
                _refuse_alive(last, holder, now=now, seconds=seconds, alive=alive)
            fence: int = 1 if last is None else last["fence"] + 1
            connection.execute(
                insert(leases).values(
                    fence=fence,
                    host=holder.host,
                    boot=holder.boot,
                    pid=holder.pid,
                    started=holder.started,
                    since=now,
                    until=now + timedelta(seconds=seconds),
                )
            )
            return fence

    def renew(self, fence: int, *, now: datetime, seconds: int) -> bool:
        """Hold the lease for so many seconds from now; give False where it is another's by now."""
        refuse_naive(now)
        with self._transactions.writing() as connection:
            last = _last(connection)
            if last is None or last["fence"] != fence or last["until"] is None:
                return False
            until = now + timedelta(seconds=seconds)
            connection.execute(update(leases).where(leases.c.fence == fence).values(until=until))
            return True

    def release(self, fence: int) -> None:
        """Give the lease up; nothing happens where it is another's by now."""
        with self._transactions.writing() as connection:
            connection.execute(update(leases).where(leases.c.fence == fence).values(until=None))


def refuse_other(connection: Connection, fence: int) -> RowMapping:
    """Give the lease of this fence; raise LockError where another one holds it by now, or none."""
    last = _last(connection)
    if last is None or last["fence"] != fence or last["until"] is None:
        raise LockError(
            "this `digest` no longer has the right to send: another one took it over",
            fix="nothing is lost; repeat the command once that one is done",
        )
    return last


def _last(connection: Connection) -> RowMapping | None:
    wanted = select(leases).where(
        leases.c.fence == select(func.max(leases.c.fence)).scalar_subquery()
    )
    return connection.execute(wanted).mappings().first()


def _refuse_alive(
    last: RowMapping,
    holder: Holder,
    *,
    now: datetime,
    seconds: int,
    alive: Callable[[Holder], bool | None],
) -> None:
    before = Holder(host=last["host"], boot=last["boot"], pid=last["pid"], started=last["started"])
    if before == holder or (known := alive(before)) is False:
        return
    if known is None and not now < last["until"] <= now + timedelta(seconds=2 * seconds):
        return
    since = last["since"].astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    raise LockError(
        f"another `digest` sends: pid {before.pid} on host {before.host} since {since}",
        fix="wait until that one is done, then repeat the command",
    )
