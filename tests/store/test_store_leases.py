"""Only one process sends: the lease, and who may take it over."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from store.sender import NOW, holder

from digest.errors import LockError
from digest.model import Holder
from digest.store import open_store
from digest.store.ledger import Store

MINUTE = timedelta(minutes=1)
OTHER = holder(host="pier", pid=9)


def acquire(
    store: Store, who: Holder, now: datetime = NOW, *, alive: bool | None = None, seconds: int = 60
) -> int:
    """Ask for the lease where this is known of the holder before."""
    return store.leases.acquire(who, now=now, seconds=seconds, alive=lambda _: alive)


@pytest.mark.parametrize("alive", [True, None])
def test_who_comes_second_hears_who_sends(url: str, *, alive: bool | None) -> None:
    """While a holder is there, or may be, another is told its process, host and beginning."""
    with open_store(url, create=True) as store:
        acquire(store, holder())
        asked: list[Holder] = []

        def ask(before: Holder) -> bool | None:
            asked.append(before)
            return alive

        with pytest.raises(LockError) as caught:
            store.leases.acquire(OTHER, now=NOW + MINUTE / 2, seconds=60, alive=ask)
        assert str(caught.value) == (
            "another `digest` sends: pid 7 on host quay since 2026-11-30 09:00 UTC\n"
            "  wait until that one is done, then repeat the command"
        )
        assert asked == [holder()]


def test_the_fence_grows_with_each_holder(url: str) -> None:
    """Released, gone, over, or held by the same process: the lease goes on under a new number."""
    with open_store(url, create=True) as store:
        first = acquire(store, holder())
        store.leases.release(first)
        second = acquire(store, OTHER)
        third = acquire(store, OTHER)
        fourth = acquire(store, holder(), alive=False)
        fifth = acquire(store, OTHER, NOW + MINUTE)
    with open_store(url) as store:
        store.leases.release(fifth)
        sixth = acquire(store, holder(), NOW)
    assert first < second < third < fourth < fifth < sixth


def test_a_lease_that_is_renewed_goes_on(url: str) -> None:
    """From each renewal on it holds for as long as was asked for."""
    with open_store(url, create=True) as store:
        fence = acquire(store, holder())
        assert store.leases.renew(fence, now=NOW + MINUTE * 0.9, seconds=60)
        with pytest.raises(LockError):
            acquire(store, OTHER, NOW + MINUTE * 1.8)
        assert acquire(store, OTHER, NOW + MINUTE * 1.9) > fence


def test_a_lease_that_lapsed_can_be_renewed(url: str) -> None:
    """Where nobody took it over meanwhile nothing is lost."""
    with open_store(url, create=True) as store:
        fence = acquire(store, holder())
        assert store.leases.renew(fence, now=NOW + 9 * MINUTE, seconds=60)
        with pytest.raises(LockError):
            acquire(store, OTHER, NOW + 9.5 * MINUTE)


def test_a_lease_of_before_is_neither_renewed_nor_released(url: str) -> None:
    """Who was taken for dead hears so, and cannot end the lease of who came after."""
    with open_store(url, create=True) as store:
        assert not store.leases.renew(1, now=NOW, seconds=60)
        before = acquire(store, holder())
        after = acquire(store, OTHER, alive=False)
        assert not store.leases.renew(before, now=NOW, seconds=60)
        store.leases.release(before)
        with pytest.raises(LockError):
            acquire(store, holder())
        store.leases.release(after)
        assert not store.leases.renew(after, now=NOW, seconds=60)


@pytest.mark.parametrize(("back", "held"), [(0, True), (60, True), (61, False), (10**6, False)])
def test_a_lease_by_a_clock_that_was_ahead_lapses(url: str, back: int, *, held: bool) -> None:
    """A time that nobody could have asked for holds nobody up."""
    with open_store(url, create=True) as store:
        acquire(store, holder())
        earlier = NOW - timedelta(seconds=back)
        if held:
            with pytest.raises(LockError):
                acquire(store, OTHER, earlier)
        else:
            assert acquire(store, OTHER, earlier) == 2


def test_moments_of_a_lease_have_a_zone(url: str) -> None:
    """A moment without a zone is a mistake of the caller."""
    with open_store(url, create=True) as store:
        naive = NOW.replace(tzinfo=None)
        with pytest.raises(ValueError, match="zone"):
            acquire(store, holder(), naive)
        fence = acquire(store, holder())
        with pytest.raises(ValueError, match="zone"):
            store.leases.renew(fence, now=naive, seconds=60)


def test_a_process_that_is_there_keeps_its_lease_past_its_time(url: str) -> None:
    """Whatever the clock says: it may be held up, and would go on beside another one."""
    with open_store(url, create=True) as store:
        acquire(store, holder())
        for now in (NOW + 9 * MINUTE, NOW - 900 * MINUTE):
            with pytest.raises(LockError):
                acquire(store, OTHER, now=now, alive=True)
        assert acquire(store, OTHER, now=NOW + 9 * MINUTE, alive=None)
