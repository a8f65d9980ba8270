"""Ask whether the links of an edition answer, and remember for a week which did."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag

from digest.errors import FilesError
from digest.files import read_bytes, write_file
from digest.links import Known, LinkWatch, check_links, memory_bytes, read_memory
from digest.model import LinkState
from digest.publish.editions import Kept, material_from
from digest.publish.project import Project

__all__ = ["ask_links", "links_of"]

_PARTS = ("issue.html", "page.html")  # what is too long for the mail stands on the page


def ask_links(
    project: Project, kept: Kept, *, now: datetime, watch: LinkWatch
) -> Mapping[str, LinkState]:
    """Ask the targets of an edition's links and give the state of each by its address.

    What answered well in the last 7 days is not asked again: `private/links.json` remembers it,
    also where the asking is broken off.
    """
    urls = links_of(kept, site_url=material_from(kept).newsletter.site_url)
    file = project.private / "links.json"
    known = _remembered(file, project.root, now=now)
    states: dict[str, LinkState] = {}
    try:
        for state in check_links(urls, watch=watch, known=known):
            states[state.url] = state
    finally:
        # What was known already keeps the time at which it was asked.
        new = {urldefrag(url).url: Known(state=one, at=now) for url, one in states.items()}
        with suppress(FilesError, OSError):  # who may only read may ask all the same
            project.private.mkdir(mode=0o700, exist_ok=True)
            write_file(file, memory_bytes({**new, **known}), root=project.root, mode=0o600)
    return states


def _remembered(file: Path, root: Path, *, now: datetime) -> dict[str, Known]:
    with suppress(FilesError):
        return read_memory(read_bytes(file, root=root), now=now)
    return {}


def links_of(kept: Kept, *, site_url: str) -> tuple[str, ...]:
    """Give the web addresses that an edition leads to, each once, in the order of mail and page.

    Those of the newsletter's own site are left out: it may not be there yet.
    """
    reader = _Reader()
    for name in _PARTS:
        reader.feed(kept.edition.files[name].decode())
    reader.close()
    return tuple(
        url
        for url in dict.fromkeys(reader.found)
        if url.lower().startswith(("http:", "https:")) and not url.startswith(site_url)
    )


class _Reader(HTMLParser):
    """Collects where the links of HTML lead."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the address of a link."""
        if tag in {"a", "area"}:
            self.found += [value.strip() for name, value in attrs if name == "href" and value]
