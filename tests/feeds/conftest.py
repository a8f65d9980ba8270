"""A small newsletter and its published issues, from which the feed tests start."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from digest.feeds import build_feeds
from digest.model import (
    Edition,
    EditionItem,
    IssueKey,
    Mailbox,
    Newsletter,
    Published,
    ThemeId,
    WeeklyTime,
)

MakePublished = Callable[..., Published]

FIRST = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)


def _newsletter() -> Newsletter:
    return Newsletter(
        name="Harbour Letter",
        slug="harbour-letter",
        language="en",
        zone=ZoneInfo("Asia/Kathmandu"),
        tag="harbour.example,2025-03-09",
        site_url="https://harbour.example/",
        sender=Mailbox(address="desk@harbour.example", name="Mira Quay"),
        leave="leave@harbour.example",
        list_id="letter.harbour.example",
        send=WeeklyTime(weekday=0, hour=9, minute=0),
        description="Notes on tides, boats & people.",
    )


def _published(week: int = 1, **changes: object) -> Published:
    """Make the issue of a week of 2026; `at`, `updated` and `body` are taken out of `changes`."""
    at = changes.pop("at", FIRST + timedelta(weeks=week - 1))
    updated = changes.pop("updated", at)
    body = changes.pop(
        "body", f"<h2>Pier {week}</h2>\n<p>Boat &amp; crew number {week} set out.</p>"
    )
    values: dict[str, object] = {
        "key": IssueKey(f"2026-w{week:02d}"),
        "number": week,
        "slot": at,
        "subject": f"Tide {week}",
        "preheader": f"Before the tide {week}",
        "title": f"The tide of week {week}",
        "summary": f"High water in week {week}.",
        "theme": ThemeId("tides"),
        "items": (
            EditionItem(
                id=f"pier-{week}",
                title=f"Pier {week}",
                url=f"https://pier.example/{week}",
                anchor=f"pier-{week}",
                theme=ThemeId("tides"),
            ),
        ),
        "tags": ("Tides & currents", "Boats"),
        "files": {"entry.html": str(body).encode("utf-8", "surrogatepass")},
        **changes,
    }
    edition = Edition(**values)  # type: ignore[arg-type] # each test names the fields it changes
    return Published(edition=edition, at=at, updated=updated)  # type: ignore[arg-type] # as above


def sample_feeds() -> dict[str, bytes]:
    """Build the feeds of three issues; another process calls this to compare bytes."""
    return build_feeds(_newsletter(), tuple(map(_published, (1, 2, 3))))


@pytest.fixture
def newsletter() -> Newsletter:
    """Give the newsletter."""
    return _newsletter()


@pytest.fixture
def make_published() -> MakePublished:
    """Give the maker of published issues."""
    return _published


@pytest.fixture
def three(make_published: MakePublished) -> tuple[Published, ...]:
    """Give the issues of three weeks, oldest first."""
    return tuple(map(make_published, (1, 2, 3)))
