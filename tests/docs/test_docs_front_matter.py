"""The page of front matter names every key that is read, and no other."""

from __future__ import annotations

import re
import tomllib
from zoneinfo import ZoneInfo

import pytest
from docs.pages import page, rows, sections

from digest.content import ContentOptions, parse_issue, parse_summary
from digest.content.header import FILE_BYTES, HEADER_CHARACTERS
from digest.content.nodes import ALIASES, DEPTH, NODES
from digest.content.options import SUMMARY_KEYS
from digest.errors import ContentError
from digest.model import IssueKey, WeeklyTime

_SECTIONS = sections(page("front-matter.md"))
_UTC = ZoneInfo("UTC")
_SUMMARY_KEYS = [
    (row[0].strip("`"), row[1])
    for row in rows(_SECTIONS["Keys of a summary"])
    if row[0].startswith("`")
]
_TYPES = [row[0] for row in rows(_SECTIONS["Keys of a summary"]) if not row[0].startswith("`")]


def _issue_error(header: str) -> ContentError:
    with pytest.raises(ContentError) as raised:
        parse_issue(
            f"---\n{header}\n---\n".encode(),
            where="2026-w49.md",
            key=IssueKey("2026-w49"),
            send=WeeklyTime(weekday=0, hour=9, minute=0),
            zone=_UTC,
        )
    return raised.value


def test_every_key_of_a_summary_is_documented() -> None:
    """The table holds the keys that are read, each once."""
    keys = [key for key, _ in _SUMMARY_KEYS]

    assert set(keys) == SUMMARY_KEYS
    assert len(keys) == len(SUMMARY_KEYS)


def test_every_type_is_explained() -> None:
    """Each type that a key has stands in the table of types, which holds no other."""
    used = {part for _, kind in _SUMMARY_KEYS for part in kind.split(", or ")}

    assert used == set(_TYPES)


@pytest.mark.parametrize("key", [key for key, _ in _SUMMARY_KEYS])
def test_key_is_none_that_is_kept_aside(key: str) -> None:
    """A documented key means something: no note says that it does not."""
    summary, notes = parse_summary(
        f"---\ntitle: A\n{key.upper()}:\n---\n".encode() if key != "title" else b"# A\n",
        path="a.md",
        where="content/a.md",
        zone=_UTC,
        options=ContentOptions(),
    )

    assert summary.extra == ()
    assert notes == ()


def test_every_key_of_an_issue_file_is_documented() -> None:
    """The table holds what the program says is known."""
    problem = _issue_error("zzzz: 1").problems[0]
    known = set(problem.fix.removeprefix("known are: ").split(", "))

    assert {row[0].strip("`") for row in rows(_SECTIONS["The issue file"])} == known


@pytest.mark.parametrize("key", ["items", "left_out", "dropped", "published"])
def test_parts_of_a_key_of_an_issue_file_are_documented(key: str) -> None:
    """What may stand inside the lists and the seal is named in the row of the key."""
    inner = "\n  - {id: a, zzzz: 1}" if key != "published" else "\n  zzzz: 1"
    fixes = [problem.fix for problem in _issue_error(f"{key}:{inner}").problems]
    known = next(fix for fix in fixes if fix.startswith("known are: "))
    told = next(row[2] for row in rows(_SECTIONS["The issue file"]) if row[0] == f"`{key}`")

    for part in known.removeprefix("known are: ").split(", "):
        assert f"`{part}`" in told


def test_bounds_are_those_of_the_program() -> None:
    """The numbers of the page are the numbers that the reader keeps to."""
    told = {row[0]: row[1] for row in rows(_SECTIONS["Bounds"])}
    numbers = [
        [int(number.replace(",", "")) for number in re.findall(r"[\d,]*\d", cell)]
        for cell in told.values()
    ]

    assert numbers[0][0] * 1024 * 1024 == FILE_BYTES
    assert numbers[1][0] == HEADER_CHARACTERS
    assert [row[0] for row in numbers[2:]] == [DEPTH, ALIASES, NODES]


def test_bounds_of_issue_files_are_those_of_the_program() -> None:
    """A header of an issue file longer than the page says is refused, and not a shorter one."""
    longer = "x" * 1_048_576
    shorter = "x" * 70_000

    assert "at most 1048576" in _issue_error(f"subject: {longer}").problems[0].what
    assert "zzzz" in _issue_error(f"subject: {shorter}\nzzzz: 1").problems[0].what
    values = f"items: [{'x,' * 100_001}]"
    assert "more than 100000 values" in _issue_error(values).problems[0].what


def test_settings_for_other_tools_are_settings() -> None:
    """What the table tells users of another tool to write leads to keys that there are."""
    for row in rows(_SECTIONS["Other tools' names"]):
        told = tomllib.loads(row[1].replace("`, `", "\n").strip("`"))
        options = ContentOptions(aliases=told["aliases"], exclude=tuple(told.get("exclude", ())))

        assert options.aliases.keys().isdisjoint(SUMMARY_KEYS)
        assert set(told) <= {"aliases", "exclude", "folder"}
