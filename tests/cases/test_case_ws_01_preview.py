"""WS-01: no text of a person runs as a template, on the pages of the desk either."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import html5lib
from cases.forms import tree_text, words
from cases.inputs import both, in_content, typed
from desk.visiting import Visitor, visiting

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = "2027-01-18T10:00:00+01:00"
_PAGE = "/issues/2027-w03"
_FORMS = ("desktop", "phone", "text", "source", "headers", "page", "feed")
_FRAMES = ("issue.html", "page.html", "entry.html")
_OURS = {
    "mill.md": '---\ntitle: "Ebb {{ 7*7 }} {% if x %} and {# gone #} [[leave_url]]"\n'
    'theme: "{{ self.__init__ }}"\nurl: https://braces.example/{{y}}\ndate: 2027-01-12\n'
    'author: "{{ cycler.__init__ }}"\nsource: "{{ lipsum }}"\n---\n\n'
    "Turn `{{ 7*7 }}` here. {% for a in range(200000000) %}b{% endfor %}\n\n"
    "{{ ''.__class__.__mro__ }} and {% include 'base.html.j2' %} and {{ words.skip }}\n\n"
    "${7*7} #{7*7} <%= 7*7 %> and {{{7*7}}} and {{ newsletter.sender }}\n"
}
_RESULTS = ("<class", "object at 0x", "Undefined", "<built-in", "bbbb")


def _shown(visitor: Visitor, path: str) -> str:
    """Give what a page says of the issue: its lengths and sizes, numbers of ours, are set aside."""
    answer = visitor.get(path)
    assert answer.status == 200
    body = html5lib.parse(answer.text, namespaceHTMLElements=False).find("body")
    assert isinstance(body, ET.Element)
    for parent in list(body.iter()):
        for child in list(parent):
            if child.tag == "dt" or child.get("class", "").startswith("facts"):
                parent.remove(child)
    return words(tree_text(body))


@both("WS-01", _OURS)
def test_ws_01_the_preview_shows_braces_as_typed(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Title and text keep their braces on the page of the issue and in each frame."""
    [data] = files.values()
    title = typed(data, "title")
    body = data.decode().split("\n---\n", 1)[1].replace("`", "")
    paragraphs = [words(part) for part in body.split("\n\n") if part.strip()]
    root = newsletter(in_content(files))
    assert digest("-C", root, "build", "--now", _NOW)[0] == 0
    with visiting(root, now=_NOW) as visitor:
        pages = [_shown(visitor, f"{_PAGE}?view={form}") for form in _FORMS]
        frames = [_shown(visitor, f"{_PAGE}/frame/{name}") for name in _FRAMES]
        home = _shown(visitor, "/")

    for page in (*pages, *frames, home):
        assert title in page
    # The form in plain text stands on the page itself, without a frame.
    for shown in (*frames, pages[_FORMS.index("text")]):
        for paragraph in paragraphs:
            assert paragraph in shown


@both("WS-01", _OURS)
def test_ws_01_the_preview_computes_nothing(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Nowhere on the desk stands a result, nor anything that an object of Python is written as."""
    root = newsletter(in_content(files))
    assert digest("-C", root, "build", "--now", _NOW)[0] == 0
    paths = [f"{_PAGE}?view={form}" for form in _FORMS]
    paths += ["/", *(f"{_PAGE}/frame/{name}?colour=dark" for name in _FRAMES)]
    with visiting(root, now=_NOW) as visitor:
        shown = [_shown(visitor, path) for path in paths]

    for path, text in zip(paths, shown, strict=True):
        assert not re.search(r"\b(?:49|42)\b", text), path
        for sign in _RESULTS:
            assert sign not in text, path
