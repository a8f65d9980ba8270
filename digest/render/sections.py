"""The items of an issue, theme by theme, as templates see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from digest.errors import ContentError, Problem
from digest.model import (
    COLOURS,
    OTHER,
    Issue,
    Newsletter,
    Pick,
    Picture,
    Summary,
    Theme,
    ThemeId,
    clean_line,
    direction,
    theme_label,
)
from digest.render.addresses import anchors, page_url, source_url, web_url
from digest.render.letter import Badge, Further, Item, Section
from digest.render.pictures import Pictures
from digest.render.prose import item_prose
from digest.render.words import Words

__all__ = ["TEXT_INDENT", "Material", "badges", "level", "sections"]

TEXT_INDENT: Final = 3  # of an item's plain text, in columns
_AUTHORS_NAMED: Final = 4
_BRIEF: Final = 140  # characters: two lines of a letter
_LINK_SCHEMES: Final = frozenset({"http", "https", "mailto"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What an edition is rendered from.

    `pictures` are the files that it shows, `commits` the commits that last changed the summaries'
    files; both by path in the content folder.
    """

    issue: Issue
    number: int
    summaries: Mapping[str, Summary]
    newsletter: Newsletter
    themes: tuple[Theme, ...]
    words: Words
    pictures: Mapping[str, Picture]
    commits: Mapping[str, str]

    @property
    def placing(self) -> Pictures:
        """Give what sets the pictures."""
        return Pictures(newsletter=self.newsletter, files=self.pictures, word=self.words.picture)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _ItemMaker:
    material: Material
    anchors: Mapping[str, str]
    badges: Mapping[ThemeId, Badge]

    def item(self, pick: Pick, number: int) -> Item:
        summary, newsletter = self.material.summaries[pick.id], self.material.newsletter
        anchor = self.anchors[summary.id]
        below, prefix = level(self.material.issue) + 1, f"{anchor}_"
        commit = self.material.commits.get(summary.path, "")
        prose = item_prose(summary, placing=self.material.placing)
        return Item(
            number=number,
            id=summary.id,
            title=clean_line(summary.title) or summary.id,
            url=web_url(summary.url, base=prose.base) or self._place(anchor),
            anchor=anchor,
            badge=self.badges[pick.theme],
            meta=_meta(summary, newsletter, self.material.words),
            repeat=self.material.words.sent_before(pick.repeat) if pick.repeat else "",
            authors=tuple(filter(None, map(clean_line, summary.authors))),
            html=prose.mail(level=below, prefix=prefix),
            page_html=prose.page(level=below, prefix=prefix),
            entry_html=prose.entry(),
            text=prose.plain(indent=TEXT_INDENT),
            brief=prose.brief(_BRIEF),
            links=_links(summary, prose.base),
            image=prose.placing.figure(summary.image, base=prose.base),
            lang=prose.language,
            dir=summary.dir or direction(prose.language),
            path=summary.path,
            commit=commit,
            source_url=source_url(newsletter, summary.path, commit=commit),
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
