"""What a header links to: the page, further links, a picture."""

from __future__ import annotations

import re

from digest.content.addresses import read_address
from digest.content.fields import Fields
from digest.content.nodes import Listing, Node, Scalar, Table
from digest.model import Image, Link, clean_line

__all__ = ["read_image", "read_link", "read_links"]

_ADDRESS = ("url", "href", "link", "src")
_LABEL = ("label", "title", "text", "name")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_SHOWN = 80  # characters of a refused address that a note shows


def read_link(fields: Fields, name: str) -> str:
    """Read a key that is a web address; one that may not stand in a mail is noted and dropped."""
    return _address(fields, fields.text(name), line=fields.line(name))


def read_links(fields: Fields) -> tuple[Link, ...]:
    """Read `links`: addresses, mappings with label and url, or one mapping of label and url."""
    links = []
    for label, address, line in _pairs(fields.node("links")):
        if not isinstance(address, Scalar):
            fields.problem(
                "a link must be an address, or a label and a url",
                line=line,
                fix="write `- {label: Words, url: https://a.example/}`",
            )
        elif url := _address(fields, address.text, line=line):
            shown = clean_line(label) or re.sub(r"\A(?:https?://|mailto:)|/\Z", "", url)
            links.append(Link(label=shown, url=url))
    return tuple(links)


def read_image(fields: Fields) -> Image | None:
    """Read `image` and `image_alt`; an address without a scheme is relative to the file."""
    node, line, alt = fields.node("image"), fields.line("image"), fields.line_text("image_alt")
    if node is None:
        return None
    if isinstance(node, Table):
        inner = _first(node, ("alt",))
        alt = alt or (clean_line(inner.text) if isinstance(inner, Scalar) else "")
        node = _first(node, _ADDRESS)
    if not isinstance(node, Scalar):
        fields.problem("`image` must be an address", line=line)
        return None
    url = clean_line(node.text)
    if url.startswith("//"):
        url = f"https:{url}"
    if scheme := _SCHEME.match(url):
        web = scheme[1].lower() in {"http", "https"}
        if not web:
            fields.note(f"a picture at '{url[:_SHOWN]}' cannot be shown; left out", line=line)
        url = _address(fields, url, line=line) if web else ""
    return Image(url=url, alt=alt) if url else None


def _address(fields: Fields, text: str, *, line: int) -> str:
    """Read a web address; note and drop one that may not stand in a mail."""
    if not text.strip():
        return ""
    try:
        return read_address(text)
    except ValueError as reason:
        fields.note(f"'{clean_line(text)[:_SHOWN]}' {reason}; it is left out", line=line)
        return ""


def _pairs(node: Node | None) -> list[tuple[str, Node | None, int]]:
    """Give label, address and line of each link."""
    if isinstance(node, Table) and _first(node, _ADDRESS) is None:
        return [(label, value, value.line) for label, value in node.values.items()]
    values = node.values if isinstance(node, Listing) else (node,) if node else ()
    pairs: list[tuple[str, Node | None, int]] = []
    for value in values:
        if isinstance(value, Table):
            label = _first(value, _LABEL)
            shown = label.text if isinstance(label, Scalar) else ""
            pairs.append((shown, _first(value, _ADDRESS), value.line))
        else:
            pairs.append(("", value, value.line))
    return pairs


def _first(table: Table, names: tuple[str, ...]) -> Node | None:
    """Give the value of the first of some keys that a mapping has."""
    return next((table.values[name] for name in names if name in table.values), None)
