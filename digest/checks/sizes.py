"""How much of the HTML of a mail each item takes; imported only where a page is read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from lxml import etree, html

from digest.checks.parse import read_tree
from digest.model import EditionItem

__all__ = ["item_sizes"]

# What belongs to the whole mail: an item's part never reaches over one of these.
_WHOLE: Final = ("h1", "body", "head")


def item_sizes(text: str, items: Sequence[EditionItem]) -> dict[str, int]:
    """Give the octets of HTML that each item takes, by its id, in the order of the items.

    An item's part is the largest element in which its title link stands and no other title does,
    nor the title of the mail. An item whose title link is not found is left out. The octets are
    counted in UTF-8 as the parser writes them: not to the last octet those of the mail.
    """
    root = read_tree(text.encode(), comments=True)
    if root is None:
        return {}
    titles = _titles(root, items)
    shared = [*titles.values(), *root.iter(*_WHOLE)]
    above: dict[html.HtmlElement, int] = {}
    for element in shared:
        for ancestor in (element, *element.iterancestors()):
            above[ancestor] = above.get(ancestor, 0) + 1
    return {name: _octets(_part(title, above)) for name, title in titles.items()}


def _titles(root: html.HtmlElement, items: Sequence[EditionItem]) -> dict[str, html.HtmlElement]:
    """Find the title link of each item: its address and its words, after the one before."""
    links = [(link.get("href", ""), _bare(link), link) for link in root.iter("a")]
    found: dict[str, html.HtmlElement] = {}
    for item in items:
        title = "".join(item.title.split())
        for place, (address, words, link) in enumerate(links):
            if address == item.url and words == title:
                found[item.id] = link
                del links[: place + 1]
                break
    return found


def _bare(link: html.HtmlElement) -> str:
    return "".join(str(link.text_content()).split())


def _part(title: html.HtmlElement, above: dict[html.HtmlElement, int]) -> html.HtmlElement:
    part = title
    for ancestor in takewhile(lambda one: above[one] == 1, title.iterancestors()):
        part = ancestor
    return part


def _octets(part: html.HtmlElement) -> int:
    return len(etree.tostring(part, encoding="utf-8", method="html", with_tail=False))
