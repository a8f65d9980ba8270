"""The public pages: the home page, each published issue as its edition has it, and a 404 page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Final

from digest.model import (
    OTHER,
    EditionItem,
    Newsletter,
    Published,
    Theme,
    ThemeId,
    clean_line,
    direction,
    theme_label,
)
from digest.render import TemplateSet

__all__ = ["Channel", "IssueLine", "ItemLine", "build_site"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One feed as the pages name it: `file` lies beside them, `type` is its media type."""

    name: str
    file: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLine:
    """One summary of an issue: `href` is its place on the issue's page.

    `theme` is None where the issue has the same one.
    """

    href: str
    title: str
    authors: str
    theme: Theme | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueLine:
    """One issue as the home page shows it.

    `summary` is empty where it only repeats the titles of the items, and `heading` is the theme
    where `title` does. `day` is the day of publication in the newsletter's zone. `theme` is None
    where the issue is mixed.
    """

    href: str
    number: int
    title: str
    heading: str
    summary: str
    day: date
    theme: Theme | None
    items: tuple[ItemLine, ...]


# RSS first: some readers take the first feed they meet, and two of them refuse JSON Feed.
_CHANNELS: Final = (
    Channel(name="RSS", file="rss.xml", type="application/rss+xml"),
    Channel(name="Atom", file="atom.xml", type="application/atom+xml"),
    Channel(name="JSON Feed", file="feed.json", type="application/feed+json"),
)


def build_site(
    newsletter: Newsletter,
    published: tuple[Published, ...],
    templates: TemplateSet,
    *,
    themes: tuple[Theme, ...],
) -> dict[str, bytes]:
    """Make the pages of the published issues, in whatever order they come.

    Gives `index.html`, `404.html` and for each issue `<key>.html`, the `page.html` of its edition
    unchanged, and its `pictures/<name>`; the page of a withdrawn one says so, has none, and no
    other page leads there. Pages link to each other by relative addresses, so that the folder opens
    from disk; the 404 page by absolute ones, since it answers at any depth. Raises TemplateError
    for a template that is missing or cannot be rendered.
    """
    # jinja2 loads only for a build.
    from digest.render.templates import environment, render_template  # noqa: PLC0415 - see above

    engine = environment(templates)
    by_id = {theme.id: theme for theme in themes}
    newest = _newest(published)
    lines = tuple(_issue_line(issue, newsletter, by_id) for issue in newest)
    shown = {
        "name": clean_line(newsletter.name) or newsletter.slug,
        "description": clean_line(newsletter.description),
        "language": newsletter.language,
        "direction": direction(newsletter.language),
        "site_url": newsletter.site_url,
        "channels": _CHANNELS,
        "latest": lines[0] if lines else None,
        "years": _years(lines[1:]),
    }
    pages = {f"{issue.edition.key}.html": issue.edition.files["page.html"] for issue in newest}
    for issue, day in _withdrawn(published, newsletter):
        words = {**shown, "issue": issue.edition, "withdrawn": day}
        page = render_template(engine, "withdrawn.html.j2", words)
        pages[f"{issue.edition.key}.html"] = page.encode()
    return {
        "index.html": render_template(engine, "home.html.j2", shown).encode(),
        "404.html": render_template(engine, "missing.html.j2", shown).encode(),
        **_pictures(newest),
        **pages,
    }


def _pictures(issues: Iterable[Published]) -> dict[str, bytes]:
    """Give the picture files of issues; those of one name have the same octets."""
    return {
        name: data
        for issue in issues
        for name, data in sorted(issue.edition.files.items())
        if name.startswith("pictures/")
    }


def _newest(published: Iterable[Published]) -> list[Published]:
    """Give the issues that are still out, newest first."""
    out = (issue for issue in published if issue.withdrawn is None)
    return sorted(out, key=lambda issue: (issue.at, issue.edition.key), reverse=True)


def _withdrawn(
    published: Iterable[Published], newsletter: Newsletter
) -> Iterator[tuple[Published, date]]:
    """Give the issues that were taken back, each with the day of that."""
    for issue in published:
        if issue.withdrawn is not None:
            yield issue, issue.withdrawn.astimezone(newsletter.zone).date()


def _issue_line(
    issue: Published, newsletter: Newsletter, by_id: Mapping[ThemeId, Theme]
) -> IssueLine:
    edition = issue.edition
    # `other` says nothing: such an issue is known by its title.
    theme = None if edition.theme == OTHER.id else _theme(edition.theme, by_id)
    title = clean_line(edition.title) or f"Issue {edition.number}"
    summary = clean_line(edition.summary)
    titles = [clean_line(item.title) for item in edition.items]
    href = f"{edition.key}.html"
    return IssueLine(
        href=href,
        number=edition.number,
        title=title,
        heading=theme.label if theme and title in titles[:1] else title,
        summary="" if any(map(summary.startswith, titles)) else summary,
        day=issue.at.astimezone(newsletter.zone).date(),
        theme=theme,
        items=tuple(
            _item_line(item, href, None if item.theme == edition.theme else by_id)
            for item in edition.items
        ),
    )


def _item_line(item: EditionItem, page: str, by_id: Mapping[ThemeId, Theme] | None) -> ItemLine:
    return ItemLine(
        href=f"{page}#{item.anchor}",
        title=clean_line(item.title),
        authors=", ".join(filter(None, map(clean_line, item.authors))),
        theme=_theme(item.theme, by_id) if by_id is not None else None,
    )


def _theme(theme: ThemeId, by_id: Mapping[ThemeId, Theme]) -> Theme | None:
    """Give a theme by its id, as plain as may be where it is no longer declared."""
    if not theme:
        return None
    return by_id.get(theme) or Theme(id=theme, label=theme_label(theme))


def _years(lines: Iterable[IssueLine]) -> tuple[tuple[int, tuple[IssueLine, ...]], ...]:
    return tuple((year, tuple(group)) for year, group in groupby(lines, lambda line: line.day.year))
