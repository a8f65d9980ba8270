"""JSON Feed 1.1."""

from __future__ import annotations

import json
from typing import Any

from digest.feeds.entry import Entry, Feed

__all__ = ["write_json"]


def write_json(feed: Feed) -> bytes:
    """Write a feed as JSON Feed 1.1 (jsonfeed.org/version/1.1), UTF-8."""
    document: dict[str, Any] = {
        # First, so that a reader knows the format from the first bytes.
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.site_url,
        "feed_url": f"{feed.site_url}feed.json",
        "description": feed.description,
        "language": feed.language,
        "authors": [{"name": feed.author}],
        "items": [_item(entry) for entry in feed.entries],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _item(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "url": entry.url,
        "title": entry.title,
        "summary": entry.summary,
        "content_html": entry.body,
        "date_published": entry.published.isoformat(),
        "date_modified": entry.updated.isoformat(),
        "tags": list(entry.tags),
    }
