"""The header and the body of a file, however it was saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from digest.content.header import FILE_BYTES, HEADER_CHARACTERS, split_file

PLAIN = "---\ntitle: Night herons\ntheme: birds\ndate: 2027-02-01\n---\n\nThey *wait*.\n"


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        PLAIN.replace("---\n\n", "...\n\n").encode(),
        PLAIN.replace("---\n", "--- \t\n").encode(),
        b"\n \n" + PLAIN.encode(),
    ],
    ids=["plain", "mark", "crlf", "mark and crlf", "cr", "dots", "blanks behind", "blanks above"],
)
def test_header_is_found_however_the_file_was_saved(parse: Callable[..., Any], data: bytes) -> None:
    """A byte-order mark, line ends and blanks change nothing in what is read."""
    summary, notes = parse(data)
    assert (summary.title, summary.themes) == ("Night herons", ("birds",))
    assert summary.body == "They *wait*.\n"
    assert summary.date is not None
    assert notes == ()


def test_header_without_an_end_is_refused_on_its_first_line(complaints: Callable[..., Any]) -> None:
    """A first line `---` with a key below and no second one is an error that says so."""
    [complaint] = complaints("---\ntitle: Herons\n\nThey wait.\n")
    assert complaint.startswith("content/owls.md:1: the header that begins here has no end")


@pytest.mark.parametrize(
    "text",
    [
        "---\nHerons wait.\n",
        "---\n\nNote: they wait.\n",
        "---\n",
        "---",
        "---\n# Herons\n\nThey wait.\n\n---\n\nMore.\n",
        "---\n# Herons\n---\nMore.\n",
        "--- title: x\n---\n",
        "Herons\n---\ntitle: x\n---\n",
    ],
)
def test_thematic_break_on_the_first_line_is_no_header(text: str) -> None:
    """A text under a thematic break stays a text."""
    parts = split_file(text.encode(), where="a.md")
    assert parts.header is None
    assert parts.body == text


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("---\n---\nMore.\n", ""),
        ("---\n\n---\nMore.\n", "\n"),
        ("---\n# title: none yet\n---\nMore.\n", "# title: none yet\n"),
        ("---\n\n# by Ann\ntitle: x\n---\nMore.\n", "\n# by Ann\ntitle: x\n"),
        ('---\n{"title": "x"}\n---\nMore.\n', '{"title": "x"}\n'),
        ("---\nno key\ntitle: x\n---\nMore.\n", "no key\ntitle: x\n"),
    ],
)
def test_header_may_be_empty_commented_or_broken(text: str, header: str) -> None:
    """What only looks like a header is taken for one, so that its faults are told."""
    parts = split_file(text.encode(), where="a.md")
    assert parts.header == header
    assert parts.body == "More.\n"


def test_file_without_header_is_a_summary(parse: Callable[..., Any]) -> None:
    """Anybody's Markdown will do: nothing but a body is required."""
    summary, notes = parse("Herons wait.\n")
    assert summary.body == "Herons wait.\n"
    assert summary.id == "owls"
    assert (summary.title, summary.title_derived) == ("Owls", True)
    assert [note.place for note in notes] == ["content/owls.md:1"]


def test_empty_file_is_a_summary(parse: Callable[..., Any]) -> None:
    """An empty file has a title of its name and no body."""
    summary, _ = parse(b"")
    assert (summary.title, summary.body, summary.date) == ("Owls", "", None)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        ("title: Caf\u00e9".encode("latin-1"), "content/owls.md:1: the byte 0xE9"),
        (b"---\r\ntitle: A\r\n---\r\n\r\nCaf\xe9\r\n", "content/owls.md:5: the byte 0xE9"),
        (b"\xef\xbb\xbfone\rtwo \xff\r", "content/owls.md:2: the byte 0xFF"),
        ("Herons".encode("utf-16"), "content/owls.md:1: the byte 0xFF"),
    ],
)
def test_bytes_that_are_not_utf_8_are_refused_on_their_line(
    complaints: Callable[..., Any], data: bytes, where: str
) -> None:
    """The first bad byte is named with its line, and so is the cure."""
    [complaint] = complaints(data)
    assert complaint.startswith(where)
    assert complaint.endswith("save the file as UTF-8")


def test_header_of_five_megabytes_is_refused(complaints: Callable[..., Any]) -> None:
    """A header beyond 64 Ki characters is refused before it is parsed."""
    row = "key: " + "x" * 1000 + "\n"
    text = "---\n" + row * (FILE_BYTES // len(row) - 1) + "---\n"
    [complaint] = complaints(text)
    assert complaint.startswith("content/owls.md:1: the header has 52")
    assert f"at most {HEADER_CHARACTERS}" in complaint


def test_file_beyond_five_megabytes_is_refused(complaints: Callable[..., Any]) -> None:
    """A file that is too large is refused with its size."""
    [complaint] = complaints(b"x" * (FILE_BYTES + 1))
    assert complaint.startswith("content/owls.md: the file has 5242881 bytes")


@pytest.mark.parametrize("filler", ["x", " ", "-", "#", "a: ", "[", "*", "`", "\t", "{{ ", "a_b*"])
def test_line_of_a_million_characters_is_read(parse: Callable[..., Any], filler: str) -> None:
    """No rule needs more than a moment for a very long line."""
    long = filler * (1_000_000 // len(filler))
    summary, _ = parse(f"x{long}x\n{long}\n\n# {long[:100]}x\n")
    assert 0 < len(summary.title) + len(summary.body) < 2_100_000


def test_control_characters_of_the_header_move_no_line(parse: Callable[..., Any]) -> None:
    """Odd line breaks inside the header become blanks, so that lines keep their numbers."""
    summary, notes = parse("---\ntitle: a\x0bb\x85c\u2028d\x07e\nodd: 1\n---\nx\x0by\x07z\n")
    assert summary.title == "a b c de"
    assert summary.body == "xyz\n"
    assert [note.place for note in notes] == ["content/owls.md:3"]
