"""The forms of one issue, each read as its reader reads it: mail, text, page, home page, feeds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from email import message_from_bytes, policy
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
import html5lib

__all__ = [
    "FEEDS",
    "HTML",
    "Form",
    "Issue",
    "public_files",
    "read_day",
    "read_forms",
    "tree",
    "tree_of",
    "tree_text",
    "words",
]

HTML = ("letter", "mail HTML", "page", "RSS", "RSS by hand", "Atom", "Atom by hand", "JSON Feed")
FEEDS = HTML[3:]

_ATOM = "{http://www.w3.org/2005/Atom}"
_ENCODED = "{http://purl.org/rss/1.0/modules/content/}encoded"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# What is no running text: a browser shows none of it.
_UNSEEN = {"style", "script", "title", "head"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form: its heading (title or subject), its words as they stand, its links, its tree.

    `tree` is the body of an HTML document, None where the form is plain text.
    """

    heading: str
    text: str
    links: tuple[str, ...]
    tree: ET.Element | None = None

    @property
    def line(self) -> str:
        """Give the words as one line: each run of white space is a blank, as on a page."""
        return words(self.text)

    def elements(self, *names: str) -> list[ET.Element]:
        """Give all elements of these names, in the order of the document."""
        assert self.tree is not None
        return [element for element in self.tree.iter() if element.tag in names]

    def texts(self, *names: str) -> list[str]:
        """Give the text of all elements of these names, white space as it stands."""
        return [tree_text(element) for element in self.elements(*names)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A published issue: what the build said, and its forms."""

    root: Path
    key: str
    built: dict[str, Any]
    said: str
    forms: dict[str, Form]

    @property
    def titles(self) -> list[str]:
        """Give the titles in the order of the issue."""
        return [item["title"] for item in self.built["items"]]

    @property
    def urls(self) -> list[str]:
        """Give the links in the order of the issue."""
        return [item["url"] for item in self.built["items"]]


def words(text: str) -> str:
    """Make one line of a text."""
    return " ".join(text.split())


def read_day(text: str) -> str:
    """Write a day, `2027-01-05` and what follows it, as the look does: `5 Jan 2027`."""
    day = date.fromisoformat(text[:10])
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


@cache  # many forms of an issue hold the same HTML, and html5lib takes its time
def _document(html: str) -> ET.Element:
    document = html5lib.parse(html, namespaceHTMLElements=False)
    assert isinstance(document, ET.Element)
    return document


def tree_of(html: str) -> ET.Element:
    """Parse HTML as browsers do (html5lib) and give its body."""
    body = _document(html).find("body")
    assert body is not None
    return body


def tree_text(element: ET.Element) -> str:
    """Give what an element shows as text; `br` ends a line."""
    return "".join(_pieces(element))


def _pieces(element: ET.Element) -> Iterator[str]:
    if element.tag == "br":
        yield "\n"
    if isinstance(element.tag, str) and element.tag not in _UNSEEN:
        yield element.text or ""
        for child in element:
            yield from _pieces(child)
            yield child.tail or ""


def _html(html: str, *, heading: str = "") -> Form:
    tree = tree_of(html)
    title = _document(html).findtext("head/title") or ""
    return Form(
        heading=heading or title,
        text=tree_text(tree),
        links=tuple(link.attrib["href"] for link in tree.iter("a") if "href" in link.attrib),
        tree=tree,
    )


def _plain(text: str, *, heading: str) -> Form:
    return Form(heading=heading, text=text, links=tuple(re.findall(r"(?:https?|mailto):\S+", text)))


def read_forms(root: Path, key: str) -> dict[str, Form]:
    """Read all forms of a published issue, each by a parser that is not ours."""
    edition, site = root / "outbox" / key, root / "outbox" / "site"
    message = message_from_bytes((edition / "issue.eml").read_bytes(), policy=policy.default)
    plain, rich = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert rich is not None
    subject = str(message["Subject"])
    return {
        "letter": _html((edition / "issue.html").read_text("utf-8"), heading=subject),
        "text": _plain((edition / "issue.txt").read_text("utf-8"), heading=subject),
        "mail HTML": _html(rich.get_content(), heading=subject),
        "mail text": _plain(plain.get_content(), heading=subject),
        "page": _html((site / f"{key}.html").read_text("utf-8")),
        "home": _html((site / "index.html").read_text("utf-8")),
        "RSS": _by_feedparser(site / "rss.xml", key),
        "RSS by hand": _rss_by_hand(site / "rss.xml", key),
        "Atom": _by_feedparser(site / "atom.xml", key),
        "Atom by hand": _atom_by_hand(site / "atom.xml", key),
        "JSON Feed": _json_by_hand(site / "feed.json", key),
    }


def _by_feedparser(file: Path, key: str) -> Form:
    feed = feedparser.parse(file.read_bytes())
    assert not feed.bozo, feed.get("bozo_exception")
    [entry] = [entry for entry in feed.entries if entry.link.endswith(f"/{key}.html")]
    return _html(entry.content[0].value, heading=entry.title)


def _xml(file: Path) -> ET.Element:
    # ElementTree is expat: it refuses what XML 1.0 does not allow.
    return ET.fromstring(file.read_bytes())  # noqa: S314 - our own output


def _rss_by_hand(file: Path, key: str) -> Form:
    items = _xml(file).findall("channel/item")
    [item] = [item for item in items if str(item.findtext("link")).endswith(f"/{key}.html")]
    return _html(item.findtext(_ENCODED) or "", heading=item.findtext("title") or "")


def _atom_by_hand(file: Path, key: str) -> Form:
    entries = _xml(file).findall(f"{_ATOM}entry")
    [entry] = [
        entry
        for entry in entries
        for link in entry.findall(f"{_ATOM}link")
        if link.get("rel") == "alternate" and str(link.get("href")).endswith(f"/{key}.html")
    ]
    body = entry.findtext(f"{_ATOM}content") or ""
    return _html(body, heading=entry.findtext(f"{_ATOM}title") or "")


def _json_by_hand(file: Path, key: str) -> Form:
    feed: dict[str, Any] = json.loads(file.read_bytes())
    [item] = [item for item in feed["items"] if item["url"].endswith(f"/{key}.html")]
    return _html(item["content_html"], heading=item["title"])


def tree(folder: Path) -> dict[str, str]:
    """Give the hash of every file below a folder, by relative path."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def public_files(root: Path) -> dict[str, bytes]:
    """Give all files that readers may get to see: the site and the editions, without inputs."""
    outbox = root / "outbox"
    return {
        path.relative_to(outbox).as_posix(): path.read_bytes()
        for path in sorted(outbox.rglob("*"))
        if path.is_file() and "inputs" not in path.relative_to(outbox).parts
    }
