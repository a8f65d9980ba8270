"""The proof that no item was lost on the way: an engine or a template drops text without a word.

Each form of an issue shows the same items in the same order. In HTML each title stands in a link to
its address; in plain text the address follows the title, before the next title comes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final

from digest.errors import Problem, TemplateError
from digest.render.letter import Figure, Item, Letter

__all__ = ["prove_html", "prove_text"]

_UNSEEN: Final = frozenset({"style", "title"})
_CURE: Final = (
    "show the items of letter.sections in their order, each with its title, its link and its"
    " further links, and with its repeat and its rest where it has them"
)


class _Shown(HTMLParser):
    """Gather what HTML shows and where it leads."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.addresses: set[str] = set()
        self.links: list[tuple[str, list[str]]] = []
        self._hidden = 0
        self._in_link = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an address, and begin a link; text in style and title is not shown."""
        self._hidden += tag in _UNSEEN
        values = {name: value for name, value in attrs if value}
        self.addresses.update(values[name] for name in ("href", "src") if name in values)
        if tag == "a":
            self.links.append((values.get("href", ""), []))
            self._in_link = True

    def handle_endtag(self, tag: str) -> None:
        """End a link, or what is not shown."""
        self._hidden = max(self._hidden - (tag in _UNSEEN), 0)
        self._in_link = self._in_link and tag != "a"

    def handle_data(self, data: str) -> None:
        """Note the text."""
        if not self._hidden:
            self.words.append(data)
            if self._in_link:
                self.links[-1][1].append(data)


def prove_html(html: str, letter: Letter, *, place: str, rests: bool = False) -> None:
    """Raise TemplateError naming what HTML lacks of the items, and what it has in another order.

    With `rests` an item that was shortened must lead to the rest of it.
    """
    shown = _Shown(html)
    links = [(address, _packed("".join(words))) for address, words in shown.links]

    def find(item: Item, start: int) -> int | None:
        title = _packed(item.title)
        behind = (
            number
            for number, (address, words) in enumerate(links[start:], start=start + 1)
            if address == item.url and title in words
        )
        return next(behind, None)

    proof = _Proof(
        shown=_packed("".join(shown.words)),
        addresses=frozenset(shown.addresses),
        find=find,
        joined="in a link to",
    )
    rest = _without_rest(letter, [address for address, _ in links]) if rests else ()
    _refuse([*proof.lost(letter), *proof.misplaced(letter), *rest], place=place)


def prove_text(text: str, letter: Letter, *, place: str) -> None:
    """Raise TemplateError naming what a text lacks of the items, and what it has in another order.

    An address stands alone, or in angle brackets (RFC 3986, appendix C).
    """
    packed = _packed(text)
    places: dict[str, list[int]] = {}
    end = 0
    for word in text.split():
        end += len(word)
        places.setdefault(word.removeprefix("<").removesuffix(">"), []).append(end)

    def find(item: Item, start: int) -> int | None:
        title = _packed(item.title)
        begin = packed.find(title, start)
        ends = places.get(item.url, [])
        first = bisect_left(ends, begin + len(title) + len(item.url))
        return ends[first] if begin >= 0 and first < len(ends) else None

    proof = _Proof(shown=packed, addresses=frozenset(places), find=find, joined="followed by")
    _refuse([*proof.lost(letter), *proof.misplaced(letter)], place=place)


def _packed(text: str) -> str:
    """Take out all white space: a title may be broken into lines, one without spaces anywhere."""
    return "".join(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proof:
    """What one form shows, without white space; where it leads; and how an item is found in it."""

    shown: str
    addresses: frozenset[str]
    find: Callable[[Item, int], int | None]  # gives the place behind an item, from a place on
    joined: str

    def lost(self, letter: Letter) -> Iterator[str]:
        """Name what is nowhere in the form."""
        for item in letter.items:
            if _packed(item.title) not in self.shown:
                yield f"the title {item.title!r}"
            if _packed(item.repeat) not in self.shown:
                yield f"that {item.title!r} was sent before"
            for url in (item.url, *(link.url for link in item.links)):
                if url not in self.addresses:
                    yield f"the link {url}"
            if item.image and self.addresses.isdisjoint(_sources(item.image)):
                yield f"the link {item.image.url}"

    def misplaced(self, letter: Letter) -> Iterator[str]:
        """Name the titles that stand apart from their addresses, or before an earlier item."""
        start, before = 0, ""
        for item in letter.items:
            behind = self.find(item, start)
            if behind is not None:
                start, before = behind, item.title
            elif self.find(item, 0) is not None:
                yield f"the title {item.title!r} after {before!r}"
            elif _packed(item.title) in self.shown and item.url in self.addresses:
                yield f"the title {item.title!r} {self.joined} {item.url}"


def _sources(image: Figure) -> set[str]:
    """Give the addresses of which one must be there: the picture is shown, or led to."""
    return {image.url, image.src, image.page_src, image.entry_src} - {""}


def _without_rest(letter: Letter, addresses: Sequence[str]) -> Iterator[str]:
    for item in letter.items:
        # The title of an item without an own address leads to the same place.
        if item.rest and addresses.count(item.rest) <= (item.rest == item.url):
            yield f"the link to the rest of {item.title!r}"


def _refuse(lost: Iterable[str], *, place: str) -> None:
    """Raise TemplateError for what is lost, each thing once."""
    problems = tuple(
        Problem(what=f"the template does not show {what}", where=place, fix=_CURE)
        for what in dict.fromkeys(lost)
    )
    if problems:
        raise TemplateError.of(problems)
