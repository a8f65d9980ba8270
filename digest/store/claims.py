"""Claims: the next rows of one issue's deliveries that are due, within the limits.

They are taken for nearly each reader, so the statements are few and run by the driver itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Text,
    Update,
    bindparam,
    literal_column,
    null,
    or_,
    select,
    tuple_,
    update,
)

from digest.model import Claim, Delivery, IssueKey, Limits, Outcome, OutcomeState
from digest.store.allowance import Allowance
from digest.store.leases import refuse_other
from digest.store.raw import MOST_NAMED, Raw, Value, named, placeholders
from digest.store.schema import deliveries, readers, written

__all__ = ["claim", "opens"]

# Written into the statements, since only then an index over these rows alone is used.
_PENDING: Final[ColumnElement[str]] = literal_column("'pending'")

_of_issue: Final = deliveries.c.issue == bindparam("of")
_pending: Final = _of_issue & (deliveries.c.state == _PENDING)


class _Row(NamedTuple):
    """A row that is due, and the state of its reader."""

    position: int
    address: str
    name: str
    domain: str
    unknowns: int
    attempts: int
    outcome: OutcomeState | None
    code: int
    enhanced: str
    text: str
    standing: str | None


def _places(number: int) -> ColumnElement[bool]:
    return deliveries.c.position.in_(placeholders(number))


# A row whose moment has come is due from then on. So the next ones are the first of an index, and
# rows that wait, however many, are not looked at each time.
_when: Final = bindparam("when", type_=Text())
_RIPEN: Final = update(deliveries).where(_pending, deliveries.c.due <= _when).values(due=null())
_ORDER: Final = (deliveries.c.unknowns, deliveries.c.attempts, deliveries.c.position)
_NEXT: Final = (
    select(*(deliveries.c[name] for name in _Row._fields[:-1]), readers.c.state)
    .outerjoin(readers, readers.c.key == deliveries.c.reader)
    .where(
        _pending,
        deliveries.c.due.is_(None),
        tuple_(*_ORDER) > tuple_(bindparam("u"), bindparam("a"), bindparam("p")),
    )
    .order_by(*_ORDER)
    .limit(bindparam("most"))
)


@cache
def _next(spent: int) -> Select[Any]:
    """Give the statement that passes over so many domains."""
    if not spent:
        return _NEXT
    return _NEXT.where(deliveries.c.domain.not_in(placeholders(spent)))


@cache
def _claim(number: int) -> Update:
    return (
        update(deliveries)
        .where(_of_issue, _places(number))
        .values(
            state=literal_column("'claimed'"),
            attempts=deliveries.c.attempts + 1,
            worker=bindparam("fence"),
            at=_when,
        )
    )


@cache
def _close(number: int) -> Update:
    return (
        update(deliveries).where(_of_issue, _places(number)).values(state=bindparam("to"), at=_when)
    )


@dataclass(slots=True)
class _Sorted:
    """What becomes of the rows that a claim looked at."""

    taken: list[_Row] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    suppressed: list[int] = field(default_factory=list)
    spent: set[str] = field(default_factory=set)
    shut: bool = False  # one was due, and the limits for all let none go


def claim(
    both: tuple[Connection, Raw],
    issue: IssueKey,
    *,
    limit: int,
    limits: Limits,
    fence: int,
    now: datetime,
) -> Claim:
    """Do what `Deliveries.claim` promises; `both` are of one transaction."""
    connection, raw = both
    refuse_other(connection, fence)
    here: dict[str, Value] = {"of": issue, "when": written(now)}
    raw.run(_RIPEN, here)
    allowance = Allowance(connection, limits, now=now)
    found = _Sorted()
    last = {"u": -1, "a": -1, "p": -1}
    while not found.shut and len(found.taken) < limit:
        rows = _due(raw, {"of": issue, **last, "most": limit}, sorted(found.spent)[:MOST_NAMED])
        if not rows:
            break
        last = _sort(rows, found, allowance, limit=limit)
    _write(raw, here, found, fence=fence)
    allowance.write()
    if found.shut and not found.taken:
        return Claim(rows=(), wait_until=allowance.opens())
    opens = (allowance.opens_for(domain) for domain in found.spent)
    return Claim(
        rows=tuple(_claimed(issue, row) for row in found.taken),
        wait_until=None if found.taken else min(opens, default=None),
    )


def _due(raw: Raw, asked: Mapping[str, Value], spent: Sequence[str]) -> list[_Row]:
    """Give the next rows that are due, in domains that may get more."""
    size, names = next(named(spent), (0, {}))
    return [_Row._make(row) for row in raw.rows(_next(size), {**asked, **names})]


def opens(
    connection: Connection, issue: IssueKey, *, limits: Limits, now: datetime
) -> datetime | None:
    """Give when the limits let the first row go that is due by now; None where they do."""
    due = or_(deliveries.c.due.is_(None), deliveries.c.due <= bindparam("now"))
    wanted = select(deliveries.c.domain).where(_pending, due).distinct()
    domains = set(connection.execute(wanted, {"of": issue, "now": now}).scalars())
    allowance = Allowance(connection, limits, now=now)
    if not domains:
        return None
    if not allowance.is_open:
        return allowance.opens()
    allowance.look_up(domains)
    first = min(allowance.opens_for(domain) for domain in domains)
    return first if first > now else None


def _sort(
    rows: Sequence[_Row], found: _Sorted, allowance: Allowance, *, limit: int
) -> dict[str, int]:
    """Say of each row what becomes of it until enough are taken; give the order of the last."""
    allowance.look_up({row.domain for row in rows})
    last = rows[-1]
    for row in rows:
        if row.standing == "suppressed":
            found.suppressed.append(row.position)
        elif row.standing != "active":
            found.left.append(row.position)
        elif not allowance.is_open:
            found.shut = True
            break
        elif allowance.take(row.domain):
            found.taken.append(row)
            if len(found.taken) == limit:
                break
        else:
            found.spent.add(row.domain)
    return {"u": last.unknowns, "a": last.attempts, "p": last.position}


def _write(raw: Raw, here: Mapping[str, Value], found: _Sorted, *, fence: int) -> None:
    for to, closed in (("left", found.left), ("suppressed", found.suppressed)):
        for size, places in named(closed):
            raw.run(_close(size), {**here, **places, "to": to})
    for size, places in named([row.position for row in found.taken]):
        raw.run(_claim(size), {**here, **places, "fence": fence})


def _claimed(issue: IssueKey, row: _Row) -> Delivery:
    outcome = None
    if row.outcome is not None:
        outcome = Outcome(state=row.outcome, code=row.code, enhanced=row.enhanced, text=row.text)
    return Delivery(
        issue=issue,
        position=row.position,
        address=row.address,
        name=row.name,
        state="claimed",
        attempts=row.attempts + 1,
        outcome=outcome,
    )
