"""Statements run by the driver itself, for the few transactions where each microsecond counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import BindParameter, ClauseElement, Dialect, bindparam
from sqlalchemy.sql.visitors import cloned_traverse

__all__ = ["MOST_NAMED", "Compiled", "Raw", "Value", "named", "placeholders"]

MOST_NAMED: Final = 256  # values of a list that one statement names; databases bound their number

# What both drivers take and give as it is; a moment is its text, as `Moment` writes it.
Value = str | int | None


class Compiled:
    """The text of statements in the words of one dialect, made once for each.

    Values that stand in the condition of a statement are written into its text: only then can the
    planner tell that an index over a part of the rows holds all that are wanted.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect: Final = dialect
        self._texts: dict[ClauseElement, tuple[str, Mapping[str, Any]]] = {}

    def text(self, statement: ClauseElement) -> tuple[str, Mapping[str, Any]]:
        """Give a statement's text, and the values of its own that are handed over beside it."""
        known = self._texts.get(statement)
        if known is None:
            known = self._texts[statement] = self._translate(statement)
        return known

    def _translate(self, statement: ClauseElement) -> tuple[str, Mapping[str, Any]]:
        written = cloned_traverse(statement, {}, {"bindparam": _write_out})
        made = self._dialect.statement_compiler(self._dialect, written)
        wanted = {bind.key: None for bind in made.binds.values() if bind.required}
        whole = made.construct_expanded_state(wanted)
        own = {name: value for name, value in whole.parameters.items() if name not in wanted}
        return whole.statement, own


def _write_out(bind: BindParameter[Any]) -> None:
    bind.literal_execute = not bind.required


class Raw:
    """One transaction of a writer, at the driver's own speed.

    A statement is one of SQLAlchemy's, with a `bindparam` for each parameter; it is translated
    once and then kept, so it must be one that lasts, made when its module is imported. Values and
    results pass as they are, without the types of the columns: a moment is its text.
    """

    def __init__(self, connection: Any, compiled: Compiled) -> None:  # noqa: ANN401 - two drivers
        self._connection: Final = connection
        self._compiled: Final = compiled

    def run(self, statement: ClauseElement, parameters: Mapping[str, Value]) -> int:
        """Run a statement and give the number of rows that it changed."""
        text, own = self._compiled.text(statement)
        return int(self._connection.execute(text, {**own, **parameters}).rowcount)

    def many(self, statement: ClauseElement, parameters: Sequence[Mapping[str, Value]]) -> int:
        """Run a statement once for each, and give the number of rows changed by all of them."""
        if not parameters:
            return 0
        text, own = self._compiled.text(statement)
        cursor = self._connection.cursor()
        cursor.executemany(text, [{**own, **given} for given in parameters])
        return int(cursor.rowcount)

    def rows(
        self, statement: ClauseElement, parameters: Mapping[str, Value]
    ) -> list[tuple[Any, ...]]:
        """Run a statement and give all rows of its result."""
        text, own = self._compiled.text(statement)
        found: list[tuple[Any, ...]] = self._connection.execute(
            text, {**own, **parameters}
        ).fetchall()
        return found


def placeholders(number: int) -> list[BindParameter[Any]]:
    """Give the parameters of a statement for a list of so many values."""
    return [bindparam(f"place_{at}") for at in range(number)]


def named(values: Sequence[Value]) -> Iterator[tuple[int, dict[str, Value]]]:
    """Name values as parameters for `placeholders`, a statement's worth at a time, with its number.

    The number is a power of two, so that there are few statements to make; the last value fills
    it up.
    """
    for start in range(0, len(values), MOST_NAMED):
        some = values[start : start + MOST_NAMED]
        size = 1 << (len(some) - 1).bit_length()
        filled = [*some, *[some[-1]] * (size - len(some))]
        yield size, {f"place_{at}": value for at, value in enumerate(filled)}
