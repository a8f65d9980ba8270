"""The items of an issue, theme by theme, as templates see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from markupsafe import Markup

from digest.errors import ContentError, Problem
from digest.model import (
    COLOURS,
    OTHER,
    Issue,
    Newsletter,
    Pick,
    Summary,
    Theme,
    ThemeId,
    clean_line,
    clean_text,
    theme_label,
)
from digest.render.addresses import anchors, content_base, page_url, web_url
from digest.render.letter import Badge, Further, Item, Section, direction
from digest.render.markdown import markdown_html
from digest.render.pictures import pictures_as_links
from digest.render.plain import markdown_text
from digest.render.words import Words

__all__ = ["Material", "badges", "level", "sections", "without_pictures"]

_TEXT_INDENT: Final = 3
_ENTRY_LEVEL: Final = 4  # items of a feed entry have headings of level 3
_AUTHORS_NAMED: Final = 4
_LINK_SCHEMES: Final = frozenset({"http", "https", "mailto"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What an edition is rendered from."""

    issue: Issue
    number: int
    summaries: Mapping[str, Summary]
    newsletter: Newsletter
    themes: tuple[Theme, ...]
    words: Words


def level(issue: Issue) -> int:
    """Give the heading level of item titles: below the sections', where there are several."""
    return 3 if len({pick.theme for pick in issue.items}) > 1 else 2


def badges(material: Material) -> Mapping[ThemeId, Badge]:
    """Give the badge of each theme of an issue, in order of first appearance.

    An undeclared theme is called by its id and is slate.
    """
    known = {theme.id: theme for theme in (OTHER, *material.themes)}
    found: dict[ThemeId, Badge] = {}
    for pick in material.issue.items:
        theme = known.get(pick.theme) or Theme(id=pick.theme, label=theme_label(pick.theme))
        label = clean_line(theme.label) or clean_line(theme.id)
        colour = theme.colour if theme.colour in COLOURS else "slate"
        badge = Badge(
            id=theme.id,
            label=label,
            colour=colour,
        )
        found.setdefault(pick.theme, badge)
    return found


def sections(material: Material) -> tuple[Section, ...]:
    """Put the items of each theme together; numbers go on from section to section.

    Raise ContentError naming each summary of the issue that is not there.
    """
    missing = [pick.id for pick in material.issue.items if pick.id not in material.summaries]
    if missing:
        raise ContentError.of(
            tuple(
                Problem(
                    what=f"there is no summary {id_}",
                    where=material.issue.key,
                    fix="put its file back, or take it out of the issue file",
                )
                for id_ in missing
            )
        )
    picked = [material.summaries[pick.id] for pick in material.issue.items]
    maker = _ItemMaker(material=material, anchors=anchors(picked), badges=badges(material))
    made: list[Section] = []
    number = 0
    for theme, badge in maker.badges.items():
        items: list[Item] = []
        for pick in material.issue.items:
            if pick.theme == theme:
                number += 1
                items.append(maker.item(pick, number))
        made.append(Section(badge=badge, items=tuple(items)))
    return tuple(made)


def without_pictures(html: str, words: Words) -> Markup:
    """Give a safe fragment as mail and page show it."""
    return Markup(pictures_as_links(html, word=escape(words.picture)))  # noqa: S704 - stays safe


@dataclass(frozen=True, slots=True, kw_only=True)
class _ItemMaker:
    material: Material
    anchors: Mapping[str, str]
    badges: Mapping[ThemeId, Badge]

    def item(self, pick: Pick, number: int) -> Item:
        summary, newsletter = self.material.summaries[pick.id], self.material.newsletter
        anchor = self.anchors[summary.id]
        base = content_base(newsletter, summary.path)
        text = clean_text(summary.summary or summary.body).strip()
        language = clean_line(summary.lang) or newsletter.language
        below = level(self.material.issue) + 1

        def html(heading_level: int, *, prefix: str) -> str:
            return markdown_html(
                text,
                base=base,
                language=language,
                heading_level=heading_level,
                prefix=prefix,
            )

        return Item(
            number=number,
            id=summary.id,
            title=clean_line(summary.title) or summary.id,
            url=web_url(summary.url, base=base) or self._place(anchor),
            anchor=anchor,
            badge=self.badges[pick.theme],
            meta=_meta(summary, newsletter, self.material.words),
            repeat=self.material.words.sent_before(pick.repeat) if pick.repeat else "",
            authors=tuple(filter(None, map(clean_line, summary.authors))),
            html=without_pictures(html(below, prefix=f"{anchor}_"), self.material.words),
            # A feed reader has no page for footnotes to jump in, and wants whole addresses.
            entry_html=Markup(html(_ENTRY_LEVEL, prefix="")),  # noqa: S704 - sanitised by markdown_html
            text=markdown_text(text, base=base, language=language, indent=_TEXT_INDENT),
            links=_links(summary, base),
            image=_image(summary, base),
            lang=language,
            dir=summary.dir or direction(language),
        )

    def _place(self, anchor: str) -> str:
        return f"{page_url(self.material.newsletter, self.material.issue.key)}#{anchor}"


def _meta(summary: Summary, newsletter: Newsletter, words: Words) -> tuple[str, ...]:
    authors = list(filter(None, map(clean_line, summary.authors)))
    if len(authors) > _AUTHORS_NAMED:
        rest = str(len(authors) - _AUTHORS_NAMED + 1)
        authors[_AUTHORS_NAMED - 1 :] = [words.and_others.replace("{n}", rest)]
        named = ", ".join(authors[:-1]) + f" {authors[-1]}"
    else:
        named = ", ".join(authors)
    day = words.day(summary.date.astimezone(newsletter.zone).date()) if summary.date else ""
    return tuple(filter(None, (clean_line(summary.source), named, day)))


def _links(summary: Summary, base: str) -> tuple[Further, ...]:
    found: list[Further] = []
    for link in summary.links:
        url = web_url(link.url, base=base, schemes=_LINK_SCHEMES)
        if url:
            found.append(Further(label=clean_line(link.label) or url, url=url))
    return tuple(found)


def _image(summary: Summary, base: str) -> Further | None:
    url = web_url(summary.image.url, base=base) if summary.image else ""
    return Further(label=clean_line(summary.image.alt), url=url) if summary.image and url else None
