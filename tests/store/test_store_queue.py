"""Whatever happens in whatever order, no delivery is lost and none is handed out twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from store.sender import KEY, NOW, TAKEN, Sender, address_of, domain_of, fill, holder

from digest.model import (
    Limits,
    Outcome,
    Rate,
    Stepped,
)
from digest.store import open_store

SECOND = timedelta(seconds=1)
OUTCOMES = st.sampled_from(
    [
        TAKEN,
        Outcome(state="refused", code=550, enhanced="5.7.1"),
        Outcome(state="refused", code=550, enhanced="5.1.1"),
        Outcome(state="pending", code=450),
        Outcome(state="unknown"),
        Outcome(state="unsupported"),
    ]
)
LIMITS = st.sampled_from(
    [
        Limits(),
        Limits(total=(Rate(count=3, seconds=60),)),
        Limits(total=(Rate(count=5, seconds=60), Rate(count=2, seconds=1))),
        Limits(domains={"*": (Rate(count=1, seconds=60),)}),
        Limits(
            total=(Rate(count=4, seconds=30),),
            domains={"odd.example": (Rate(count=2, seconds=60),)},
        ),
    ]
)
POSITIONS = st.lists(st.integers(1, 8), min_size=1, max_size=4)


@dataclass
class Row:
    """What a row should be, kept in plain sight beside the database."""

    state: str = "pending"
    standing: str = "active"
    unknowns: int = 0
    attempts: int = 0
    due: datetime = NOW
    owner: int = 0

    def close(self) -> None:
        """End it without a mail."""
        self.state, self.owner = self.standing, 0

    def put_back(self) -> None:
        """Make it as if it had not been claimed."""
        self.state, self.owner, self.attempts = "pending", 0, self.attempts - 1
        self.due = NOW


@dataclass
class Ledger:
    """The rules of the queue once more, over all rows and without SQL.

    `out` has each message that was handed out and not given back: its moment and position.
    """

    rows: dict[int, Row]
    limits: Limits
    out: list[tuple[datetime, int]] = field(default_factory=list)

    def ready(self, now: datetime) -> list[int]:
        """Give the positions that are due, in the order in which they are handed out."""

        def order(position: int) -> tuple[int, int, int]:
            row = self.rows[position]
            return row.unknowns, row.attempts, position

        due = (p for p, row in self.rows.items() if row.state == "pending" and row.due <= now)
        return sorted(due, key=order)

    def credit(self, position: int) -> None:
        """Forget that a row was handed out last."""
        last = max(place for place, (_, p) in enumerate(self.out) if p == position)
        del self.out[last]

    def within(self, rate: Rate, domain: str | None) -> None:
        """Expect no stretch of the rate's seconds that holds too many."""
        moments = sorted(at for at, p in self.out if domain in {None, domain_of(p)})
        for place, at in enumerate(moments[rate.count :]):
            assert at - moments[place] >= rate.seconds * SECOND

    def keeps_limits(self) -> None:
        """Expect that no limit was passed."""
        for rate in self.limits.total:
            self.within(rate, None)
        for domain in ("odd.example", "even.example"):
            for rate in self.limits.domains.get(domain, self.limits.domains.get("*", ())):
                self.within(rate, domain)


class Queue(RuleBasedStateMachine):
    """Senders that claim, step, die and follow each other while readers leave, in any order."""

    @initialize(audience=st.integers(1, 8), limits=LIMITS)
    def begin(self, audience: int, limits: Limits) -> None:
        """Begin a send."""
        self.folder = TemporaryDirectory()
        self.url = f"sqlite:///{self.folder.name}/digest.db"
        self.now = NOW
        self.ledger = Ledger({position: Row() for position in range(1, audience + 1)}, limits)
        self.store = fill(self.url, audience)
        self.boot = 1
        self.zombies: list[Sender] = []
        self.follow()

    def teardown(self) -> None:
        """Close the database and drop it."""
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    def follow(self) -> None:
        """Let the next sender take over."""
        who = holder(boot=f"b{self.boot}")
        self.sender = Sender(self.store, now=self.now, who=who)

    def owned(self, positions: list[int], *states: str) -> list[int]:
        """Give those of the positions that the sender has in one of these states."""
        rows = self.ledger.rows
        return [
            p
            for p in dict.fromkeys(positions)
            if p in rows and rows[p].owner == self.sender.fence and rows[p].state in states
        ]

    @rule(limit=st.integers(1, 4))
    def claim(self, limit: int) -> None:
        """Take some rows: the first that are due, but for who left or may not get more."""
        rows, ready = self.ledger.rows, self.ledger.ready(self.now)
        claim = self.sender.claim(limit, self.ledger.limits)
        got = [row.position for row in claim.rows]
        # Behind the first that no limit lets go the ledger may look at others, or not; and rows of
        # a domain that may get no more are not looked at.
        seen = got[-1:] or [p for p in ready if rows[p].standing == "active"][:1]
        passed = ready[: ready.index(seen[0])] if seen else ready
        for position in ready:
            row = rows[position]
            if position in got:
                row.state, row.owner, row.attempts = "claimed", self.sender.fence, row.attempts + 1
                self.ledger.out.append((self.now, position))
            elif row.standing != "active" and (position in passed or len(got) < limit):
                sure = position in passed and not self.ledger.limits.domains
                self.maybe_closed(position, sure=sure)
        assert got == [p for p in ready if p in got]
        assert [row.attempts for row in claim.rows] == [rows[p].attempts for p in got]
        if not self.ledger.limits:
            expected = [p for p in ready if rows[p].standing == "active"]
            assert got == expected[:limit]
            assert claim.wait_until is None
        elif not got:
            assert (claim.wait_until is not None) == bool(seen)
            self.until = claim.wait_until

    def maybe_closed(self, position: int, *, sure: bool) -> None:
        """Follow the ledger in whether it looked at a row behind the last that it gave."""
        found = self.sender.rows()[position].state
        assert found == self.ledger.rows[position].standing or (found == "pending" and not sure)
        if found != "pending":
            self.ledger.rows[position].close()

    @precondition(lambda self: getattr(self, "until", None) is not None)
    @rule()
    def wait_for_limit(self) -> None:
        """Wait until a limit lets one go: then it does, or another limit says how long."""
        for _ in range(3):
            if self.until is None or self.until <= self.now:
                break
            self.now = self.sender.now = self.until
            self.until = None
            self.claim(1)
        assert self.until is None
        assert self.ledger.out or not self.ledger.ready(self.now)

    @rule(
        done=POSITIONS, mark=POSITIONS, ask=POSITIONS, outcome=OUTCOMES, late=st.booleans(),
        twice=st.booleans(),
    )  # fmt: skip
    def step(
        self,
        *,
        done: list[int],
        mark: list[int],
        ask: list[int],
        outcome: Outcome,
        late: bool,
        twice: bool,
    ) -> None:
        """Settle some rows, mark others, ask for others; perhaps again, with no other effect."""
        due = self.now + 30 * SECOND if outcome.state == "pending" and late else None
        done = self.owned(done, "claimed", "wire")
        mark = [p for p in self.owned(mark, "claimed") if p not in done]
        ask = [p for p in self.owned(ask, "claimed") if p not in {*done, *mark}]
        answers = [self.sender.answer(position, outcome, due=due) for position in done]
        stepped = self.sender.step(*answers, mark=mark, ask=ask)
        for position in done:
            self.settled(position, outcome, due)
        wire, gone = set(), set()
        for position in (*mark, *ask):
            row = self.ledger.rows[position]
            if row.standing != "active":
                row.close()
                self.ledger.credit(position)
                gone.add(position)
            elif position in mark:
                row.state = "wire"
                wire.add(position)
        assert stepped == Stepped(wire=frozenset(wire), gone=frozenset(gone))
        if twice:
            assert self.sender.step(*answers, mark=mark, ask=ask) == stepped

    def settled(self, position: int, outcome: Outcome, due: datetime | None) -> None:
        """Write down an answer."""
        row = self.ledger.rows[position]
        if outcome.state == "pending" and due is None:
            row.put_back()
            self.ledger.credit(position)
            return
        row.state, row.owner, row.due = outcome.state, 0, due or NOW
        row.unknowns += outcome.state == "unknown"
        if outcome.dead and row.standing == "active":
            row.standing = "suppressed"

    @rule(positions=POSITIONS)
    def give_back(self, positions: list[int]) -> None:
        """Put some rows back; what the sender does not have is left alone."""
        self.sender.give_back(*dict.fromkeys(positions))
        for position in self.owned(positions, "claimed", "wire"):
            self.ledger.rows[position].put_back()
            self.ledger.credit(position)

    @rule(seconds=st.sampled_from([0.01, 0.4, 1, 7, 30, 61]))
    def wait(self, seconds: float) -> None:
        """Let some time go by."""
        self.now += seconds * SECOND
        self.sender.now = self.now
        self.until = None

    @rule(retry_unknown=st.booleans(), dies=st.booleans(), boots=st.booleans())
    def follow_up(self, *, retry_unknown: bool, dies: bool, boots: bool) -> None:
        """Let another sender follow, after one that died or is taken for dead."""
        self.boot += boots
        if dies:
            self.zombies.clear()
            self.store.close()
            self.store = open_store(self.url)
        else:
            self.zombies.append(self.sender)
        self.follow()
        self.sender.recover(retry_unknown=retry_unknown)
        for position, row in self.ledger.rows.items():
            if row.state == "claimed" and not boots:
                row.put_back()
                self.ledger.credit(position)
            elif row.state in {"claimed", "wire"}:
                row.state, row.owner, row.unknowns = "unknown", 0, row.unknowns + 1
            if retry_unknown and row.state == "unknown" and row.unknowns < 2:
                row.state, row.due = "pending", NOW

    @precondition(lambda self: bool(getattr(self, "zombies", ())))
    @rule(positions=POSITIONS, outcome=OUTCOMES)
    def haunt(self, positions: list[int], outcome: Outcome) -> None:
        """Let a sender that was taken for dead go on: it can do nothing."""
        zombie, places = self.zombies[-1], list(dict.fromkeys(positions))
        answers = [zombie.answer(position, outcome) for position in places]
        assert zombie.step(*answers, mark=places) == Stepped(gone=frozenset(places))
        zombie.give_back(*places)

    @rule(position=st.integers(1, 8), state=st.sampled_from(["left", "suppressed"]))
    def leave(self, position: int, state: str) -> None:
        """Let a reader leave."""
        if position in self.ledger.rows:
            self.store.readers.change(address_of(position), state=state, reason="", at=self.now)  # type: ignore[arg-type]  # one of two
            self.ledger.rows[position].standing = state
            self.until = None

    @invariant()
    def adds_up(self) -> None:
        """Find the rows as they should be, and no limit passed."""
        if not hasattr(self, "sender"):
            return
        rows = self.ledger.rows
        found = self.sender.rows()
        assert {p: (one.state, one.attempts) for p, one in found.items()} == {
            p: (row.state, row.attempts) for p, row in rows.items()
        }
        self.ledger.keeps_limits()
        tally = self.store.deliveries.tally(KEY)
        states = Counter(row.state for row in rows.values())
        assert tally.audience == len(rows)
        assert (tally.accepted, tally.pending, tally.unknown) == (
            states["accepted"],
            states["pending"] + states["claimed"],
            states["unknown"] + states["wire"],
        )
        waiting = [row.due for row in rows.values() if row.state == "pending"]
        waiting += [NOW] * states["claimed"]
        due = self.store.deliveries.next_due(KEY)
        assert (due is None) == (not waiting)
        assert due is None or (due <= self.now) == (min(waiting) <= self.now)


Queue.TestCase.settings = settings(deadline=None, max_examples=50, stateful_step_count=30)
TestQueue = Queue.TestCase
