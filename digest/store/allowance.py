"""How much a relay, and the domains behind it, may still get: the limits, kept exactly.

What is handed out is counted in slots of a 64th of a limit's seconds, and a slot counts whole while
any part of it lies in the stretch that ends now. So in no stretch of that length more is handed out
than the limit allows, and at worst a sixty-fifth less. The counts are of the relay: two issues,
and runs one after the other, share them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import BigInteger, Connection, bindparam, case, delete, insert, select, update

from digest.model import Limits, Rate
from digest.store.schema import moments, outflow

__all__ = ["CREDIT", "Allowance", "credited", "forget_passed"]

_ALL: Final = ""  # stands for all domains together
_DAY: Final = 86_400
_SLOTS: Final = 64
_WIDTH: Final = 1_000_000 // _SLOTS  # microseconds of a slot, for each second of the limit
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TICK: Final = timedelta(microseconds=1)
_WARM_UP: Final = "warm_up"

_KNOWN: Final = select(outflow).where(outflow.c.domain.in_(bindparam("domains", expanding=True)))
_slot: Final = (
    (outflow.c.domain == bindparam("of"))
    & (outflow.c.seconds == bindparam("span"))
    & (outflow.c.slot == bindparam("place"))
)
_ADD: Final = update(outflow).where(_slot).values(count=outflow.c.count + bindparam("more"))
_STRAY: Final = delete(outflow).where(
    outflow.c.domain == bindparam("of"),
    outflow.c.seconds == bindparam("span"),
    (outflow.c.slot < bindparam("first")) | (outflow.c.slot > bindparam("last")),
)
_PASSED: Final = delete(outflow).where(
    (outflow.c.slot + 1 + _SLOTS) * (outflow.c.seconds * _WIDTH)
    <= bindparam("tick", type_=BigInteger())
)
# Rows that were handed out then and did not go: whatever limits count that slot gain them.
CREDIT: Final = (
    update(outflow)
    .where(
        outflow.c.domain == bindparam("of"),
        outflow.c.slot == bindparam("tick", type_=BigInteger()) // (outflow.c.seconds * _WIDTH),
    )
    .values(
        count=case(
            (outflow.c.count > bindparam("less"), outflow.c.count - bindparam("less")), else_=0
        )
    )
)


class _Account:
    """What one domain, or all together, got of late, and what limits hold for it."""

    def __init__(self, limits: dict[int, int]) -> None:
        self.limits = limits  # how many, by seconds
        self.slots: dict[int, dict[int, int]] = {seconds: {} for seconds in limits}
        self.room: int | None = None  # how many more the narrowest limit lets go
        self.fresh = 0  # how many of these are taken

    def know(self) -> None:
        """Sum up what was counted."""
        rooms = (
            count - sum(self.slots[seconds].values()) for seconds, count in self.limits.items()
        )
        self.room = min(rooms, default=None)

    def has_room(self) -> bool:
        return self.room is None or self.fresh < self.room

    def free_at(self, seconds: int, count: int) -> int:
        """Give the tick from which on a limit lets one go; 0 where it does now."""
        slots, tick = self.slots[seconds], 0
        left = sum(slots.values())
        for slot in sorted(slots):
            if left < count:
                break
            left -= slots[slot]
            tick = (slot + 1 + _SLOTS) * seconds * _WIDTH
        return tick


class Allowance:
    """What may be handed out at one moment; part of the caller's transaction.

    Under a warm-up, which begins with the first message handed out under one and never again, no
    stretch of 24 hours that ends in its day k holds more than day k allows. A clock that was set
    back keeps what was counted ahead of it for at most twice the seconds of each limit; what lies
    further ahead came of a clock that was wrong, and does not count.
    """

    def __init__(self, connection: Connection, limits: Limits, *, now: datetime) -> None:
        self._connection, self._limits = connection, limits
        self._now, self._tick = now, (now - _EPOCH) // _TICK
        self._since = self._warm_since()
        total = _narrowest(limits.total)
        if (most := self._warm_count()) is not None:
            total[_DAY] = min(most, total.get(_DAY, most))
        self._total = _Account(total)
        self._domains: dict[str, _Account] = {}
        self._read({_ALL: self._total})

    def _warm_since(self) -> datetime | None:
        """Give the beginning of the warm-up; one that lies ahead came of a wrong clock."""
        if not self._limits.warm_up:
            return None
        wanted = select(moments.c.at).where(moments.c.name == _WARM_UP)
        since = self._connection.execute(wanted).scalar()
        return since if since is not None and since <= self._now else self._now

    def _warm_count(self) -> int | None:
        if self._since is None:
            return None
        day = (self._now - self._since) // timedelta(seconds=_DAY)
        return self._limits.warm_up[day] if day < len(self._limits.warm_up) else None

    def _read(self, accounts: dict[str, _Account]) -> None:
        asked = [domain for domain, account in accounts.items() if account.limits]
        if not asked:
            return
        for row in self._connection.execute(_KNOWN, {"domains": asked}).mappings():
            slots = accounts[row["domain"]].slots.get(row["seconds"])
            now = self._tick // (row["seconds"] * _WIDTH)
            if slots is not None and now - _SLOTS <= row["slot"] <= now + _SLOTS:
                slots[row["slot"]] = row["count"]
        for account in accounts.values():
            account.know()

    @property
    def is_open(self) -> bool:
        """Tell whether the limits for all together let one go."""
        return self._total.has_room()

    def look_up(self, domains: Iterable[str]) -> None:
        """Read what these domains got, before they are asked for."""
        named = self._limits.domains
        other = named.get("*", ())
        new = {
            domain: _Account(_narrowest(named.get(domain, other)))
            for domain in domains
            if domain not in self._domains
        }
        self._read(new)
        self._domains |= new

    def take(self, domain: str) -> bool:
        """Count one message to a domain that was looked up, or give False where it has no room."""
        account = self._domains[domain]
        if not account.has_room():
            return False
        account.fresh += 1
        self._total.fresh += 1
        return True

    def opens(self) -> datetime:
        """Give the moment before which the limits for all together let none go."""
        account, wait = self._total, self._tick
        for seconds, count in _narrowest(self._limits.total).items():
            wait = max(wait, account.free_at(seconds, count))
        return max(_moment(wait), self._warm_opens())

    def _warm_opens(self) -> datetime:
        if self._since is None:
            return self._now
        for day, count in enumerate(self._limits.warm_up):
            begin = self._since + timedelta(days=day)
            end = self._since + timedelta(days=day + 1)
            if end <= self._now:
                continue
            free = max(begin, self._now, _moment(self._total.free_at(_DAY, count)))
            if free < end:
                return free
        return max(self._now, self._since + timedelta(days=len(self._limits.warm_up)))

    def opens_for(self, domain: str) -> datetime:
        """Give the moment at which the limits of a domain that was looked up let one go."""
        account = self._domains[domain]
        ticks = (account.free_at(seconds, count) for seconds, count in account.limits.items())
        return max(_moment(max(ticks, default=0)), self._now)

    def write(self) -> None:
        """Write down what was taken."""
        add, new, stray = [], [], []
        for domain, account in ({_ALL: self._total} | self._domains).items():
            if not account.fresh:
                continue
            for seconds, slots in account.slots.items():
                now = self._tick // (seconds * _WIDTH)
                here = {"of": domain, "span": seconds}
                if now in slots:
                    add.append({**here, "place": now, "more": account.fresh})
                    continue
                stray.append({**here, "first": now - _SLOTS, "last": now + _SLOTS})
                new.append(
                    {"domain": domain, "seconds": seconds, "slot": now, "count": account.fresh}
                )
        for statement, rows in ((_ADD, add), (_STRAY, stray), (insert(outflow), new)):
            if rows:
                self._connection.execute(statement, rows)
        if self._total.fresh and self._since == self._now:
            self._connection.execute(delete(moments).where(moments.c.name == _WARM_UP))
            self._connection.execute(insert(moments).values(name=_WARM_UP, at=self._now))


def credited(rows: Iterable[tuple[str, str]]) -> list[dict[str, str | int]]:
    """Give the parameters of `CREDIT` for rows: the domain, and when it was claimed as text."""
    found = Counter[tuple[str, str]]()
    for domain, at in rows:
        found[domain, at] += 1
        found[_ALL, at] += 1
    return [
        {"of": domain, "tick": (datetime.fromisoformat(at) - _EPOCH) // _TICK, "less": number}
        for (domain, at), number in found.items()
    ]


def forget_passed(connection: Connection, now: datetime) -> None:
    """Drop the counts that no limit looks at any more."""
    connection.execute(_PASSED, {"tick": (now - _EPOCH) // _TICK})


def _narrowest(rates: Iterable[Rate]) -> dict[int, int]:
    """Give the smallest count for each number of seconds."""
    found: dict[int, int] = {}
    for rate in rates:
        found[rate.seconds] = min(rate.count, found.get(rate.seconds, rate.count))
    return found


def _moment(tick: int) -> datetime:
    return _EPOCH + tick * _TICK
