"""Rules on when an issue goes out and to how many: each fires where it should, and only there."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.checks import Finding
from digest.model import IssueKey, Seal, Slot, WeeklyTime

Findings = Callable[..., list[Finding]]

_SLOT = datetime(2026, 11, 30, 8, tzinfo=UTC)
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("readers", "audience", "level"),
    [
        (0, None, "note"),
        (0, 100, "warning"),
        (1, None, None),
        (None, 100, None),
        (120, 100, None),
        (80, 100, None),
        (121, 100, "warning"),
        (79, 100, "warning"),
        (1, 0, "warning"),
    ],
)
def test_number_of_readers(
    findings: Findings, readers: int | None, *, audience: int | None, level: str | None
) -> None:
    """D119 notes that there is nobody, and warns where over 20 % more or fewer would get it."""
    found = findings(readers=readers, audience=audience)

    assert [(one.rule, one.level) for one in found] == ([("D119", level)] if level else [])
    if level == "warning" and readers:
        assert found[0].message == (
            f"{readers} would get it, and {audience} got the last one: more than 20 % apart"
        )


@pytest.mark.parametrize(
    ("at", "fires"),
    [(None, False), (_SLOT, False), (_SLOT + _DAY, False), (_SLOT + _DAY + _MINUTE, True)],
)
def test_slot_that_is_over(findings: Findings, at: datetime | None, *, fires: bool) -> None:
    """D120 warns of a slot that passed more than a day ago; the schedule serves later ones."""
    found = findings(at=at)

    assert [(one.rule, one.level, one.line) for one in found] == (
        [("D120", "warning", 1)] if fires else []
    )


def test_slot_of_a_published_issue(findings: Findings) -> None:
    """D120 leaves aside what is out."""
    seal = Seal(at=_SLOT, number=1, edition="0")

    assert findings(at=_SLOT + 9 * _DAY, issue={"seal": seal}) == []


def _at(key: str, hour: int, minute: int = 30) -> dict[str, Any]:
    """Give an issue of a Sunday in Berlin, and its newsletter."""
    zone, send = ZoneInfo("Europe/Berlin"), WeeklyTime(weekday=6, hour=hour, minute=minute)
    slot = send.slot(IssueKey(key), zone)
    return {"issue": {"slot": slot}, "newsletter": {"zone": zone, "send": send}}


def test_hour_that_the_clocks_skip(findings: Findings) -> None:
    """D120 says when an issue goes out whose hour does not exist that day."""
    found = findings(**_at("2027-w12", 2))

    assert [(one.rule, one.path) for one in found] == [("D120", "content/issues/2027-w12.md")]
    assert found[0].message == (
        "the clocks skip 02:30 that day (Europe/Berlin), so it goes out at 2027-03-28 03:30"
    )


def test_hour_that_comes_twice(findings: Findings) -> None:
    """D120 says at which of two equal hours an issue goes out."""
    fields = _at("2026-w43", 2)
    first = findings(**fields)
    slot: Slot = fields["issue"]["slot"]
    later = Slot(issue=slot.issue, at=slot.at.astimezone(UTC) + timedelta(hours=1))
    second = findings(**fields | {"issue": {"slot": later}})

    told = "the clocks come to 2026-10-25 02:30 twice (Europe/Berlin); it goes out at the"
    assert [one.message for one in first] == [f"{told} first time"]
    assert [one.message for one in second] == [f"{told} second time"]


@pytest.mark.parametrize("fields", [_at("2027-w12", 4), _at("2026-w43", 4), _at("2026-w30", 2)])
def test_other_hours(findings: Findings, fields: dict[str, Any]) -> None:
    """D120 leaves aside other hours of such days, and such hours of other days."""
    assert findings(**fields) == []
