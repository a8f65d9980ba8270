"""The engine with several connections, limits, drafts and a database that goes away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from tempfile import TemporaryDirectory

import pytest
from delivery.doubles import KEY, NOW, Script, World, message_for
from delivery.fleet import Fleet
from delivery.runs import begin, run_once
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digest.delivery import Ahead, Halted
from digest.errors import LockError, TransportError
from digest.model import Delivery, Holder, Limits, Message, Outcome, Rate, Send, Tally
from digest.store import open_store
from digest.store.ledger import Store

Begun = Callable[[int], Send]
Run = Callable[..., Halted | None]


@pytest.fixture
def fleet() -> Fleet:
    """Give a carrier of three connections."""
    turns = count()
    fleet = Fleet(choose=lambda _: next(turns))
    fleet.open()
    return fleet


def _id(message: Message) -> str:
    return message.id


def _wire(store: Store) -> set[int]:
    return {row.position for row in store.deliveries.listed(KEY, states=("wire",))}


def test_content_leaves_after_its_mark(store: Store, fleet: Fleet, begun: Begun, run: Run) -> None:
    """What is poured is in `wire` by then, and no more rows are than there are connections."""
    seen: list[int] = []

    def look(words: str) -> None:
        if words.startswith("pour"):
            marked = _wire(store)
            assert int(words.split()[1]) in marked
            seen.append(len(marked))

    send = begun(40)
    fleet.before = look
    assert run(send, carrier=fleet) is None
    assert len(seen) == 40
    assert 1 < max(seen) <= fleet.size
    assert sorted(message.recipient for message in fleet.taken) == [
        f"r{number:03}@reader.example" for number in range(1, 41)
    ]
    assert store.deliveries.tally(KEY) == Tally(audience=40, accepted=40)


def test_the_first_message_goes_out_alone(fleet: Fleet, begun: Begun, run: Run) -> None:
    """The relay gets all connections once it has taken a message; a wrong sender is tried once."""
    fleet.outcome = lambda _: Outcome(state="refused", code=550, enhanced="5.7.1", text="policy")
    halted = run(begun(30), carrier=fleet)
    assert halted is not None
    assert len(fleet.lines) <= 1
    assert fleet.opened == 1
    assert halted.reason.startswith("the relay refused all of the first 3")


def test_who_leaves_after_the_envelope_gets_no_content(
    store: Store, fleet: Fleet, begun: Begun, run: Run
) -> None:
    """The reader is asked for again between envelope and content, and their connection ends."""

    def leave(words: str) -> None:
        if words == "offer 2":
            store.readers.change("r002@reader.example", state="left", reason="by mail", at=NOW)

    send = begun(6)
    fleet.before = leave
    assert run(send, carrier=fleet) is None
    assert "offer 2" in fleet.log
    assert "drop 2" in fleet.log
    assert "pour 2" not in fleet.log
    assert store.deliveries.tally(KEY) == Tally(audience=6, accepted=5, left=1)


def test_who_leaves_before_the_envelope_is_not_named_to_the_relay(
    store: Store, fleet: Fleet, begun: Begun, run: Run
) -> None:
    """The reader is asked for right before the envelope goes, too."""

    def leave(words: str) -> None:
        if words == "offer 1":
            store.readers.change("r005@reader.example", state="left", reason="by mail", at=NOW)

    send = begun(6)
    fleet.before = leave
    assert run(send, carrier=fleet) is None
    assert not [words for words in fleet.log if words.endswith(" 5")]
    assert store.deliveries.tally(KEY) == Tally(audience=6, accepted=5, left=1)


def test_a_lost_connection_among_several_costs_no_wait(
    store: Store, fleet: Fleet, world: World, begun: Begun, run: Run
) -> None:
    """The others go on, and what was in hand goes out by them."""
    fleet.lost = {3: 1, 9: 2}
    assert run(begun(30), carrier=fleet) is None
    assert world.waits == []
    assert Counter(words for words in fleet.log if words.endswith(" 9"))["pour 9"] == 3
    assert store.deliveries.tally(KEY) == Tally(audience=30, accepted=30)


def test_a_failure_ends_the_run_once_the_others_are_answered(
    store: Store, fleet: Fleet, begun: Begun, run: Run
) -> None:
    """A refused sender stops all connections; what is on the wire gets its answer first."""
    error = TransportError("the sender is refused")
    fleet.failure = {7: error}
    halted = run(begun(30), carrier=fleet)
    assert halted == Halted(reason="the sender is refused", error=error)
    tally = store.deliveries.tally(KEY)
    assert tally.accepted == len(fleet.taken)
    assert (tally.unknown, tally.accepted + tally.pending) == (0, 30)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(
    order=st.lists(st.integers(0, 9), max_size=60),
    lost=st.dictionaries(st.integers(1, 25), st.integers(1, 2), max_size=6),
    size=st.integers(1, 5),
    answers=st.dictionaries(
        st.integers(1, 25), st.sampled_from(["refused", "pending", "unknown"]), max_size=4
    ),
)
def test_whatever_happens_nobody_is_lost_or_doubled(
    order: list[int], lost: dict[int, int], size: int, answers: dict[int, str]
) -> None:
    """In any order of events and losses each reader has one outcome, and the states add up."""
    world, turns = World(), iter(order)

    def outcome(message: Message) -> Outcome:
        state = answers.get(int(message.id[1:].partition("@")[0]), "accepted")
        return Outcome(state=state, code=451 if state == "pending" else 250, text=state)  # type: ignore[arg-type] # drawn from its values

    fleet = Fleet(size=size, lost=dict(lost), outcome=outcome, choose=lambda _: next(turns, 0))
    fleet.open()
    with (
        TemporaryDirectory() as folder,
        open_store(f"sqlite:///{folder}/x.db", create=True) as store,
    ):
        run_once(store, begin(store, 25), world=world, carrier=fleet)
        tally = store.deliveries.tally(KEY)
    twice = {name for name, number in Counter(map(_id, fleet.taken)).items() if number > 1}
    assert not twice
    assert tally.accepted == len(fleet.taken)
    assert tally.unknown == sum(state == "unknown" for state in answers.values())
    assert tally.refused == sum(state == "refused" for state in answers.values())


def test_a_limit_is_waited_for(script: Script, world: World, begun: Begun, run: Run) -> None:
    """Where the next message may go soon the run waits, and all get theirs in one run."""
    limits = Limits(total=(Rate(count=4, seconds=10),))
    assert run(begun(10), limits=limits) is None
    assert len(script.taken) == 10
    assert 10 <= sum(world.waits) <= 25


def test_a_limit_that_is_far_ends_the_run(
    store: Store, script: Script, world: World, begun: Begun, run: Run
) -> None:
    """A day's limit is not waited for: the run says when it may go on, and a later one does."""
    limits = Limits(total=(Rate(count=4, seconds=86_400),))
    send = begun(6)
    halted = run(send, limits=limits)
    assert halted is not None
    assert halted.until is not None
    assert NOW + timedelta(days=1) <= halted.until <= NOW + timedelta(days=1, hours=1)
    assert (len(script.taken), world.waits) == (4, [])
    assert store.deliveries.tally(KEY) == Tally(audience=6, accepted=4, pending=2)
    world.now = halted.until
    assert run(send, limits=limits) is None
    assert len(script.taken) == 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A message whose text is to have its signature put before it."""

    message: Message
    digest: bytes

    def signed(self, signature: bytes) -> Message:
        """Make the message."""
        return replace(self.message, data=signature + self.message.data)


class _Signatures:
    """Signs a digest with the digest itself, in a field; knows which ones are asked for."""

    def __init__(self) -> None:
        self.begun: dict[int, bytes] = {}
        self.all: list[int] = []

    def begin(self, place: int, digest: bytes) -> None:
        """Have a digest signed."""
        assert place not in self.begun
        self.all.append(place)
        self.begun[place] = digest

    def take(self, place: int) -> bytes:
        """Give a signature."""
        return b"X-Signed: " + self.begun.pop(place) + b"\r\n"

    def forget(self, place: int) -> None:
        """Drop a signature."""
        del self.begun[place]


def _draft(row: Delivery) -> _Draft:
    return _Draft(message=message_for(row), digest=str(row.position).encode())


def test_messages_are_drafted_and_signed_ahead(script: Script, begun: Begun, run: Run) -> None:
    """Each once, a bounded number ahead; each goes out with its own signature, in order."""
    signatures = _Signatures()

    def look(number: int) -> None:
        del number
        assert len(signatures.all) <= len(script.taken) + 152

    script.before = look
    assert run(begun(450), making=Ahead(_draft, signatures)) is None
    assert signatures.all == list(range(1, 451))
    assert signatures.begun == {}
    assert [message.data.partition(b"\r\n")[0] for message in script.taken] == [
        f"X-Signed: {number}".encode() for number in range(1, 451)
    ]


def test_a_draft_that_cannot_be_made_stops_no_other(store: Store, begun: Begun, run: Run) -> None:
    """What is wrong with one is told when its turn comes; the others go."""

    def draft(row: Delivery) -> _Draft:
        if row.position == 30:
            raise ValueError("no field can hold this")
        return _draft(row)

    signatures = _Signatures()
    assert run(begun(60), making=Ahead(draft, signatures)) is None
    tally = store.deliveries.tally(KEY)
    assert (tally.accepted, tally.unsupported) == (59, 1)
    assert signatures.begun == {}


def test_who_leaves_after_the_draft_gets_nothing(
    store: Store, script: Script, begun: Begun, run: Run
) -> None:
    """What was drafted and signed for them is dropped."""
    signatures = _Signatures()

    def leave(number: int) -> None:
        if number == 5:
            store.readers.change("r020@reader.example", state="left", reason="by mail", at=NOW)

    script.before = leave
    assert run(begun(60), making=Ahead(_draft, signatures)) is None
    assert "r020@reader.example" not in script.recipients
    assert (len(script.taken), signatures.begun) == (59, {})


def test_a_lost_lease_ends_the_run(script: Script, world: World, begun: Begun, run: Run) -> None:
    """A sender that lost its right to another one hands over nothing more."""

    def lost() -> None:
        raise LockError("another process took over")

    def answer(number: int) -> None:
        world.now += timedelta(seconds=25 * number)

    script.before = answer
    with pytest.raises(LockError):
        run(begun(50), renew=lost)
    assert len(script.taken) == 2


def test_a_zombie_sends_nothing(store: Store, fleet: Fleet, begun: Begun, run: Run) -> None:
    """Rows that another sender has by now are neither poured nor settled by the old one."""
    send = begun(20)

    def take_over(words: str) -> None:
        if words == "pour 4":
            fence = store.leases.acquire(
                Holder(host="pier", boot="c", pid=2, started="t"),
                now=NOW,
                seconds=900,
                alive=lambda _: False,
            )
            store.deliveries.recover(KEY, fence=fence, retry_unknown=True, now=NOW)

    fleet.before = take_over
    with pytest.raises(LockError):
        run(send, carrier=fleet)
    poured = [words for words in fleet.log if words.startswith("pour")]
    assert len(poured) <= 4 + fleet.size
    tally = store.deliveries.tally(KEY)
    assert tally.accepted <= len(fleet.taken)


def test_slow_progress_is_told_all_the_same(
    script: Script, world: World, begun: Begun, run: Run
) -> None:
    """A relay that takes a message now and then leaves nobody without a word for long."""

    def slowly(number: int) -> None:
        del number
        world.now += timedelta(seconds=3)

    script.before = slowly
    run(begun(5))
    assert [tally.accepted for tally in world.told] == [1, 2, 3, 4, 5]
