"""The proof that no item was lost on the way: an engine or a template drops text without a word."""

from __future__ import annotations

from html.parser import HTMLParser

from digest.errors import Problem, TemplateError
from digest.render.letter import Letter

__all__ = ["prove_html", "prove_text"]


class _Shown(HTMLParser):
    """Gather what HTML shows and where it leads."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.links: set[str] = set()
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link's address; text in style and title is not shown."""
        self._hidden += tag in {"style", "title"}
        self.links.update(value for name, value in attrs if name in {"href", "src"} and value)

    def handle_endtag(self, tag: str) -> None:
        """Leave what is not shown."""
        self._hidden -= tag in {"style", "title"}

    def handle_data(self, data: str) -> None:
        """Note the text."""
        if not self._hidden:
            self.words.append(data)


def prove_html(html: str, letter: Letter, *, place: str) -> None:
    """Raise TemplateError naming what the HTML lacks: titles, marks of repeats, links, pictures."""
    shown = _Shown()
    shown.feed(html)
    shown.close()
    _prove("".join(shown.words), letter, place=place, links=shown.links)


def prove_text(text: str, letter: Letter, *, place: str) -> None:
    """Raise TemplateError naming what the text lacks: titles, marks of repeats, links, pictures."""
    _prove(text, letter, place=place, links=set(text.split()))


def _prove(text: str, letter: Letter, *, place: str, links: set[str]) -> None:
    # A title may be broken into lines, and one without spaces anywhere.
    shown = "".join(text.split())
    lost = [
        Problem(what=f"the template does not show {what}", where=place, fix=_CURE)
        for what, found in _wanted(letter, shown, links)
        if not found
    ]
    if lost:
        raise TemplateError.of(tuple(lost))


_CURE = (
    "show every item of letter.sections with its title, its link and its further links, and with"
    " its repeat where it has one"
)


def _wanted(letter: Letter, shown: str, links: set[str]) -> list[tuple[str, bool]]:
    wanted: list[tuple[str, bool]] = []
    for item in letter.items:
        wanted.append((f"the title {item.title!r}", "".join(item.title.split()) in shown))
        mark = "".join(item.repeat.split())
        wanted.append((f"that {item.title!r} was sent before", mark in shown))
        further = [*item.links, item.image] if item.image else item.links
        addresses = [item.url, *(link.url for link in further)]
        wanted += [(f"the link {url}", url in links) for url in addresses]
    return wanted
