"""One Markdown text in each form that an edition has of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from digest.model import Issue, Summary, clean_line, clean_text
from digest.render.addresses import content_base
from digest.render.markdown import Maths, first_words, markdown_html
from digest.render.pictures import Pictures
from digest.render.plain import markdown_text
from digest.render.tables import with_breaks

__all__ = ["Prose", "introduction_prose", "item_prose"]

_ENTRY_LEVEL: Final = 4  # items of a feed entry have headings of level 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """A text and how it is set: `base` is what its addresses are relative to."""

    text: str
    base: str
    language: str
    placing: Pictures

    def mail(self, *, level: int, prefix: str) -> Markup:
        """Set it for the mail: its highest heading `h<level>`, its ids beginning with `prefix`."""
        return with_breaks(self.placing.placed(self._html(level, prefix), "mail"))

    def page(self, *, level: int, prefix: str) -> Markup:
        """Set it for the page, its formulas as MathML, which browsers can speak."""
        html = self._html(level, prefix, maths="mathml")
        return with_breaks(self.placing.placed(html, "page"))

    def entry(self, *, level: int = _ENTRY_LEVEL) -> Markup:
        """Set it for the feed: a reader has no page for footnotes to jump in."""
        return self.placing.placed(self._html(level, ""), "entry")

    def plain(self, *, indent: int = 0) -> str:
        """Set it as plain text."""
        return markdown_text(
            self.text,
            base=self.base,
            language=self.language,
            indent=indent,
            dollars=self.placing.newsletter.dollar_maths,
            placed=lambda html: self.placing.placed(html, "text"),
        )

    def brief(self, limit: int) -> str:
        """Give its first words on one line of at most `limit` characters."""
        dollars = self.placing.newsletter.dollar_maths
        return first_words(self.text, limit=limit, language=self.language, dollars=dollars)

    def _html(self, level: int, prefix: str, *, maths: Maths = "plain") -> str:
        return markdown_html(
            self.text,
            base=self.base,
            language=self.language,
            heading_level=level,
            prefix=prefix,
            dollars=self.placing.newsletter.dollar_maths,
            maths=maths,
        )


def introduction_prose(issue: Issue, *, placing: Pictures) -> Prose:
    """Give the introduction of an issue as it is set."""
    return Prose(
        text=clean_text(issue.introduction).strip(),
        base=content_base(placing.newsletter),
        language=placing.newsletter.language,
        placing=placing,
    )


def item_prose(summary: Summary, *, placing: Pictures) -> Prose:
    """Give the text of an item as it is set: its short form where it has one."""
    return Prose(
        text=clean_text(summary.summary or summary.body).strip(),
        base=content_base(placing.newsletter, summary.path),
        language=clean_line(summary.lang) or placing.newsletter.language,
        placing=placing,
    )
