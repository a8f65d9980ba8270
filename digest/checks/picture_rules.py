"""Rules that look at the pictures of the issue."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Final
from urllib.parse import unquote

from digest.checks.finding import Hit, Seen
from digest.checks.places import file_of, file_of_picture
from digest.model import KILOBYTE, kilobytes

__all__ = ["broken_picture", "heavy_picture", "picture_without_alt"]

_MOST: Final = 200 * KILOBYTE


def picture_without_alt(seen: Seen) -> Iterator[Hit]:
    """D109: a picture without words for those who do not see it."""
    told = {
        (seen.summary_file(summary), summary.image.url)
        for summary in seen.items()
        if summary.image is not None and not summary.image.alt.strip()
    }
    for path, source in (*_silent(seen), *_led_to(seen)):
        # What a header names without words is shown without them, by another address.
        if not any(path == known and _name(url) == _name(source) for known, url in told):
            told.add((path, source))
    for path, source in sorted(told):
        yield Hit(path=path, message=f"the picture {source} has no alternative text")


def _name(address: str) -> str:
    return unquote(address).rpartition("/")[2]


def _silent(seen: Seen) -> Iterator[tuple[str, str]]:
    """Give the pictures that a part shows without words, each after the file that names it."""
    for picture in (*seen.mail.pictures, *seen.page.pictures, *seen.entry.pictures):
        if not picture.decorative and not (picture.alt or "").strip():
            yield file_of(seen, picture.src), picture.src


def _led_to(seen: Seen) -> Iterator[tuple[str, str]]:
    """Give the issue's own pictures that its page only leads to, for want of words in a text.

    Inside a link even that is not possible: then no part names the picture. What headers name is
    asked above: a look may do without the pictures of items.
    """
    headers = {
        normpath(join(dirname(summary.path), unquote(summary.image.url)))
        for summary in seen.items()
        if summary.image
    }
    edition = seen.material.edition
    targets = {_name(anchor.href) for anchor in seen.page.anchors}
    parts = [data for name, data in edition.files.items() if "/" not in name]
    for path, picture in seen.material.pictures.items():
        nowhere = f"pictures/{picture.name}" in edition.files and not any(
            picture.name.encode() in part for part in parts
        )
        if (nowhere or picture.name in targets) and path not in headers:
            yield file_of_picture(seen, path), path


def heavy_picture(seen: Seen) -> Iterator[Hit]:
    """D110: a picture that takes long to load, or that mail programs may show at any width."""
    for path, picture in sorted(seen.material.pictures.items()):
        size = len(picture.data)
        if size > _MOST:
            told = f"the picture {path} has {kilobytes(size)}, more than {kilobytes(_MOST)}"
            yield Hit(path=file_of_picture(seen, path), message=told)
    wide = (picture.src for picture in seen.mail.pictures if not picture.has_width)
    for source in dict.fromkeys(wide):
        if not source.lower().startswith("data:"):
            told = f"the mail shows the picture {source} without a width"
            yield Hit(path=file_of(seen, source), message=told)


def broken_picture(seen: Seen) -> Iterator[Hit]:
    """D124: a picture that cannot be shown."""
    for path, reason in sorted(seen.material.broken.items()):
        told = f"the picture {path} cannot be shown: {reason}"
        yield Hit(path=file_of_picture(seen, path), message=told)
