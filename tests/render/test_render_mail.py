"""The HTML part of the mail: hostile content, and what mail programs need."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from digest.model import (
    COLOURS,
    Edition,
    Image,
    Issue,
    Link,
    Mailbox,
    Newsletter,
    Summary,
    Theme,
    ThemeId,
)

Build = Callable[..., Edition]
Read = Callable[..., Any]
MAIL = "letter.mjml.j2"

_HOSTILE = [
    '" onx="1"><xss>',
    "' onx='1'><xss>",
    "</mj-text><xss>",
    "</mj-title></mj-head><xss onx='1'>",
    "{{7*7}}{% raw %}{#",
    "<!-- <xss> -->",
    "--><xss onx=1>",
    "<![endif]--><xss>",
    "]]><xss>",
    "&lt;xss onx=1&gt;",
    "&quot; onx=&quot;1&quot;",
    "</style><xss>",
    '" style="position:fixed" onx="',
]


def _hostile_parts(
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    paper: Newsletter,
    bad: str,
) -> dict[str, Any]:
    """Write a text into every place that people fill in."""
    summary = make_summary(
        1,
        title=f"title {bad}",
        body=f"body {bad}\n\n- [link {bad}](https://a.example/)",
        url=f"https://a.example/{bad}",
        source=f"source {bad}",
        authors=(f"author {bad}",),
        links=(Link(label=f"label {bad}", url=f"https://b.example/{bad}"),),
        image=Image(url=f"https://c.example/{bad}", alt=f"alt {bad}"),
        lang=f"en{bad}",
        slug=bad,
        id="s1",
    )
    return {
        "issue": make_issue(
            "tides",
            subject=f"subject {bad}",
            preheader=f"preheader {bad}",
            title=f"heading {bad}",
            introduction=f"introduction {bad}",
        ),
        "summaries": [summary],
        "themes": (Theme(id=ThemeId("tides"), label=f"theme {bad}", colour=f"{bad}"),),
        "newsletter": replace(
            paper,
            name=f"name {bad}",
            description=f"description {bad}",
            postal_address=f"address {bad}",
            language=f"en{bad}",
            sender=Mailbox(name=f"sender {bad}", address="letter@notes.example"),
            leave=f"leave{bad}@notes.example",
        ),
    }


@pytest.mark.parametrize("bad", _HOSTILE)
def test_hostile_text_in_any_place_comes_out_as_text(
    bad: str,
    build: Build,
    make_issue: Callable[..., Issue],
    make_summary: Callable[..., Summary],
    paper: Newsletter,
    read_html: Read,
) -> None:
    """Twenty places are filled with it; no element, attribute or comment is made of it."""
    parts = _hostile_parts(make_issue, make_summary, paper, bad)
    plain = build(**_hostile_parts(make_issue, make_summary, paper, "x"))
    edition = build(**parts)
    assert edition.subject == f"subject {bad}"
    for name in ("issue.html", "page.html", "entry.html"):
        html = read_html(edition.files[name])
        assert "xss" not in {tag for tag, _ in html.tags}
        assert not html.values("onx")
        assert "49" not in html.text
        assert len(html.comments) == len(read_html(plain.files[name]).comments)
        assert f"title {bad}" in html.text
        assert f"source {bad} · author {bad}" in html.text
        assert f"label {bad}" in html.text
    for place in ("heading", "address", "theme", "name", "sender"):
        assert f"{place} {bad}" in read_html(edition.files["issue.html"]).text
    text = " ".join(edition.files["issue.txt"].decode().split())
    for place in ("preheader", "heading", "title", "source", "label", "alt", "address", "sender"):
        assert f"{place} {bad}" in text


def test_the_mail_loads_nothing_from_anywhere(build: Build, read_html: Read) -> None:
    """No picture, font, script or style sheet of another place."""
    html = build().files["issue.html"].decode()
    assert not re.search(r"@import|url\(|<script|<link|<img|<iframe|src=", html)
    assert {"src", "background", "srcset"}.isdisjoint(
        name for _, attributes in read_html(html).tags for name in attributes
    )


def test_conditional_comments_are_paired(build: Build) -> None:
    """As many begin as end, in the forms that Outlook knows."""
    html = build().files["issue.html"].decode()
    opened = re.findall(r"<!--\[if [^\]]+\]>(?:<!-->)?", html)
    assert len(opened) == html.count("<![endif]-->")
    assert set(opened) <= {
        "<!--[if mso]>",
        "<!--[if mso | IE]>",
        "<!--[if lte mso 11]>",
        "<!--[if !mso]><!-->",
    }


def test_the_letter_is_marked_up_for_programs_and_people(
    build: Build, make_issue: Callable[..., Issue], read_html: Read
) -> None:
    """An article with a label, layout tables without meaning, both colour metas, a title."""
    html = read_html(build(issue=make_issue(subject="On tides")).files["issue.html"])
    article = [attributes for _, attributes in html.tags if attributes.get("role") == "article"]
    assert [found["aria-label"] for found in article] == ["On tides"]
    assert all(table["role"] == "presentation" for table in html.all("table"))
    metas = {meta.get("name"): meta["content"] for meta in html.all("meta")}
    assert metas["color-scheme"] == metas["supported-color-schemes"] == "light dark"
    assert metas["viewport"] == "width=device-width, initial-scale=1"
    assert len(html.all("title")) == 1
    assert build().files["issue.html"].startswith(b"<!doctype html>\n<html ")


def test_the_preheader_comes_first_and_is_hidden_without_faint_colour(
    build: Build, make_issue: Callable[..., Issue]
) -> None:
    """Inbox lists show it; filter programs see no text in the colour of its ground."""
    html = build(issue=make_issue(preheader="About water.")).files["issue.html"].decode()
    body = html.partition("<body")[2]
    style, _, rest = body.partition('<div style="display:none')[2].partition(">")
    assert rest.startswith('<bdi>About water.</bdi><span aria-hidden="true">')
    assert "color" not in style
    assert re.sub("<[^>]*>", "", body).split(">", 1)[-1].strip().startswith("About water.")


def test_dark_rules_beat_inlined_ones(build: Build, make_issue: Callable[..., Issue]) -> None:
    """Every declaration of the dark and narrow rules keeps its weight; each has its twin."""
    html = build(issue=make_issue("tides", "boats")).files["issue.html"].decode()
    style = html.partition("prefers-color-scheme:dark){")[2].partition("</style>")[0]
    declarations = re.findall(r"[a-z-]+:[^;{}]+", style)
    assert declarations
    assert all(declaration.endswith("!important") for declaration in declarations)
    dark, _, twins = style.partition("\n}\n")
    for rule in dark.strip().splitlines()[1:]:
        selectors, _, declared = rule.partition("{")
        twin = ",".join(f"[data-ogsc] {selector}" for selector in selectors.split(","))
        assert f"{twin}{{{declared}" in twins
    assert ".card>table" in style
    assert "&gt;" not in style


def test_it_works_without_its_style_sheets(build: Build) -> None:
    """What a reader sees in a program that drops them is written into the elements."""
    html = re.sub("<style.*?</style>", "", build().files["issue.html"].decode(), flags=re.DOTALL)
    for tag in ("h1", "h2", "p"):
        assert re.search(rf'<{tag}[^>]* style="[^"]*margin:0', html)
    assert all(re.findall(r'<a [^>]*style="color:#0B57B7; text-decoration:underline"', html))
    assert "background-color:#DDF3F0" in html


def _luminance(colour: str) -> float:
    """Give the relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(first: str, second: str) -> float:
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colour", COLOURS)
def test_every_badge_can_be_read(colour: str, build: Build) -> None:
    """Text and ground of each badge differ by 4.5 to 1 and more, in light and in dark."""
    themes = (Theme(id=ThemeId("tides"), label="Tides", colour=colour),)
    html = build(themes=themes).files["issue.html"].decode()
    pairs = re.findall(rf"\n\.{colour}{{color:(#\w+)[^;]*;background-color:(#\w+)", html)
    assert len(pairs) == 2
    assert all(_contrast(*pair) >= 4.5 for pair in pairs)


def test_only_used_badges_are_in_the_style_sheet(build: Build) -> None:
    """A letter of one theme carries one pair of colours."""
    html = build().files["issue.html"].decode()
    assert ".teal{" in html
    assert ".rust{" not in html


def test_the_footer_says_why_and_lets_people_leave(
    build: Build, paper: Newsletter, read_html: Read
) -> None:
    """Reason, leave address, page, feed, sender and, if there is one, postal address."""
    html = read_html(build().files["issue.html"])
    links = set(html.values("href"))
    assert "mailto:leave@notes.example?subject=unsubscribe%20harbour-notes" in links
    assert {"https://notes.example/2026-w49.html", "https://notes.example/rss.xml"} <= links
    assert "because you signed up for Harbour Notes." in html.text
    assert "Harbour Notes <letter@notes.example>" in html.text
    assert "Harbour Notes, 4 Quay Lane, 12345 Port Example" in html.text
    without = build(newsletter=replace(paper, postal_address="")).files
    assert "Quay Lane" not in read_html(without["issue.html"]).text
    assert b"Quay Lane" not in without["issue.txt"]


def test_size_grows_slowly(build: Build, make_issue: Callable[..., Issue]) -> None:
    """The frame takes at most 12 KB, an item of usual length at most 1.8 KB."""
    small = len(build(issue=make_issue("tides")).files["issue.html"])
    large = len(build(issue=make_issue(*["tides"] * 21)).files["issue.html"])
    item = (large - small) / 20
    assert item < 1800
    assert small - item < 12_000
