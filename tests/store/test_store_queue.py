"""Whatever happens in whatever order, no delivery is lost and none is handed out twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from digest.model import Consent, Delivery, IssueKey, Outcome, Reader, Send, Settled
from digest.store import open_store
from digest.store.ledger import Store

KEY = IssueKey("2026-w49")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
OUTCOMES = st.sampled_from(
    [
        Outcome(state="accepted", code=250),
        Outcome(state="refused", code=550, enhanced="5.7.1"),
        Outcome(state="refused", code=550, enhanced="5.1.1"),
        Outcome(state="pending", code=450),
        Outcome(state="unknown"),
        Outcome(state="unsupported"),
    ]
)


def fill(url: str, audience: int) -> Store:
    """Open a new database in which a send to so many readers begins."""
    readers = [
        Reader(address=f"r{number:05d}@sea.example", since=NOW) for number in range(audience)
    ]
    store = open_store(url, create=True)
    store.readers.add(readers, consent=Consent(source="the fair", at=NOW))
    store.deliveries.enroll(
        Send(issue=KEY, edition="e", began=NOW, via="smtp", by="hand", key_id="k")
    )
    return store


@dataclass
class Row:
    """What a row should be, kept in plain sight beside the database."""

    state: str = "pending"
    standing: str = "active"
    unknowns: int = 0
    attempts: int = 0
    due: datetime = NOW


@dataclass
class Ledger:
    """The rules of the queue once more, over all rows and without SQL."""

    rows: dict[int, Row] = field(default_factory=dict)

    def settle(self, done: Settled) -> None:
        """Write down an answer."""
        row = self.rows[done.position]
        row.state = done.outcome.state
        row.unknowns += done.outcome.state == "unknown"
        row.due = done.due or NOW
        if done.outcome.dead and row.standing == "active":
            row.standing = "suppressed"

    def take(self, now: datetime) -> int | None:
        """Hand out the next row that is due."""
        ready = [p for p, row in self.rows.items() if row.state == "pending" and row.due <= now]

        def order(position: int) -> tuple[int, int, int]:
            row = self.rows[position]
            return row.unknowns, row.attempts, position

        for position in sorted(ready, key=order):
            row = self.rows[position]
            if row.standing == "active":
                row.state, row.attempts = "wire", row.attempts + 1
                return position
            row.state = row.standing
        return None

    def recover(self, *, retry_unknown: bool) -> None:
        """Clear up after a run."""
        for row in self.rows.values():
            if row.state == "wire":
                row.state, row.unknowns = "unknown", row.unknowns + 1
            if retry_unknown and row.state == "unknown" and row.unknowns < 2:
                row.state, row.due = "pending", NOW


class Queue(RuleBasedStateMachine):
    """Runs that step, die, recover and are told of readers who leave, in any order."""

    @initialize(audience=st.integers(1, 6))
    def begin(self, audience: int) -> None:
        """Begin a send."""
        self.folder = TemporaryDirectory()
        self.url = f"sqlite:///{self.folder.name}/digest.db"
        self.now = NOW
        self.ledger = Ledger({position: Row() for position in range(1, audience + 1)})
        self.under_way: Delivery | None = None
        self.handed_out: Counter[int] = Counter()
        self.allowed = Counter(dict.fromkeys(self.ledger.rows, 1))
        self.store = fill(self.url, audience)

    def teardown(self) -> None:
        """Close the database and drop it."""
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    def answer(self, outcome: Outcome, minutes: int) -> Settled | None:
        """Tell what became of the row under way."""
        if self.under_way is None:
            return None
        due = self.now + minutes * MINUTE if outcome.state == "pending" else None
        position = self.under_way.position
        self.allowed[position] += outcome.state == "pending"
        self.under_way = None
        done = Settled(position=position, outcome=outcome, at=self.now, due=due)
        self.ledger.settle(done)
        return done

    @rule(outcome=OUTCOMES, minutes=st.integers(0, 3))
    def step(self, outcome: Outcome, minutes: int) -> None:
        """Settle the row under way and take the next."""
        done = self.answer(outcome, minutes)
        found = self.store.deliveries.step(KEY, done=done, now=self.now)
        assert (found.position if found else None) == self.ledger.take(self.now)
        if found is not None:
            self.handed_out[found.position] += 1
            assert found.attempts == self.handed_out[found.position]
            self.under_way = found

    @precondition(lambda self: self.under_way is not None)
    @rule(outcome=OUTCOMES)
    def settle(self, outcome: Outcome) -> None:
        """Settle the row under way and stop there."""
        done = self.answer(outcome, 1)
        assert done is not None
        self.store.deliveries.settle(KEY, done)

    @rule()
    def wait(self) -> None:
        """Let a minute go by."""
        self.now += MINUTE

    @rule(retry_unknown=st.booleans(), dies=st.booleans())
    def run_again(self, *, retry_unknown: bool, dies: bool) -> None:
        """Begin a run, after one that died with a row under way or just ended."""
        if dies:
            self.store.close()
            self.store = open_store(self.url)
        before = {p: row.state for p, row in self.ledger.rows.items()}
        self.store.deliveries.recover(KEY, retry_unknown=retry_unknown, now=self.now)
        self.ledger.recover(retry_unknown=retry_unknown)
        self.under_way = None
        for position, row in self.ledger.rows.items():
            self.allowed[position] += row.state == "pending" != before[position]

    @rule(position=st.integers(1, 6), state=st.sampled_from(["left", "suppressed"]))
    def leave(self, position: int, state: str) -> None:
        """Let a reader leave."""
        if position in self.ledger.rows:
            address = f"r{position - 1:05d}@sea.example"
            self.store.readers.change(address, state=state, reason="", at=self.now)  # type: ignore[arg-type]  # one of two
            self.ledger.rows[position].standing = state

    @invariant()
    def adds_up(self) -> None:
        """Find the rows as they should be, none handed out more often than it may be."""
        if not hasattr(self, "store"):
            return
        rows = self.ledger.rows
        found = self.store.deliveries.listed(KEY)
        assert {one.position: one.state for one in found} == {p: r.state for p, r in rows.items()}
        assert all(self.handed_out[position] <= self.allowed[position] for position in rows)
        tally = self.store.deliveries.tally(KEY)
        states = Counter(row.state for row in rows.values())
        assert tally.audience == len(rows)
        assert (tally.accepted, tally.pending, tally.unknown) == (
            states["accepted"],
            states["pending"],
            states["unknown"] + states["wire"],
        )
        waiting = [row.due for row in rows.values() if row.state == "pending"]
        due = self.store.deliveries.next_due(KEY)
        assert (due is None) == (not waiting)
        assert due is None or (due <= self.now) == (min(waiting) <= self.now)


Queue.TestCase.settings = settings(deadline=None, max_examples=30, stateful_step_count=25)
TestQueue = Queue.TestCase


@pytest.fixture
def effort(tmp_path: Path) -> Callable[[int, str], int]:
    """Give a function that counts the database's instructions for one step among many rows.

    The first row is under way, the last is due, and between them stand the others as told.
    """

    def count(audience: int, others: str) -> int:
        instructions = 0

        def tick() -> int:
            nonlocal instructions
            instructions += 1
            return 0

        with fill(f"sqlite:///{tmp_path / f'{audience}.db'}", audience) as store:
            first = store.deliveries.step(KEY, done=None, now=NOW)
            assert first is not None
            with store._engine.begin() as connection:  # noqa: SLF001 - there is no other way in
                connection.exec_driver_sql(
                    f"UPDATE deliveries SET {others} WHERE position BETWEEN 2 AND {audience - 1}"  # noqa: S608 - ours
                )
                raw = connection.connection.driver_connection
            done = Settled(position=1, outcome=Outcome(state="accepted"), at=NOW)
            assert raw is not None
            raw.set_progress_handler(tick, 1)
            assert store.deliveries.step(KEY, done=done, now=NOW) is not None
            raw.set_progress_handler(None, 1)
        return instructions

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
def test_a_step_costs_the_same_for_any_audience(
    effort: Callable[[int, str], int], others: str
) -> None:
    """The work of a step among 3,000 rows is that among 10, in whatever state the others are."""
    assert effort(3000, others) == effort(10, others)
