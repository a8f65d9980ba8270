"""Text that breaks feeds elsewhere, and feeds that grow too large."""

from __future__ import annotations

import json
import locale
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import feedparser
import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.feeds import build_feeds
from digest.feeds.shorten import BODY_LIMIT, shorten
from digest.model import Newsletter, Published

MakePublished = Callable[..., Published]
REST = '<p><a href="https://harbour.example/?a=1&amp;b=2">Read the rest on the site</a></p>'
URL = "https://harbour.example/?a=1&b=2"


def _item(newsletter: Newsletter, issue: Published) -> dict[str, Any]:
    files = build_feeds(newsletter, (issue,))
    for name in ("rss.xml", "atom.xml"):
        ET.fromstring(files[name])  # noqa: S314 - our own bytes
    (item,) = json.loads(files["feed.json"])["items"]
    return dict(item)


def test_forbidden_characters_are_dropped(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """Controls and lone surrogates leave every feed; tab and line feed stay in the body."""
    issue = make_published(
        title="Salt\x1b and\x00 wind\x0b",
        summary="Rope \ud800 and\x85tar",
        body="<pre>a\tb\r\nc\x0c\x1b</pre>\ufffe",
        tags=("Boats\x07", " ", "boats"),
    )
    item = _item(newsletter, issue)
    assert item["title"] == "Salt and wind"
    assert item["summary"] == "Rope and tar"
    assert item["content_html"] == "<pre>a\tb\nc</pre>"
    assert item["tags"] == ["Boats"]


def test_closing_mark_of_cdata_reads_as_typed(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """`]]>` in code comes out of each feed as it went in, whether it was escaped or not."""
    body = "<p><code>x[y[0]]&gt;1</code> <code>a]]>b</code></p>"
    files = build_feeds(newsletter, (make_published(body=body, summary="When a[b[1]]>2"),))
    for name in ("rss.xml", "atom.xml"):
        (entry,) = feedparser.parse(files[name]).entries
        tree = html5lib.parseFragment(entry.content[0].value, namespaceHTMLElements=False)
        assert "".join(tree.itertext()) == "x[y[0]]>1 a]]>b"


def test_title_is_escaped_once(newsletter: Newsletter, make_published: MakePublished) -> None:
    """Signs of HTML in a title show in each feed as they were written."""
    title = 'Q&A: if a<b && c>d, what\'s <buoy> in "chart"?'
    files = build_feeds(newsletter, (make_published(title=title, summary=title),))
    assert json.loads(files["feed.json"])["items"][0]["title"] == title
    for name in ("rss.xml", "atom.xml"):
        assert b"&amp;amp;" not in files[name]
        tree = ET.fromstring(files[name])  # noqa: S314 - our own bytes
        assert title in {each.text for each in tree.iter() if each.tag.endswith("title")}
        (entry,) = feedparser.parse(files[name]).entries
        assert entry.title == title
    (item,) = ET.fromstring(files["rss.xml"]).iter("item")  # noqa: S314 - our own bytes
    fragment = html5lib.parseFragment(item.findtext("description"), namespaceHTMLElements=False)
    assert fragment.text == title


def test_blank_texts_have_something_to_stand_for_them(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """A blank title, summary, body, name or description never makes a blank element."""
    bare = replace(
        newsletter,
        name=" \t",
        description="\x00",
        sender=replace(newsletter.sender, name=""),
    )
    issue = make_published(7, title=" \n ", summary=" ", preheader="", body="\n")
    files = build_feeds(bare, (issue,))
    document = json.loads(files["feed.json"])
    assert (document["title"], document["description"]) == ("harbour-letter", "harbour-letter")
    assert document["authors"] == [{"name": "harbour-letter"}]
    (item,) = document["items"]
    assert (item["title"], item["summary"]) == ("Issue 7", "Issue 7")
    assert item["content_html"] == "<p>Issue 7</p>"
    filled = make_published(7, summary="", preheader="A <b> & c", body="")
    assert _item(bare, filled)["content_html"] == "<p>A &lt;b&gt; &amp; c</p>"


def test_cleaning_makes_no_markup_of_text(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """A combining stroke after a tag does not melt into the sign that ends it."""
    item = _item(newsletter, make_published(body="<p>\u0338 onclick=x >\u0338</p>"))
    tree = html5lib.parseFragment(item["content_html"], namespaceHTMLElements=False)
    (paragraph,) = list(tree)
    assert (paragraph.tag, dict(paragraph.attrib)) == ("p", {})
    assert paragraph.text == "\u0338 onclick=x >\u0338"


def test_signs_beyond_ascii_stay_themselves(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """Joined emoji, flags, keycaps and bidi isolates come through unchanged."""
    title = (
        "\u2067\u0645\u0631\u0633\u0649\u2069 \U0001f469\u200d\U0001f467 "
        "\U0001f1f3\U0001f1f4 1\ufe0f\u20e3"
    )
    assert _item(newsletter, make_published(title=title))["title"] == title
    assert (
        "\\u" not in build_feeds(newsletter, (make_published(title=title),))["feed.json"].decode()
    )


def test_locale_of_the_process_is_left_as_it_was(
    newsletter: Newsletter, three: tuple[Published, ...]
) -> None:
    """After a build the locale is the one of before."""
    before = locale.setlocale(locale.LC_ALL)
    build_feeds(newsletter, three)
    assert locale.setlocale(locale.LC_ALL) == before


def test_huge_issue_is_cut_and_its_neighbours_stay(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """An issue of six megabytes is cut between two blocks; the other entries are whole."""
    huge = make_published(2, body="<p>Fog &amp; rain</p>\n" * 300_000)
    files = build_feeds(newsletter, (make_published(1), huge, make_published(3)))
    assert max(map(len, files.values())) < 5_000_000
    third, second, first = json.loads(files["feed.json"])["items"]
    assert "Pier 3" in third["content_html"]
    assert "Pier 1" in first["content_html"]
    body = second["content_html"]
    assert body.endswith(
        '<p>Fog &amp; rain</p>\n<p><a href="https://harbour.example/2026-w02.html">'
        "Read the rest on the site</a></p>"
    )
    assert BODY_LIMIT - 100 < len(body) < BODY_LIMIT + 200


def test_oldest_entries_go_while_a_feed_is_too_large(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """Feeds stay under 5 MB by leaving out their oldest entries, the same in all three."""
    body = f"<p>{'&quot;' * 70_000}</p>"
    issues = tuple(make_published(week, body=body) for week in range(1, 21))
    files = build_feeds(newsletter, issues)
    assert 3_500_000 < max(map(len, files.values())) < 5_000_000
    titles = [item["title"] for item in json.loads(files["feed.json"])["items"]]
    assert titles == [f"The tide of week {20 - place}" for place in range(len(titles))]
    assert files["rss.xml"].count(b"<item>") == len(titles)
    assert files["atom.xml"].count(b"<entry>") == len(titles)


def test_one_entry_stays_however_large(
    newsletter: Newsletter, make_published: MakePublished
) -> None:
    """The newest entry is never left out, so that the feed does not fall silent."""
    issue = make_published(summary="x" * 6_000_000)
    files = build_feeds(newsletter, (issue, make_published(2, summary="y" * 6_000_000)))
    (item,) = json.loads(files["feed.json"])["items"]
    assert item["id"].endswith("w02")


@pytest.mark.parametrize(
    ("kept", "dropped", "ends"),
    [
        ("<p>one</p>\n<p>two</p>", "<p>three</p>", ""),
        ("<article><h2>a</h2><p>b</p>", "<p>c and more</p></article>", "</article>"),
        ("<div><section><p>a</p></section>", "<hr>b</div>", "</div>"),
        ("<p>a<br>b<img src=x></p>\n<hr>", "<pre>a long\nline</pre>", ""),
        ("<p>a<wbr/></em><b></p><p>b</p>", "<p>c</p>", ""),
        ("", "<ul><li><p>a</p></li><li><p>b</p></li></ul>", ""),
        ("", "one long text without a single block in it", ""),
    ],
)
def test_shorten_cuts_where_a_block_begins(kept: str, dropped: str, ends: str) -> None:
    """The cut is the last place where a block begins at the outside; open frames are closed."""
    body = kept + dropped
    assert shorten(body, url=URL, limit=len(body) - 1) == kept + ends + REST


def test_shorten_leaves_what_is_small_enough() -> None:
    """A body of exactly the limit stays as it is."""
    assert shorten("<p>ab</p>", url=URL, limit=9) == "<p>ab</p>"


@settings(deadline=None, max_examples=60)
@given(
    blocks=st.lists(
        st.sampled_from(["<p>x</p>", "<hr>", "<div><p>y</p><p>z</p></div>", "<ul><li>a</li></ul>"])
    ),
    limit=st.integers(min_value=1, max_value=80),
)
def test_shorten_keeps_html_well_formed(blocks: list[str], limit: int) -> None:
    """However it is cut, the fragment parses strictly, and is a beginning of the whole."""
    whole = "".join(blocks)
    short = shorten(whole, url=URL, limit=limit)
    html5lib.HTMLParser(strict=True).parseFragment(short)
    if len(whole) > limit:
        assert short.endswith(REST)
        assert len(short) <= limit + len(REST) + len("</div>")
    else:
        assert short == whole
