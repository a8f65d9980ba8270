"""RSS 2.0 and Atom 1.0 (RFC 4287) through feedgen 1.0.0, its defects worked round.

Two generators, since feedgen takes the channel link of RSS from the last link added, and RSS
wants HTML where Atom wants plain text. Each has an extension of our own for what feedgen writes
wrongly or cannot write.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from feedgen.feed import FeedGenerator
from lxml.etree import CDATA, SubElement

from digest.feeds.entry import Entry, Feed

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["write_atom", "write_rss"]

_DUBLIN_CORE: Final = "http://purl.org/dc/elements/1.1/"
_CONTENT: Final = "http://purl.org/rss/1.0/modules/content/"


def write_rss(feed: Feed) -> bytes:
    """Write a feed as RSS 2.0, UTF-8, with the full text in `content:encoded`."""
    generator = _generator(feed)
    generator.register_extension("rss", _RssItem, _RssItem, atom=False)
    generator.link(href=f"{feed.site_url}rss.xml", rel="self", type="application/rss+xml")
    generator.link(href=feed.site_url, rel="alternate")
    for entry in feed.entries:
        item = _add(generator, entry)
        # Readers take a description for HTML.
        item.summary(escape(entry.summary, quote=False))
        item.link(href=entry.url)
        item.rss.creator = feed.author
    return bytes(generator.rss_str())


def write_atom(feed: Feed) -> bytes:
    """Write a feed as Atom 1.0, UTF-8, with the full text as content of type html."""
    generator = _generator(feed)
    generator.register_extension("atom", _AtomEntry, _AtomEntry, rss=False)
    generator.id(feed.id)
    generator.author(name=feed.author)
    generator.link(href=feed.site_url, rel="alternate", type="text/html")
    generator.link(href=f"{feed.site_url}atom.xml", rel="self", type="application/atom+xml")
    for entry in feed.entries:
        element = _add(generator, entry)
        element.author(name=feed.author)
        element.summary(entry.summary)
        element.atom.links = ({"href": entry.url, "rel": "alternate", "type": "text/html"},)
    return bytes(generator.atom_str())


def _generator(feed: Feed) -> Any:  # noqa: ANN401 - feedgen publishes no types
    generator = FeedGenerator()
    generator.title(feed.title)
    generator.subtitle(feed.description)
    generator.language(feed.language)
    # Set always: feedgen stamps both the feed and each entry with the present moment.
    generator.updated(feed.updated)
    generator.generator("Digest")
    generator.docs("")
    return generator


def _add(generator: Any, entry: Entry) -> Any:  # noqa: ANN401 - feedgen publishes no types
    # feedgen turns the order round unless told to append.
    element = generator.add_entry(order="append")
    # Not `guid`, which can mark the id as a page address.
    element.id(entry.id)
    element.title(entry.title)
    element.published(entry.published)
    element.updated(entry.updated)
    # The type must be said: without one, Atom readers show the markup.
    element.content(entry.body, type="html")
    for tag in entry.tags:
        element.category(term=tag)
    return element


class _RssItem:
    """Add one `dc:creator`, since the `author` of RSS demands an e-mail address.

    feedgen makes one for the channel too; that one has no creator and only names the space.
    """

    creator = ""

    def extend_ns(self) -> dict[str, str]:
        return {"dc": _DUBLIN_CORE}

    def extend_rss(self, element: _Element) -> None:
        if self.creator:
            SubElement(element, f"{{{_DUBLIN_CORE}}}creator").text = self.creator
            _spare_escapes(element, "description")
            _spare_escapes(element, f"{{{_CONTENT}}}encoded")


class _AtomEntry:
    """Add the links of an entry, since feedgen drops all attributes but the address.

    feedgen makes one for the feed too, which has nothing to add.
    """

    links: tuple[dict[str, str], ...] = ()

    def extend_ns(self) -> dict[str, str]:
        return {}

    def extend_atom(self, element: _Element) -> None:
        for attributes in self.links:
            SubElement(element, "link", attributes)
            _spare_escapes(element, "content")


def _spare_escapes(parent: _Element, name: str) -> None:
    # HTML stays readable and a seventh shorter, and no `&amp;amp;` looks like a fault.
    for child in parent.iterchildren(name):
        child.text = CDATA((child.text or "").replace("]]>", "]]&gt;"))
