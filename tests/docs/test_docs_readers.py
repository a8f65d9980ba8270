"""The page of readers: its states, columns and words are those that the program knows."""

from __future__ import annotations

import re

import pytest
from docs.pages import page, rows, sections

from digest.imports import LONGEST_NAME, STATUS_WORDS, parse_readers
from digest.model import READER_STATES

_SECTIONS = sections(page("readers.md"))
_LIST = rows(_SECTIONS["A list from elsewhere"])
_COLUMNS, _WORDS = _LIST[:3], _LIST[3:]


def _quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_state_has_a_row() -> None:
    """The table of states holds all of them, once."""
    told = [state for row in rows(_SECTIONS["States"]) for state in _quoted(row[0])]

    assert sorted(told) == sorted(READER_STATES)


def test_every_word_of_a_status_is_told() -> None:
    """The table of words is the program's."""
    assert {row[1]: tuple(_quoted(row[0])) for row in _WORDS} == dict(STATUS_WORDS)


@pytest.mark.parametrize("row", _COLUMNS, ids=lambda row: row[0].strip("`"))
def test_columns_are_known_by_each_of_their_names(row: list[str]) -> None:
    """A file with any of the names told is read alike."""
    own = _quoted(row[0])[0]
    for name in [own, *_quoted(row[1])]:
        header = [name if one == own else one for one in ("email", "name", "status")]
        data = f"{','.join(header)}\nida@post.example,Ida,left\n".encode()
        [found] = parse_readers(data, name="list.csv").rows

        assert (found.address, found.name, found.state) == ("ida@post.example", "Ida", "left")


def test_longest_name_is_told() -> None:
    """The measure in the table is the program's."""
    assert f"at most {LONGEST_NAME} characters" in _COLUMNS[1][2]


def test_columns_named_as_telling_are_refused() -> None:
    """Each column that the page gives as one that may tell who left stops the file."""
    [row] = [row for row in rows(_SECTIONS["What is taken and what is not"]) if "such as" in row[0]]
    for column in _quoted(row[0])[1:]:
        found = parse_readers(f"email,{column}\nida@post.example,x\n".encode(), name="list.csv")

        assert not found.rows
        assert column in found.failures[0].reason
