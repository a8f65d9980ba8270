"""One issue, rendered: the mail's HTML and text, the web page, and the body of a feed entry."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from digest.model import Edition, Issue, Newsletter, Picture, Summary, Theme
from digest.render.template_set import TemplateSet

__all__ = ["TemplateSet", "render_edition"]


def render_edition(  # noqa: PLR0913 - what an edition is made of, all by name
    issue: Issue,
    *,
    number: int,
    summaries: Mapping[str, Summary],
    newsletter: Newsletter,
    themes: tuple[Theme, ...],
    templates: TemplateSet,
    pictures: Mapping[str, Picture] = MappingProxyType({}),
    commits: Mapping[str, str] = MappingProxyType({}),
) -> Edition:
    """Render an issue; equal inputs give equal bytes.

    `summaries` maps ids to summaries and may hold more than the issue's; `pictures` and `commits`
    are by path in the content folder. The edition's files are `issue.html`, `issue.txt`,
    `page.html` and `entry.html`: UTF-8, LF, one line feed at the end, merge fields filled in with
    what holds for everybody; and `pictures/<name>` for each of the pictures.

    Raise TemplateError for a template that cannot be rendered (with file and line) or that loses
    an item, ContentError for summaries that are missing, ConfigError for a subject or preheader
    template that cannot be rendered.
    """
    from digest.render.edition import render  # noqa: PLC0415 - loads the engines, for a build only

    return render(
        issue,
        number=number,
        summaries=summaries,
        newsletter=newsletter,
        themes=themes,
        templates=templates,
        pictures=pictures,
        commits=commits,
    )
