"""How large an edition is: octets, words, minutes, links."""

from __future__ import annotations

from typing import Final

from digest.desk.words import WORDS, say
from digest.publish.editions import Kept, material_from
from digest.publish.wording import count_text

__all__ = ["gmail_warning", "measured", "remote_pictures"]

_KILOBYTE: Final = 1000
_GMAIL: Final = 102 * _KILOBYTE


def measured(kept: Kept) -> tuple[str, ...]:
    """Tell what an edition measures, in a few words each."""
    from digest.checks.parse import read_page  # noqa: PLC0415 - lxml, only where a page is read

    html = kept.edition.files["issue.html"]
    words, minutes = _reading(kept)
    return (
        count_text(len(kept.edition.items), WORDS["item"]),
        count_text(words, WORDS["word"]),
        say("minutes", n=minutes),
        count_text(len(read_page(html).anchors), WORDS["link"]),
        _size(len(html)),
        say("gmail", percent=-(-100 * len(html) // _GMAIL)),
    )


def _size(octets: int) -> str:
    return f"{-(-octets // _KILOBYTE):,} kB"


def _reading(kept: Kept) -> tuple[int, int]:
    """Count words and minutes as the letter itself does: introduction and summaries."""
    from digest.render.lines import reading_minutes  # noqa: PLC0415 - as above
    from digest.render.plain import markdown_text  # noqa: PLC0415 - as above

    material = material_from(kept)
    newsletter, summaries = material.newsletter, material.summaries()
    picked = [summaries[pick.id] for pick in material.issue.items]
    texts = [
        markdown_text(text.strip(), base=newsletter.site_url, language=newsletter.language)
        for text in (
            material.issue.introduction,
            *(summary.summary or summary.body for summary in picked),
        )
    ]
    return sum(len(text.split()) for text in texts), reading_minutes(texts)


def gmail_warning(html: bytes) -> str:
    """Say what Gmail would not show of a mail; empty where it shows all."""
    over = len(html) - _GMAIL
    return say("gmail_cut", over=-(-over // _KILOBYTE)) if over > 0 else ""


def remote_pictures(html: bytes) -> int:
    """Count the pictures that would be fetched from elsewhere."""
    from digest.checks.parse import read_page  # noqa: PLC0415 - as above

    sources = (picture.src.lower() for picture in read_page(html).pictures)
    return sum(source.startswith(("http:", "https:", "//")) for source in sources)
