"""How large an edition is: octets, words, minutes, links."""

from __future__ import annotations

from digest.desk.words import WORDS, say
from digest.model.limits import GMAIL, kilobytes
from digest.publish.editions import Kept, Material
from digest.publish.wording import count_text

__all__ = ["gmail_warning", "measured", "remote_pictures"]


def measured(kept: Kept, material: Material) -> tuple[str, ...]:
    """Tell what an edition measures, in a few words each."""
    from digest.checks.parse import read_page  # noqa: PLC0415 - lxml, only where a page is read
    from digest.render.reading import count_reading  # noqa: PLC0415 - reads Markdown, as above

    html = kept.edition.files["issue.html"]
    reading = count_reading(
        material.issue, summaries=material.summaries(), newsletter=material.newsletter
    )
    return (
        count_text(len(kept.edition.items), WORDS["item"]),
        count_text(reading.words, WORDS["word"]),
        say("minutes", n=reading.minutes),
        count_text(len(read_page(html).anchors), WORDS["link"]),
        kilobytes(len(html)),
        say("gmail", percent=-(-100 * len(html) // GMAIL)),
    )


def gmail_warning(html: bytes) -> str:
    """Say what Gmail would not show of a mail; empty where it shows all."""
    over = len(html) - GMAIL
    return say("gmail_cut", shown=kilobytes(GMAIL), over=kilobytes(over)) if over > 0 else ""


def remote_pictures(html: bytes) -> int:
    """Count the pictures that would be fetched from elsewhere."""
    from digest.checks.parse import read_page  # noqa: PLC0415 - as above

    sources = (picture.src.lower() for picture in read_page(html).pictures)
    return sum(source.startswith(("http:", "https:", "//")) for source in sources)
