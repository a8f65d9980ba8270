"""Find the features of HTML and CSS that a mail uses; imported only where one is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from digest.checks.parse import read_tree
from digest.checks.support_css import css_features
from digest.checks.support_names import (
    ATTRIBUTES,
    BUTTONS,
    ELEMENTS,
    INPUTS,
    picture_features,
)

__all__ = ["html_features"]

_DOCTYPE: Final = re.compile(r"\s*<!doctype\s+html\b", re.IGNORECASE)
_BODY: Final = re.compile(r"<body\b", re.IGNORECASE)


def html_features(text: str) -> Iterator[tuple[str, int]]:
    """Give each feature that HTML uses, with its line, as often as it is used.

    Comments, also those for Outlook, are set aside.
    """
    root = read_tree(text.encode())
    if root is None:
        return
    if _DOCTYPE.match(text):
        yield "html-doctype", 1
    implied = "" if _BODY.search(text) else "body"
    for element in root.iter():
        line: int = element.sourceline or 1
        if element.tag != implied:
            held = {str(name): str(value) for name, value in element.attrib.items()}
            yield from ((feature, line) for feature in _element(element.tag, held))
        yield from _styled(element.get("style"), line)
        if element.tag == "style":
            yield from _styled(element.text, line)


def _styled(css: str | None, line: int) -> Iterator[tuple[str, int]]:
    """Give the features of CSS that stands behind a line."""
    yield from ((feature, line + further) for feature, further in css_features(css or ""))


def _element(tag: str, attributes: Mapping[str, str]) -> Iterator[str]:
    """Give the features of an element and of its attributes, but for its style."""
    yield ELEMENTS.get(tag, "")
    yield from (ATTRIBUTES.get(name, "") for name in attributes)
    kind = attributes.get("type", "").strip().lower()
    if tag == "input":
        yield f"html-input-{kind if kind in INPUTS else 'text'}"
    elif tag == "button":
        yield f"html-button-{kind if kind in BUTTONS else 'submit'}"
    elif tag == "meta" and attributes.get("name", "").strip().lower() == "color-scheme":
        yield "html-meta-color-scheme"
    elif tag == "img":
        yield from picture_features(attributes.get("src", ""))
    elif tag in {"a", "area"}:
        yield from _target(attributes.get("href", "").strip())
    yield from picture_features(attributes.get("background", ""))


def _target(href: str) -> Iterator[str]:
    if href.startswith("#"):
        yield "html-anchor-links"
    elif href[:7].lower() == "mailto:":
        yield "html-mailto-links"
