"""The three feeds say the same, and a feed reader finds it."""

from __future__ import annotations

import json
from calendar import timegm
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from digest.feeds import build_feeds
from digest.model import Newsletter, Published

ATOM = "{http://www.w3.org/2005/Atom}"
ENCODED = "{http://purl.org/rss/1.0/modules/content/}encoded"

Row = dict[str, Any]


def _rss(data: bytes) -> list[Row]:
    root = ET.fromstring(data)  # noqa: S314 - our own bytes
    return [
        {
            "id": item.findtext("guid"),
            "title": item.findtext("title"),
            "url": item.findtext("link"),
            "published": parsedate_to_datetime(item.findtext("pubDate") or ""),
            "body": item.findtext(ENCODED),
            "tags": [each.text for each in item.findall("category")],
        }
        for item in root.iter("item")
    ]


def _atom(data: bytes) -> list[Row]:
    root = ET.fromstring(data)  # noqa: S314 - our own bytes
    rows = []
    for entry in root.findall(f"{ATOM}entry"):
        link = entry.find(f"{ATOM}link")
        assert link is not None
        rows.append(
            {
                "id": entry.findtext(f"{ATOM}id"),
                "title": entry.findtext(f"{ATOM}title"),
                "url": link.get("href"),
                "published": datetime.fromisoformat(entry.findtext(f"{ATOM}published") or ""),
                "body": entry.findtext(f"{ATOM}content"),
                "tags": [each.get("term") for each in entry.findall(f"{ATOM}category")],
            }
        )
    return rows


def _json(data: bytes) -> list[Row]:
    return [
        {
            "id": item["id"],
            "title": item["title"],
            "url": item["url"],
            "published": datetime.fromisoformat(item["date_published"]),
            "body": item["content_html"],
            "tags": item["tags"],
        }
        for item in json.loads(data)["items"]
    ]


def test_three_feeds_hold_the_same_entries(
    newsletter: Newsletter, three: tuple[Published, ...]
) -> None:
    """Ids, order, titles, addresses, instants, bodies and tags are equal in all three."""
    files = build_feeds(newsletter, three)
    rows = _rss(files["rss.xml"])
    assert rows == _atom(files["atom.xml"]) == _json(files["feed.json"])
    assert [row["url"] for row in rows] == [
        f"https://harbour.example/2026-w0{week}.html" for week in (3, 2, 1)
    ]
    assert rows[0]["body"] == "<h2>Pier 3</h2>\n<p>Boat &amp; crew number 3 set out.</p>"
    assert rows[0]["tags"] == ["Tides & currents", "Boats"]


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.tuples(st.text(), st.text(), st.text(), st.text()))
def test_any_text_leaves_the_feeds_whole_and_equal(
    newsletter: Newsletter, make_published: Callable[..., Published], texts: tuple[str, ...]
) -> None:
    """Whatever people write, all three feeds can be read and say the same."""
    title, summary, body, tag = texts
    issue = make_published(title=title, summary=summary, body=body, tags=(tag,))
    files = build_feeds(newsletter, (issue,))
    (row,) = _rss(files["rss.xml"])
    assert [row] == _atom(files["atom.xml"]) == _json(files["feed.json"])
    assert row["title"].strip() == row["title"] != ""
    assert row["body"]


def test_feedparser_reads_every_entry(newsletter: Newsletter, three: tuple[Published, ...]) -> None:
    """A widely used reader finds each entry with its id, link, instant and text."""
    files = build_feeds(newsletter, three)
    expected = _json(files["feed.json"])
    for name, version in (("rss.xml", "rss20"), ("atom.xml", "atom10")):
        feed = feedparser.parse(files[name])
        assert (feed.version, bool(feed.bozo)) == (version, False)
        assert feed.feed.link == "https://harbour.example/"
        for read, row in zip(feed.entries, expected, strict=True):
            assert (read.id, read.link, read.title) == (row["id"], row["url"], row["title"])
            assert datetime.fromtimestamp(timegm(read.published_parsed), UTC) == row["published"]
            assert read.content[0].value == row["body"]
            assert read.author == "Mira Quay"
