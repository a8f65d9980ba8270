"""Each feed file is what its format says."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from digest.feeds import build_feeds
from digest.model import Newsletter, Published

ATOM = "{http://www.w3.org/2005/Atom}"
CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
ENCODED = "{http://purl.org/rss/1.0/modules/content/}encoded"
RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00")
RFC_822 = re.compile(
    r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) "
    r"\d{4} \d\d:\d\d:\d\d \+0000"
)


@pytest.fixture
def files(newsletter: Newsletter, three: tuple[Published, ...]) -> dict[str, bytes]:
    """Give the feeds of three issues."""
    return build_feeds(newsletter, three)


def _xml(data: bytes) -> ET.Element:
    return ET.fromstring(data)  # noqa: S314 - our own bytes, and expat is the judge wanted here


def _channel(files: dict[str, bytes]) -> ET.Element:
    channel = _xml(files["rss.xml"]).find("channel")
    assert channel is not None
    return channel


def _counts(element: ET.Element, names: tuple[str, ...]) -> list[int]:
    return [len(element.findall(name)) for name in names]


def test_feeds_are_the_three_files(files: dict[str, bytes]) -> None:
    """A build gives the three feeds and nothing else."""
    assert sorted(files) == ["atom.xml", "feed.json", "rss.xml"]


@pytest.mark.parametrize("name", ["rss.xml", "atom.xml"])
def test_xml_feeds_declare_utf_8_and_no_document_type(files: dict[str, bytes], name: str) -> None:
    """An XML feed begins with its declaration, without a byte-order mark or a DOCTYPE."""
    assert files[name].startswith(b"<?xml version='1.0' encoding='UTF-8'?>\n<")
    assert b"<!DOCTYPE" not in files[name]
    assert files[name].decode("utf-8")


def test_rss_channel_has_each_required_child_once(files: dict[str, bytes]) -> None:
    """The channel names its title, the site, a description, language and date, once each."""
    root, channel = _xml(files["rss.xml"]), _channel(files)
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    wanted = ("title", "link", "description", "language", "lastBuildDate", "generator")
    assert _counts(channel, wanted) == [1] * len(wanted)
    assert channel.findtext("link") == "https://harbour.example/"
    assert channel.findtext("description") == "Notes on tides, boats & people."
    assert channel.findtext("generator") == "Digest"
    assert channel.find("docs") is None


def test_rss_item_has_each_child_once_and_no_author(files: dict[str, bytes]) -> None:
    """An item has one of each child, one `dc:creator`, and an id that is no page address."""
    for item in _channel(files).findall("item"):
        wanted = ("title", "link", "guid", "pubDate", "description", ENCODED, CREATOR)
        assert _counts(item, wanted) == [1] * len(wanted)
        assert item.find("author") is None
        assert item.findtext(CREATOR) == "Mira Quay"
        guid = item.find("guid")
        assert guid is not None
        assert guid.get("isPermaLink") == "false"


def test_atom_feed_and_entries_have_each_required_child_once(files: dict[str, bytes]) -> None:
    """Feed and entries have one id, title and date, an author, and HTML content."""
    feed = _xml(files["atom.xml"])
    assert feed.tag == f"{ATOM}feed"
    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    common = (f"{ATOM}id", f"{ATOM}title", f"{ATOM}updated", f"{ATOM}author")
    assert _counts(feed, (*common, f"{ATOM}subtitle")) == [1] * 5
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Mira Quay"
    for entry in feed.findall(f"{ATOM}entry"):
        wanted = (*common, f"{ATOM}published", f"{ATOM}summary", f"{ATOM}content")
        assert _counts(entry, wanted) == [1] * len(wanted)
        content = entry.find(f"{ATOM}content")
        assert content is not None
        assert content.get("type") == "html"


def test_each_xml_feed_has_one_self_link(files: dict[str, bytes]) -> None:
    """The self link of each XML feed is its own address, with its media type."""
    for name, holder in (("atom", _xml(files["atom.xml"])), ("rss", _channel(files))):
        links = [each for each in holder.findall(f"{ATOM}link") if each.get("rel") == "self"]
        assert [(each.get("href"), each.get("type")) for each in links] == [
            (f"https://harbour.example/{name}.xml", f"application/{name}+xml")
        ]


def test_atom_links_keep_relation_and_type(files: dict[str, bytes]) -> None:
    """Feed and entries have one alternate link, the HTML page, with its relation and type."""
    feed = _xml(files["atom.xml"])
    holders = (feed, *feed.findall(f"{ATOM}entry"))
    pages = ("", "2026-w03.html", "2026-w02.html", "2026-w01.html")
    for holder, page in zip(holders, pages, strict=True):
        links = [dict(each.attrib) for each in holder.findall(f"{ATOM}link")]
        assert [each for each in links if each["rel"] == "alternate"] == [
            {"href": f"https://harbour.example/{page}", "rel": "alternate", "type": "text/html"}
        ]


def test_dates_are_utc_in_whole_seconds(files: dict[str, bytes]) -> None:
    """RSS dates follow RFC 822 with four-digit years, the others RFC 3339, all in UTC."""
    channel = _channel(files)
    rss = [channel.findtext("lastBuildDate"), *(each.text for each in channel.iter("pubDate"))]
    assert all(RFC_822.fullmatch(date or "") for date in rss)
    feed = _xml(files["atom.xml"])
    atom = [each.text for tag in ("updated", "published") for each in feed.iter(f"{ATOM}{tag}")]
    assert len(atom) == 7
    document = json.loads(files["feed.json"])
    dates = [item[key] for item in document["items"] for key in ("date_published", "date_modified")]
    assert all(RFC_3339.fullmatch(date or "") for date in [*atom, *dates])


def test_json_feed_names_its_version_first_and_repeats_no_key(files: dict[str, bytes]) -> None:
    """The JSON feed begins with its version, has the required keys, and no key twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    document = json.loads(files["feed.json"], object_pairs_hook=once)
    assert next(iter(document.items())) == ("version", "https://jsonfeed.org/version/1.1")
    assert document["title"] == "Harbour Letter"
    assert document["home_page_url"] == "https://harbour.example/"
    assert document["feed_url"] == "https://harbour.example/feed.json"
    assert document["authors"] == [{"name": "Mira Quay"}]
    assert document["language"] == "en"
    assert all(isinstance(item["id"], str) for item in document["items"])
    assert all(
        item["summary"] in {f"High water in week {n}." for n in (1, 2, 3)}
        for item in document["items"]
    )


def test_all_addresses_are_absolute(files: dict[str, bytes]) -> None:
    """Every link, in whatever feed, is an absolute address of the site."""
    document = json.loads(files["feed.json"])
    found = [
        *(
            each.get("href")
            for name in ("rss.xml", "atom.xml")
            for each in _xml(files[name]).iter(f"{ATOM}link")
        ),
        *(each.text for each in _channel(files).iter("link")),
        *(item["url"] for item in document["items"]),
    ]
    assert len(found) == 1 + 5 + 4 + 3
    assert all((url or "").startswith("https://harbour.example/") for url in found)


def test_feed_date_is_the_newest_change(files: dict[str, bytes]) -> None:
    """The date of a feed is that of its newest entry, so that a rebuild changes nothing."""
    assert _xml(files["atom.xml"]).findtext(f"{ATOM}updated") == "2026-01-19T08:00:00+00:00"
    assert _channel(files).findtext("lastBuildDate") == "Mon, 19 Jan 2026 08:00:00 +0000"
