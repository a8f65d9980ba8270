"""The queue of one issue's deliveries: who is next, what a dead sender left, what is open.

Each function is a part of the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Text,
    bindparam,
    exists,
    func,
    literal_column,
    null,
    or_,
    select,
    tuple_,
    type_coerce,
    update,
)

from digest.model import Claim, Delivery, IssueKey, Limits, Outcome, OutcomeState
from digest.store.allowance import CREDIT, Allowance, credited, forget_passed
from digest.store.leases import refuse_other
from digest.store.schema import deliveries, leases, readers, sends

__all__ = [
    "claim",
    "count_open",
    "first_due",
    "is_open",
    "opens",
    "put_back",
    "read_delivery",
    "recover",
    "reopen",
    "take_back",
]


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


# After so many handings over without an answer a row is not tried again by itself.
_UNKNOWNS: Final = 2
# So many rows or domains one statement names; databases bound the number of values.
_NAMED: Final = 500

# Written into the statements, since only then an index over these rows alone is used.
_PENDING: Final[ColumnElement[str]] = literal_column("'pending'")

_of_issue: Final = deliveries.c.issue == bindparam("of")
_pending: Final = _of_issue & (deliveries.c.state == _PENDING)
_retried: Final = (deliveries.c.state == "unknown") & (deliveries.c.unknowns < _UNKNOWNS)
_several: Final = _of_issue & deliveries.c.position.in_(bindparam("places", expanding=True))
_active: Final = exists().where(readers.c.key == deliveries.c.reader, readers.c.state == "active")

# A row whose moment has come is due from then on. So the next ones are the first of an index, and
# rows that wait, however many, are not looked at each time.
_RIPEN: Final = (
    update(deliveries).where(_pending, deliveries.c.due <= bindparam("now")).values(due=null())
)
_ORDER: Final = (deliveries.c.unknowns, deliveries.c.attempts, deliveries.c.position)
_NEXT: Final = (
    select(*(deliveries.c[name] for name in _Row._fields[:-1]), readers.c.state)
    .outerjoin(readers, readers.c.key == deliveries.c.reader)
    .where(
        _pending,
        deliveries.c.due.is_(None),
        tuple_(*_ORDER) > tuple_(bindparam("u"), bindparam("a"), bindparam("p")),
        deliveries.c.domain.not_in(bindparam("spent", expanding=True)),
    )
    .order_by(*_ORDER)
    .limit(bindparam("most"))
)
_CLAIM: Final = (
    update(deliveries)
    .where(_several)
    .values(
        state="claimed",
        attempts=deliveries.c.attempts + 1,
        worker=bindparam("fence"),
        at=bindparam("now"),
    )
)
_CLOSE: Final = (
    update(deliveries).where(_several).values(state=bindparam("to"), at=bindparam("now"))
)

# Only who was suppressed by that very answer: nobody who left, or was suppressed before.
_REVIVE: Final = (
    update(readers)
    .where(
        readers.c.key == bindparam("whom"),
        readers.c.state == "suppressed",
        readers.c.reason == bindparam("why"),
    )
    .values(state="active", reason="")
)

# What a sender left that is gone by now.
_left: Final = (
    _of_issue
    & deliveries.c.state.in_(("claimed", "wire"))
    & or_(deliveries.c.worker.is_(None), deliveries.c.worker != bindparam("fence"))
)

# The senders of one run of a host.
_NEIGHBOURS: Final = select(leases.c.fence).where(
    leases.c.host == bindparam("host"), leases.c.boot == bindparam("boot"), leases.c.boot != ""
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
    connection: Connection,
    issue: IssueKey,
    *,
    limit: int,
    limits: Limits,
    fence: int,
    now: datetime,
) -> Claim:
    """Do what `Deliveries.claim` promises."""
    refuse_other(connection, fence)
    connection.execute(_RIPEN, {"of": issue, "now": now})
    allowance = Allowance(connection, limits, now=now)
    found = _Sorted()
    last = {"u": -1, "a": -1, "p": -1}
    while not found.shut and len(found.taken) < limit:
        spent = sorted(found.spent)[:_NAMED]
        asked = {"of": issue, **last, "spent": spent, "most": limit}
        rows = [_Row._make(row) for row in connection.execute(_NEXT, asked)]
        if not rows:
            break
        last = _sort(rows, found, allowance, limit=limit)
    _write(connection, issue, found, fence=fence, now=now)
    allowance.write()
    if found.shut and not found.taken:
        return Claim(rows=(), wait_until=allowance.opens())
    opens = (allowance.opens_for(domain) for domain in found.spent)
    return Claim(
        rows=tuple(_claimed(issue, row) for row in found.taken),
        wait_until=None if found.taken else min(opens, default=None),
    )


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


def _write(
    connection: Connection, issue: IssueKey, found: _Sorted, *, fence: int, now: datetime
) -> None:
    here = {"of": issue, "now": now}
    for to, closed in (("left", found.left), ("suppressed", found.suppressed)):
        for start in range(0, len(closed), _NAMED):
            places = closed[start : start + _NAMED]
            connection.execute(_CLOSE, {**here, "places": places, "to": to})
    if found.taken:
        places = [row.position for row in found.taken]
        connection.execute(_CLAIM, {**here, "places": places, "fence": fence})


def put_back(connection: Connection, issue: IssueKey, *, fence: int, held: Collection[int]) -> None:
    """Put the rows back that a fence has claimed and its sender does not hold."""
    mine = (
        (deliveries.c.issue == issue)
        & (deliveries.c.worker == fence)
        & (deliveries.c.state == "claimed")
        & deliveries.c.position.not_in(sorted(held))
    )
    _unclaim(connection, mine, {})


def _unclaim(connection: Connection, those: ColumnElement[bool], values: dict[str, Any]) -> None:
    """Let rows wait as if they had not been claimed; the limits let others go in their place."""
    at = type_coerce(deliveries.c.at, Text())
    rows = connection.execute(select(deliveries.c.domain, at).where(those), values)
    if back := credited((row[0], row[1]) for row in rows):
        connection.execute(CREDIT, back)
    connection.execute(
        update(deliveries)
        .where(those)
        .values(state="pending", due=null(), attempts=deliveries.c.attempts - 1, worker=null()),
        values,
    )


def take_back(connection: Connection, issue: IssueKey) -> None:
    """Forget the refusals of an issue: the rows wait, and whom they suppressed is active."""
    refused = (deliveries.c.issue == issue) & (deliveries.c.state == "refused")
    found = connection.execute(select(deliveries).where(refused)).mappings().all()
    for row in found:
        outcome = read_delivery(row).outcome
        connection.execute(
            _REVIVE, {"whom": row["reader"], "why": outcome.reply if outcome else ""}
        )
    connection.execute(update(deliveries).where(refused).values(state="pending", due=null()))


def recover(
    connection: Connection,
    issue: IssueKey,
    *,
    fence: int,
    retry_unknown: bool,
    synced: bool,
    now: datetime,
) -> None:
    """Do what `Deliveries.recover` promises; `synced` tells whether steps are."""
    lease = refuse_other(connection, fence)
    certain = _left & (deliveries.c.state == "claimed")
    here: dict[str, Any] = {"of": issue, "fence": fence}
    if not synced:
        # A power cut may have undone a step, unless the host has been up since.
        certain &= deliveries.c.worker.in_(_NEIGHBOURS)
        here |= {"host": lease["host"], "boot": lease["boot"]}
    _unclaim(connection, certain, here)
    _mark_unknown(connection, here, now)
    if retry_unknown:
        connection.execute(
            update(deliveries).where(_of_issue, _retried).values(state="pending", due=null()),
            {"of": issue},
        )
    forget_passed(connection, now)


def _mark_unknown(connection: Connection, here: dict[str, Any], now: datetime) -> None:
    connection.execute(
        update(deliveries)
        .where(_left)
        .values(
            state="unknown",
            unknowns=deliveries.c.unknowns + 1,
            outcome="unknown",
            code=0,
            enhanced="",
            text="",
            at=bindparam("now"),
            worker=null(),
        ),
        {"of": here["of"], "fence": here["fence"], "now": now},
    )


def reopen(connection: Connection, issue: IssueKey, now: datetime) -> int:
    """Do what `Deliveries.reopen` promises."""
    failed = deliveries.c.state.in_(("refused", "unsupported", "unknown"))
    changed = connection.execute(
        update(deliveries)
        .where(_of_issue, failed, _active)
        .values(state="pending", due=null(), unknowns=0, attempts=0, at=bindparam("now")),
        {"of": issue, "now": now},
    ).rowcount
    if changed:
        connection.execute(update(sends).where(sends.c.issue == issue).values(finished=None))
    return changed


def is_open(connection: Connection, issue: IssueKey, *, retry_unknown: bool) -> bool:
    """Tell whether a row waits or is under way; with `retry_unknown`, or is to be tried again."""
    wanted = select(deliveries.c.position).where(_open(retry_unknown=retry_unknown)).limit(1)
    return connection.execute(wanted, {"of": issue}).first() is not None


def count_open(connection: Connection, issue: IssueKey, *, retry_unknown: bool) -> int:
    """Count the rows for which `is_open` holds and whose reader still gets mail."""
    wanted = (
        select(func.count())
        .select_from(deliveries)
        .join(readers, readers.c.key == deliveries.c.reader)
        .where(_open(retry_unknown=retry_unknown), readers.c.state == "active")
    )
    return connection.execute(wanted, {"of": issue}).scalar_one()


def _open(*, retry_unknown: bool) -> ColumnElement[bool]:
    still = deliveries.c.state.in_(("pending", "claimed", "wire"))
    return _of_issue & (still | _retried if retry_unknown else still)


def first_due(connection: Connection, issue: IssueKey) -> datetime | None:
    """Give the earliest moment at which a row that waits, or is claimed, may be handed over.

    A row that needs not wait counts from the beginning of its send.
    """
    waits = deliveries.c.state.in_(("pending", "claimed"))
    due = func.coalesce(deliveries.c.due, sends.c.began)
    wanted = select(func.min(due)).join_from(deliveries, sends).where(_of_issue, waits)
    return connection.execute(wanted, {"of": issue}).scalar()


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


def read_delivery(row: RowMapping) -> Delivery:
    """Make a delivery of its row."""
    outcome = Outcome(
        state=row["outcome"], code=row["code"], enhanced=row["enhanced"], text=row["text"]
    )
    return Delivery(
        issue=row["issue"],
        position=row["position"],
        address=row["address"],
        name=row["name"],
        state=row["state"],
        attempts=row["attempts"],
        due=row["due"],
        outcome=outcome if row["outcome"] else None,
    )
