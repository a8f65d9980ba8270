"""The shipped looks, and the specimen issues made with them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from digest.model import Edition, Mailbox, Newsletter, WeeklyTime
from digest.publish.specimen import Specimen, specimens
from digest.render import TemplateSet, render_edition

__all__ = ["LOOKS", "PAPER", "SPECIMENS", "edition", "look", "specimen_edition"]

LOOKS: Final = ("default", "compact")
_TEMPLATES: Final = Path(__file__).resolve().parent.parent.parent / "templates"

PAPER: Final = Newsletter(
    name="The Harbour Letter",
    slug="harbour-letter",
    language="en",
    zone=ZoneInfo("Europe/Paris"),
    tag="letter.example,2026",
    site_url="https://letter.example/",
    sender=Mailbox(address="letter@letter.example", name="The Harbour Letter"),
    leave="leave@letter.example",
    list_id="harbour.letter.example",
    send=WeeklyTime(weekday=0, hour=9, minute=0),
    description="What the harbour found out.",
    postal_address="The Harbour Letter\n1 Quay Street\n00000 Sampleport",
)
SPECIMENS: Final = MappingProxyType({made.name: made for made in specimens(PAPER)})


@cache
def look(name: str) -> TemplateSet:
    """Give a shipped look: the files of its own folder go before the shared ones."""
    folders = [_TEMPLATES] if name == "default" else [_TEMPLATES, _TEMPLATES / name]
    files = {file.name: file for folder in folders for file in sorted(folder.glob("*.j2"))}
    return TemplateSet(
        texts={name: file.read_text("utf-8") for name, file in files.items()},
        places={
            name: file.relative_to(_TEMPLATES.parent).as_posix() for name, file in files.items()
        },
    )


def edition(specimen: Specimen, *, in_look: str) -> Edition:
    """Render a specimen issue in a look."""
    return render_edition(
        specimen.issue,
        number=specimen.number,
        summaries=specimen.summaries,
        newsletter=specimen.newsletter,
        themes=specimen.themes,
        templates=look(in_look),
        pictures=specimen.pictures,
        commits=specimen.commits,
    )


@cache
def specimen_edition(name: str, in_look: str) -> Edition:
    """Render a specimen issue by its name, once a run."""
    return edition(SPECIMENS[name], in_look=in_look)
