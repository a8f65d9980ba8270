"""The one value that all feed formats are written from, cleaned once for all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Final

from digest.errors import ConfigError
from digest.feeds.shorten import shorten
from digest.model import Edition, Newsletter, Published, clean_line, clean_text

__all__ = ["Entry", "Feed", "gather"]

_NAME: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
# RFC 4151 §2.1: a domain or an address, a comma, a date that may leave out day and month.
_TAG: Final = re.compile(
    rf"(?:[A-Za-z0-9._-]+@)?{_NAME}(?:\.{_NAME})*,(\d{{4}})(?:-(\d\d)(?:-(\d\d))?)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One issue in a feed: `body` is an HTML fragment, all else plain text on one line.

    `id` is a `tag:` URI (RFC 4151), moments are UTC in whole seconds.
    """

    id: str
    url: str
    title: str
    summary: str
    body: str
    published: datetime
    updated: datetime
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A whole feed, newest entry first; `site_url` ends with a slash."""

    id: str
    title: str
    description: str
    site_url: str
    language: str
    author: str
    updated: datetime
    entries: tuple[Entry, ...]


def gather(newsletter: Newsletter, published: tuple[Published, ...]) -> Feed:
    """Make the value of a feed from the published issues, in whatever order they come.

    Raises ConfigError for a tag that RFC 4151 does not allow.
    """
    founded = _founded(newsletter.tag)
    newest = sorted(
        published, key=lambda issue: (_second(issue.at), issue.edition.key), reverse=True
    )
    entries = tuple(_entry(newsletter, issue) for issue in newest[: newsletter.feed_entries])
    title = clean_line(newsletter.name) or newsletter.slug
    return Feed(
        # Neither slug nor name nor address is part of an id: all of them may change, ids may not.
        id=f"tag:{newsletter.tag}:issues",
        title=title,
        description=clean_line(newsletter.description) or title,
        site_url=newsletter.site_url,
        language=newsletter.language,
        author=clean_line(newsletter.sender.name) or title,
        updated=max((entry.updated for entry in entries), default=founded),
        entries=entries,
    )


def _entry(newsletter: Newsletter, issue: Published) -> Entry:
    edition = issue.edition
    title = clean_line(edition.title) or f"Issue {edition.number}"
    summary = clean_line(edition.summary) or clean_line(edition.preheader) or title
    url = f"{newsletter.site_url}{edition.key}.html"
    body = _body(edition) or f"<p>{escape(summary)}</p>"
    return Entry(
        id=f"tag:{newsletter.tag}:issue/{edition.key}",
        url=url,
        title=title,
        summary=summary,
        body=shorten(body, url=url),
        published=_second(issue.at),
        # RFC 4287 wants no order, but readers hide an entry that changed before it came out.
        updated=max(_second(issue.at), _second(issue.updated)),
        tags=_tags(edition.tags),
    )


def _body(edition: Edition) -> str:
    text = edition.files["entry.html"].decode("utf-8", "replace")
    # A combining stroke would melt into the sign before it when the text becomes NFC, and that
    # sign may end a tag: what was text would then be read as attributes.
    return clean_text(text.replace("\u0338", "&#824;")).strip()


def _tags(labels: tuple[str, ...]) -> tuple[str, ...]:
    kept: dict[str, str] = {}
    for label in map(clean_line, labels):
        if label:
            kept.setdefault(label.casefold(), label)
    return tuple(kept.values())


def _second(moment: datetime) -> datetime:
    # Cut, not rounded: nothing may stand in the future. Newsboat 2.21 misreads fractions.
    return moment.astimezone(UTC).replace(microsecond=0)


def _founded(tag: str) -> datetime:
    """Give the midnight UTC of a tag's date: when a feed without entries last changed."""
    match = _TAG.fullmatch(tag)
    try:
        year, month, day = (int(part or 1) for part in match.groups()) if match else (0, 0, 0)
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        raise ConfigError(
            f"{tag!r} cannot begin the ids of the feeds",
            where="newsletter.tag",
            fix="write a domain or address of yours, a comma and a date on which it was yours, "
            "such as news.example,2026-11-30",
        ) from None
