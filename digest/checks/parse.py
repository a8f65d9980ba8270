"""Read the HTML of an edition by a real parser; imported only where a page is read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import html
from lxml.etree import ParserError

from digest.checks.page import Anchor, Page, PictureTag
from digest.checks.wording import count_words

__all__ = ["read_page", "read_tree"]

# What these hold is for programs, not for people.
_UNSEEN = frozenset({"script", "style", "template"})
_NOT_SHOWN = _UNSEEN | {"head", "title"}
_SPOKEN = ("alt", "title", "aria-label", "href", "src", "content")
_HIDDEN = re.compile(r"(?:^|;)\s*display\s*:\s*none", re.IGNORECASE)
_STYLE_WIDTH = re.compile(r"(?:^|;)\s*(?:max-)?width\s*:\s*[0-9]", re.IGNORECASE)


def read_tree(data: bytes, *, comments: bool = False) -> html.HtmlElement | None:
    """Read UTF-8 HTML, well formed or not; None where nothing is in it but comments or blanks."""
    parser = html.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=not comments, remove_pis=not comments
    )
    try:
        return html.document_fromstring(data, parser=parser)
    except ParserError:
        return None


def read_page(data: bytes) -> Page:
    """Read UTF-8 HTML, well formed or not; comments, also those for Outlook, are set aside."""
    root = read_tree(data)
    if root is None:
        return Page()
    return Page(
        anchors=tuple(_anchor(element) for element in root.iter("a") if element.get("href")),
        pictures=tuple(_picture(element) for element in root.iter("img")),
        texts=tuple(_texts(root)),
        words=count_words(" ".join(_shown(root))),
    )


def _anchor(element: html.HtmlElement) -> Anchor:
    pictured = (image.get("alt", "") for image in element.iter("img"))
    words = " ".join([str(element.text_content()), *pictured])
    return Anchor(href=element.get("href", "").strip(), text=" ".join(words.split()))


def _picture(element: html.HtmlElement) -> PictureTag:
    width, height = element.get("width", "").strip(), element.get("height", "").strip()
    hidden = element.get("aria-hidden") == "true"
    silent = element.get("role") in {"presentation", "none"}
    return PictureTag(
        src=element.get("src", "").strip(),
        alt=element.get("alt"),
        has_width=width[:1].isdigit() or bool(_STYLE_WIDTH.search(element.get("style", ""))),
        decorative=hidden or silent or bool({width, height} & {"0", "1"}),
    )


def _texts(root: html.HtmlElement) -> Iterator[str]:
    for element in root.iter():
        if element.tag not in _UNSEEN and element.text:
            yield element.text
        if element.tail:
            yield element.tail
        for name in _SPOKEN:
            if value := element.get(name):
                yield value


def _shown(root: html.HtmlElement) -> Iterator[str]:
    """Give the texts that stand on the page."""
    hidden: set[html.HtmlElement] = set()
    for element in root.iter():
        parent, style = element.getparent(), element.get("style", "")
        if parent in hidden or element.tag in _NOT_SHOWN or _HIDDEN.search(style):
            hidden.add(element)
        elif element.text:
            yield element.text
        if element.tail and parent not in hidden:
            yield element.tail
