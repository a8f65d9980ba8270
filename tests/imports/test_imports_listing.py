"""Listings, read."""

# ruff: noqa: RUF001 - the signs of typography are what is tested

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from digest.imports import Failure, Listing, Skipped, parse_listing
from digest.model import Note

TEXT = b"Mules carried salt over the pass. ..."


def _read(data: bytes) -> Listing:
    return parse_listing(data, name="salt.txt")


def _rows(listing: Listing) -> list[object]:
    return [[one.line, one.title, one.title_derived, one.body] for one in listing.entries]


def _golden(name: str) -> object:
    return json.loads((Path(__file__).parent / "listings" / f"{name}.json").read_text("utf-8"))


def test_listing_of_harbour_notes(tide_notes: bytes) -> None:
    """Headings become titles, the rest keeps its words, formulas and typographic signs."""
    listing = parse_listing(tide_notes, name="tide-notes.txt")
    assert _rows(listing) == _golden("tide-notes")
    assert [one.source for one in listing.entries] == ["Tide Notes 2031"] * 8 + [
        "Pier Letters 2032"
    ]
    assert not listing.failures
    assert not listing.skipped
    assert [note.place for note in listing.notices] == ["tide-notes.txt:16", "tide-notes.txt:20"]
    assert "no end" in listing.notices[0].text
    assert "'Pier Letters 2032'" in listing.notices[1].text


def test_listing_from_another_system(loaf_and_leaven: bytes) -> None:
    """CRLF, a byte order mark, marked headings, a short and a double paragraph are dealt with."""
    listing = parse_listing(loaf_and_leaven, name="loaf-and-leaven.txt")
    assert _rows(listing) == _golden("loaf-and-leaven")
    assert [one.source for one in listing.entries] == ["Loaf and Leaven"] * 6 + ["Crumb and Crust"]
    assert [one.place for one in listing.failures] == ["loaf-and-leaven.txt:15"]
    assert "fewer than 5 words" in listing.failures[0].reason
    assert listing.skipped == (
        Skipped(place="loaf-and-leaven.txt:19", reason="the same paragraph as in line 3"),
    )


@pytest.mark.parametrize("data", [b"", b"\n \n\t\n", b"\xef\xbb\xbf", b"\n----\n\n* * *\n"])
def test_an_empty_file_is_named_with_line_1(data: bytes) -> None:
    """A file without a paragraph is one failure."""
    listing = _read(data)
    assert [one.place for one in listing.failures] == ["salt.txt:1"]
    assert "empty" in listing.failures[0].reason
    assert listing.entries == ()


@pytest.mark.parametrize(
    ("data", "places"),
    [
        (b"\nSalt Letters\n", ["salt.txt:2"]),
        (b"Salt Letters 2031\n\nRye Letters 2031\n\n" + TEXT, ["salt.txt:1"]),
        (b"Salt 2031\n\n" + TEXT + b"\n\nRye 2032\n", ["salt.txt:5"]),
        (b"Salt 2031\n\nThe Inns of Old\n\nThe Salt of Old\n\n" + TEXT, ["salt.txt:3"]),
        (b"Salt 2031\n\nThe Inns of Old\n", ["salt.txt:1", "salt.txt:3"]),
        (b"Salt 2031\n\nThe Inns of Old\n\nRye 2031\n\n" + TEXT, ["salt.txt:1", "salt.txt:3"]),
    ],
)
def test_a_heading_with_nothing_after_it_is_named(data: bytes, places: list[str]) -> None:
    """A heading that no text follows is a failure at its own line."""
    listing = _read(data)
    assert [one.place for one in listing.failures] == places
    assert all("nothing after it" in one.reason for one in listing.failures)


def test_bytes_that_are_not_utf8_fail_their_paragraph_only() -> None:
    """The line of the first bad byte is named, the other paragraphs are read."""
    bad = b"Mules carried salt\nover the p\xe4ss at night\nand \xff by day."
    listing = _read(b"Salt Letters\n\n" + TEXT + b"\n\n" + bad + b"\n\nRye is what the mules ate.")
    assert [one.line for one in listing.entries] == [3, 9]
    assert listing.failures == (
        Failure(
            place="salt.txt:6",
            reason="not UTF-8 (byte 0xe4): save the file as UTF-8 and import it again",
        ),
    )


def test_bad_bytes_in_the_first_paragraph_take_no_heading_away() -> None:
    """A name and year after a broken first paragraph is still the source."""
    listing = _read(b"S\xe4lt 2031\n\nRye Letters 2031\n\n" + TEXT)
    assert [one.source for one in listing.entries] == ["Rye Letters 2031"]
    assert [one.place for one in listing.failures] == ["salt.txt:1"]


@pytest.mark.parametrize(
    ("name", "source"),
    [("lists/salt roads.txt", "salt roads"), ("C:\\lists\\salt", "salt"), (".txt", ".txt")],
)
def test_without_a_heading_line_the_source_is_the_file_name(name: str, source: str) -> None:
    """The stem of the file stands for the source, and a notice says so."""
    listing = parse_listing(TEXT, name=name)
    assert [one.source for one in listing.entries] == [source]
    text = f"no heading line: the source is taken from the file's name, {source!r}"
    assert listing.notices == (Note(place=f"{name}:1", text=text),)


@pytest.mark.parametrize(
    ("heading", "line", "source"),
    [
        ("Salt 2031", "Rye 2032", "Rye 2032"),
        ("Notes on Salt 2031", "News of Rye 2032", "News of Rye 2032"),
        ("Salt Letters", "Rye 2032", "Rye 2032"),
        ("Salt Letters", "Rye Letters", "Rye Letters"),
        ("# Salt", "# The Rye of the North", "The Rye of the North"),
        ("# Salt", "## The Rye of the North", "Salt"),
        ("Salt Letters", "# Rye Letters", "Salt Letters"),
        ("Salt 2031", "The Rye of the North", "Salt 2031"),
        ("Salt Letters", "The Rye of the North", "Salt Letters"),
        ("Letters", "Introduction", "Letters"),
    ],
)
def test_a_line_like_the_first_heading_switches_the_source(
    heading: str, line: str, source: str
) -> None:
    """A line alone of the heading's kind names the source from there on, another is a title."""
    data = f"{heading}\n\nRye is what the mules ate.\n\n{line}\n\n".encode() + TEXT
    listing = _read(data)
    assert [one.source for one in listing.entries] == [heading.lstrip("# "), source]
    assert listing.failures == ()


def test_the_heading_line_needs_no_blank_line_when_it_is_a_name_and_year() -> None:
    """A first line such as a venue and its year is the source, blank line or not."""
    listing = _read(b"Salt Days 2031\n" + TEXT)
    assert [(one.line, one.source, one.title) for one in listing.entries] == [
        (2, "Salt Days 2031", "Mules carried salt over the pass")
    ]


def test_a_title_alone_belongs_to_the_next_paragraph() -> None:
    """A title on a line of its own goes before the heading that the paragraph itself has."""
    data = b"Salt 2031\n\nThe Inns of Old\n\n**Stables** " + TEXT
    assert [one.title for one in _read(data).entries] == ["The Inns of Old: Stables"]
    same = b"Salt 2031\n\nThe Inns of Old\n\n**The Inns of Old** " + TEXT
    assert [one.title for one in _read(same).entries] == ["The Inns of Old"]


@pytest.mark.parametrize(
    ("end", "body"),
    [
        (". ...", "Mules carried salt over passes. …"),
        ("....", "Mules carried salt over passes. …"),
        (" ...", "Mules carried salt over passes…"),
        ("...", "Mules carried salt over passes…"),
        (" …", "Mules carried salt over passes…"),
        (", …", "Mules carried salt over passes, …"),
        (" [...]", "Mules carried salt over passes…"),
        (". [ … ]", "Mules carried salt over passes. …"),
        ("! (...)", "Mules carried salt over passes! …"),
        (".\n...", "Mules carried salt over passes. …"),
        (".” ...", "Mules carried salt over passes.” …"),
        (".", "Mules carried salt over passes."),
    ],
)
def test_an_ellipsis_is_attached_or_closes_the_sentence(end: str, body: str) -> None:
    """However it was written, the end is one sign: at the last word or after the full stop."""
    listing = _read(f"Salt 2031\n\nMules carried salt over passes{end}".encode())
    assert [one.body for one in listing.entries] == [body]
    assert listing.notices == ()


def test_an_ellipsis_within_a_paragraph_is_noticed() -> None:
    """Two entries without a blank line between are imported as one, and that is said."""
    listing = _read(b"Salt 2031\n\n" + TEXT + b"\n" + TEXT)
    assert len(listing.entries) == 1
    assert [note.place for note in listing.notices] == ["salt.txt:4"]


def test_a_lone_ellipsis_is_too_short() -> None:
    """A paragraph of nothing but an ellipsis fails at its line."""
    listing = _read(b"Salt 2031\n\n...\n\n" + TEXT)
    assert [one.place for one in listing.failures] == ["salt.txt:3"]


def test_scripts_without_spaces_are_counted_by_character() -> None:
    """A paragraph in Chinese or Japanese is not too short for having no spaces."""
    listing = _read("Salt 2031\n\n盐路很长，骡子走了九百年。".encode())
    assert [one.body for one in listing.entries] == ["盐路很长，骡子走了九百年。"]


def test_control_characters_are_cleaned_away() -> None:
    """What XML and terminals refuse is dropped, white space becomes a space."""
    listing = _read(
        b"Salt\x00 2031\n\nMules\x07 carried\tsalt\x0bover  the pass.\r\rRye fed mules."
    )
    assert [one.body for one in listing.entries] == ["Mules carried salt over the pass."]
    assert [one.source for one in listing.entries] == ["Salt 2031"]
    assert [one.place for one in listing.failures] == ["salt.txt:5"]


def test_identity_keeps_to_the_words() -> None:
    """Case, punctuation, white space and the end change no identity, a word does."""
    same = ["Mules carried salt, then rye. ...", "MULES  carried “salt” — then\nrye…"]
    other = "Mules carried salt, then oats. ..."
    made = [_read(f"Salt 2031\n\n{one}".encode()).entries[0].identity for one in [*same, other]]
    assert made[0] == made[1] != made[2]
    assert made[0] == "listing-eb19eb3579bc"


_PIECES = (
    "Introduction|Abstract|# |**|In the|\n|\n\n|...|Salt 2031|mules carried salt|(|“|—|:|.|Why?"
    "|\\(|[|I|A|1."
)


@settings(deadline=None, max_examples=100)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.lists(
            st.sampled_from(_PIECES.split("|")),
            max_size=30,
        ).map(lambda words: " ".join(words).encode()),
    )
)
@example(b"# a\n" * 50)
@example(b"Abstract " * 3000 + b"ends")
def test_no_input_is_too_much(data: bytes) -> None:
    """Whatever the bytes, each paragraph is in the result, and no name of a section in a body."""
    listing = _read(data)
    assert listing.entries or listing.failures
    for entry in listing.entries:
        assert entry.title
        assert entry.body
        assert "\n" not in entry.body
        assert not entry.body.startswith(("Introduction In the", "Abstract In the"))
