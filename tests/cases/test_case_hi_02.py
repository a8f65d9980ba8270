"""HI-02: signs that HTML escapes reach the reader as they were typed, in every form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path
from xml.etree import ElementTree as ET

import feedparser
from cases.forms import FEEDS, Issue, public_files, tree_of, tree_text
from cases.inputs import both, in_content, typed

Publish = Callable[..., Issue]
Make = Callable[..., Path]

_OURS = {
    "title.md": '---\ntitle: B&B - who\'s <next> at "the quay"?\ntheme: guests\n'
    "url: https://beds.example/q?first=1&last=2\ndate: 2027-01-12\n---\n\n"
    "It's a matter of B&B & of 3 < 4.\n"
}
_ATOM = "{http://www.w3.org/2005/Atom}"


def _source(files: dict[str, bytes]) -> tuple[str, str]:
    [data] = files.values()
    return typed(data, "title"), typed(data, "url")


@both("HI-02", _OURS)
def test_hi_02_plain_forms_say_the_title_exactly(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Decoded subject, text part and title in the JSON feed are the title as typed."""
    title, _ = _source(files)
    issue = publish(newsletter(in_content(files)))

    assert issue.titles == [title]
    assert issue.forms["letter"].heading == title
    assert issue.forms["JSON Feed"].heading == title
    for name in ("text", "mail text"):
        assert f"1. {title}" in issue.forms[name].text.splitlines()
        assert not re.search(r"&(?:#|amp|lt|gt|quot)", issue.forms[name].text), name


@both("HI-02", _OURS)
def test_hi_02_pages_show_the_title_escaped_once(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """HTML part and pages show the same to the eye; in their bytes `<` is `&lt;`, once."""
    title, _ = _source(files)
    issue = publish(newsletter(in_content(files)))
    escaped = title[title.index("<") : title.index(">") + 1]
    escaped = escaped.replace("<", "&lt;").replace(">", "&gt;")

    for name in ("letter", "mail HTML", "page"):
        assert title in [text.strip() for text in issue.forms[name].texts("h1", "h2")], name
    assert title in issue.forms["home"].line
    assert title in issue.forms["page"].heading
    for name in ("issue.html", "page.html", "entry.html"):
        assert escaped in (issue.root / f"outbox/{issue.key}/{name}").read_text("utf-8")


@both("HI-02", _OURS)
def test_hi_02_feed_titles_decode_to_the_same_in_two_readers(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Two readers, feedparser and one by hand, see one title; nothing is escaped twice anywhere."""
    title, _ = _source(files)
    issue = publish(newsletter(in_content(files)))

    for name in FEEDS:
        assert issue.forms[name].heading == title, name
        assert title in issue.forms[name].texts("h3"), name
    for name, data in public_files(issue.root).items():
        for twice in (b"&amp;amp;", b"&amp;lt;", b"&amp;gt;", b"&amp;#", b"&amp;quot;"):
            assert twice not in data, name


@both("HI-02", _OURS)
def test_hi_02_link_keeps_its_ampersand(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """The link leads to the address as typed in all forms."""
    _, url = _source(files)
    issue = publish(newsletter(in_content(files)))

    for name, form in issue.forms.items():
        if name != "home":
            assert url in form.links, name


def test_hi_02_name_of_the_newsletter_is_escaped_once_too(
    publish: Publish, newsletter: Make
) -> None:
    """A name with the same signs reads as typed in the titles of feeds and pages, and in mail."""
    name = "Sand & Gravel's <weekly>"
    root = newsletter({f"content/{file}": text for file, text in _OURS.items()})
    settings = root / "digest.toml"
    text = settings.read_text("utf-8").replace('name = "Harbour Notes"', f'name = "{name}"')
    settings.write_text(text, "utf-8")
    issue = publish(root)
    site = root / "outbox/site"
    rss = ET.fromstring((site / "rss.xml").read_bytes())  # noqa: S314 - our own output
    atom = ET.fromstring((site / "atom.xml").read_bytes())  # noqa: S314 - our own output
    message = message_from_bytes(
        (root / f"outbox/{issue.key}/issue.eml").read_bytes(), policy=policy.default
    )

    assert rss.findtext("channel/title") == atom.findtext(f"{_ATOM}title") == name
    assert json.loads((site / "feed.json").read_bytes())["title"] == name
    for file in ("rss.xml", "atom.xml"):
        assert feedparser.parse((site / file).read_bytes()).feed.title == name
    assert issue.forms["home"].heading == name
    assert name in issue.forms["home"].texts("h1")
    assert name in issue.forms["page"].heading
    assert name in issue.forms["text"].line
    assert str(message["List-Id"]).startswith(f'"{name}"')


@both("HI-02", _OURS)
def test_hi_02_summaries_of_the_feeds_say_the_same(
    publish: Publish, newsletter: Make, files: dict[str, bytes]
) -> None:
    """What RSS holds as HTML is, once decoded, what Atom and JSON Feed hold as plain text."""
    issue = publish(newsletter(in_content(files)))
    site = issue.root / "outbox/site"
    rss = ET.fromstring((site / "rss.xml").read_bytes())  # noqa: S314 - our own output
    atom = ET.fromstring((site / "atom.xml").read_bytes())  # noqa: S314 - our own output
    [item] = json.loads((site / "feed.json").read_bytes())["items"]
    description = tree_text(tree_of(rss.findtext("channel/item/description") or ""))

    assert description == atom.findtext(f"{_ATOM}entry/{_ATOM}summary") == item["summary"]
