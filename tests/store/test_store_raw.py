"""Statements that the driver runs itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from sqlalchemy import ClauseElement, bindparam, insert, select, update

from digest.errors import StoreError
from digest.model import PastIssue
from digest.store import open_store
from digest.store.ledger import Store
from digest.store.raw import Compiled
from digest.store.schema import issue_items, issues, moments

Maker = Callable[..., PastIssue]

NAMED = select(moments.c.name, moments.c.at).where(moments.c.name.in_(("a%", "it's", "c")))
ADD = insert(moments).values(name=bindparam("what"), at=bindparam("when"))
MOVE = update(moments).where(moments.c.name == bindparam("what")).values(at=bindparam("when"))
TITLE = (
    update(issue_items)
    .where(issue_items.c.issue == bindparam("of"), issue_items.c.position < 2)
    .values(title="100 %", url=bindparam("to"))
)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Give a new database, open."""
    with open_store(url, create=True) as opened:
        yield opened


def test_rows_and_counts_are_those_of_the_database(store: Store) -> None:
    """One statement, many of one kind, and a question give what they change and find."""
    with store._transactions.stepping() as raw:  # noqa: SLF001 - it has no other door
        assert raw.many(ADD, [{"what": name, "when": "t0"} for name in ("a%", "it's", "b")]) == 3
        assert raw.run(MOVE, {"what": "it's", "when": "t1"}) == 1
        assert raw.run(MOVE, {"what": "nobody", "when": "t1"}) == 0
        moved = [{"what": "a%", "when": "t2"}, {"what": "nobody", "when": "t2"}]
        assert raw.many(MOVE, moved) == 1
        assert raw.many(MOVE, []) == 0
        assert sorted(raw.rows(NAMED, {})) == [("a%", "t2"), ("it's", "t1")]
    with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
        assert sorted(raw.rows(NAMED, {})) == [("a%", "t2"), ("it's", "t1")]


def test_values_of_a_statement_itself_are_kept(store: Store, past: Maker) -> None:
    """A constant stands in the text, per cent sign and all; what else is set is a parameter."""
    store.record(past(1))
    with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
        assert raw.run(TITLE, {"of": "2026-w01", "to": "https://sea.example/'%s"}) == 1
    first, second = store.history()[0].items
    assert (first.title, first.url) == ("100 %", "https://sea.example/'%s")
    assert second.title == "Flöw"


def test_a_step_that_raises_leaves_nothing(store: Store) -> None:
    """What was run before the error is undone; the next transaction of any kind works."""

    def fail() -> None:
        with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
            raw.run(ADD, {"what": "c", "when": "t0"})
            _ = 1 / 0

    with pytest.raises(ZeroDivisionError):
        fail()
    assert store.history() == ()
    with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
        assert raw.rows(NAMED, {}) == []


def test_a_fault_of_the_driver_is_told(store: Store) -> None:
    """What the database refuses is a StoreError, as everywhere, and undoes the step."""
    with pytest.raises(StoreError, match="is damaged"), store._transactions.stepping() as raw:  # noqa: SLF001 - as above
        raw.many(ADD, [{"what": "c", "when": "t0"}, {"what": "c", "when": "t1"}])
    with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
        assert raw.rows(NAMED, {}) == []


def test_a_statement_is_translated_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of a statement is made for its first run, and kept."""
    made = []
    translate = Compiled._translate  # noqa: SLF001 - counted

    def count(self: Compiled, statement: ClauseElement) -> tuple[str, Mapping[str, Any]]:
        made.append(statement)
        return translate(self, statement)

    monkeypatch.setattr(Compiled, "_translate", count)
    for _ in range(3):
        with store._transactions.stepping() as raw:  # noqa: SLF001 - as above
            raw.rows(NAMED, {})
    assert made == [NAMED]


def test_a_condition_keeps_its_values_in_its_text(store: Store) -> None:
    """The planner is shown them, so that it can take an index over a part of the rows."""
    wanted = select(issues.c.key).where(issues.c.state == "skipped", issues.c.number.is_(None))
    text, own = Compiled(store._engine.dialect).text(wanted)  # noqa: SLF001 - as above
    assert "state = 'skipped'" in text
    assert own == {}
