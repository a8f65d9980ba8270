"""What links answered is remembered for a week, and a damaged memory holds nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.links import Known, memory_bytes, read_memory
from digest.model import LinkResult, LinkState

NOW = datetime(2026, 11, 30, 8, tzinfo=UTC)


def known(url: str, result: LinkResult = "ok", *, at: datetime = NOW, to: str = "") -> Known:
    """Make an answer."""
    return Known(at=at, state=LinkState(url=url, result=result, detail="200 OK", to=to))


def test_what_answered_well_comes_back() -> None:
    """With its place, its words, and its time, whatever zone that was in; in the order of names."""
    there = NOW.astimezone(timezone(timedelta(hours=5)))
    links = {
        "https://b.example/": known("https://b.example/"),
        "https://a.example/": known("https://a.example/", "redirected", at=there, to="https://ö/"),
    }
    data = memory_bytes(links)
    assert read_memory(data, now=NOW) == links
    assert list(json.loads(data)["links"]) == ["https://a.example/", "https://b.example/"]
    assert memory_bytes(read_memory(data, now=NOW)) == data


@pytest.mark.parametrize("result", ["broken", "unreachable", "not checked"])
def test_what_was_wrong_is_asked_again(result: LinkResult) -> None:
    """It may be mended at any time: neither written nor believed."""
    links = {"https://a.example/": known("https://a.example/", result)}
    assert json.loads(memory_bytes(links))["links"] == {}
    data = memory_bytes({"https://a.example/": known("https://a.example/")})
    assert read_memory(data.replace(b'"ok"', f'"{result}"'.encode()), now=NOW) == {}


@pytest.mark.parametrize(("age", "kept"), [(0, True), (7, True), (7.001, False), (-0.001, False)])
def test_a_week_counts(age: float, kept: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Older answers are forgotten; what lies ahead was written by another clock."""
    links = {"https://a.example/": known("https://a.example/", at=NOW - timedelta(days=age))}
    assert bool(read_memory(memory_bytes(links), now=NOW)) is kept


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"schema": 2, "links": {}}',
        b'{"schema": 1, "links": []}',
        b'{"schema": 1, "links": {"x": {"result": "ok"}}}',
        b'{"schema": 1, "links": {"x": {"result": ["ok"], "detail": "", "to": "", "at": ""}}}',
        b'{"schema": 1, "links": {"x": {"result": "ok", "detail": "", "to": "", "at": 5}}}',
        b'{"schema":1,"links":{"x":{"result":"ok","detail":"","to":"","at":"2026-11-30"}}}',
    ],
)
def test_a_damaged_memory_holds_nothing(data: bytes) -> None:
    """It is only a memory: nothing stops for it."""
    assert read_memory(data, now=NOW) == {}


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=200))
def test_any_octets_are_read(data: bytes) -> None:
    """Nothing is raised."""
    assert read_memory(data, now=NOW) == {}


def test_a_time_without_zone_is_refused() -> None:
    """It would mean another moment elsewhere."""
    with pytest.raises(ValueError, match="has no zone"):
        known("https://a.example/", at=datetime(2026, 11, 30))  # noqa: DTZ001 - what is tested
