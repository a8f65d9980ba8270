"""The pictures of an issue: shown with their size where they are files of its own, else led to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape, unescape
from posixpath import normpath
from typing import Final, Literal
from unicodedata import normalize
from urllib.parse import unquote

from markupsafe import Markup

from digest.model import Image, Newsletter, Picture, clean_line
from digest.render.addresses import ascii_url, web_url
from digest.render.letter import Figure

__all__ = ["Form", "Pictures", "content_path", "named_in"]

Form = Literal["mail", "page", "entry", "text"]

# How the sanitiser writes: attributes in double quotes, in a regular form.
_TAG: Final = re.compile(r"<(/?)(a|img)\b((?:[^\"'<>]|\"[^\"]*\"|'[^']*')*)>")
_ATTRIBUTE: Final = re.compile(r"\s([a-z]+)=\"([^\"]*)\"")
_WIDEST: Final = 536  # pixels of the mail's 600, less 32 on each side
_NOT_IN_MAIL: Final = frozenset({"image/webp"})  # Outlook on Windows shows a cross in its place
# What a picture is told besides; the style is for looks that say nothing of pictures.
_ADDED: Final[Mapping[Form, dict[str, object]]] = {
    "mail": {"style": "border:0;max-width:100%;height:auto"},
    "page": {"loading": "lazy"},
    "entry": {},
    "text": {},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """The pictures of an issue and how they are shown: `files` by their path in the content folder.

    `word` is what a picture is called that has no words of its own; such a one is only led to.
    """

    newsletter: Newsletter
    files: Mapping[str, Picture]
    word: str

    def placed(self, html: str, form: Form) -> Markup:
        """Set the pictures of a safe fragment as one form of the issue shows them.

        Those of the issue itself are shown, those from elsewhere are links in mail and page. In the
        text all are, their words in brackets. A picture in a link stays in it.
        """
        linked = False

        def replaced(match: re.Match[str]) -> str:
            nonlocal linked
            if match[2] == "a":
                linked = not match[1] and ' href="' in match[3]
                return match[0]
            found = {name: unescape(value) for name, value in _ATTRIBUTE.findall(match[3])}
            return self._tag(found, form, linked=linked) or match[0]

        return Markup(_TAG.sub(replaced, html))  # noqa: S704 - as safe as it was

    def _tag(self, found: Mapping[str, str], form: Form, *, linked: bool) -> str:
        """Write the tag of a picture, or the words that lead to it; empty to leave it as it is."""
        source, alt = found.get("src", ""), clean_line(found.get("alt", ""))
        picture = self._own(source)
        if picture is None and form == "entry":
            return ""
        shown = self._source(picture, form) if picture and alt and form != "text" else ""
        if picture and shown:
            width, height = _size(picture, found, limit=_WIDEST if form == "mail" else 0)
            return _written(
                {"src": shown, "alt": alt, "width": width, "height": height}
                | {name: found[name] for name in ("title", "lang", "dir") if name in found}
                | _ADDED[form]
            )
        words = escape(f"[{alt or self.word}]" if form == "text" else alt or self.word, quote=False)
        target = self._public(picture) if picture else source
        return words if linked or not target else f'<a href="{escape(target)}">{words}</a>'

    def figure(self, image: Image | None, *, base: str) -> Figure | None:
        """Give the picture of an item; None for one that has none, or one that leads nowhere."""
        url = web_url(image.url, base=base) if image else ""
        if image is None or not url:
            return None
        label, picture = clean_line(image.alt), self._own(url)
        if picture is None:
            return Figure(label=label, url=url, entry_src=url)
        if not label:
            return Figure(label=label, url=self._public(picture))
        width, height = _size(picture, {}, limit=_WIDEST)
        return Figure(
            label=label,
            url=self._public(picture),
            src=self._source(picture, "mail"),
            page_src=self._source(picture, "page"),
            entry_src=self._source(picture, "entry"),
            width=width,
            height=height,
        )

    def _own(self, url: str) -> Picture | None:
        return self.files.get(content_path(url, site=ascii_url(self.newsletter.site_url)))

    def _public(self, picture: Picture) -> str:
        return f"{ascii_url(self.newsletter.site_url)}pictures/{picture.name}"

    def _source(self, picture: Picture, form: Form) -> str:
        """Tell what one form of the issue loads a picture from; empty where it only leads there."""
        if form == "page":
            return f"pictures/{picture.name}"
        if form == "entry":
            return self._public(picture)
        if picture.media_type in _NOT_IN_MAIL or self.newsletter.images == "none":
            return ""
        if self.newsletter.images == "cid":
            return f"cid:{picture.name}@{self.newsletter.sender.domain}"  # RFC 2392
        return self._public(picture)


def content_path(url: str, *, site: str) -> str:
    """Give the path in the content folder, in NFC, that an absolute address means.

    Empty for one that is not below `site`, at which the content folder is taken to stand.
    """
    if not url.startswith(site):
        return ""
    written = re.split("[?#]", url[len(site) :], maxsplit=1)[0]
    return normalize("NFC", normpath(unquote(written))) if written else ""


def named_in(html: str) -> list[str]:
    """Give the addresses of the pictures of a safe fragment, in their order."""
    tags = (dict(_ATTRIBUTE.findall(tag[3])) for tag in _TAG.finditer(html) if tag[2] == "img")
    return [unescape(found["src"]) for found in tags if "src" in found]


def _size(picture: Picture, asked: Mapping[str, str], *, limit: int) -> tuple[int, int]:
    """Give width and height as shown: as asked for, in proportion, and no wider than the limit."""
    width = float(asked.get("width") or 0)
    if not width and asked.get("height"):
        width = int(asked["height"]) * picture.width / picture.height
    width = width or picture.width
    width = min(width, limit) if limit else width
    return max(round(width), 1), max(round(width * picture.height / picture.width), 1)


def _written(attributes: Mapping[str, object]) -> str:
    pairs = "".join(f' {name}="{escape(str(value))}"' for name, value in attributes.items())
    return f"<img{pairs} />"
