"""The web page of an issue, and the body of its feed entry."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from digest.model import Edition, Image, Issue, Newsletter, Summary

Build = Callable[..., Edition]
Read = Callable[..., Any]


def test_the_page_announces_the_feeds_rss_first(build: Build, read_html: Read) -> None:
    """Absolute addresses, with the media type of each."""
    links = read_html(build().files["page.html"]).all("link")
    assert [(link["type"], link["href"]) for link in links if link["rel"] == "alternate"] == [
        ("application/rss+xml", "https://notes.example/rss.xml"),
        ("application/atom+xml", "https://notes.example/atom.xml"),
        ("application/feed+json", "https://notes.example/feed.json"),
    ]
    assert [link["href"] for link in links if link["rel"] == "canonical"] == [
        "https://notes.example/2026-w49.html"
    ]


def test_the_page_describes_itself(
    build: Build, make_issue: Callable[..., Issue], read_html: Read
) -> None:
    """Title, description and what links to it show, all escaped once."""
    issue = make_issue(title='Ebb & "flow"', introduction="On <water>.")
    html = read_html(build(issue=issue).files["page.html"])
    said = {
        meta.get("name") or meta.get("property"): meta.get("content") for meta in html.all("meta")
    }
    assert 'Ebb & "flow" · Harbour Notes' in html.text
    assert said["og:title"] == 'Ebb & "flow"'
    assert said["og:url"] == "https://notes.example/2026-w49.html"
    assert said["og:type"] == "article"
    assert said["description"] == said["og:description"]
    assert said["description"]


def test_the_page_needs_nothing_else(build: Build, read_html: Read) -> None:
    """One style sheet inside, no script, no thing of another place."""
    page = build().files["page.html"].decode()
    html = read_html(page)
    assert len(html.all("style")) == 1
    assert not re.search(r"@import|<script|<img|<iframe|<object", page)
    assert not re.search(r"url\((?!['\"]?data:)", page)
    loaded = [link for link in html.all("link") if link["rel"] not in {"alternate", "canonical"}]
    assert all((link["href"] or "").startswith("data:") for link in loaded)


def test_the_page_can_be_walked_by_keyboard_and_ear(build: Build, read_html: Read) -> None:
    """A skip link first, one main part, named sections, language and direction."""
    html = read_html(build().files["page.html"])
    names = [tag for tag, _ in html.tags]
    assert names.count("main") == names.count("h1") == 1
    first = html.all("a")[0]
    target = (first["href"] or "").removeprefix("#")
    assert [attributes["id"] for attributes in html.all("main")] == [target]
    ids = html.values("id")
    assert len(ids) == len(set(ids))
    labels = html.values("aria-labelledby")
    assert len(labels) == 3
    assert set(labels) <= set(ids)
    assert (html.all("html")[0]["lang"], html.all("html")[0]["dir"]) == ("en", "ltr")
    assert {attributes["href"] for attributes in html.all("a")} >= {"./", "./#follow"}


def test_every_item_has_its_place(build: Build, read_html: Read) -> None:
    """The anchors of the edition are there."""
    edition = build()
    html = read_html(edition.files["page.html"])
    assert {item.anchor for item in edition.items} <= set(html.values("id"))


def test_the_page_of_a_site_below_a_folder(
    build: Build, paper: Newsletter, read_html: Read
) -> None:
    """Addresses keep the folder of the site."""
    moved = replace(paper, site_url="https://pages.example/letters/harbour/")
    edition = build(newsletter=moved)
    hrefs = read_html(edition.files["page.html"]).values("href")
    assert "https://pages.example/letters/harbour/2026-w49.html" in hrefs
    assert "https://pages.example/letters/harbour/rss.xml" in hrefs


def test_the_entry_is_plain_and_complete(
    build: Build,
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    read_html: Read,
) -> None:
    """Introduction and items in headings and paragraphs; no layout, preheader or footer."""
    summaries = [
        make_summary(1, body="See [more](more.html)."),
        make_summary(2, image=Image(url="a.png", alt="A chart")),
    ]
    issue = make_issue(introduction="Hello *all*.", preheader="Only for inboxes")
    entry = build(issue=issue, summaries=summaries).files["entry.html"].decode()
    html = read_html(entry)
    assert {tag for tag, _ in html.tags} <= {"p", "em", "h3", "a", "bdi", "img"}
    assert html.text.startswith("Hello all. Finding number 1 Tidal Letters · Ada Lund, Bo Ek · ")
    assert "Only for inboxes" not in html.text
    assert "Unsubscribe" not in html.text
    assert len(html.all("h3")) == 2
    addresses = html.values("href") + html.values("src")
    assert "https://notes.example/2026/more.html" in addresses
    assert all(address.startswith("https://") for address in addresses)
    assert not html.values("style")
    assert not html.values("class")


@pytest.mark.parametrize("name", ["page.html", "entry.html"])
def test_no_comment_of_a_template_is_left(name: str, build: Build, read_html: Read) -> None:
    """What templates say to their editors stays there."""
    assert read_html(build().files[name]).comments == []
