"""The queue of one issue's deliveries: who is next, and what became of the one before.

Each function is a part of the caller's transaction. The statements are made once, since a send
runs them for each reader.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, RowMapping, bindparam, func, null, select, update

from digest.model import Delivery, IssueKey, Outcome, Settled
from digest.model.summary import refuse_naive
from digest.store.schema import deliveries, readers, sends

__all__ = [
    "count_open",
    "first_due",
    "is_open",
    "mark_unknown",
    "read_delivery",
    "requeue",
    "settle",
    "take",
    "take_back",
]

# After so many handings over without an answer a row is not tried again by itself.
_UNKNOWNS: Final = 2

_of_issue: Final = deliveries.c.issue == bindparam("of")
_row: Final = _of_issue & (deliveries.c.position == bindparam("place"))
_pending: Final = _of_issue & (deliveries.c.state == "pending")
_wire: Final = deliveries.c.state == "wire"
_retried: Final = (deliveries.c.state == "unknown") & (deliveries.c.unknowns < _UNKNOWNS)

# A row whose moment has come is due from then on. So the next one is the first of an index, and
# rows that wait, however many, are not looked at each time.
_RIPEN: Final = (
    update(deliveries).where(_pending, deliveries.c.due <= bindparam("now")).values(due=null())
)
_NEXT: Final = (
    select(deliveries, readers.c.state.label("standing"))
    .outerjoin(readers, readers.c.key == deliveries.c.reader)
    .where(_pending, deliveries.c.due.is_(None))
    .order_by(deliveries.c.unknowns, deliveries.c.attempts, deliveries.c.position)
    .limit(1)
)
_MARK: Final = (
    update(deliveries).where(_row).values(state="wire", attempts=deliveries.c.attempts + 1)
)
_DROP: Final = update(deliveries).where(_row).values(state=bindparam("to"), at=bindparam("now"))
_SETTLE: Final = (
    update(deliveries)
    .where(_row, _wire)
    .values(
        state=bindparam("to"),
        attempts=deliveries.c.attempts - bindparam("less"),
        unknowns=deliveries.c.unknowns + bindparam("more"),
        due=bindparam("again"),
        outcome=bindparam("to"),
        code=bindparam("reply"),
        enhanced=bindparam("status"),
        text=bindparam("rest"),
        at=bindparam("now"),
    )
)
# Who left meanwhile stays so: it is what they asked for, and they get no mail either way.
_SUPPRESS: Final = (
    update(readers)
    .where(
        readers.c.key == select(deliveries.c.reader).where(_row).scalar_subquery(),
        readers.c.state.in_(("pending", "active")),
    )
    .values(state="suppressed", reason=bindparam("why"), since=bindparam("now"))
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


def take(connection: Connection, issue: IssueKey, now: datetime) -> Delivery | None:
    """Mark the next row that is due as `wire` and give it; None where none is.

    Rows whose readers are no longer active are closed on the way.
    """
    connection.execute(_RIPEN, {"of": issue, "now": now})
    while (row := connection.execute(_NEXT, {"of": issue}).mappings().first()) is not None:
        here = {"of": issue, "place": row["position"]}
        if row["standing"] == "active":
            connection.execute(_MARK, here)
            return replace(read_delivery(row), state="wire", attempts=row["attempts"] + 1)
        state = "suppressed" if row["standing"] == "suppressed" else "left"
        connection.execute(_DROP, {**here, "to": state, "now": now})
    return None


def settle(connection: Connection, issue: IssueKey, done: Settled) -> None:
    """Write down the answer for a row in `wire`; a mailbox that is no more suppresses its reader.

    Raise ValueError where the row is not in `wire`.
    """
    outcome, here = done.outcome, {"of": issue, "place": done.position}
    for moment in filter(None, (done.at, done.due)):
        refuse_naive(moment)
    settled = connection.execute(
        _SETTLE,
        {
            **here,
            "to": outcome.state,
            # One that is due at once again was given back: no answer came for it.
            "less": int(outcome.state == "pending" and done.due is None),
            "more": int(outcome.state == "unknown"),
            "again": done.due if outcome.state == "pending" else None,
            "reply": outcome.code,
            "status": outcome.enhanced,
            "rest": outcome.text,
            "now": done.at,
        },
    )
    if settled.rowcount != 1:
        raise ValueError(f"delivery {done.position} of {issue} was not handed out")
    if outcome.dead:
        connection.execute(_SUPPRESS, {**here, "why": outcome.reply, "now": done.at})


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


def mark_unknown(connection: Connection, issue: IssueKey, now: datetime) -> None:
    """Mark rows as `unknown` that a process left in `wire`."""
    connection.execute(
        update(deliveries)
        .where(_of_issue, _wire)
        .values(
            state="unknown",
            unknowns=deliveries.c.unknowns + 1,
            outcome="unknown",
            code=0,
            enhanced="",
            text="",
            at=bindparam("now"),
        ),
        {"of": issue, "now": now},
    )


def requeue(connection: Connection, issue: IssueKey) -> None:
    """Put rows back whose outcome is unknown for the first time, behind those never tried so."""
    connection.execute(
        update(deliveries).where(_of_issue, _retried).values(state="pending", due=null()),
        {"of": issue},
    )


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
    still = deliveries.c.state.in_(("pending", "wire"))
    return _of_issue & (still | _retried if retry_unknown else still)


def first_due(connection: Connection, issue: IssueKey) -> datetime | None:
    """Give the earliest moment at which a pending row may be handed over.

    A row that needs not wait counts from the beginning of its send.
    """
    due = func.coalesce(deliveries.c.due, sends.c.began)
    wanted = select(func.min(due)).join_from(deliveries, sends).where(_pending)
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
