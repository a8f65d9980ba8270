"""The plain-text part: readable as it is, the same as the HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from wcwidth import wcswidth

from digest.model import Edition, Issue, Link, Newsletter, Summary

Build = Callable[..., Edition]
Read = Callable[..., Any]

_LONG = (
    "A title of many well-chosen words that goes on for rather longer than one line of a mail has "
    "room for, with a half-hearted end-of-line"
)


@pytest.fixture
def long_text(
    build: Build, make_issue: Callable[..., Issue], make_summary: Callable[..., Summary]
) -> str:
    """Give the text of a letter whose parts are all longer than a line."""
    summaries = [
        make_summary(1, title=_LONG, body=f"{_LONG}.\n\n{_LONG}.", source=_LONG),
        make_summary(
            2,
            title="潮の満ち引きについての長い題名" * 4,
            url="https://journal.example/" + "long/" * 30,
            links=(Link(label=_LONG, url="https://data.example/" + "x" * 90),),
        ),
    ]
    issue = make_issue("tides", "boats", introduction=_LONG, preheader=_LONG, title=_LONG)
    return build(issue=issue, summaries=summaries).files["issue.txt"].decode()


def test_lines_have_at_most_72_columns(long_text: str) -> None:
    """Counted in cells; only an address may be longer, alone on its line."""
    for line in long_text.splitlines():
        assert wcswidth(line) <= 72 or line.strip().startswith("https://")
        assert line == line.rstrip()


def test_addresses_stand_alone_and_whole(long_text: str) -> None:
    """Each is one line that a mail program makes a link of."""
    lines = [line.strip() for line in long_text.splitlines() if "://" in line]
    assert "https://journal.example/" + "long/" * 30 in lines
    assert all(line.startswith("https://") and " " not in line for line in lines)


def test_items_are_numbered_and_set_in(long_text: str) -> None:
    """Title with its number, then meta, summary and address, three columns in."""
    lines = long_text.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("1. A title of"))
    assert lines[first + 1].startswith("   ")
    second = next(place for place, line in enumerate(lines) if line.startswith("2. "))
    assert all(line.startswith("   ") or not line for line in lines[first + 1 : second - 2])


def test_the_first_line_is_a_sentence(build: Build, make_issue: Callable[..., Issue]) -> None:
    """Programs that show a snippet take the first line: the preheader, never a row of signs."""
    text = build(issue=make_issue(preheader="Water comes and goes")).files["issue.txt"].decode()
    assert text.splitlines()[0] == "Water comes and goes."
    assert text.splitlines()[1] == ""


def test_there_is_no_signature_mark_and_no_double_blank_line(long_text: str) -> None:
    """Programs grey out what follows `-- `."""
    assert "\n-- " not in long_text
    assert "\n--\n" not in long_text
    assert "\n\n\n" not in long_text


def test_titles_links_and_order_are_those_of_the_html(
    build: Build,
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    read_html: Read,
) -> None:
    """Both parts of the message hold the same."""
    summaries = [
        make_summary(number, links=(Link(label=f"L{number}", url=f"https://l.example/{number}"),))
        for number in (1, 2, 3)
    ]
    edition = build(issue=make_issue("boats", "tides", "boats"), summaries=summaries)
    lines = [line.strip() for line in edition.files["issue.txt"].decode().splitlines()]
    from_text = [line for line in lines if line.startswith(("https://journal", "https://l."))]
    hrefs = read_html(edition.files["issue.html"]).values("href")
    assert from_text == [
        href for href in hrefs if href.startswith(("https://journal", "https://l."))
    ]
    assert len(from_text) == 6


def test_the_end_says_why_and_how_to_leave(build: Build, paper: Newsletter) -> None:
    """Reason, leave address, feed, sender, postal address; no stand-in of a field is left."""
    text = (
        build(newsletter=replace(paper, leave="bye+all@notes.example")).files["issue.txt"].decode()
    )
    assert text.endswith(
        "You get this mail because you signed up for Harbour Notes.\n\n"
        "Unsubscribe:\nmailto:bye+all@notes.example?subject=unsubscribe%20harbour-notes\n\n"
        "Feed:\nhttps://notes.example/rss.xml\n\n"
        "Sent by Harbour Notes <letter@notes.example>\n"
        "Harbour Notes, 4 Quay Lane, 12345 Port Example\n"
    )
