"""How much may be handed out: kept exactly, over restarts and for all issues together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store.sender import KEY, NOW, TAKEN, Sender, holder

from digest.model import Claim, Consent, IssueKey, Limits, Outcome, Rate, Reader, Send
from digest.store import open_store
from digest.store.ledger import Store

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
Behind = Callable[[str, str], list[tuple[object, ...]]]


def daily(count: int) -> Limits:
    """Allow so many a day."""
    return Limits(total=(Rate(count=count, seconds=86_400),))


def named(**domains: int) -> Limits:
    """Allow so many a minute to each of these domains; `other` stands for the rest."""
    names = {"other": "*", "sea": "sea.example", "ebb": "ebb.example"}
    return Limits(
        domains={names[name]: (Rate(count=count, seconds=60),) for name, count in domains.items()}
    )


@pytest.fixture
def store(url: str, consent: Consent, send: Send) -> Iterator[Store]:
    """Give an open database in which a send begins to nine readers at three domains in turn."""
    names = ["sea.example", "ebb.example", "flow.example"] * 3
    with open_store(url, create=True) as opened:
        readers = [Reader(address=f"r{p}@{name}", since=NOW) for p, name in enumerate(names, 1)]
        opened.readers.add(readers, consent=consent)
        opened.deliveries.enroll(send)
        yield opened


def test_no_more_than_a_rate_allows(store: Store) -> None:
    """So many are given and no more; then the ledger tells when it goes on, and it does."""
    sender = Sender(store)
    assert store.deliveries.allowance_from(KEY, daily(4), NOW) is None
    assert sender.claimed(3, daily(4)) == [1, 2, 3]
    assert sender.claimed(3, daily(4)) == [4]
    claim = sender.claim(3, daily(4))
    assert claim.rows == ()
    until = claim.wait_until
    assert until is not None
    assert NOW + DAY <= until <= NOW + DAY * 65 / 64
    assert store.deliveries.allowance_from(KEY, daily(4), NOW) == until
    sender.now = until - timedelta(microseconds=1)
    assert sender.claim(3, daily(4)) == claim
    sender.now = until
    assert store.deliveries.allowance_from(KEY, daily(4), until) is None
    assert sender.claimed(9, daily(4)) == [5, 6, 7, 8]


def test_the_narrowest_of_several_rates_holds(store: Store) -> None:
    """All rates are kept, also two over the same time."""
    limits = Limits(
        total=(
            Rate(count=5, seconds=1),
            Rate(count=2, seconds=1),
            Rate(count=3, seconds=3600),
        )
    )
    sender = Sender(store)
    assert sender.claimed(9, limits) == [1, 2]
    sender.now = sender.claim(9, limits).wait_until or NOW
    assert NOW + SECOND <= sender.now <= NOW + 1.02 * SECOND
    assert sender.claimed(9, limits) == [3]
    until = sender.claim(9, limits).wait_until
    assert until is not None
    assert NOW + HOUR <= until <= NOW + HOUR * 65 / 64


def test_a_full_domain_is_passed_over(store: Store) -> None:
    """Others go on; the domain goes on when it may, and `*` is each domain without a name."""
    sender = Sender(store)
    assert sender.claimed(9, named(sea=1, other=2)) == [1, 2, 3, 5, 6]
    claim = sender.claim(9, named(sea=1, other=2))
    assert claim.rows == ()
    assert claim.wait_until is not None
    until = store.deliveries.allowance_from(KEY, named(sea=1, other=2), NOW)
    assert until == claim.wait_until
    sender.now = claim.wait_until
    assert sender.claimed(9, named(sea=1, other=2)) == [4, 8, 9]


def test_a_domain_without_a_limit_has_none(store: Store) -> None:
    """Where only one domain is named the others get all."""
    assert Sender(store).claimed(9, named(ebb=1)) == [1, 2, 3, 4, 6, 7, 9]


def test_the_first_domain_to_open_says_when_to_go_on(store: Store) -> None:
    """Of several full domains the earliest counts; of all together the limit for all."""
    sender = Sender(store)
    limits = replace(named(other=1), total=(Rate(count=5, seconds=86_400),))
    assert sender.claimed(1, limits) == [1]
    sender.now = NOW + 30 * SECOND
    assert sender.claimed(9, limits) == [2, 3]
    until = sender.claim(9, limits).wait_until
    assert until is not None
    assert NOW + 60 * SECOND <= until <= NOW + 61 * SECOND
    sender.now = NOW + 120 * SECOND
    assert sender.claimed(9, limits) == [4, 5]
    until = sender.claim(9, limits).wait_until
    assert until is not None
    assert until >= NOW + DAY


def test_who_left_takes_nothing_from_the_limits(store: Store) -> None:
    """Rows that are closed do not count, and nothing is waited for where only such are due."""
    sender = Sender(store)
    for position, row in sender.rows().items():
        if position not in {3, 6}:
            store.readers.change(row.address, state="left", reason="", at=NOW)
    assert sender.claimed(1, daily(2)) == [3]
    assert sender.claimed(1, daily(2)) == [6]
    assert sender.claim(1, daily(2)) == Claim(rows=())
    assert store.deliveries.tally(KEY).left == 7


def test_counts_outlive_the_process_and_hold_for_all_issues(store: Store, send: Send) -> None:
    """What one sender got of one issue counts for the next one and for another issue."""
    other = IssueKey("2026-w50")
    store.deliveries.enroll(replace(send, issue=other))
    assert Sender(store).claimed(9, daily(4)) == [1, 2, 3, 4]
    later = Sender(store, issue=other, now=NOW + HOUR)
    assert later.claimed(9, daily(6)) == [1, 2]
    assert later.claim(9, daily(6)).wait_until is not None


def test_what_is_given_back_may_go_by_others(store: Store) -> None:
    """Rows of which nothing was taken free their place, in whatever way they come back."""
    limits = replace(named(other=1), total=daily(3).total)
    sender = Sender(store)
    assert sender.claimed(9, limits) == [1, 2, 3]
    sender.give_back(1)
    sender.step(sender.answer(2, Outcome(state="pending", text="connection lost")))
    assert sender.claimed(9, limits) == [1, 2]
    sender = Sender(store)
    sender.recover()
    assert sender.claimed(9, limits) == [1, 2, 3]
    store.readers.change("r3@flow.example", state="left", reason="", at=NOW)
    sender.step(mark=[1, 3])
    assert sender.claimed(9, limits) == [6]
    sender.step(sender.answer(1))
    assert sender.claim(9, limits).rows == ()


def test_an_answer_uses_up_a_place(store: Store) -> None:
    """Whatever a relay answered, it had the message; one that may be tried again counts anew."""
    sender = Sender(store)
    sender.claim(3, daily(3))
    later = Outcome(state="pending", code=451)
    sender.step(
        sender.answer(1),
        sender.answer(2, Outcome(state="refused")),
        sender.answer(3, later, due=NOW),
    )
    assert sender.claim(3, daily(3)).rows == ()


def test_what_may_be_in_doubt_uses_up_a_place(store: Store) -> None:
    """Rows that a dead sender had on the wire, or claimed before a power cut, count as sent."""
    sender = Sender(store)
    sender.claim(2, daily(2))
    sender.step(mark=[1, 2])
    sender = Sender(store, who=holder(boot="b2"))
    sender.recover(retry_unknown=True)
    assert sender.claim(2, daily(2)).rows == ()


def test_a_row_given_back_late_frees_no_place_of_another(store: Store) -> None:
    """Only the stretch in which it was handed out gains a place."""
    sender = Sender(store)
    second = Limits(total=(Rate(count=2, seconds=1),))
    assert sender.claimed(1, second) == [1]
    sender.now = NOW + 10 * SECOND
    assert sender.claimed(2, second) == [2, 3]
    sender.give_back(1)
    assert sender.claim(2, second).rows == ()


@pytest.mark.parametrize(("back", "waits"), [(HOUR, DAY + HOUR), (DAY, 2 * DAY)])
def test_a_clock_that_is_set_back_is_waited_for(
    store: Store, back: timedelta, waits: timedelta
) -> None:
    """What was counted by a clock that was ahead a little counts until its time is over."""
    sender = Sender(store)
    sender.claim(2, daily(2))
    sender.now = NOW - back
    until = sender.claim(2, daily(2)).wait_until
    assert until is not None
    assert until - sender.now <= waits * 65 / 64
    sender.now = until
    assert sender.claimed(2, daily(2)) == [3, 4]


def test_a_clock_that_was_far_ahead_blocks_nothing(store: Store, behind: Behind, url: str) -> None:
    """Counts from beyond any stretch are dropped."""
    sender = Sender(store)
    sender.claim(2, daily(2))
    sender.now = NOW - 3 * DAY
    assert store.deliveries.allowance_from(KEY, daily(2), sender.now) is None
    assert sender.claimed(2, daily(2)) == [3, 4]
    assert behind(url, "SELECT count FROM outflow") == [(2,)]


def test_counts_that_no_limit_looks_at_are_dropped(store: Store, behind: Behind, url: str) -> None:
    """The ledger does not grow with what went out long ago."""
    sender = Sender(store)
    sender.claim(9, replace(named(other=1), total=daily(9).total))
    found = behind(url, "SELECT domain, seconds FROM outflow ORDER BY domain, seconds")
    domains = ("ebb.example", "flow.example", "sea.example")
    assert found == [("", 86_400), *((domain, 60) for domain in domains)]
    sender.now = NOW + HOUR
    sender.recover()
    assert behind(url, "SELECT domain, seconds FROM outflow") == [("", 86_400)]
    sender.now = NOW + 2 * DAY
    sender.claim(1, daily(9))
    assert behind(url, "SELECT domain, count FROM outflow") == [("", 1)]


def test_a_warm_up_lets_more_go_each_day(store: Store) -> None:
    """It begins with the first message; in no 24 hours more goes than their last day allows."""
    warm, sender = Limits(warm_up=(1, 3)), Sender(store, now=NOW - HOUR)
    assert store.deliveries.allowance_from(KEY, warm, sender.now) is None
    sender.now = NOW
    assert sender.claimed(9, warm) == [1]
    assert sender.claim(9, warm).wait_until == NOW + DAY
    sender.now = NOW + DAY
    assert sender.claimed(9, warm) == [2, 3]
    until = sender.claim(9, warm).wait_until
    assert until is not None
    assert NOW + DAY < until <= NOW + DAY * 65 / 64
    sender.now = until
    assert sender.claimed(9, warm) == [4]
    until = sender.claim(9, warm).wait_until
    assert until == NOW + 2 * DAY
    sender.now = until
    assert sender.claimed(9, warm) == [5, 6, 7, 8, 9]


def test_a_warm_up_and_a_rate_both_hold(store: Store) -> None:
    """The narrower one counts, and the later one says when to go on."""
    both, sender = Limits(warm_up=(5, 9), total=daily(2).total), Sender(store)
    assert sender.claimed(9, both) == [1, 2]
    until = sender.claim(9, both).wait_until
    assert until is not None
    assert until > NOW + DAY
    assert store.deliveries.allowance_from(KEY, Limits(warm_up=(2, 3)), NOW) == NOW + DAY


def test_a_warm_up_that_narrows_is_kept(store: Store) -> None:
    """Where a later day allows less, what went out the day before counts against it."""
    warm, sender = Limits(warm_up=(4, 1)), Sender(store)
    assert sender.claimed(9, warm) == [1, 2, 3, 4]
    assert sender.claim(9, warm).wait_until is not None
    sender.now = NOW + DAY
    until = sender.claim(9, warm).wait_until
    assert until is not None
    assert NOW + DAY < until <= NOW + DAY * 65 / 64


def test_a_warm_up_begins_once(store: Store) -> None:
    """Its beginning stays, but where it came of a clock that was ahead."""
    warm, sender = Limits(warm_up=(1,)), Sender(store)
    sender.claim(1, warm)
    sender.now = NOW + 30 * DAY
    assert sender.claimed(2, warm) == [2, 3]
    sender.now = NOW - 30 * DAY
    assert sender.claimed(9, warm) == [4]
    assert sender.claim(9, warm).wait_until == sender.now + DAY


def test_an_empty_limit_counts_nothing(store: Store, behind: Behind, url: str) -> None:
    """Without limits nothing is written of what goes out."""
    Sender(store).hand_over(TAKEN, TAKEN)
    assert behind(url, "SELECT * FROM outflow") == []


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rates=st.lists(
        st.builds(Rate, count=st.integers(1, 6), seconds=st.sampled_from([1, 60, 3600, 86_400])),
        min_size=1,
        max_size=3,
    ),
    asks=st.lists(
        st.tuples(st.integers(0, 3 * 86_400_000_000) | st.integers(0, 70_000_000), st.booleans()),
        min_size=1,
        max_size=12,
    ),
)
def test_no_stretch_holds_more_than_a_rate_allows(
    tmp_path: Path, rates: list[Rate], asks: list[tuple[int, bool]]
) -> None:
    """Whenever and however much is asked for; and it is never waited for much too long."""
    file = tmp_path / "digest.db"
    file.unlink(missing_ok=True)
    limits, out = Limits(total=tuple(rates)), list[datetime]()
    with open_store(f"sqlite:///{file}", create=True) as store:
        people = [Reader(address=f"r{p}@sea.example", since=NOW) for p in range(80)]
        store.readers.add(people, consent=Consent(source="the fair", at=NOW))
        send = Send(issue=KEY, edition="e", began=NOW, via="smtp", by="hand", key_id="k")
        store.deliveries.enroll(send)
        sender = Sender(store)
        for gap, patient in asks:
            sender.now += timedelta(microseconds=gap)
            claim = sender.claim(4, limits)
            if not claim.rows and patient:
                assert claim.wait_until is not None
                assert claim.wait_until <= latest(out, rates)
                sender.now = claim.wait_until
                claim = sender.claim(4, limits)
                assert claim.rows
            out += [sender.now] * len(claim.rows)
    for rate in rates:
        for place, at in enumerate(out[rate.count :]):
            assert at - out[place] >= rate.seconds * SECOND


def latest(out: list[datetime], rates: list[Rate]) -> datetime:
    """Give when the next may go at the latest: a 64th after the exact moment."""
    return max(
        out[-rate.count] + rate.seconds * SECOND * 65 / 64
        for rate in rates
        if len(out) >= rate.count
    )
