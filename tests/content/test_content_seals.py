"""The seal of a published issue changes its own lines and nothing else."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from digest.content import parse_issue, seal_text
from digest.errors import ContentError
from digest.model import IssueKey, Seal, WeeklyTime

SEAL = Seal(
    at=datetime(2026, 11, 30, 9, 0, 0, 5, tzinfo=timezone(timedelta(hours=1))),
    number=12,
    edition="0a" * 32,
)
LINES = f'published:\n  at: 2026-11-30T09:00:00+01:00\n  number: 12\n  edition: "{"0a" * 32}"\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\nitems: [a]  # mine\n---\n\nHello.", "---\nitems: [a]  # mine\n@---\n\nHello."),
        ("---\n---\n", "---\n@---\n"),
        ("---\nhold: |\n  a\n\n  b\n\n---\nx\n", "---\nhold: |\n  a\n\n  b\n\n@---\nx\n"),
        ("---\npublished: {}\nitems: [a]\n---\n", "---\n@items: [a]\n---\n"),
        ("---\npublished:\nitems: [a]\n---\n", "---\n@items: [a]\n---\n"),
        (
            "---\nitems: [a]\npublished:\n  at: 2026-01-01\n\n  number: 1\n\n# c\n---\n",
            "---\nitems: [a]\n@\n# c\n---\n",
        ),
        (
            "\ufeff---\r\nitems: [a]\r\npublished: {at: 2026-01-01,\r\n\tnumber: 1}\r\n---\r\n\rx",
            "\ufeff---\r\nitems: [a]\r\n@---\r\n\rx",
        ),
        (
            "---\nitems: [a]\n--- \nSee\npublished: 3\n",
            "---\nitems: [a]\n@--- \nSee\npublished: 3\n",
        ),
    ],
)
def test_only_the_lines_of_the_seal_change(before: str, after: str) -> None:
    """All other bytes stay, comments, blanks and line ends too; once more changes nothing."""
    lines = LINES.replace("\n", "\r\n") if "\r\n" in before else LINES
    sealed = seal_text(before, SEAL)
    assert sealed == after.replace("@", lines)
    assert seal_text(sealed, SEAL) == sealed


def test_sealed_file_says_the_seal() -> None:
    """The seal is read back as it was, to the second."""
    issue = parse_issue(
        seal_text("---\nitems: [a]\n---\n", SEAL).encode(),
        where="a.md",
        key=IssueKey("2026-w49"),
        send=WeeklyTime(weekday=0, hour=9, minute=0),
        zone=ZoneInfo("Europe/Berlin"),
    )
    assert issue.seal is not None
    assert issue.seal.at == SEAL.at.replace(microsecond=0)
    assert (issue.seal.number, issue.seal.edition) == (12, "0a" * 32)


@pytest.mark.parametrize(
    "text",
    [
        "Hello.\n",
        "---\n{items: [a]}\n---\n",
        "---\n  items: [a]\n---\n",
        "---\npublished: {at: 2026-01-01,\nnumber: 1}\n---\n",
        "---\nitems: [a\n---\n",
        "---\nhold: \ud800\n---\n",
    ],
)
def test_header_that_takes_no_seal_is_refused(text: str) -> None:
    """Nothing is written that would not say the seal."""
    with pytest.raises(ContentError):
        seal_text(text, SEAL)
