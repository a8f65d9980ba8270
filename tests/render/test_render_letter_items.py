"""The items of a letter: titles, addresses, links, pictures, languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from digest.errors import ContentError
from digest.model import (
    Edition,
    Image,
    Issue,
    Link,
    Newsletter,
    Pick,
    Summary,
    Theme,
    ThemeId,
)
from digest.render.addresses import anchors

Build = Callable[..., Edition]
Read = Callable[..., Any]


def test_the_meta_line_names_source_authors_and_day(
    build: Build, make_summary: Callable[..., Summary], read_html: Read
) -> None:
    """The day is the newsletter's, whatever zone the file meant; many authors are shortened."""
    late = datetime(2026, 11, 14, 23, 30, tzinfo=UTC)
    many = ("A. One", "B. Two", "C. Three", "D. Four", "E. Five")
    edition = build(
        summaries=[make_summary(1, date=late), make_summary(2, source="", authors=many, date=None)]
    )
    for shown in (
        read_html(edition.files["issue.html"]).text,
        read_html(edition.files["page.html"]).text,
        read_html(edition.files["entry.html"]).text,
        edition.files["issue.txt"].decode(),
    ):
        assert "Tidal Letters · Ada Lund, Bo Ek · 15 Nov 2026" in shown
        assert "A. One, B. Two, C. Three and 2 others" in shown
    assert edition.items[1].authors == many


def test_twin_titles_get_anchors_of_their_own(
    build: Build, make_issue: Callable[..., Issue], make_summary: Callable[..., Summary]
) -> None:
    """Each anchor is unique, and the same whatever the order of the items."""
    titles = ("物語", "Café notes", "Cafe notes", "Main")
    summaries = [make_summary(n, title=title, url="") for n, title in enumerate(titles, start=1)]
    issue = make_issue("tides", "tides", "tides", "tides")
    found = {item.id: item.anchor for item in build(issue=issue, summaries=summaries).items}
    turned = replace(issue, items=issue.items[::-1])
    again = {item.id: item.anchor for item in build(issue=turned, summaries=summaries).items}
    assert found == again
    assert len(set(found.values())) == 4
    assert all(anchor.startswith("cafe-notes-") for anchor in (found["s2"], found["s3"]))
    assert found["s4"] != "main"


def test_anchors_stay_unique_when_their_digits_meet(make_summary: Callable[..., Summary]) -> None:
    """A slug that another's digits would repeat gets more digits."""
    first, second = make_summary(1, title="a"), make_summary(2, title="a")
    meeting = anchors([first, second])["s1"]
    third = make_summary(3, title=meeting)
    assert len(set(anchors([first, second, third]).values())) == 3


def test_an_item_without_address_links_to_its_place(
    build: Build,
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    read_html: Read,
) -> None:
    """So does one whose address is not one of the web."""
    for url in ("", "javascript:alert(1)", "ftp://a.example/", "http://", "http://[::1"):
        edition = build(
            issue=make_issue("tides"), summaries=[make_summary(1, url=url, title="On ebb")]
        )
        assert edition.items[0].url == "https://notes.example/2026-w49.html#on-ebb"
        ids = read_html(edition.files["page.html"]).values("id")
        assert ids.count("on-ebb") == 1
        assert len(ids) == len(set(ids))


def test_the_header_text_wins_over_the_body(
    build: Build, make_issue: Callable[..., Issue], make_summary: Callable[..., Summary]
) -> None:
    """Where a file has a summary of its own, the body stays out."""
    summaries = [make_summary(1, summary="Short *one*.", body="The long one.")]
    edition = build(issue=make_issue("tides"), summaries=summaries)
    for data in edition.files.values():
        assert b"Short" in data
        assert b"The long one" not in data


def test_further_links_and_pictures_are_shown(
    build: Build,
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    read_html: Read,
) -> None:
    """Links are in all parts; a picture is a link in mail, page and text, and shown in feeds."""
    summary = make_summary(
        1,
        body="See ![a chart](chart.png) here.",
        links=(
            Link(label="Code & data", url="https://code.example/?a=1&b=2"),
            Link(label="", url="mailto:ada@uni.example"),
            Link(label="bad", url="javascript:alert(1)"),
        ),
        image=Image(url="moon.png", alt="The <moon>"),
    )
    edition = build(issue=make_issue("tides"), summaries=[summary])
    wanted = {"https://code.example/?a=1&b=2", "mailto:ada@uni.example"}
    moon = "https://notes.example/2026/moon.png"
    for name in ("issue.html", "page.html"):
        html = read_html(edition.files[name])
        assert wanted | {moon, "https://notes.example/2026/chart.png"} <= set(html.values("href"))
        assert not html.all("img")
        assert "Picture: The <moon>" in html.text
    entry = read_html(edition.files["entry.html"])
    assert wanted <= set(entry.values("href"))
    assert {image["src"]: image["alt"] for image in entry.all("img")}[moon] == "The <moon>"
    lines = {line.strip() for line in edition.files["issue.txt"].decode().splitlines()}
    assert wanted | {moon} <= lines
    assert b"javascript" not in b"".join(edition.files.values())


def test_a_picture_without_words_is_called_a_picture(
    build: Build,
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    read_html: Read,
) -> None:
    """A link always has words."""
    summary = make_summary(1, image=Image(url="https://a.example/x.png", alt=" "))
    edition = build(issue=make_issue("tides"), summaries=[summary])
    assert "Picture Unsubscribe" not in read_html(edition.files["issue.html"]).text
    assert re.search(">Picture(</bdi>)?</a>", edition.files["issue.html"].decode())
    assert "Picture:\n   https://a.example/x.png" in edition.files["issue.txt"].decode()


def test_missing_summaries_are_all_named(
    build: Build, make_issue: Callable[..., Issue], make_summary: Callable[..., Summary]
) -> None:
    """An issue that names a summary which is gone is not rendered without it."""
    with pytest.raises(ContentError) as caught:
        build(issue=make_issue("tides", "tides", "tides"), summaries=[make_summary(2)])
    assert [problem.what for problem in caught.value.problems] == [
        "there is no summary s1",
        "there is no summary s3",
    ]


def test_each_item_has_its_language_and_direction(
    build: Build,
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    paper: Newsletter,
    read_html: Read,
) -> None:
    """An English item in an Arabic letter reads from the left, and the letter from the right."""
    edition = build(
        issue=make_issue(),
        summaries=[make_summary(1), make_summary(2, lang="en", dir="ltr")],
        newsletter=replace(paper, language="ar"),
    )
    mail = read_html(edition.files["issue.html"])
    assert (mail.all("html")[0]["lang"], mail.all("html")[0]["dir"]) == ("ar", "rtl")
    wrapper = next(attributes for _, attributes in mail.tags if attributes.get("role") == "article")
    assert (wrapper["lang"], wrapper["dir"]) == ("ar", "rtl")
    items = [
        (attributes["lang"], attributes["dir"])
        for tag, attributes in mail.tags
        if tag == "div" and "prose" in (attributes.get("class") or "")
    ]
    assert items == [("ar", "rtl"), ("en", "ltr")]
    assert [td["align"] for td in mail.all("td") if td.get("class") == "pad"][2:4] == [
        "right",
        "left",
    ]
    assert '<div lang="en" dir="ltr">' in edition.files["entry.html"].decode()


def test_picks_of_one_summary_need_not_be_all_summaries(
    build: Build, make_issue: Callable[..., Issue], make_summary: Callable[..., Summary]
) -> None:
    """Summaries that the issue does not name change nothing."""
    issue = make_issue("tides")
    only = build(issue=issue, summaries=[make_summary(1)])
    assert build(issue=issue, summaries=[make_summary(1), make_summary(2)]) == only
    assert [Pick(id=item.id, theme=item.theme, reason="newest") for item in only.items] == [
        *issue.items
    ]


def test_an_undeclared_theme_and_a_strange_colour_are_shown_in_slate(
    build: Build, make_issue: Callable[..., Issue], read_html: Read
) -> None:
    """A theme that only a file names has its id for a label; a label may be empty."""
    odd = (
        Theme(id=ThemeId("tides"), label="Tides", colour="hotpink"),
        Theme(id=ThemeId("nameless"), label=" ", colour="blue"),
    )
    issue = make_issue("tides", "deep-sea", "nameless", "other")
    edition = build(issue=issue, themes=odd)
    assert edition.tags == ("Tides", "Deep sea", "nameless", "Other")
    badges = [
        attributes["class"]
        for attributes in read_html(edition.files["page.html"]).all("span")
        if "badge" in (attributes.get("class") or "")
    ]
    assert badges == ["badge slate", "badge slate", "badge blue", "badge slate"]
