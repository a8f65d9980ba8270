"""How much of the HTML of a mail each item takes; imported only where a page is read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import dropwhile, islice, takewhile
from typing import Final

from lxml import etree, html

from digest.checks.parse import read_tree
from digest.model import EditionItem

__all__ = ["introduction_size", "item_sizes"]

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
    above = _above(root, titles)
    return {name: _octets(_part(title, above)) for name, title in titles.items()}


def introduction_size(text: str, items: Sequence[EditionItem]) -> int:
    """Give the octets of HTML between the title of a mail and its first item, counted as those.

    A line of facts and the heading of a section count too. 0 where either title is not found.
    """
    root = read_tree(text.encode(), comments=True)
    heading = None if root is None else next(root.iter("h1"), None)
    titles = {} if root is None else _titles(root, items)
    if root is None or heading is None or not titles:
        return 0
    first = next(iter(titles.values()))
    around = {*heading.iterancestors(), *first.iterancestors()}
    part = _part(first, _above(root, titles))
    between = takewhile(lambda one: one is not part, root.iter(etree.Element))
    behind = dropwhile(lambda one: one is not heading, between)
    # Of what stands there the outermost elements, which hold the others.
    return sum(_octets(one) for one in islice(behind, 1, None) if _is_outermost(one, around))


def _is_outermost(element: html.HtmlElement, around: Collection[html.HtmlElement]) -> bool:
    return element not in around and element.getparent() in around


def _above(
    root: html.HtmlElement, titles: Mapping[str, html.HtmlElement]
) -> dict[html.HtmlElement, int]:
    """Count for each element the titles that stand in it, those of items and of the mail."""
    above: dict[html.HtmlElement, int] = {}
    for element in (*titles.values(), *root.iter(*_WHOLE)):
        for ancestor in (element, *element.iterancestors()):
            above[ancestor] = above.get(ancestor, 0) + 1
    return above


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
