"""The values of the vocabulary."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from digest.model import IssueKey, Mailbox, Seal, Slot, Summary, WeeklyTime

_BERLIN = ZoneInfo("Europe/Berlin")


def _summary(**fields: str) -> Summary:
    return Summary(
        **{"id": "a", "path": "a.md", "title": "A", "body": "", "fingerprint": ""} | fields
    )  # type: ignore[arg-type] # texts only


def test_naive_moments_are_refused() -> None:
    """A moment without a zone would mean another time elsewhere."""
    with pytest.raises(ValueError, match="has no zone"):
        Slot(issue=IssueKey("2026-w49"), at=datetime(2026, 11, 30))  # noqa: DTZ001 - the point
    with pytest.raises(ValueError, match="has no zone"):
        Seal(at=datetime(2026, 11, 30), number=1, edition="x")  # noqa: DTZ001 - the point


def test_slot_in_an_hour_that_the_clocks_skip() -> None:
    """Half past two on the spring night is half past three."""
    time = WeeklyTime(weekday=6, hour=2, minute=30)

    assert time.slot(IssueKey("2026-w13"), _BERLIN).at.isoformat() == "2026-03-29T03:30:00+02:00"


def test_slot_in_an_hour_that_comes_twice() -> None:
    """Half past two on the autumn night is its first coming; a week later, local time."""
    time = WeeklyTime(weekday=6, hour=2, minute=30)

    assert time.slot(IssueKey("2027-w43"), _BERLIN).at.isoformat() == "2027-10-31T02:30:00+02:00"
    assert time.slot(IssueKey("2027-w44"), _BERLIN).at.isoformat() == "2027-11-07T02:30:00+01:00"


def test_excerpt_is_the_summary_or_the_first_paragraph() -> None:
    """Headings, pictures and code are no paragraph; a body of nothing else stands for itself."""
    assert _summary(summary="Short.", body="Long.").excerpt == "Short."
    assert _summary(body="# Head\n\n![a](b)\n\nFirst.\n\nSecond.").excerpt == "First."
    assert _summary(body="# Head").excerpt == "# Head"


def test_domain_of_a_mailbox() -> None:
    """The domain is what stands right of the last at sign."""
    assert Mailbox(address='"a@b"@harbour.example').domain == "harbour.example"
