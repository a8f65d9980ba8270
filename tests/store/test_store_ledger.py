"""What the ledger remembers of published issues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import GuardError
from digest.model import IssueKey, PastIssue, PastItem, ThemeId, clean_line
from digest.store import open_store

Maker = Callable[..., PastIssue]
Behind = Callable[[str, str], list[tuple[object, ...]]]

LINES = st.text(max_size=30).map(clean_line)
ZONES = [UTC, timezone(timedelta(hours=-11)), timezone(timedelta(hours=5, minutes=45))]
MOMENTS = st.datetimes(
    min_value=datetime(1, 1, 3),  # noqa: DTZ001 - hypothesis adds the zone below
    max_value=datetime(9999, 12, 29),  # noqa: DTZ001 - hypothesis adds the zone below
    timezones=st.sampled_from(
        [UTC, timezone(timedelta(hours=-11)), timezone(timedelta(hours=5.75))]
    ),
)
ITEMS = st.lists(
    st.builds(PastItem, id=LINES, url=LINES, title=LINES, sketch=st.binary(max_size=256)),
    max_size=4,
).map(tuple)
ISSUES = st.builds(
    PastIssue,
    key=st.integers(1, 52).map(lambda week: IssueKey(f"2026-w{week:02d}")),
    at=MOMENTS,
    theme=LINES.map(ThemeId),
    items=ITEMS,
    published=st.just(value=True),
    number=st.integers(0, 2**31 - 1),
    edition=LINES,
    withdrawn=st.none() | MOMENTS,
    freed=st.booleans(),
)


@settings(deadline=None, max_examples=40)
@given(st.lists(ISSUES, max_size=4, unique_by=(lambda past: past.key, lambda past: past.number)))
def test_what_was_recorded_comes_back_oldest_first(
    fresh: Callable[[str, str], str], kind: str, wanted: list[PastIssue]
) -> None:
    """Any issues come back equal after the database was closed, in the order of their moments."""
    with TemporaryDirectory() as folder:
        url = fresh(kind, folder)
        with open_store(url, create=True) as store:
            assert [store.record(past) for past in wanted] == [True] * len(wanted)
        with open_store(url, read_only=True) as store:
            assert store.history() == tuple(sorted(wanted, key=lambda past: (past.at, past.number)))


def test_an_issue_that_stands_there_is_left_alone(url: str, past: Maker) -> None:
    """Recording the same edition again, at a later moment, says False and keeps the first."""
    first = past(7)
    with open_store(url, create=True) as store:
        assert store.record(first)
        assert not store.record(first)
        assert not store.record(replace(first, at=first.at + timedelta(hours=1)))
        assert store.history() == (first,)


@pytest.mark.parametrize(
    "change", [{"edition": "f" * 64}, {"number": 8}, {"theme": "storms"}, {"items": ()}]
)
def test_a_published_issue_never_changes(url: str, past: Maker, change: dict[str, Any]) -> None:
    """Another edition, number, theme or list of items under a published key is refused."""
    with open_store(url, create=True) as store:
        store.record(past(7))
        with pytest.raises(GuardError, match="2026-w07 is already published, as another edition"):
            store.record(replace(past(7), **change))
        assert store.history() == (past(7),)


def test_a_number_belongs_to_one_issue(url: str, past: Maker) -> None:
    """A number that another issue has is refused, and nothing of the second issue stays."""
    with open_store(url, create=True) as store:
        store.record(past(7))
        with pytest.raises(GuardError, match="number 7 belongs to another issue than 2026-w08"):
            store.record(replace(past(8), number=7))
        assert store.history() == (past(7),)
        assert store.record(past(8))


def test_an_issue_in_another_state_is_not_published_over(
    url: str, past: Maker, behind: Behind
) -> None:
    """A skipped issue is no part of the history, takes no number and is not published."""
    with open_store(url, create=True):
        pass
    behind(
        url,
        "INSERT INTO issues (key, state, theme, edition) VALUES ('2026-w07', 'skipped', '', '')",
    )
    with open_store(url) as store:
        with pytest.raises(GuardError, match="2026-w07 is skipped"):
            store.record(past(7))
        assert store.history() == ()


def test_sketches_do_not_make_another_edition(url: str, past: Maker) -> None:
    """An issue recorded again with other sketches is the same one, and keeps the first."""
    known = past(7)
    drawn = replace(known, items=tuple(replace(item, sketch=b"\x00\xff42") for item in known.items))
    with open_store(url, create=True) as store:
        assert store.record(drawn)
        assert not store.record(known)
        assert store.history() == (drawn,)


def test_only_published_issues_are_recorded(url: str, past: Maker) -> None:
    """An issue that only reserves its items is a mistake of the caller."""
    with open_store(url, create=True) as store:
        with pytest.raises(ValueError, match="2026-w07 is not published"):
            store.record(replace(past(7), published=False))
        assert store.history() == ()


def test_the_slot_is_kept_beside_the_moment(url: str, past: Maker, behind: Behind) -> None:
    """The slot handed over is kept in UTC; without one it stays empty."""
    slot = datetime(2026, 2, 16, 9, tzinfo=timezone(timedelta(hours=1)))
    with open_store(url, create=True) as store:
        store.record(past(7), slot=slot)
        store.record(past(8))
    found = behind(url, "SELECT slot FROM issues ORDER BY key")
    assert found == [("2026-02-16T08:00:00.000000+00:00",), (None,)]


def test_a_restored_issue_keeps_its_number(url: str, past: Maker) -> None:
    """Two copies of a newsletter may have given one number: both issues are out and stay so."""
    twin = replace(past(8), number=7)
    with open_store(url, create=True) as store:
        store.record(past(7))
        assert store.record(twin, restored=True)
        assert {one.key for one in store.history()} == {"2026-w07", "2026-w08"}
        with pytest.raises(GuardError, match="number 7 belongs to another issue"):
            store.record(replace(past(9), number=7))
