"""Headers written by us come back as they were."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.content import dump_header
from digest.content.header import split_file
from digest.content.nodes import Listing, Scalar, Table, read_yaml
from digest.content.typed import take_as_typed
from digest.model import clean_text

NAMES = frozenset({"title", "summary", "source", "hold"})
KEYS = st.one_of(st.sampled_from(sorted(NAMES)), st.text(max_size=30)).map(clean_text)
NASTY = st.sampled_from(
    ["no", "~", "null", "1.10", "2027-01-15", "a: b", "a #b", "- a", "#a", "---", "...", "'", '"']
)
TEXTS = st.one_of(NASTY, st.text(max_size=60), st.lists(NASTY, min_size=2).map("\n".join))
SCALARS = st.one_of(TEXTS, st.integers(), st.booleans(), st.floats(allow_nan=False))
MAPPINGS = st.dictionaries(KEYS, st.one_of(SCALARS, st.lists(TEXTS, max_size=3)), max_size=4)
VALUES = st.one_of(
    SCALARS, MAPPINGS, st.lists(st.one_of(SCALARS, MAPPINGS, st.lists(TEXTS, max_size=3)))
)


def read(text: str) -> dict[str, object]:
    """Read a header as a summary's header is read."""
    parts = split_file(text.encode(), where="a.md")
    assert parts.header is not None
    header, marked = take_as_typed(parts.header, NAMES)
    assert (header, marked) == (parts.header, ())
    table, problems = read_yaml(header, first=2, where="a.md")
    assert problems == ()
    plain = as_text(table)
    assert isinstance(plain, dict)
    return plain


def as_text(value: object) -> object:
    """Give a value, or what was read of it, with every scalar as a text."""
    if isinstance(value, Table | Listing):
        value = value.values
    if isinstance(value, dict):
        return {key: as_text(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_text(inner) for inner in value]
    if isinstance(value, Scalar):
        return value.text
    return (
        clean_text(value)
        if isinstance(value, str)
        else repr(value).replace("True", "true").replace("False", "false")
    )


@given(st.dictionaries(KEYS, VALUES, max_size=6))
@settings(deadline=None, max_examples=100)
def test_any_mapping_comes_back_equal(mapping: dict[str, object]) -> None:
    """Whatever is written is read back: nothing cut, typed, or taken for a mark."""
    text = dump_header(list(mapping.items()))
    if mapping:
        assert read(text) == as_text(mapping)


@given(st.dictionaries(KEYS, TEXTS, max_size=6))
@settings(deadline=None, max_examples=100)
def test_other_readers_find_the_same_texts(mapping: dict[str, str]) -> None:
    """A reader that guesses types takes our texts for texts."""
    text = dump_header(list(mapping.items()))
    found = yaml.safe_load(text.removesuffix("---\n")) or {}
    assert found == {key: clean_text(value) for key, value in mapping.items()}


def test_header_reads_well() -> None:
    """Plain texts stand bare, short lists on one line, long texts as blocks."""
    moment = datetime(2027, 1, 12, 9, 0, 5, 123, tzinfo=timezone(timedelta(hours=1)))
    text = dump_header(
        [
            ("title", "Owls at night"),
            ("date", moment),
            ("day", date(2027, 1, 12)),
            ("url", "https://a.example/owls?x=1"),
            ("none", None),
            ("tags", ["birds", "a, b", "C#", "no"]),
            ("summary", "First.\n\nSecond."),
            ("pin", True),
            ("weight", 1.5),
            ("items", ({"id": "a", "reason": "new: today", "more": None}, {})),
            ("published", {"number": 3, "void": None}),
            ("void", {"a": None}),
            ("empty", []),
        ]
    )
    assert text.split("\n") == [
        "---",
        "title: Owls at night",
        "date: 2027-01-12T09:00:05+01:00",
        "day: 2027-01-12",
        'url: "https://a.example/owls?x=1"',
        'tags: [birds, "a, b", "C#", "no"]',
        "summary: |-",
        "  First.",
        "",
        "  Second.",
        "pin: true",
        "weight: 1.5",
        "items:",
        "  - id: a",
        '    reason: "new: today"',
        "  - {}",
        "published:",
        "  number: 3",
        "void: {}",
        "empty: []",
        "---",
        "",
    ]


def test_long_list_stands_one_element_a_line() -> None:
    """A list beyond 80 characters is a list of lines."""
    words = [f"word number {n}" for n in range(8)]
    text = dump_header([("tags", words)])
    assert text.startswith("---\ntags:\n  - word number 0\n")
    assert read(text) == {"tags": words}


def test_offset_with_seconds_becomes_utc() -> None:
    """An offset that no header can say is written as UTC."""
    moment = datetime(1890, 1, 1, tzinfo=timezone(timedelta(minutes=53, seconds=28)))
    assert dump_header([("at", moment)]) == "---\nat: 1889-12-31T23:06:32+00:00\n---\n"
    naive = datetime(2027, 1, 1, tzinfo=UTC).replace(tzinfo=None)
    assert dump_header([("at", naive)]) == "---\nat: 2027-01-01T00:00:00\n---\n"


@pytest.mark.parametrize(
    ("value", "error"), [(object(), TypeError), (b"bytes", TypeError), ([object()], TypeError)]
)
def test_value_of_another_kind_is_refused(value: object, error: type[Exception]) -> None:
    """Only what a header can hold is written."""
    with pytest.raises(error, match="a header holds no"):
        dump_header([("a", value)])


def test_key_that_no_header_takes_is_refused() -> None:
    """A key beyond 200 characters is an error of the caller."""
    with pytest.raises(ValueError, match="201 characters"):
        dump_header([("k" * 201, "x")])


def test_summary_of_a_dumped_header_is_equal(parse: Callable[..., Any]) -> None:
    """What an import writes is what a build reads."""
    header = dump_header([("title", 'A "b": c #d'), ("tags", ["no", "1.10"]), ("draft", True)])
    summary, notes = parse(header + "\nText.\n")
    assert (summary.title, summary.tags, summary.draft) == ('A "b": c #d', ("no", "1.10"), True)
    assert notes == ()
