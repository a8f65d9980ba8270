"""From an issue and its summaries to the letter that templates see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from digest.model import OTHER, Newsletter, clean_line, clean_text, direction, week_days
from digest.render.addresses import ascii_url, page_url
from digest.render.letter import Introduction, Item, Letter, Section
from digest.render.lines import PREHEADER_LIMIT, cut, reading_minutes, sentence
from digest.render.markdown import first_words
from digest.render.prose import introduction_prose
from digest.render.sections import Material, level, sections
from digest.render.templates import render_line

__all__ = ["compose"]

_SUMMARY_LIMIT: Final = 280
# What nobody wrote by hand is cut where an editor's own words would be refused (check D102).
_SUBJECT_LIMIT: Final = 150


def compose(material: Material) -> Letter:
    """Make the letter of an issue.

    Raise ContentError naming each summary that is not there, and ConfigError for a subject or
    preheader template that cannot be rendered.
    """
    issue, newsletter = material.issue, material.newsletter
    parts = sections(material)
    items = [item for section in parts for item in section.items]
    subject, preheader = _subject_and_preheader(material, parts)
    introduction = _introduction(material)
    title, label = clean_line(issue.title), _theme_label(material, parts)
    minutes = reading_minutes([introduction.text, *(item.text for item in items)])
    return Letter(
        newsletter=_name(newsletter),
        description=clean_line(newsletter.description),
        sender=_sender(newsletter),
        postal_address=_one_line(newsletter.postal_address),
        key=issue.key,
        number=material.number,
        language=newsletter.language,
        dir=direction(newsletter.language),
        subject=subject,
        preheader=preheader,
        preheader_sentence=sentence(preheader),
        title=title or subject or _numbered(material),
        heading=title
        or (label if issue.theme not in {"", OTHER.id} else subject)
        or _numbered(material),
        summary=sentence(_begins(material) or preheader),
        facts=_facts(material, len(items), minutes=minutes),
        introduction=introduction,
        sections=parts,
        level=level(issue),
        page_url=page_url(newsletter, issue.key),
        site_url=ascii_url(newsletter.site_url),
    )


def _name(newsletter: Newsletter) -> str:
    return clean_line(newsletter.name) or newsletter.slug


def _numbered(material: Material) -> str:
    return material.words.issue.replace("{n}", str(material.number))


def _days(material: Material) -> str:
    return material.words.days(*week_days(material.issue.key))


def _facts(material: Material, count: int, *, minutes: int) -> tuple[str, ...]:
    words = material.words
    return (
        _numbered(material),
        _days(material),
        words.count(count),
        words.minutes.replace("{n}", str(minutes)),
    )


def _theme_label(material: Material, parts: tuple[Section, ...]) -> str:
    """Give the label of the issue's theme; of a mixed issue those of all its sections."""
    labels = {section.badge.id: section.badge.label for section in parts}
    declared = {theme.id: clean_line(theme.label) for theme in material.themes}
    theme = material.issue.theme
    if theme:
        return labels.get(theme) or declared.get(theme) or clean_line(theme)
    return ", ".join(labels.values())


def _names(material: Material, parts: tuple[Section, ...]) -> Mapping[str, object]:
    """Give the names that subject and preheader templates may use."""
    titles = [item.title for section in parts for item in section.items]
    return {
        "newsletter": _name(material.newsletter),
        "number": material.number,
        "theme": _theme_label(material, parts),
        "week": _days(material),
        "lead": titles[0] if titles else "",
        "titles": " · ".join(titles),
        "more": " · ".join(titles[1:]),
        "count": len(titles),
    }


def _subject_and_preheader(material: Material, parts: tuple[Section, ...]) -> tuple[str, str]:
    issue, newsletter = material.issue, material.newsletter
    names = _names(material, parts)
    subject = clean_line(issue.subject) or cut(
        render_line(newsletter.subject, names, where="newsletter.subject"), _SUBJECT_LIMIT
    )
    preheader = clean_line(issue.preheader) or render_line(
        newsletter.preheader, names, where="newsletter.preheader"
    )
    if not preheader and parts:
        preheader = _lead_text(parts[0].items[0], material)
    return subject, cut(preheader, PREHEADER_LIMIT)


def _lead_text(lead: Item, material: Material) -> str:
    summary = material.summaries[lead.id]
    text = clean_text(summary.summary or summary.body)
    dollars = material.newsletter.dollar_maths
    return first_words(text, limit=PREHEADER_LIMIT, language=lead.lang, dollars=dollars)


def _introduction(material: Material) -> Introduction:
    prose = introduction_prose(material.issue, placing=material.placing)
    return Introduction(
        html=prose.mail(level=2, prefix="introduction_"),
        page_html=prose.page(level=2, prefix="introduction_"),
        entry_html=prose.entry(level=2),
        text=prose.plain(),
    )


def _begins(material: Material) -> str:
    text, newsletter = clean_text(material.issue.introduction), material.newsletter
    return first_words(
        text,
        limit=_SUMMARY_LIMIT,
        language=newsletter.language,
        dollars=newsletter.dollar_maths,
    )


def _sender(newsletter: Newsletter) -> str:
    name = clean_line(newsletter.sender.name) or _name(newsletter)
    return f"{name} <{clean_line(newsletter.sender.address)}>"


def _one_line(address: str) -> str:
    return ", ".join(filter(None, (clean_line(line).rstrip(",") for line in address.split("\n"))))
