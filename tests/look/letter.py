"""A letter in which everything of a look shows, made by hand: no part of it changes elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from look.rendered import look
from markupsafe import Markup

from digest.model import ThemeId
from digest.render.adapter import unwrap, wrap
from digest.render.letter import Badge, Figure, Further, Introduction, Item, Letter, Section
from digest.render.lint import loosen
from digest.render.mail import MAIL, compile_mjml, render_mail
from digest.render.templates import environment, render_template
from digest.render.text import render_text
from digest.render.words import WORDS, Words, read_words

__all__ = [
    "LETTER",
    "item",
    "letter",
    "letter_html",
    "letter_mail",
    "letter_mjml",
    "letter_text",
    "rendered",
    "words",
]

_THEME: Final = ThemeId("lamps")

_BODY: Final = Markup(
    '<p>Of a <a href="https://far.example/?a=1&amp;b=2">lamp</a> &amp; <code>its_oil</code>.</p>\n'
    "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n"
    "<table><tbody><tr><th>Oil</th><td>3&nbsp;l</td></tr></tbody></table>\n"
    "<pre><code>burn --low\n  &lt;oil&gt;</code></pre>\n<blockquote><p>So bright.</p></blockquote>"
)


def item(number: int = 1, **parts: Any) -> Item:  # noqa: ANN401 - any field of an item
    """Make an item with any part of it replaced."""
    usual: dict[str, Any] = {
        "number": number,
        "id": f"lamps/{number}",
        "title": f"Lamp {number} <lit> & “seen”",
        "url": f"https://lamps.example/{number}?x=1&y=2",
        "anchor": f"lamp-{number}",
        "badge": Badge(id=_THEME, label="Lamps & light", colour="amber"),
        "meta": ("Lamp Quarterly", "Ada Quill", "24 Nov 2026"),
        "repeat": "",
        "authors": ("Ada Quill",),
        "html": _BODY,
        "page_html": _BODY,
        "entry_html": _BODY,
        "text": "   Of a lamp.",
        "brief": "Of a lamp & its_oil.",
        "links": (),
        "image": None,
        "lang": "en",
        "dir": "ltr",
    }
    return Item(**{**usual, **parts})


def letter(*items: Item, **parts: Any) -> Letter:  # noqa: ANN401 - any field of a letter
    """Make a letter of items, those of one theme in one section."""
    badges = dict.fromkeys(one.badge for one in items)
    held = [tuple(one for one in items if one.badge == badge) for badge in badges]
    sections = tuple(Section(badge=each[0].badge, items=each) for each in held)
    usual: dict[str, Any] = {
        "newsletter": "The Lamp & Wick",
        "description": "",
        "sender": "The Lamp & Wick <lamp@lamps.example>",
        "postal_address": "1 Quay Street, 00000 Sampleport",
        "key": "2026-w49",
        "number": 7,
        "language": "en",
        "dir": "ltr",
        "subject": "Lamps, lit & unlit",
        "preheader": "What burns, and for how long",
        "preheader_sentence": "What burns, and for how long.",
        "title": "Lamps",
        "heading": "Lamps, lit & unlit",
        "summary": "What burns.",
        "facts": ("Issue 7", "3 summaries"),
        "introduction": Introduction(html=_BODY, page_html=_BODY, entry_html=_BODY, text="Hello."),
        "sections": sections,
        "level": 3 if len(sections) > 1 else 2,
        "page_url": "https://lamps.example/2026-w49.html",
        "site_url": "https://lamps.example/",
    }
    return Letter(**{**usual, **parts})


_FIGURE: Final = Figure(
    label="A lamp & its shade",
    url="https://lamps.example/pictures/0123456789abcdef.png",
    src="https://lamps.example/pictures/0123456789abcdef.png",
    page_src="pictures/0123456789abcdef.png",
    entry_src="https://lamps.example/pictures/0123456789abcdef.png",
    width=536,
    height=201,
)
LETTER: Final = letter(
    item(
        1,
        image=_FIGURE,
        links=(Further(label="More & more", url="https://lamps.example/more"),),
        rest="https://lamps.example/2026-w49.html#lamp-1",
        source_url="https://code.example/lamps/1.md",
        commit="5bec1a3e" * 5,
    ),
    item(
        2,
        badge=Badge(id=ThemeId("wicks"), label="فتائل", colour="violet"),
        repeat="Sent before, in the issue of week 19 of 2026",
        lang="ar",
        dir="rtl",
        image=replace(_FIGURE, src="", page_src="", entry_src=""),
    ),
    item(3, badge=Badge(id=ThemeId("wicks"), label="فتائل", colour="violet")),
    long=True,
)


def words(in_look: str) -> Words:
    """Give the words of a look."""
    return read_words(environment(look(in_look)), place=WORDS)


def rendered(name: str, in_look: str, shown: Letter = LETTER) -> str:
    """Render a template of a look, its merge fields left as they are written."""
    values = {"letter": shown, "words": words(in_look), "imprint": "0" * 64}
    return render_template(environment(look(in_look)), name, values)


def letter_mjml(in_look: str, shown: Letter = LETTER) -> str:
    """Write a letter in MJML, as engines read it."""
    return loosen(rendered(MAIL, in_look, shown))


def letter_html(in_look: str, shown: Letter = LETTER) -> str:
    """Write a letter in HTML as our engine compiles it, before anything is inlined."""
    html = compile_mjml(wrap(letter_mjml(in_look, shown), title="mftitle"), place=MAIL)
    return unwrap(html, stand_in="mftitle", title=shown.subject)


def letter_mail(in_look: str, shown: Letter = LETTER) -> str:
    """Write a letter in HTML as it is sent, its merge fields left as they are written."""
    values = {"letter": shown, "words": words(in_look)}
    return render_mail(look(in_look), values, title=shown.subject)


def letter_text(in_look: str, shown: Letter = LETTER) -> str:
    """Write the text part of a letter."""
    values = {"letter": shown, "words": words(in_look)}
    return render_text(environment(look(in_look)), values)
