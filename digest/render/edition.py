"""An edition: each part rendered, proved to hold every item, and its merge fields filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from digest.model import (
    OTHER,
    Edition,
    EditionItem,
    FieldPlace,
    Issue,
    Newsletter,
    Summary,
    Theme,
)
from digest.render.addresses import leave_url
from digest.render.compose import compose
from digest.render.fields import Fields, fill, hide_fields
from digest.render.letter import Letter
from digest.render.mail import MAIL, render_mail
from digest.render.presence import prove_html, prove_text
from digest.render.sections import Material
from digest.render.template_set import TemplateSet
from digest.render.templates import environment, render_template
from digest.render.text import TEXT, render_text
from digest.render.words import WORDS, read_words

__all__ = ["render"]

_PAGE: Final = "page.html.j2"
_ENTRY: Final = "entry.html.j2"
# The parts of the mail, of which each reader has an own copy.
_OWN: Final = ("issue.html", "issue.txt")


def render(
    issue: Issue,
    *,
    number: int,
    summaries: Mapping[str, Summary],
    newsletter: Newsletter,
    themes: tuple[Theme, ...],
    templates: TemplateSet,
) -> Edition:
    """Render an issue, as `digest.render.render_edition` says."""
    picked = {pick.id: summaries.get(pick.id) for pick in issue.items}
    content = repr((issue, picked, newsletter, themes))
    hidden, fields = hide_fields(templates, content=content)
    repeats = any(pick.repeat for pick in issue.items)
    words = read_words(environment(hidden), place=hidden.place(WORDS), repeats=repeats)
    material = Material(
        issue=issue,
        number=number,
        summaries=summaries,
        newsletter=newsletter,
        themes=themes,
        words=words,
    )
    letter = compose(material)
    parts = _parts(hidden, {"letter": letter, "words": words}, letter)
    general = {"leave_url": leave_url(newsletter), "name": "", "address": ""}
    filled = {n: _filled(n, part, fields=fields, values=general) for n, part in parts.items()}
    return Edition(
        key=issue.key,
        number=number,
        slot=issue.slot.at,
        subject=letter.subject,
        preheader=letter.preheader,
        title=letter.title,
        summary=letter.summary,
        theme=issue.theme,
        items=_items(letter),
        tags=_tags(letter),
        files={name: data for name, (data, _) in filled.items()},
        fields={name: filled[name][1] for name in _OWN},
    )


def _parts(templates: TemplateSet, values: Mapping[str, object], letter: Letter) -> dict[str, str]:
    engine = environment(templates)
    parts = {
        "issue.html": render_mail(templates, values, title=letter.subject),
        "issue.txt": render_text(engine, values),
        "page.html": render_template(engine, _PAGE, values),
        "entry.html": render_template(engine, _ENTRY, values),
    }
    prove_html(parts["issue.html"], letter, place=templates.place(MAIL))
    prove_html(parts["page.html"], letter, place=templates.place(_PAGE))
    prove_html(parts["entry.html"], letter, place=templates.place(_ENTRY))
    prove_text(parts["issue.txt"], letter, place=templates.place(TEXT))
    return parts


def _filled(
    name: str, text: str, *, fields: Fields, values: Mapping[str, str]
) -> tuple[bytes, tuple[FieldPlace, ...]]:
    return fill(text.strip() + "\n", fields, values, as_html=name.endswith(".html"))


def _tags(letter: Letter) -> tuple[str, ...]:
    """Give the labels of the themes; `other` alone says nothing."""
    badges = [section.badge for section in letter.sections]
    return () if [badge.id for badge in badges] == [OTHER.id] else tuple(b.label for b in badges)


def _items(letter: Letter) -> tuple[EditionItem, ...]:
    return tuple(
        EditionItem(
            id=item.id,
            title=item.title,
            url=item.url,
            anchor=item.anchor,
            theme=item.badge.id,
            authors=item.authors,
        )
        for item in letter.items
    )
