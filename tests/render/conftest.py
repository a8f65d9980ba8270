"""A small newsletter to render: a look, a letter's makers, and readers of what comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from digest.model import (
    Edition,
    Issue,
    IssueKey,
    Mailbox,
    Newsletter,
    Pick,
    Summary,
    Theme,
    ThemeId,
    WeeklyTime,
)
from digest.render import TemplateSet, render_edition

_TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
_ZONE = ZoneInfo("Europe/Paris")
_SEND = WeeklyTime(weekday=0, hour=9, minute=0)


class Elements(HTMLParser):
    """The elements of an HTML text: names with attributes, and the text that is shown."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.shown: list[str] = []
        self.comments: list[str] = []
        self._style = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self._style = tag == "style"
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Leave a style sheet."""
        self._style = self._style and tag != "style"

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        if not self._style:
            self.shown.append(data)

    def handle_comment(self, data: str) -> None:
        """Keep a comment."""
        self.comments.append(data)

    @property
    def text(self) -> str:
        """Give what is shown, white space reduced."""
        return " ".join("".join(self.shown).split())

    def values(self, attribute: str) -> list[str]:
        """Give an attribute's values in the order of their elements."""
        found = (attributes.get(attribute) for _, attributes in self.tags)
        return [value for value in found if value is not None]

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Give the attributes of all elements of a name."""
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="session")
def read_html() -> Callable[[str | bytes], Elements]:
    """Give the reader of HTML."""

    def read(html: str | bytes) -> Elements:
        return Elements(html.decode() if isinstance(html, bytes) else html)

    return read


def _look() -> TemplateSet:
    texts = {file.name: file.read_text("utf-8") for file in _TEMPLATES.glob("*.j2")}
    return TemplateSet(texts=texts, places={name: f"templates/{name}" for name in texts})


_PAPER = Newsletter(
    name="Harbour Notes",
    slug="harbour-notes",
    language="en",
    zone=_ZONE,
    tag="notes.example,2026",
    site_url="https://notes.example/",
    sender=Mailbox(address="letter@notes.example", name="Harbour Notes"),
    leave="leave@notes.example",
    list_id="letter.notes.example",
    send=_SEND,
    description="What the harbour found out.",
    postal_address="Harbour Notes\n4 Quay Lane\n12345 Port Example",
)
_THEMES = (
    Theme(id=ThemeId("tides"), label="Tides and moons", colour="teal"),
    Theme(id=ThemeId("boats"), label="Boats", colour="rust"),
)


def _summary(number: int = 1, **parts: Any) -> Summary:  # noqa: ANN401 - any field of a summary
    standard = Summary(
        id=f"s{number}",
        path=f"2026/s{number}.md",
        title=f"Finding number {number}",
        body=f"The tide of day {number} came *early*.",
        fingerprint="0" * 64,
        date=datetime(2026, 11, number, 12, tzinfo=UTC),
        url=f"https://journal.example/{number}",
        source="Tidal Letters",
        authors=("Ada Lund", "Bo Ek"),
    )
    return replace(standard, **parts)


def _issue(*themes: str, key: str = "2026-w49", **parts: Any) -> Issue:  # noqa: ANN401 - any field
    picks = tuple(
        Pick(id=f"s{number}", theme=ThemeId(theme), reason="newest")
        for number, theme in enumerate(themes or ("tides", "tides"), start=1)
    )
    slot = _SEND.slot(IssueKey(key), _ZONE)
    return replace(Issue(slot=slot, theme=ThemeId("tides"), items=picks), **parts)


@pytest.fixture(scope="session")
def shipped_look() -> TemplateSet:
    """Give the look that travels with the program."""
    return _look()


@pytest.fixture(scope="session")
def paper() -> Newsletter:
    """Give a newsletter."""
    return _PAPER


@pytest.fixture(scope="session")
def declared() -> tuple[Theme, ...]:
    """Give its two themes."""
    return _THEMES


@pytest.fixture(scope="session")
def make_summary() -> Callable[..., Summary]:
    """Give the maker of summaries: a number, and any fields."""
    return _summary


@pytest.fixture(scope="session")
def make_issue() -> Callable[..., Issue]:
    """Give the maker of issues: the theme of each item in turn, and any fields."""
    return _issue


@pytest.fixture(scope="session")
def build(shipped_look: TemplateSet) -> Callable[..., Edition]:
    """Give what renders an issue of the small newsletter, with any part of it replaced."""

    def render(**parts: Any) -> Edition:  # noqa: ANN401 - any part of what an edition is made from
        issue = parts.get("issue") or _issue()
        summaries = parts.get("summaries") or [
            _summary(place) for place in range(1, len(issue.items) + 1)
        ]
        return render_edition(
            issue,
            number=parts.get("number", 12),
            summaries={summary.id: summary for summary in summaries},
            newsletter=parts.get("newsletter") or _PAPER,
            themes=parts.get("themes") or _THEMES,
            templates=parts.get("look") or shipped_look,
            pictures=parts.get("pictures") or {},
        )

    return render
