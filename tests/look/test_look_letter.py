"""What the looks are made of: the order of a letter, its links, its colours, its sizes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import pytest
from html5lib import HTMLParser
from look.letter import LETTER, item, letter, letter_mail, letter_mjml, letter_text, rendered
from look.rendered import LOOKS, PAPER, SPECIMENS, edition, specimen_edition
from lxml.html import HtmlElement, document_fromstring
from markupsafe import Markup

from digest.model import Pick, ThemeId
from digest.render.letter import Figure, Further, Introduction

both = pytest.mark.parametrize("look", LOOKS)

_LEAVE: Final = "[[leave_url]]"
_PICTURE: Final = Figure(label="A chart", url="https://lamps.example/chart.png")
_NOTHING: Final = Introduction(html=Markup(), page_html=Markup(), entry_html=Markup(), text="")
_SHOWN: Final = replace(
    _PICTURE,
    src="https://lamps.example/pictures/a.png",
    page_src="pictures/a.png",
    entry_src="https://lamps.example/chart.png",
    width=400,
    height=300,
)


def _mail(look: str, *items: object, **parts: object) -> HtmlElement:
    shown = letter(*items, **parts) if items else replace(LETTER, **parts)  # type: ignore[arg-type]  # as the makers take them
    return document_fromstring(letter_mail(look, shown))


def _said(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())


def _links(root: HtmlElement) -> list[tuple[str, str]]:
    return [(link.get("href", ""), _said(link)) for link in root.iter("a")]


# ---- both looks ----------------------------------------------------------------------------------


@both
def test_letter_stands_in_its_order(look: str) -> None:
    """Preheader, name, way to the page, heading, facts, introduction, items, why, ways out."""
    text = _said(_mail(look).body)
    parts = [
        LETTER.preheader,
        LETTER.newsletter,
        "View in browser",
        LETTER.heading,
        "Issue 7",
        "So bright.",
        LETTER.items[0].title,
        LETTER.items[2].title,
        "You get this mail because you signed up for The Lamp & Wick.",
        "Feed",
        "Sent by The Lamp & Wick <lamp@lamps.example>",
        LETTER.postal_address,
    ]

    places = [text.find(part) for part in parts]

    assert -1 not in places
    assert places == sorted(places)


@both
def test_headings_go_down_step_by_step(look: str) -> None:
    """One first, then the themes, then the items; each item's title is a heading."""
    mail = _mail(look)
    levels = [int(tag.tag[1]) for tag in mail.iter("h1", "h2", "h3", "h4", "h5", "h6")]

    assert levels == [1, 2, 3, 2, 3, 3]
    titles = [_said(tag) for tag in mail.iter("h3")]
    assert titles == [one.title for one in LETTER.items]


@both
def test_wrapper_is_an_article_with_a_label(look: str) -> None:
    """Language and direction stand on the document, the wrapper and each item."""
    mail = _mail(look, item(lang="ar", dir="rtl"), language="en-GB")
    [wrapper] = mail.xpath('//*[@role="article"]')

    assert wrapper.get("aria-label") == LETTER.subject
    for element in (mail, wrapper):
        assert (element.get("lang"), element.get("dir")) == ("en-GB", "ltr")
    [shown] = mail.xpath('//*[@lang="ar"]')
    assert shown.get("dir") == "rtl"
    assert "text-align:right" in "".join(
        str(style) for style in shown.xpath("ancestor-or-self::*/@style")
    )


@both
def test_tables_of_the_layout_say_that_they_are(look: str) -> None:
    """Only a table of the content is one to a screen reader."""
    mail = _mail(look)
    bare = [table for table in mail.iter("table") if table.get("role") != "presentation"]

    assert [_said(table) for table in bare if "Oil" not in _said(table)] == []


@both
@pytest.mark.parametrize("long", [True, False])
def test_long_mail_can_be_left_at_its_head_too(look: str, *, long: bool) -> None:
    """Where the foot may be cut off; the way to the page stands at both ends of each mail."""
    links = _links(_mail(look, long=long))
    first = next(place for place, (_, words) in enumerate(links) if words == LETTER.items[0].title)

    assert [words for url, words in links[:first] if url == _LEAVE] == ["Unsubscribe"] * long
    assert [words for url, words in links[first:] if url == _LEAVE] == ["Unsubscribe"]
    assert links.count((LETTER.page_url, "View in browser")) == 2


@both
def test_rest_is_led_to_by_a_link_that_names_the_item(look: str) -> None:
    """An item that was cut says where all of it stands; others say nothing."""
    links = _links(_mail(look))

    assert (LETTER.items[0].rest, f"All of it on the web page: {LETTER.items[0].title}") in links
    assert sum("All of it" in words for _, words in links) == 1


@both
def test_picture_that_is_not_shown_is_led_to(look: str) -> None:
    """By its words, or by a word for it, in the language of the letter."""
    named = _mail(look, item(image=_PICTURE, lang="fr"))
    bare = _mail(look, item(image=replace(_PICTURE, label="")))

    assert (_PICTURE.url, "Picture: A chart") in _links(named)
    assert (_PICTURE.url, "Picture") in _links(bare)
    assert list(named.iter("img")) == []
    [word] = [word for word in named.iter("bdi") if _said(word) == "Picture"]
    assert word.get("lang") == "en"


@both
def test_further_links_are_there(look: str) -> None:
    """Each with its words."""
    link = Further(label="The <notes>", url="https://lamps.example/notes?a=1&b=2")

    assert (link.url, link.label) in _links(_mail(look, item(links=(link,))))


@both
def test_dark_colours_stand_twice(look: str) -> None:
    """For programs that honour the media query, and for Outlook.com, rule by rule."""
    style = "".join(str(text) for text in _mail(look).xpath("//style/text()"))
    dark = style.partition("@media (prefers-color-scheme:dark){")[2].partition("\n}\n")[0]
    rules = [rule for rule in dark.strip().split("\n") if not rule.startswith("body")]

    assert len(rules) > 8
    for rule in rules:
        selectors, _, declarations = rule.partition("{")
        twin = ",".join(f"[data-ogsc] {one}" for one in selectors.split(","))
        assert f"{twin}{{{declarations}" in style
        assert all(part.endswith("!important") for part in declarations.rstrip("}").split(";"))


@both
def test_style_holds_nothing_that_mail_programs_lack(look: str) -> None:
    """No variables, logical properties, fonts from the web, SVG, `picture` or base64."""
    html = letter_mail(look)

    for lacking in ("var(", "inline-start", "@font-face", "<svg", "<picture", "base64", "@import"):
        assert lacking not in html


@both
def test_nothing_is_smaller_than_13_pixels(look: str) -> None:
    """Save for the cells of the layout, whose own size is none."""
    for name in SPECIMENS:
        html = specimen_edition(name, look).files["issue.html"].decode()
        sizes = set(re.findall(r"font-size: ?([0-9.]+)(?:px)?", html))
        assert min(float(size) for size in sizes - {"0"}) >= 13


@both
def test_every_specimen_is_well_formed(look: str) -> None:
    """A parser that forgives nothing reads mail and page."""
    for name in SPECIMENS:
        for file in ("issue.html", "page.html"):
            html = specimen_edition(name, look).files[file].decode()
            read = HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
            assert read.find("body") is not None


@both
def test_text_part_has_items_links_and_ways_out(look: str) -> None:
    """Items are numbered, addresses stand alone, the first line is the preheader."""
    lines = letter_text(look).split("\n")

    assert lines[0] == LETTER.preheader_sentence
    for one in LETTER.items:
        assert f"{one.number}. {one.title}" in lines
        assert f"   {one.url}" in lines
    assert _LEAVE in lines
    assert "   https://lamps.example/more" in lines
    assert max(map(len, lines)) <= 72


# ---- the default look ----------------------------------------------------------------------------


def test_picture_is_shown_with_words_and_size() -> None:
    """It leads to its file, so that it can be seen in full, or at all."""
    mail = _mail("default", item(image=_SHOWN))
    [picture] = mail.iter("img")

    assert picture.get("src") == _SHOWN.src
    assert picture.get("alt") == "A chart"
    assert (picture.get("width"), picture.get("height")) == ("400", "300")
    style = re.sub(r"\s", "", picture.get("style") or "")
    assert {"display:block", "max-width:100%", "height:auto"} <= set(style.split(";"))
    assert picture.getparent().get("href") == _SHOWN.url
    assert "Picture" not in _said(mail)


def test_default_shows_the_mail_form_of_an_item() -> None:
    """And the text part the text."""
    shown = letter(
        item(
            html=Markup("<p>for mail</p>"), page_html=Markup("<p>for page</p>"), text="   for text"
        )
    )
    html = letter_mjml("default", shown)

    assert "for mail" in html
    assert "for page" not in html
    assert "for text" in letter_text("default", shown)


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        (Markup("<pre><code>x</code></pre>"), ".prose pre{"),
        (Markup("<p><kbd>x</kbd></p>"), ".prose kbd{"),
        (Markup("<dl><dt>x</dt><dd>y</dd></dl>"), ".prose dd{"),
        (Markup("<figure><figcaption>x</figcaption></figure>"), ".prose figcaption{"),
        (Markup("<hr />"), ".prose hr{"),
        (Markup("<p><img src='x' alt='y' /></p>"), ".prose img{"),
        (Markup("<p><small>x</small></p>"), ".prose small{"),
        (Markup("<p>x<sub>y</sub></p>"), ".prose sub,"),
        (Markup("<p><ruby>x<rt>y</rt></ruby></p>"), ".prose rt{"),
        (Markup("<blockquote><p>x</p></blockquote>"), ".prose blockquote{"),
        (Markup("<table><tbody><tr><td>x</td></tr></tbody></table>"), ".prose td{"),
        (Markup("<h3>x</h3>"), ".prose h3,"),
        (Markup("<ul><li>x</li></ul>"), ".prose li ul,"),
        (Markup('<p><span role="math" aria-label="x">x</span></p>'), ".prose span[role=math]{"),
    ],
)
def test_style_has_the_rules_that_items_need(html: Markup, rule: str) -> None:
    """And no others: every octet counts."""
    plain = letter_mjml("default", letter(item(html=Markup("<p>x</p>")), introduction=_NOTHING))

    assert rule in letter_mjml("default", letter(item(html=html), introduction=_NOTHING))
    assert rule not in plain


def test_code_and_formulas_run_from_left_to_right_in_arabic() -> None:
    """The rule is there only where something is written from right to left."""
    html = Markup('<p><code>a b</code><span role="math" aria-label="x">x</span></p>')
    arabic = letter_mail("default", letter(item(html=html, lang="ar", dir="rtl")))

    assert arabic.count("unicode-bidi:isolate") == 3
    assert "unicode-bidi" not in letter_mail("default", letter(item(html=html)))


def test_letter_of_a_template_that_shows_its_items_itself_is_styled() -> None:
    """A project's own `letter.mjml.j2` may include the style without saying what it shows."""
    shown = letter(item(html=Markup("<blockquote>x</blockquote>")))
    css = rendered("letter.css.j2", "default", shown)

    for rule in (".badge{", ".kicker{", ".section{", ".prose blockquote{"):
        assert rule in css


# ---- the compact look ----------------------------------------------------------------------------


def test_compact_is_a_numbered_list_of_links() -> None:
    """Title, meta, first words; numbers go on from theme to theme."""
    mail = _mail("compact")
    lists = [one for one in mail.iter("ol") if one.get("class") == "list"]

    assert [one.get("start") for one in lists] == ["1", "2"]
    assert [len(one.findall("li")) for one in lists] == [1, 2]
    [third] = [row for row in mail.iter("li") if LETTER.items[2].title in _said(row)]
    assert _said(third) == f"{LETTER.items[2].title} {' · '.join(LETTER.items[2].meta)} " + (
        LETTER.items[2].brief
    )
    assert list(mail.iter("img")) == []


def test_compact_item_without_words_has_no_empty_line() -> None:
    """A summary of a picture only has no first words."""
    bare = item(brief="", meta=())
    [row] = [row for row in _mail("compact", bare).iter("li") if bare.title in _said(row)]

    assert list(row.iter("p")) == []
    assert f"1. {bare.title}\n   {bare.url}\n" in letter_text("compact", letter(bare))


@pytest.mark.parametrize(("heading", "badges"), [("Lamps & light", 0), ("Light in June", 1)])
def test_compact_names_the_theme_once(heading: str, badges: int) -> None:
    """Above the list, unless the heading says it."""
    mail = _mail("compact", item(1), item(2), heading=heading)

    assert len(mail.xpath('//*[starts-with(@class, "badge")]')) == badges


def test_compact_text_has_the_first_words() -> None:
    """And not the whole text."""
    text = letter_text("compact", letter(item(text="   the whole text")))

    assert "   Of a lamp & its_oil.\n" in text
    assert "the whole text" not in text


# ---- page and entry ------------------------------------------------------------------------------


def _page(shown: object = LETTER) -> HtmlElement:
    return document_fromstring(rendered("page.html.j2", "default", shown))  # type: ignore[arg-type]  # a letter


def test_page_names_its_edition() -> None:
    """By the imprint of the mail."""
    [meta] = _page().xpath('//head/meta[@name="digest-edition"]')

    assert meta.get("content") == f"sha256:{'0' * 64}"


def test_page_shows_the_page_form_and_the_source() -> None:
    """The source says which commit it is, and whose source."""
    page = _page(replace(LETTER, sections=LETTER.sections[:1]))
    [source] = page.xpath('//a[contains(@href, "code.example")]')

    assert _said(source) == "Source 5bec1a3"
    assert source.get("aria-describedby") == "lamp-1_title"
    [picture] = page.iter("img")
    assert picture.get("src") == "pictures/0123456789abcdef.png"
    assert (picture.get("width"), picture.get("loading")) == ("536", "lazy")


def test_page_of_an_item_without_a_source_has_no_empty_line() -> None:
    """And a commit that is not known is not named."""
    known = item(source_url="https://code.example/lamps/1.md")
    [source] = _page(letter(known)).xpath('//a[contains(@href, "code.example")]')

    assert _said(source) == "Source"
    assert _page(letter(item())).xpath('//p[contains(@class, "source")]') == []


def test_page_shows_no_mail_form() -> None:
    """Its formulas and pictures are its own."""
    shown = letter(item(html=Markup("<p>for mail</p>"), page_html=Markup("<p>for page</p>")))
    text = _said(_page(shown))

    assert "for page" in text
    assert "for mail" not in text


@pytest.mark.parametrize("template", ["page.html.j2", "entry.html.j2"])
def test_picture_elsewhere_is_led_to(template: str) -> None:
    """Where a form does not show it, a link does."""
    shown = document_fromstring(rendered(template, "default", letter(item(image=_PICTURE))))

    assert list(shown.iter("img")) == []
    assert (_PICTURE.url, "Picture: A chart") in _links(shown)


def test_entry_shows_pictures_with_the_size_they_have() -> None:
    """A size that is not known is left out."""
    sized = rendered("entry.html.j2", "default", letter(item(image=_SHOWN)))
    other = replace(_SHOWN, width=0, height=0)

    assert 'alt="A chart" width="400" height="300">' in sized
    assert 'alt="A chart"></' in rendered("entry.html.j2", "default", letter(item(image=other)))


# ---- size ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("look", "most"), [("default", 30_000), ("compact", 17_000)])
def test_usual_issue_is_small(look: str, most: int) -> None:
    """Six items of everyday size."""
    usual = SPECIMENS["bare"]
    [pick] = usual.issue.items
    summary = usual.summaries[pick.id]
    body = " ".join(["The tide came early and left late, and nobody had expected it."] * 6)
    summaries = {
        f"s{n}": replace(
            summary,
            id=f"s{n}",
            path=f"s{n}.md",
            title=f"What the tide of day {n} did to the boats in the harbour",
            body=body,
            summary="",
            url=f"https://tides.example/2026/{n}",
        )
        for n in range(6)
    }
    items = tuple(Pick(id=id_, theme=ThemeId("water"), reason="x") for id_ in summaries)
    issue = replace(usual.issue, items=items, theme=ThemeId("water"))
    made = edition(replace(usual, issue=issue, summaries=summaries, newsletter=PAPER), in_look=look)

    assert len(made.files["issue.html"]) < most
