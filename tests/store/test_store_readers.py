"""The list of readers and the log of consents."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import StoreError
from digest.model import READER_STATES, Consent, Reader, reader_key
from digest.store import open_store

LATER = timedelta(days=7)


@pytest.fixture
def ana(now: datetime) -> Reader:
    """Give an active reader."""
    return Reader(address="ana@sea.example", name="Ana", reason="added by hand", since=now)


@pytest.fixture
def agreed(file: Path) -> Callable[[], list[tuple[str, str]]]:
    """Give a function that reads the log of consents: reader and source, in order."""

    def read() -> list[tuple[str, str]]:
        with closing(sqlite3.connect(file)) as raw:
            return raw.execute("SELECT reader, source FROM consents ORDER BY id").fetchall()

    return read


def test_an_empty_list(url: str, now: datetime) -> None:
    """A new database has no readers, and nobody to change."""
    with open_store(url, create=True) as store:
        assert store.readers.all() == ()
        assert store.readers.get("ana@sea.example") is None
        assert store.readers.count() == store.readers.count("active") == 0
        assert not store.readers.ever()
        assert not store.readers.change("ana@sea.example", state="left", reason="", at=now)
        assert store.readers.add([], consent=None) == ()


def test_readers_come_back_by_address(url: str, now: datetime, consent: Consent) -> None:
    """Readers come back equal, sorted by address, all or those in some states."""
    people = [
        Reader(address=f"{state}{number}@sea.example", name=f"Ä {number}", state=state, since=now)
        for number in (2, 1)
        for state in READER_STATES
    ]
    with open_store(url, create=True) as store:
        assert store.readers.add(people, consent=consent) == ()
    with open_store(url, read_only=True) as store:
        assert store.readers.all() == tuple(sorted(people, key=lambda reader: reader.address))
        assert [one.address for one in store.readers.all(states=("left", "active"))] == [
            "active1@sea.example",
            "active2@sea.example",
            "left1@sea.example",
            "left2@sea.example",
        ]
        assert store.readers.count() == 8
        assert store.readers.count("left", "active") == 4
        assert store.readers.ever()


def test_letter_case_makes_no_other_reader(url: str, ana: Reader, consent: Consent) -> None:
    """A reader is found, and known, in any spelling; the spelling of the first stays."""
    with open_store(url, create=True) as store:
        store.readers.add([ana], consent=consent)
        twin = replace(ana, address="ANA@sea.example", name="Anna")
        assert store.readers.add([twin], consent=consent) == (ana,)
        assert store.readers.get("aNa@sea.example") == ana
        assert store.readers.all() == (ana,)


def test_a_known_reader_is_never_changed(
    url: str, ana: Reader, *, consent: Consent, agreed: Callable[[], list[tuple[str, str]]]
) -> None:
    """Adding who left or was suppressed gives them back as they stand, and logs no consent."""
    gone = [replace(ana, address=f"{state}@x.example", state=state) for state in READER_STATES]
    with open_store(url, create=True) as store:
        store.readers.add(gone, consent=consent)
        before = agreed()
        again = [replace(one, state="active", name="", reason="again") for one in gone]
        assert store.readers.add([*again, ana], consent=consent) == tuple(gone)
        assert store.readers.count() == 5
        assert store.readers.all(states=("left",)) == (gone[READER_STATES.index("left")],)
    assert agreed() == [*before, ("ana@sea.example", consent.source)]


def test_of_twins_in_one_list_the_first_is_added(url: str, ana: Reader, consent: Consent) -> None:
    """The second of two readers with one address is given back as known."""
    twin = replace(ana, address="Ana@sea.example", name="Second")
    with open_store(url, create=True) as store:
        assert store.readers.add([ana, twin], consent=consent) == (ana,)
        assert store.readers.all() == (ana,)


def test_an_active_reader_needs_a_consent(
    url: str, ana: Reader, *, consent: Consent, agreed: Callable[[], object]
) -> None:
    """Without a consent only readers who get no mail are added; a consent is logged for each."""
    left = replace(ana, address="lea@sea.example", state="left")
    ben = replace(ana, address="Ben@sea.example")
    with open_store(url, create=True) as store:
        with pytest.raises(ValueError, match="an active reader needs a consent"):
            store.readers.add([left, ana], consent=None)
        assert not store.readers.ever()
        store.readers.add([left], consent=None)
        assert agreed() == []
        store.readers.add([ana, ben], consent=consent)
    assert agreed() == [
        ("ana@sea.example", consent.source),
        ("ben@sea.example", consent.source),
    ]


def test_a_change_of_state(
    url: str, ana: Reader, *, consent: Consent, agreed: Callable[[], object]
) -> None:
    """A new state has its reason and its moment; the name and the consents stay."""
    at = (ana.since + LATER).astimezone(timezone(timedelta(hours=-11)))
    with open_store(url, create=True) as store:
        store.readers.add([ana], consent=consent)
        assert store.readers.change("ANA@sea.example", state="left", reason="asked", at=at)
        assert store.readers.get(ana.address) == replace(
            ana, state="left", reason="asked", since=at
        )
    assert agreed() == [("ana@sea.example", consent.source)]


def test_a_change_that_changes_nothing(
    url: str, ana: Reader, *, consent: Consent, tree: Callable[[], object]
) -> None:
    """Who is in that state for that reason already stays as they are, byte for byte."""
    with open_store(url, create=True) as store:
        store.readers.add([ana], consent=consent)
        before = tree()
        again = partial(
            store.readers.change,
            ana.address,
            state=ana.state,
            reason=ana.reason,
            at=ana.since + LATER,
        )
        assert not again(consent=consent)
        assert not again(name="Ana")
        assert store.readers.get(ana.address) == ana
    assert tree() == before


def test_a_name_or_reason_changes_without_the_state(
    url: str, ana: Reader, consent: Consent
) -> None:
    """Another name or reason does not move the moment since when the state holds."""
    at = ana.since + LATER
    with open_store(url, create=True) as store:
        store.readers.add([ana], consent=consent)
        assert store.readers.change(ana.address, state="active", reason=ana.reason, at=at, name="")
        assert store.readers.get(ana.address) == replace(ana, name="")
        assert store.readers.change(ana.address, state="active", reason="told so", at=at)
        assert store.readers.get(ana.address) == replace(ana, name="", reason="told so")


def test_who_becomes_active_agrees_anew(
    url: str, ana: Reader, *, consent: Consent, agreed: Callable[[], object]
) -> None:
    """Nobody becomes active without a consent; it is logged for them, and not for who left."""
    at = ana.since + LATER
    left = replace(ana, state="left")
    anew = Consent(source="wrote to us", at=at)
    with open_store(url, create=True) as store:
        store.readers.add([left], consent=consent)
        with pytest.raises(ValueError, match="becomes active needs a consent"):
            store.readers.change(ana.address, state="active", reason="", at=at)
        assert store.readers.get(ana.address) == left
        assert store.readers.change(ana.address, state="active", reason="back", at=at, consent=anew)
        assert store.readers.get(ana.address) == replace(ana, reason="back", since=at)
    assert agreed() == [("ana@sea.example", "wrote to us")]


def test_an_addition_is_whole_or_not_at_all(url: str, ana: Reader, consent: Consent) -> None:
    """Where one of many readers cannot be written, none is."""
    state: Any = "asleep"
    odd = replace(ana, address="odd@sea.example", state=state)
    with open_store(url, create=True) as store:
        with pytest.raises(StoreError, match="ck_readers_state"):
            store.readers.add([ana, odd], consent=consent)
        assert not store.readers.ever()


def test_a_change_has_a_zone(url: str) -> None:
    """A moment without a zone is a mistake of the caller."""
    naive = datetime(2026, 11, 30, 9)  # noqa: DTZ001 - the mistake
    with (
        open_store(url, create=True) as store,
        pytest.raises(ValueError, match="zone"),
    ):
        store.readers.change("ana@sea.example", state="left", reason="", at=naive)


def test_many_readers_are_known_again(url: str, ana: Reader, consent: Consent) -> None:
    """A list longer than one statement can ask for is added once, and known the second time."""
    many = [replace(ana, address=f"r{number:04d}@sea.example") for number in range(1201)]
    with open_store(url, create=True) as store:
        assert store.readers.add(many, consent=consent) == ()
        assert store.readers.add(many[::-1], consent=consent) == tuple(many[::-1])
        assert store.readers.all() == tuple(many)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), max_size=8),
    st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=6), max_size=8),
)
def test_any_addresses_stand_there_once(first: list[str], second: list[str]) -> None:
    """Whatever is added in two lists, each address stands there once, as it was written first."""
    now = datetime(2026, 11, 30, tzinfo=UTC)
    consent = Consent(source="", at=now)
    wanted: dict[str, str] = {}
    for address in [*first, *second]:
        wanted.setdefault(reader_key(address), address)
    lists = [[Reader(address=one, since=now) for one in some] for some in (first, second)]
    with (
        TemporaryDirectory() as folder,
        open_store(f"sqlite:///{folder}/digest.db", create=True) as store,
    ):
        known = [len(store.readers.add(some, consent=consent)) for some in lists]
        found = [reader.address for reader in store.readers.all()]
    assert found == sorted(wanted.values())
    assert sum(known) + len(found) == len(first) + len(second)
