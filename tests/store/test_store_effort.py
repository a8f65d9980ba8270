"""What a claim and a step cost, however many rows there are."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from store.sender import KEY, NOW, Sender, fill

from digest.model import (
    Delivery,
    Limits,
    Outcome,
    Rate,
)

SECOND = timedelta(seconds=1)


@pytest.fixture
def effort(tmp_path: Path) -> Callable[[int, str], tuple[int, int]]:
    """Give a function that counts the database's instructions for a claim and for a step.

    The last row of so many is due and the first are in hand; between them stand the others as told.
    """

    def count(audience: int, others: str) -> tuple[int, int]:
        instructions = 0

        def tick() -> int:
            nonlocal instructions
            instructions += 1
            return 0

        with fill(f"sqlite:///{tmp_path / f'{audience}.db'}", audience) as store:
            sender = Sender(store)
            sender.claim(3)
            sender.step(mark=[1])
            with store._transactions.writing() as connection:  # noqa: SLF001 - there is no other way in
                connection.exec_driver_sql(
                    f"UPDATE deliveries SET {others} WHERE position BETWEEN 4 AND {audience - 1}"  # noqa: S608 - ours
                )
                raw = connection.connection.driver_connection
            assert raw is not None
            raw.set_progress_handler(tick, 1)
            assert sender.step(sender.answer(1), mark=[2], ask=[3]).wire
            stepped, instructions = instructions, 0
            assert sender.claim(1, Limits(domains={"*": (Rate(count=9, seconds=9),)})).rows
            raw.set_progress_handler(None, 1)
        return stepped, instructions

    return count


@pytest.mark.parametrize(
    "others",
    [
        "state = state",
        "due = '2026-11-30T10:00:00.000000+00:00'",
        "state = 'accepted'",
        "state = 'unknown', unknowns = 1",
    ],
)
def test_claim_and_step_cost_the_same_for_any_audience(
    effort: Callable[[int, str], tuple[int, int]], others: str
) -> None:
    """Their work among 3,000 rows is that among 10, in whatever state the others are."""
    assert effort(3000, others) == effort(10, others)


def test_a_claim_passes_over_a_full_domain_in_one_go(tmp_path: Path) -> None:
    """Rows of a domain that may get no more are not read one by one to find the others."""
    with fill(f"sqlite:///{tmp_path / 'digest.db'}", 2000) as store:
        sender = Sender(store)
        limits = Limits(domains={"odd.example": (Rate(count=1, seconds=60),)})
        assert sender.claimed(3, limits) == [1, 2, 4]
        assert sender.claimed(4, limits) == [6, 8, 10, 12]
        with store._transactions.writing() as connection:  # noqa: SLF001 - one by one takes long
            connection.exec_driver_sql(
                "UPDATE readers SET state = 'left' WHERE key LIKE '%@even.example'"
            )
            raw = connection.connection.driver_connection
        assert raw is not None
        raw.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 600)  # less than who left
        claim = sender.claim(200, limits)
        assert claim.rows == ()
        assert claim.wait_until is not None
        assert NOW < claim.wait_until <= NOW + 61 * SECOND
        assert store.deliveries.tally(KEY).left == 994


def test_a_row_of_a_claim_is_what_the_ledger_tells(tmp_path: Path) -> None:
    """Also of one that was tried before: the last answer stands in it."""
    with fill(f"sqlite:///{tmp_path / 'digest.db'}", 2) as store:
        sender = Sender(store)
        sender.hand_over(Outcome(state="unknown", text="no answer"))
        sender.recover(retry_unknown=True)
        rows: tuple[Delivery, ...] = sender.claim().rows
        assert [row.position for row in rows] == [2, 1]
        assert sorted(rows, key=lambda row: row.position) == list(sender.rows().values())
