"""Letters made by hand, for what looks at a letter and not at where it came from."""

from __future__ import annotations

from markupsafe import Markup

from digest.model import ThemeId
from digest.render.letter import Badge, Introduction, Item, Letter, Section

__all__ = ["PAGE", "item_of", "letter_of"]

PAGE = "https://notes.example/2026-w49.html"
_BADGE = Badge(id=ThemeId("tides"), label="Tides", colour="teal")
_NOTHING = Markup("")


def item_of(
    number: int, title: str = "", *, url: str = "", html: str = "", brief: str = ""
) -> Item:
    """Make an item: without title and address they are made of its number."""
    return Item(
        number=number,
        id=f"s{number}",
        title=title or f"Finding number {number}",
        url=url or f"https://journal.example/{number}",
        anchor=f"place-{number}",
        badge=_BADGE,
        meta=(),
        repeat="",
        authors=(),
        html=Markup(html),  # noqa: S704 - our own
        page_html=_NOTHING,
        entry_html=_NOTHING,
        text="",
        brief=brief,
        links=(),
        image=None,
        lang="en",
        dir="ltr",
    )


def letter_of(*sections: tuple[Item, ...]) -> Letter:
    """Make a letter of the items of each section."""
    return Letter(
        newsletter="",
        description="",
        sender="",
        postal_address="",
        key="2026-w49",
        number=1,
        language="en",
        dir="ltr",
        subject="",
        preheader="",
        preheader_sentence="",
        title="",
        heading="",
        summary="",
        facts=(),
        introduction=Introduction(html=_NOTHING, page_html=_NOTHING, entry_html=_NOTHING, text=""),
        sections=tuple(Section(badge=_BADGE, items=items) for items in sections),
        level=2,
        page_url=PAGE,
        site_url="https://notes.example/",
    )
