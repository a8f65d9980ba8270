"""Tags put in order before a sanitiser reads them: each closed in turn, none too deep.

A browser's parser (HTML Living Standard §13.2.6) opens elements again that were closed in the wrong
order, once in each later paragraph: a page of 80 KB can grow to one of 18 MB. Here that repair is
made unnecessary in one pass. Safety does not hang on it: the sanitiser reads what comes out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from digest.render.elements import BLOCKS, CELLS, GROUPS, IN_TABLE, KNOWN, LISTS, PAGE, RAW, VOID

__all__ = ["DEEPEST", "put_in_order"]

DEEPEST: Final = 48

# What starts here and is no text. Quotes hide a ">" only after "="; nothing is tried twice.
_MARK: Final = re.compile(
    r"""<(?:(?P<comment>!--)
        |(?P<other>[!?]|/(?![A-Za-z]))
        |(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9:._-]*+)(?=[\s/>])
         (?P<rest>(?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+)*+)>)""",
    re.VERBOSE,
)
_UNFINISHED: Final = 20  # tags without an end; each of them was searched for up to the end
_TABLE: Final = frozenset({"table"})
_ROWS: Final = frozenset({"tr"})
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
# What a start tag ends, and the elements beyond which it ends nothing.
_ENDS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = MappingProxyType(
    {
        **dict.fromkeys(BLOCKS, (frozenset({"p"}), CELLS | _TABLE)),
        **dict.fromkeys(_HEADINGS, (_HEADINGS, CELLS | _TABLE)),
        "li": (frozenset({"li"}), LISTS | CELLS | _TABLE),
        **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd"}), frozenset({"dl"}) | CELLS)),
        **dict.fromkeys(CELLS, (CELLS, _TABLE)),
        "tr": (_ROWS | {"caption"}, _TABLE),
        **dict.fromkeys(GROUPS, (GROUPS | {"caption"}, _TABLE)),
        "a": (frozenset({"a"}), CELLS | _TABLE),
    }
)


@dataclass(slots=True, kw_only=True)
class _Order:
    """What was written, and which elements are open in it; a dropped one is not among them."""

    out: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    strange: set[str] = field(default_factory=set)  # unknown elements with attributes

    def start(self, name: str, tag: str) -> None:
        for ends, stops in filter(None, [_ENDS.get(name), _ENDS["p"] if name in BLOCKS else None]):
            self.end(ends, stops)
        misplaced = bool(self.open) and (
            self.open[-1] in _TABLE | GROUPS | _ROWS and name not in IN_TABLE
        )
        if name in VOID:
            self.out.append(tag)
        elif not misplaced and len(self.open) < DEEPEST:
            self.out.append(tag)
            self.open.append(name)

    def end(self, names: frozenset[str], stops: frozenset[str]) -> None:
        """Close the innermost of some elements and all in it, unless a stop lies between."""
        for place in range(len(self.open) - 1, -1, -1):
            if self.open[place] in names:
                self.out.extend(f"</{name}>" for name in reversed(self.open[place:]))
                del self.open[place:]
                return
            if self.open[place] in stops:
                return

    def unknown(self, name: str, mark: re.Match[str]) -> None:
        """Take what is no element of HTML for text, unless attributes show it for a tag."""
        if mark["rest"].strip(" \n\t/"):
            self.strange.add(name)
        elif name not in self.strange:
            self.out.append("&lt;" + mark[0][1:-1] + "&gt;")


def put_in_order(html: str) -> str:
    """Write HTML again with every element closed in turn and none deeper than `DEEPEST`.

    Tags that are too deep go, their text stays. A mark that is no HTML, `Vec<T>`, and the start
    of a tag or comment without an end become text. Comments and elements of raw text go.
    """
    order = _Order()
    place, unfinished = 0, 0
    while (less := html.find("<", place)) >= 0:
        order.out.append(html[place:less])
        mark = _MARK.match(html, less) if unfinished < _UNFINISHED else None
        after = _after(html, mark, order=order) if mark else -1
        if after < 0:
            unfinished += bool(re.match("<[A-Za-z/!]", html[less : less + 2]))
            order.out.append("&lt;")
        place = less + 1 if after < 0 else after
    order.out.append(html[place:])
    order.out.extend(f"</{name}>" for name in reversed(order.open))
    return "".join(order.out)


def _after(html: str, mark: re.Match[str], *, order: _Order) -> int:
    """Take one mark and tell where the text after it begins; negative where it has no end."""
    if mark["name"] is None:
        closer = "-->" if mark["comment"] else ">"
        found = html.find(closer, mark.end())
        return found + len(closer) if found >= 0 else -1
    name = mark["name"].lower()
    if name in RAW:
        return mark.end() if mark["close"] else _after_raw(html, name, mark.end())
    if name not in KNOWN:
        order.unknown(name, mark)
    elif name in PAGE:
        pass
    elif mark["close"]:
        order.end(frozenset({name}), frozenset() if name in IN_TABLE | _TABLE else CELLS | _TABLE)
    else:
        order.start(name, mark[0])
    return mark.end()


def _after_raw(html: str, name: str, place: int) -> int:
    closer = re.compile(f"</{name}[^>]*+>", re.IGNORECASE).search(html, place)
    return closer.end() if closer else len(html)
