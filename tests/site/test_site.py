"""The public pages: what stands on them, and that they stand on their own."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import TemplateError
from digest.model import (
    OTHER,
    Edition,
    EditionItem,
    IssueKey,
    Mailbox,
    Newsletter,
    Published,
    Theme,
    ThemeId,
    WeeklyTime,
)
from digest.render import TemplateSet
from digest.site import build_site

LOOK = Path(__file__).parents[2] / "templates"
TEMPLATES = TemplateSet(texts={each.name: each.read_text("utf-8") for each in LOOK.glob("*.j2")})
TIDES = Theme(id=ThemeId("tides"), label="Tides & currents", colour="teal")
BOATS = Theme(id=ThemeId("boats"), label="Boats", colour="rust")
THEMES = (TIDES, BOATS, OTHER)
NEWSLETTER = Newsletter(
    name="Harbour Letter",
    slug="harbour-letter",
    language="en",
    zone=ZoneInfo("Pacific/Auckland"),
    tag="harbour.example,2025",
    site_url="https://harbour.example/letter/",
    sender=Mailbox(address="desk@harbour.example", name="Mira Quay"),
    leave="leave@harbour.example",
    list_id="letter.harbour.example",
    send=WeeklyTime(weekday=0, hour=9, minute=0),
    description="Notes on tides, boats & people.",
)


def _item(name: str, *, theme: ThemeId = TIDES.id, authors: tuple[str, ...] = ()) -> EditionItem:
    anchor = name.lower().replace(" ", "-")
    return EditionItem(
        id=anchor,
        title=name,
        url=f"https://pier.example/{anchor}",
        anchor=anchor,
        theme=theme,
        authors=authors,
    )


def _published(week: int = 2, *, year: int = 2026) -> Published:
    at = datetime(year, 1, 4, 20, 30, tzinfo=UTC) + timedelta(weeks=week - 1)
    edition = Edition(
        key=IssueKey(f"{year}-w{week:02d}"),
        number=week,
        slot=at,
        subject="Tide",
        preheader="Before the tide",
        title=f"The tide of week {week}",
        summary=f"High water in week {week}.",
        theme=TIDES.id,
        items=(_item("Spring tide"), _item("Neap tide", authors=("Mira Quay", "Ola Sund"))),
        files={"page.html": f"<!doctype html><title>Week {week}</title>\r\n".encode()},
    )
    return Published(edition=edition, at=at, updated=at)


def _with(issue: Published, **changes: object) -> Published:
    edition = replace(issue.edition, **changes)  # type: ignore[arg-type] # named by each test
    return replace(issue, edition=edition)


def _build(*published: Published, newsletter: Newsletter = NEWSLETTER) -> dict[str, bytes]:
    return build_site(newsletter, published, TEMPLATES, themes=THEMES)


def _home(*published: Published, newsletter: Newsletter = NEWSLETTER) -> ET.Element:
    return _parse(_build(*published, newsletter=newsletter)["index.html"])


def _parse(page: bytes) -> ET.Element:
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    tree: ET.Element = parser.parse(page.decode())
    return tree


def _text(element: ET.Element | None) -> str:
    assert element is not None
    return " ".join("".join(element.itertext()).split())


def _one(tree: ET.Element, path: str) -> ET.Element:
    (found,) = tree.findall(path)
    return found


WITHDRAWN = datetime(2026, 1, 20, 12, 30, tzinfo=UTC)
PAGES = {
    "home": _build(*map(_published, (1, 2, 3)))["index.html"],
    "two years": _build(_published(1), _published(2), _published(50, year=2025))["index.html"],
    "one issue": _build(_published())["index.html"],
    "no issue": _build()["index.html"],
    "missing": _build(_published())["404.html"],
    "withdrawn": _build(replace(_published(), withdrawn=WITHDRAWN))["2026-w02.html"],
    "bare": _build(
        _with(_published(), title="", summary="", theme=ThemeId(""), items=()),
        newsletter=replace(NEWSLETTER, description="", language="ar"),
    )["index.html"],
}


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_valid_and_find_their_way(name: str) -> None:
    """Each page is strict HTML with one main part, one first heading, and ids that exist once."""
    tree = _parse(PAGES[name])
    assert len(tree.findall(".//main")) == len(tree.findall(".//h1")) == 1
    assert tree.get("lang")
    ids = [each.get("id") for each in tree.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    wanted = [
        *(each.get("href", "")[1:] for each in tree.iter("a") if each.get("href", "")[:1] == "#"),
        *(each.get("aria-labelledby") for each in tree.iter() if each.get("aria-labelledby")),
    ]
    assert set(wanted) <= set(ids)
    first = next(tree.iter("a"))
    assert (first.get("class"), first.get("href")) == ("skip", "#main")


@pytest.mark.parametrize("name", PAGES)
def test_headings_go_down_step_by_step(name: str) -> None:
    """No heading skips a level, and none is empty."""
    tree = _parse(PAGES[name])
    headings = [each for each in tree.iter() if re.fullmatch("h[1-6]", str(each.tag))]
    levels = [int(each.tag[1]) for each in headings]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all(_text(each) for each in headings)


@pytest.mark.parametrize("name", PAGES)
def test_pages_load_nothing_and_run_nothing(name: str) -> None:
    """No script, handler, form, picture or style is fetched; the page forbids it itself."""
    tree = _parse(PAGES[name])
    assert not [
        each for each in tree.iter() if each.tag in {"script", "img", "iframe", "form", "object"}
    ]
    assert not [key for each in tree.iter() for key in each.attrib if key.startswith("on")]
    loaded = [
        each.get("href", "")
        for each in tree.iter("link")
        if each.get("rel") not in {"alternate", "canonical"}
    ]
    assert [url[:5] for url in loaded] == ["data:"]
    style = _text(tree.find(".//style"))
    assert "url(" not in style
    assert "@import" not in style
    policy = _one(tree, ".//meta[@http-equiv='Content-Security-Policy']").get("content", "")
    assert policy.startswith("default-src 'none'")


@pytest.mark.parametrize("name", PAGES)
def test_pages_announce_the_feeds_rss_first(name: str) -> None:
    """Each page names the three feeds, RSS first, from where it can be reached."""
    tree = _parse(PAGES[name])
    links = tree.findall(".//link[@rel='alternate']")
    root = NEWSLETTER.site_url if name == "missing" else ""
    assert [(each.get("type"), each.get("href")) for each in links] == [
        ("application/rss+xml", f"{root}rss.xml"),
        ("application/atom+xml", f"{root}atom.xml"),
        ("application/feed+json", f"{root}feed.json"),
    ]
    assert all((each.get("title") or "").startswith("Harbour Letter") for each in links)


def test_issue_pages_are_those_of_the_editions() -> None:
    """The page of an issue is its edition's, byte for byte."""
    files = _build(_published(1), _published(2))
    assert sorted(files) == ["2026-w01.html", "2026-w02.html", "404.html", "index.html"]
    assert files["2026-w02.html"] == b"<!doctype html><title>Week 2</title>\r\n"


def test_home_describes_itself() -> None:
    """The head of the home page has title, description, canonical address and Open Graph."""
    tree = _parse(PAGES["home"])
    assert _text(tree.find(".//title")) == "Harbour Letter"
    sentence = "Notes on tides, boats & people."
    assert _one(tree, ".//meta[@name='description']").get("content") == sentence
    assert _one(tree, ".//link[@rel='canonical']").get("href") == NEWSLETTER.site_url
    graph = {
        each.get("property"): each.get("content")
        for each in tree.iter("meta")
        if each.get("property")
    }
    assert graph == {
        "og:type": "website",
        "og:site_name": "Harbour Letter",
        "og:title": "Harbour Letter",
        "og:description": sentence,
        "og:url": NEWSLETTER.site_url,
    }


def test_newest_issue_stands_first_with_its_items() -> None:
    """The newest issue is shown with title, facts, sentence and a link to each of its items."""
    tree = _home(*map(_published, (1, 3, 2)))
    article = _one(tree, ".//article")
    assert _text(article.find("h2")) == "The tide of week 3"
    assert _text(article).startswith(
        "Latest issue The tide of week 3 Tides & currents Issue 3 · 19 January 2026 · 2 summaries "
        "High water in week 3. Spring tide Neap tide Mira Quay, Ola Sund"
    )
    assert [each.get("href") for each in article.iter("a")] == [
        "2026-w03.html",
        "2026-w03.html#spring-tide",
        "2026-w03.html#neap-tide",
        "2026-w03.html",
    ]


def test_earlier_issues_are_listed_newest_first() -> None:
    """Each earlier issue is a line with date, title, theme, number and count."""
    tree = _home(*map(_published, (2, 1, 3)))
    rows = tree.findall(".//ol[@class='issues']/li")
    assert [*map(_text, rows)] == [
        "12 January 2026 The tide of week 2 Tides & currents Issue 2 · 2 summaries",
        "5 January 2026 The tide of week 1 Tides & currents Issue 1 · 2 summaries",
    ]
    assert [_one(row, ".//a").get("href") for row in rows] == ["2026-w02.html", "2026-w01.html"]
    assert tree.findall(".//h3") == []


def test_dates_are_those_of_the_newsletters_zone() -> None:
    """An issue published on Sunday evening in UTC is one of Monday in Auckland."""
    tree = _home(_published(1))
    time = _one(tree, ".//time")
    assert (time.get("datetime"), _text(time)) == ("2026-01-05", "5 January 2026")


def test_issues_of_several_years_are_grouped() -> None:
    """Once the earlier issues reach over New Year, each year has its heading."""
    tree = _parse(PAGES["two years"])
    assert [_text(each) for each in tree.findall(".//h3")] == ["2026", "2025"]


def test_issues_of_one_moment_stand_by_key() -> None:
    """Two issues of the same moment stand in the order of the feeds, the later week first."""
    first, second = _published(1), _published(2)
    same = (replace(first, at=second.at), second)
    for order in (same, same[::-1]):
        assert _text(_home(*order).find(".//article/h2")) == "The tide of week 2"


def test_empty_home_says_so_kindly() -> None:
    """Without an issue the page says that one is coming, and how to get it."""
    tree = _parse(PAGES["no issue"])
    assert "The first issue is on its way" in _text(tree.find(".//main"))
    assert tree.findall(".//article") == []
    assert sorted(_build()) == ["404.html", "index.html"]


def test_home_tells_how_to_follow() -> None:
    """The three feed addresses stand in full on the page and link beside it."""
    tree = _parse(PAGES["no issue"])
    links = tree.findall(".//dl//a")
    assert [(each.get("href"), _text(each)) for each in links] == [
        (name, f"https://harbour.example/letter/{name}")
        for name in ("rss.xml", "atom.xml", "feed.json")
    ]


def test_links_of_home_open_from_disk() -> None:
    """All links to other pages are relative to the folder and lead to files of the site."""
    files = _build(*map(_published, (1, 2, 3)))
    feeds = {"rss.xml", "atom.xml", "feed.json"}
    links = [each.get("href", "") for each in _parse(files["index.html"]).iter("a")]
    pages = {link.partition("#")[0] for link in links} - {""}
    assert pages <= set(files) | feeds
    assert {"2026-w01.html", "2026-w02.html", "2026-w03.html"} <= pages


def test_missing_page_leads_home_from_any_depth() -> None:
    """The 404 page links by absolute addresses and asks not to be indexed."""
    tree = _parse(PAGES["missing"])
    links = [each.get("href") for each in tree.iter("a")]
    assert links == ["#main", NEWSLETTER.site_url, NEWSLETTER.site_url]
    assert _text(tree.find(".//title")) == "Page not found · Harbour Letter"
    assert _one(tree, ".//meta[@name='robots']").get("content") == "noindex"


def test_withdrawn_issue_leaves_the_pages() -> None:
    """Its own page says so with the day in the newsletter's zone, and nothing else names it."""
    files = _build(replace(_published(2), withdrawn=WITHDRAWN), _published(1))
    tree = _parse(files["2026-w02.html"])
    assert _text(tree.find(".//main")) == (
        "Issue 2 was withdrawn What stood here was taken back on 21 January 2026. See all issues"
    )
    assert _text(tree.find(".//title")) == "Issue 2 was withdrawn · Harbour Letter"
    assert _one(tree, ".//meta[@name='robots']").get("content") == "noindex"
    assert [each.get("href") for each in tree.iter("a")] == ["#main", "index.html", "index.html"]
    assert b"2026-w02" not in files["index.html"]
    assert _text(_parse(files["index.html"]).find(".//article/h2")) == "The tide of week 1"


def test_home_of_withdrawn_issues_alone_is_empty() -> None:
    """Where all that was out was taken back the home page says that an issue is coming."""
    tree = _home(replace(_published(), withdrawn=WITHDRAWN))
    assert "The first issue is on its way" in _text(tree.find(".//main"))


def test_mixed_issue_has_no_badge_but_its_items_have() -> None:
    """A mixed issue shows the theme of each item instead of one of its own."""
    items = (_item("Spring tide"), _item("Keel", theme=BOATS.id))
    article = _one(_home(_with(_published(), theme=ThemeId(""), items=items)), ".//article")
    badges = [
        (_text(each), each.get("class"))
        for each in article.iter("span")
        if (each.get("class") or "").startswith("badge")
    ]
    assert badges == [("Tides & currents", "badge teal"), ("Boats", "badge rust")]


def test_borrowed_item_shows_its_theme() -> None:
    """An item of another theme than the issue's carries a badge, the others none."""
    items = (_item("Spring tide"), _item("Keel", theme=BOATS.id))
    article = _one(_home(_with(_published(), items=items)), ".//article")
    assert [_text(row) for row in article.findall(".//li")] == ["Spring tide", "Keel Boats"]


def test_theme_no_longer_declared_keeps_a_name() -> None:
    """The badge of a theme that the settings do not know is made from its id."""
    article = _one(_home(_with(_published(), theme=ThemeId("old-maps"))), ".//article")
    assert _text(article.find("p[@class='meta']")).startswith("Old maps Issue 2")


def test_badge_is_left_out_where_the_title_says_it() -> None:
    """An issue titled by its theme does not say it twice."""
    article = _one(_home(_with(_published(), title=TIDES.label)), ".//article")
    assert _text(article.find("p[@class='meta']")).startswith("Issue 2 ·")


def test_newest_issue_does_not_repeat_its_first_item() -> None:
    """Where title and sentence only repeat the items, the theme is the heading."""
    issue = _with(_published(), title="Spring tide", summary="Spring tide · Neap tide")
    article = _one(_home(issue, _published(1)), ".//article")
    assert _text(article.find("h2")) == "Tides & currents"
    assert _text(article).count("Spring tide") == 1
    mixed = _one(_home(_with(issue, theme=ThemeId(""))), ".//article")
    assert _text(mixed.find("h2")) == "Spring tide"


def test_blank_title_becomes_the_number_and_one_item_is_one() -> None:
    """A blank title falls back to the number, and one summary is not called several."""
    article = _one(_home(_with(_published(), title=" ", items=(_item("Keel"),))), ".//article")
    assert _text(article.find("h2")) == "Issue 2"
    assert "· 1 summary" in _text(article.find("p[@class='meta']"))


def test_direction_follows_the_language() -> None:
    """A newsletter in Arabic is written from right to left."""
    tree = _parse(PAGES["bare"])
    assert (tree.get("lang"), tree.get("dir")) == ("ar", "rtl")
    assert _parse(PAGES["home"]).get("dir") == "ltr"


def test_home_of_a_bare_newsletter_says_what_it_is() -> None:
    """Without a description the head still has a sentence, without a name the slug stands."""
    tree = _home(newsletter=replace(NEWSLETTER, description="", name=" \t"))
    assert _text(tree.find(".//h1")) == "harbour-letter"
    content = _one(tree, ".//meta[@name='description']").get("content")
    assert content == "The newsletter harbour-letter: all issues, and how to follow it."


@settings(deadline=None, max_examples=30)
@given(text=st.text(alphabet="<>&\"'{}%#/= abip\u0338", min_size=1))
def test_any_text_stays_text(text: str) -> None:
    """Whatever people write becomes no markup and no template of the page."""
    issue = _with(
        _published(),
        title=text,
        summary=text,
        items=(_item("Keel"), _item("Sail", authors=(text,))),
    )
    plain = _home(_published(), newsletter=NEWSLETTER)
    tree = _home(issue, newsletter=replace(NEWSLETTER, name=text, description=text))
    allowed = {str(each.tag) for each in plain.iter()} | {"p", "bdi"}
    assert {str(each.tag) for each in tree.iter()} <= allowed


def test_markup_in_a_title_is_shown_as_written() -> None:
    """Signs of HTML and of the template engine are shown, escaped once."""
    title = 'R&B: what\'s <script> in "{{ name }}" {% raw %}?'
    tree = _home(_with(_published(), title=title))
    assert _text(tree.find(".//article/h2")) == title


def test_pages_are_the_same_each_time() -> None:
    """The order in which issues come and a second build change no byte."""
    issues = tuple(map(_published, (1, 2, 3)))
    assert _build(*issues) == _build(*issues[::-1]) == _build(*issues)


def test_missing_template_is_named() -> None:
    """A look without its home page is refused with the name of the template."""
    texts = {name: text for name, text in TEMPLATES.texts.items() if name != "home.html.j2"}
    with pytest.raises(TemplateError, match=r"home\.html\.j2"):
        build_site(NEWSLETTER, (), TemplateSet(texts=texts), themes=THEMES)


def test_pictures_stand_beside_the_pages_of_their_issues() -> None:
    """Each published issue's pictures are there, once, and before the pages that show them."""
    one, two = "pictures/0123456789abcdef.png", "pictures/fedcba9876543210.jpg"
    first = _with_files(_published(1), {one: b"one"})
    second = _with_files(_published(2), {two: b"two", one: b"one", "issue.html": b"", "x/y": b""})
    pages = _build(first, second)

    assert {name: data for name, data in pages.items() if "/" in name} == {one: b"one", two: b"two"}
    names = list(pages)
    assert max(names.index(one), names.index(two)) < names.index("2026-w01.html")
    assert list(_build(second, first)) == names
    assert "issue.html" not in pages


def test_pictures_of_a_withdrawn_issue_are_not_made() -> None:
    """They go with its page, unless another issue shows the same."""
    one, two = "pictures/0123456789abcdef.png", "pictures/fedcba9876543210.jpg"
    gone = replace(_with_files(_published(1), {one: b"one", two: b"two"}), withdrawn=WITHDRAWN)
    other = _with_files(_published(2), {two: b"two"})

    assert [name for name in _build(gone, other) if "/" in name] == [two]
    assert [name for name in _build(gone) if "/" in name] == []


def _with_files(issue: Published, files: dict[str, bytes]) -> Published:
    return _with(issue, files={**issue.edition.files, **files})
