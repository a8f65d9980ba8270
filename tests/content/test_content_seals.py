"""The seal of a published issue changes its own lines and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from digest.content import hold_text, parse_issue, seal_text, skip_text
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


def test_sent_seal_says_when() -> None:
    """When the mails began to go out is one more line of the seal, and comes back."""
    sent = replace(SEAL, sent=datetime(2026, 11, 30, 9, 0, 5, 7, tzinfo=UTC))
    text = seal_text(seal_text("---\nitems: [a]\n---\n", SEAL), sent)
    assert LINES + "  sent: 2026-11-30T09:00:05+00:00\n" in text
    issue = parse_issue(
        text.encode(),
        where="a.md",
        key=IssueKey("2026-w49"),
        send=WeeklyTime(weekday=0, hour=9, minute=0),
        zone=ZoneInfo("Europe/Berlin"),
    )
    assert issue.seal is not None
    assert issue.seal.sent == datetime(2026, 11, 30, 9, 0, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "reason", "after"),
    [
        ("---\nitems: [a]\n---\n\nHi\n", "wait", "---\nitems: [a]\nhold: wait\n---\n\nHi\n"),
        ("---\nhold: wait\nitems: [a]\n---\n", "no: 5", '---\nhold: "no: 5"\nitems: [a]\n---\n'),
        ("---\nhold: |\n  a\n\n  b\nitems: [a]\n---\n", "", "---\nitems: [a]\n---\n"),
        ("---\r\nitems: [a]\r\n---\r\n", "x", "---\r\nitems: [a]\r\nhold: x\r\n---\r\n"),
        ("---\nitems: [a]\n---\n", "", "---\nitems: [a]\n---\n"),
        ("---\nhold: true\n---\n", "a\nb", "---\nhold: a b\n---\n"),
    ],
)
def test_hold_changes_its_lines_alone(before: str, reason: str, after: str) -> None:
    """A reason to wait is put in, replaced and taken out; all other bytes stay."""
    assert hold_text(before, reason) == after
    assert hold_text(after, reason) == after


def test_header_that_takes_no_hold_is_refused() -> None:
    """A flow mapping has no line of its own for the reason."""
    with pytest.raises(ContentError):
        hold_text("---\n{items: [a]}\n---\n", "wait")


@pytest.mark.parametrize(
    ("before", "reason", "after"),
    [
        ("---\nhold: no\n---\n\nHi\n", "away", "---\nhold: no\nskip: away\n---\n\nHi\n"),
        ("---\nskip: yes\nitems: [a]\n---\n", "no: 5", '---\nskip: "no: 5"\nitems: [a]\n---\n'),
        ("---\nskip: >\n  a\n  b\n# c\nitems: [a]\n---\n", "", "---\n# c\nitems: [a]\n---\n"),
        ("---\r\nskip: no\r\n---\r\n", "", "---\r\n---\r\n"),
    ],
)
def test_skip_changes_its_lines_alone(before: str, reason: str, after: str) -> None:
    """A reason for no issue is put in, replaced and taken out; all other bytes stay."""
    assert skip_text(before, reason) == after
    assert skip_text(after, reason) == after


def test_withdrawn_seal_says_when() -> None:
    """When an issue was taken back is one more line of the seal, and comes back."""
    taken = replace(SEAL, withdrawn=datetime(2026, 12, 1, 7, 30, 0, 9, tzinfo=UTC))
    text = seal_text(seal_text("---\nitems: [a]\n---\n", SEAL), taken)
    assert LINES + "  withdrawn: 2026-12-01T07:30:00+00:00\n" in text
    assert seal_text(text, taken) == text
    assert seal_text(text, SEAL) == seal_text("---\nitems: [a]\n---\n", SEAL)
    issue = parse_issue(
        text.encode(),
        where="a.md",
        key=IssueKey("2026-w49"),
        send=WeeklyTime(weekday=0, hour=9, minute=0),
        zone=ZoneInfo("Europe/Berlin"),
    )
    assert issue.seal is not None
    assert issue.seal.withdrawn == datetime(2026, 12, 1, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize("fold", [0, 1])
def test_seal_of_an_hour_that_comes_twice(fold: int) -> None:
    """Local times of that hour are written with their offset, and are read back."""
    at = datetime(2027, 10, 31, 2, 20, tzinfo=ZoneInfo("Europe/Berlin"), fold=fold)
    offset = "+01:00" if fold else "+02:00"
    sealed = seal_text("---\nitems: [a]\n---\n", replace(SEAL, at=at, sent=at))
    assert f"  at: 2027-10-31T02:20:00{offset}\n" in sealed
    assert f"  sent: 2027-10-31T02:20:00{offset}\n" in sealed
