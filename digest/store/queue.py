"""The queue of one issue's deliveries: what a dead sender left, what goes back, what is open.

Each function is a part of the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Text,
    bindparam,
    exists,
    func,
    null,
    or_,
    select,
    type_coerce,
    update,
)

from digest.model import Delivery, IssueKey, Outcome
from digest.store.allowance import CREDIT, credited, forget_passed
from digest.store.leases import refuse_other
from digest.store.schema import deliveries, leases, readers, sends

__all__ = [
    "count_open",
    "first_due",
    "is_open",
    "put_back",
    "read_delivery",
    "recover",
    "reopen",
    "take_back",
]


# After so many handings over without an answer a row is not tried again by itself.
_UNKNOWNS: Final = 2
_of_issue: Final = deliveries.c.issue == bindparam("of")
_retried: Final = (deliveries.c.state == "unknown") & (deliveries.c.unknowns < _UNKNOWNS)
_active: Final = exists().where(readers.c.key == deliveries.c.reader, readers.c.state == "active")


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
