"""Copies of an edition's HTML for the frame: in the colours asked for, links in a new tab."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Final

from digest.checks.recolour import force_dark
from digest.desk.view import Colour
from digest.model import PICTURE_TYPES

__all__ = ["copy_of", "entry_page", "with_pictures"]

_STYLE = re.compile(rb"<style\b[^>]*>.*?</style>", re.IGNORECASE | re.DOTALL)
_MEDIA = re.compile(rb"@media\b[^{}]*\{", re.IGNORECASE)
_PREFERS = re.compile(rb"\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)", re.IGNORECASE)
_SCHEME = re.compile(rb"(?<![\w-])color-scheme\s*:[^;{}]*", re.IGNORECASE)
_META = re.compile(rb"<meta\s+name=[\"']?(?:supported-)?color-schemes?[\"']?[^>]*>", re.IGNORECASE)
_HEAD = re.compile(rb"<head\b[^>]*>", re.IGNORECASE)
_NEW_TAB: Final = b'<base target="_blank">'
# A picture of the edition itself, whichever way its file is named: on the site, beside the page,
# or as a part of the mail. Its name tells its octets, so no other picture is meant.
_OWN: Final = re.compile(
    rb"(<img\b(?:[^\"'<>]|\"[^\"]*\"|'[^']*')*?\ssrc=([\"']))"
    rb"(?:cid:|(?:[^\"'<>]*/)?pictures/)([0-9a-f]{16}\.([a-z]{3,4}))(?:@[A-Za-z0-9.-]+)?\2",
    re.IGNORECASE,
)
_TYPES: Final = {ending: media_type for media_type, ending in PICTURE_TYPES.items()}
# A condition that holds in every window, and one that holds in none.
_TRUE: Final = b"(min-width:0px)"
_FALSE: Final = b"(max-width:0px)"

# What a feed reader adds of its own, as plain as may be: text, ground and links, light and dark.
_READER: Final = {
    "light": ("#1f2328", "#ffffff", "#0b57b7"),
    "dark": ("#e7e9ec", "#1c1f24", "#8dbbff"),
}
_ENTRY: Final = """\
<!doctype html>
<html lang="{language}">
<head><base target="_blank">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: {colour}; }}
body {{ max-width: 640px; margin: 0 auto; padding: 32px 24px; background: {ground}; color: {text};
  font: 16px/26px Georgia, 'Noto Serif', serif; overflow-wrap: anywhere; }}
a {{ color: {link}; }}
h1 {{ margin: 0 0 24px; font-size: 26px; line-height: 34px; }}
h2, h3 {{ margin: 28px 0 8px; font-size: 18px; line-height: 26px; }}
img {{ max-width: 100%; height: auto; }}
pre, table {{ display: block; overflow-x: auto; }}
</style>
</head>
<body>
<h1 dir="auto">{title}</h1>
<div dir="auto">
"""
_ENTRY_END: Final = b"</div>\n</body>\n</html>\n"


def copy_of(html: bytes, *, colour: Colour) -> bytes:
    """Copy a page as a system with these colours shows it, its links to open in a new tab.

    Two things differ from the page: the conditions of its style sheets that ask for the system's
    colours are decided, and a `base` element stands first in its head. Text stays as it is, also
    where it reads like a style sheet. `forced` is an estimate of what mail programs make of the
    light colours that put their own in place of them.
    """
    if colour == "forced":
        return copy_of(force_dark(html.decode()).encode(), colour="light")

    def decide(match: re.Match[bytes]) -> bytes:
        return _TRUE if match[1].decode().lower() == colour else _FALSE

    def media(match: re.Match[bytes]) -> bytes:
        return _PREFERS.sub(decide, match[0])

    def style(match: re.Match[bytes]) -> bytes:
        return _SCHEME.sub(scheme, _MEDIA.sub(media, match[0]))

    scheme = f"color-scheme:{colour}".encode()
    decided = _STYLE.sub(style, html)
    decided = _META.sub(f'<meta name="color-scheme" content="{colour}">'.encode(), decided)
    return _HEAD.sub(lambda match: match[0] + _NEW_TAB, decided, count=1)


def entry_page(entry: bytes, *, title: str, language: str, colour: Colour) -> bytes:
    """Put the body of a feed entry into a page such as a feed reader makes of it."""
    text, ground, link = _READER["light" if colour == "light" else "dark"]
    head = _ENTRY.format(
        title=escape(title),
        language=escape(language),
        colour=colour,
        text=text,
        ground=ground,
        link=link,
    )
    return head.encode() + entry + _ENTRY_END


def with_pictures(html: bytes, files: Mapping[str, bytes]) -> bytes:
    """Put the pictures of an edition into its HTML, so that they show and nobody is asked for them.

    `files` are those of the edition. Pictures from elsewhere stay as they are.
    """

    def put_in(match: re.Match[bytes]) -> bytes:
        name, ending = match[3].decode(), match[4].decode()
        data = files.get(f"pictures/{name}")
        if data is None or ending not in _TYPES:
            return match[0]
        head = f"data:{_TYPES[ending]};base64,".encode()  # RFC 2397
        return match[1] + head + b64encode(data) + match[2]

    return _OWN.sub(put_in, html)
