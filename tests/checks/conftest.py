"""An issue without a fault, and how to put one in."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.checks import Finding, Material, check_issue
from digest.checks.support_table import GAPS
from digest.model import (
    Edition,
    Issue,
    IssueKey,
    Mailbox,
    Newsletter,
    Pick,
    Slot,
    Summary,
    ThemeId,
    WeeklyTime,
)

_KEY = IssueKey("2026-w49")
_AT = datetime(2026, 11, 30, 8, tzinfo=UTC)
_LEAVE = '<a href="mailto:leave%40river.example?subject=unsubscribe">Leave the list</a>'


def _newsletter() -> Newsletter:
    return Newsletter(
        name="River Notes",
        slug="river-notes",
        language="en",
        zone=ZoneInfo("UTC"),
        tag="river.example,2026",
        site_url="https://river.example/",
        sender=Mailbox(address="letter@river.example"),
        leave="leave@river.example",
        list_id="notes.river.example",
        send=WeeklyTime(weekday=0, hour=8, minute=0),
        postal_address="1 Quay, Haven",
    )


def _summary(name: str, **fields: object) -> Summary:
    given = {
        "id": name,
        "path": f"{name}.md",
        "title": f"About {name}",
        "body": f"What is new of {name}.",
        "fingerprint": name,
        "url": f"https://papers.example/{name}",
    }
    return Summary(**given | fields)  # type: ignore[arg-type] # a test's own


@pytest.fixture(scope="session")
def summary() -> Callable[..., Summary]:
    """Give a function that makes a sound summary, changed where asked."""
    return _summary


@pytest.fixture(scope="session")
def material() -> Callable[..., Material]:
    """Give a function that makes a sound issue of given summaries; `html` goes into its body."""

    def make(
        *summaries: Summary,
        html: str = "",
        text: str = "",
        frame: str = "<!doctype html><html><body>{}" + _LEAVE + "</body></html>",
        issue: dict[str, Any] | None = None,
        edition: dict[str, Any] | None = None,
        newsletter: dict[str, Any] | None = None,
        **fields: object,
    ) -> Material:
        held = summaries or (_summary("weir"),)
        items = tuple(Pick(id=found.id, theme=ThemeId("water"), reason="") for found in held)
        files = {
            "issue.html": frame.replace("{}", html).encode(),
            "page.html": str(fields.pop("page", "")).encode(),
            "entry.html": str(fields.pop("entry", "")).encode(),
            "issue.txt": f"{text}\n\nTo leave: mailto:leave@river.example\n".encode(),
        }
        sound = Edition(
            key=_KEY,
            number=1,
            slot=_AT,
            subject="What the river did",
            preheader="Three reports from upstream",
            title="What the river did",
            summary="",
            theme=ThemeId("water"),
            items=(),
            files=files,
        )
        made = Issue(slot=Slot(issue=_KEY, at=_AT), theme=ThemeId("water"), items=items)
        given: dict[str, Any] = {
            "issue": replace(made, **issue or {}),
            "edition": replace(sound, **edition or {}),
            "summaries": {found.id: found for found in held},
            "newsletter": replace(_newsletter(), **newsletter or {}),
            # Rules are tried out one by one: a look of these tests may use what it likes.
            "support": frozenset(GAPS),
        }
        return Material(**given | fields)

    return make


@pytest.fixture(scope="session")
def findings(material: Callable[..., Material]) -> Callable[..., list[Finding]]:
    """Give a function that checks what `material` makes and gives all findings."""

    def look(*summaries: Summary, **fields: object) -> list[Finding]:
        return list(check_issue(material(*summaries, **fields)))

    return look
