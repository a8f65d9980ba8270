"""One step of a sender: settle rows, mark others as on the wire, ask whether others may be mailed.

A step runs for nearly each message, so its statements are few and made once. It writes to rows
alone that the sender still has, so that the same step again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    Update,
    bindparam,
    literal_column,
    null,
    select,
    type_coerce,
    update,
)

from digest.model import IssueKey, Settled, Stepped
from digest.store.allowance import CREDIT, credited
from digest.store.raw import Raw, Value, named, placeholders
from digest.store.schema import deliveries, readers, written

__all__ = ["Rows"]

_of_issue: Final = deliveries.c.issue == bindparam("of")
_mine: Final = deliveries.c.worker == bindparam("fence")
_row: Final = _of_issue & (deliveries.c.position == bindparam("place"))
_claimed: Final = deliveries.c.state == literal_column("'claimed'")
_handed: Final = deliveries.c.state.in_([literal_column("'claimed'"), literal_column("'wire'")])
_when: Final = bindparam("when", type_=Text())

_SETTLE: Final = (
    update(deliveries)
    .where(_row, _mine, _handed)
    .values(
        state=bindparam("to"),
        attempts=deliveries.c.attempts - bindparam("less"),
        unknowns=deliveries.c.unknowns + bindparam("more"),
        due=bindparam("again", type_=Text()),
        outcome=bindparam("to"),
        code=bindparam("reply"),
        enhanced=bindparam("status"),
        text=bindparam("rest"),
        at=_when,
        worker=null(),
    )
)
# Who left meanwhile stays so: it is what they asked for, and they get no mail either way.
_SUPPRESS: Final = (
    update(readers)
    .where(
        readers.c.key == select(deliveries.c.reader).where(_row).scalar_subquery(),
        readers.c.state.in_([literal_column("'pending'"), literal_column("'active'")]),
    )
    .values(state="suppressed", reason=bindparam("why"), since=_when)
)
_CLOSE: Final = (
    update(deliveries)
    .where(_row, _mine, _claimed)
    .values(state=bindparam("to"), at=_when, worker=null())
)


def _places(number: int) -> ColumnElement[bool]:
    return deliveries.c.position.in_(placeholders(number))


@cache
def _mark(number: int) -> Update:
    return (
        update(deliveries)
        .where(_of_issue, _places(number), _mine, _claimed)
        .values(state=literal_column("'wire'"))
    )


class _Found(NamedTuple):
    """A row that the sender has: claimed, or in `wire`; `standing` is its reader's state."""

    position: int
    state: str
    domain: str
    at: str
    standing: str | None

    @property
    def end(self) -> str:
        """Give the state in which the row is closed where its reader is not active."""
        return "suppressed" if self.standing == "suppressed" else "left"


@cache
def _look(number: int) -> Select[tuple[int | None, int, str, str, str, str | None]]:
    return (
        select(
            deliveries.c.worker,
            deliveries.c.position,
            deliveries.c.state,
            deliveries.c.domain,
            type_coerce(deliveries.c.at, Text()),
            readers.c.state,
        )
        .outerjoin(readers, readers.c.key == deliveries.c.reader)
        .where(_of_issue, _places(number))
    )


@cache
def _back(number: int) -> Update:
    return (
        update(deliveries)
        .where(_of_issue, _places(number), _mine, _handed)
        .values(
            state=literal_column("'pending'"),
            attempts=deliveries.c.attempts - 1,
            due=null(),
            worker=null(),
        )
    )


class Rows:
    """The rows of one issue that a sender has, by its fence; part of the caller's transaction."""

    def __init__(self, raw: Raw, issue: IssueKey, *, fence: int) -> None:
        self._raw, self._issue, self._fence = raw, issue, fence

    def settle(self, done: Sequence[Settled]) -> None:
        """Write down answers; a mailbox that is no more suppresses its reader."""
        if back := [one.position for one in done if _is_back(one)]:
            self._credit(back)
        plain = [self._answer(one) for one in done if not one.outcome.dead]
        if len(plain) == 1:
            self._raw.run(_SETTLE, plain[0])
        elif plain:
            self._raw.many(_SETTLE, plain)
        for one in done:
            if one.outcome.dead and self._raw.run(_SETTLE, self._answer(one)):
                why, when = one.outcome.reply, written(one.at)
                self._raw.run(
                    _SUPPRESS, {"of": self._issue, "place": one.position, "why": why, "when": when}
                )

    def move(self, *, mark: Sequence[int], ask: Sequence[int], now: datetime) -> Stepped:
        """Mark rows as `wire`, ask for others; close those whose readers are not active."""
        marked, wire, kept = frozenset(mark), set[int](), set[int]()
        closed: list[_Found] = []
        for found in self._mine([*mark, *ask]):
            if found.state == "wire":
                wire.add(found.position)
            elif found.standing != "active":
                closed.append(found)
            else:
                kept.add(found.position)
        if closed:
            self._close(closed, now)
        now_out = marked & kept
        self._write(_mark, sorted(now_out))
        wire = (wire & marked) | now_out
        return Stepped(wire=frozenset(wire), gone=(marked | frozenset(ask)) - wire - kept)

    def give_back(self, positions: Sequence[int]) -> None:
        """Put rows back of which nothing was taken."""
        self._credit(positions)
        self._write(_back, positions)

    def _write(self, made: Callable[[int], Update], positions: Sequence[int]) -> None:
        """Run the statement that is made for so many rows."""
        for size, places in named(positions):
            self._raw.run(made(size), {"of": self._issue, "fence": self._fence, **places})

    def _mine(self, positions: Sequence[int]) -> Iterator[_Found]:
        """Give those of the rows that the sender has."""
        for size, places in named(positions):
            for row in self._raw.rows(_look(size), {"of": self._issue, **places}):
                if row[0] == self._fence:
                    yield _Found(*row[1:])

    def _close(self, closed: Sequence[_Found], now: datetime) -> None:
        here: dict[str, Value] = {
            "of": self._issue,
            "fence": self._fence,
            "when": written(now),
        }
        self._raw.many(_CLOSE, [{**here, "place": row.position, "to": row.end} for row in closed])
        self._raw.many(CREDIT, credited((row.domain, row.at) for row in closed))

    def _credit(self, positions: Sequence[int]) -> None:
        """Let others go in place of rows of which nothing was taken."""
        back = credited((row.domain, row.at) for row in self._mine(positions))
        self._raw.many(CREDIT, back)

    def _answer(self, done: Settled) -> dict[str, Value]:
        outcome = done.outcome
        due = done.due if outcome.state == "pending" else None
        return {
            "of": self._issue,
            "fence": self._fence,
            "place": done.position,
            "to": outcome.state,
            "less": int(_is_back(done)),
            "more": int(outcome.state == "unknown"),
            "again": None if due is None else written(due),
            "reply": outcome.code,
            "status": outcome.enhanced,
            "rest": outcome.text,
            "when": written(done.at),
        }


def _is_back(done: Settled) -> bool:
    """Tell whether a row that is due at once again was given back: no answer came for it."""
    return done.outcome.state == "pending" and done.due is None
