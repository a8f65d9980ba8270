"""Generated documents through the whole pipeline: none crashes it, loses its title, or does harm.

A thousand of them, or as many as DIGEST_FUZZ says. They are the same in each run, and a failure
names the seed of its issue.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html
from render.authors import Author

from digest.model import Edition, Issue, Newsletter, Summary, clean_line

Build = Callable[..., Edition]
Write = Callable[..., list[Summary]]
_BATCH = 25  # documents of one issue: what is the same for all of them costs the most
_COUNT = int(os.environ.get("DIGEST_FUZZ", "1000"))


@pytest.fixture(scope="session")
def published(
    build: Build, paper: Newsletter, make_issue: Callable[..., Issue]
) -> Callable[..., Edition]:
    """Give what renders documents as one issue, in settings that an author chooses."""

    def render(documents: Sequence[Summary], author: Author) -> Edition:
        newsletter = replace(
            paper,
            dollar_maths=author.chance(0.5),
            images=author.one(["link", "cid", "none"]),
            budget=int(author.one(["0", "20000", "90000"])),
        )
        themes = (author.one(["tides", "boats"]) for _ in documents)
        issue = make_issue(*themes, introduction=author.body() if author.chance(0.5) else "")
        return build(issue=issue, summaries=documents, newsletter=newsletter)

    return render


@pytest.mark.parametrize("seed", range(-(-_COUNT // _BATCH)))
def test_generated_documents_do_no_harm(
    seed: int,
    *,
    published: Callable[..., Edition],
    make_summary: Callable[..., Summary],
) -> None:
    """No crash, no lost title, well-formed output, and nothing in it that acts or loads."""
    author = Author(f"digest {seed}")
    documents = [author.summary(make_summary(number)) for number in range(1, _BATCH + 1)]
    _judge(published(documents, author), documents)


_PIECES = st.text(max_size=30) | st.sampled_from(
    [
        "<b>",
        "</p>",
        "<!--",
        "-->",
        "]]>",
        "<script>",
        "\\(",
        "\\)",
        "$",
        "`",
        "[^1]",
        "\n\n",
        "\x00",
    ]
)
_TEXTS = st.lists(_PIECES, max_size=12).map("".join)


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.tuples(_TEXTS, _TEXTS), min_size=1, max_size=6), seed=st.integers())
def test_any_text_does_no_harm(
    texts: list[tuple[str, str]],
    seed: int,
    *,
    published: Callable[..., Edition],
    make_summary: Callable[..., Summary],
) -> None:
    """The same holds for whatever hypothesis makes up as titles and bodies."""
    documents = [
        make_summary(number, title=title, body=body)
        for number, (title, body) in enumerate(texts, start=1)
    ]
    _judge(published(documents, Author(f"any {seed}")), documents)


# ---- what is looked for --------------------------------------------------------------------------


def _judge(edition: Edition, documents: Sequence[Summary]) -> None:
    files = {name: data.decode() for name, data in edition.files.items()}
    mail, page, entry = (files[f"{name}.html"] for name in ("issue", "page", "entry"))
    trees = {
        "mail": _strictly_read(mail),
        "mail in Outlook": lxml_html.document_fromstring(_as_outlook_reads(mail)),
        "page": _strictly_read(page),
        "entry": _strictly_read(f"<!doctype html><title>a</title>{entry}"),
    }
    for name, tree in trees.items():
        assert [*_acting(tree)] == [], name
        assert name == "entry" or [*_loading(tree)] == [], name
    shown = {name: _packed("".join(tree.itertext())) for name, tree in trees.items()}
    shown["text"] = _packed(files["issue.txt"])
    for document in documents:
        title = _packed(clean_line(document.title) or document.id)
        assert [name for name, words in shown.items() if title not in words] == []
    assert "\n" not in edition.subject


def _strictly_read(html: str) -> Element:
    """Read HTML as browsers do (HTML Living Standard §13.2); whatever they would mend is a fault.

    Set aside is what the mail's engine and its comments for Outlook need.
    """
    parser = html5lib.HTMLParser(tree=html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    tree: Element = parser.parse(html)
    assert [error for _, error, _ in parser.errors] == []
    return tree


def _as_outlook_reads(html: str) -> str:
    html = re.sub(r"<!--\[if !mso\]><!-->.*?<!--<!\[endif\]-->", "", html, flags=re.DOTALL)
    return re.sub(r"<!--\[if [^\]]*\]>|<!\[endif\]-->", "", html)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ACTIVE = _names(
    "script iframe frame frameset object embed applet form input button textarea select base svg"
    " video audio source track template dialog portal fencedframe slot"
)
_ADDRESSES = _names(
    "href src srcset action formaction data poster background ping manifest xlink:href"
)
_STYLE = re.compile(r"url\s*\(|@import|expression|behavior|-moz-binding|javascript", re.IGNORECASE)


def _elements(tree: Any) -> Iterator[tuple[str, dict[str, str]]]:  # noqa: ANN401 - either parser's
    for part in tree.iter():
        if isinstance(part.tag, str):
            name = part.tag.rpartition("}")[2].lower()
            yield name, {key.lower(): value for key, value in part.attrib.items()}


def _acting(tree: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    """Name what would run, send, or lead where a reader does not expect it."""
    for name, attributes in _elements(tree):
        if name in _ACTIVE or attributes.get("http-equiv", "").lower() == "refresh":
            yield name
        for attribute, value in attributes.items():
            if attribute.startswith("on") or (attribute == "style" and _STYLE.search(value)):
                yield f"{name} {attribute}={value}"
            if attribute in _ADDRESSES and not re.match(r"https?://|mailto:|#|\./", value):
                yield f"{name} {attribute}={value}"
            if attribute == "role" and value == "button":  # nothing of ours is one
                yield f"{name} {attribute}={value}"


def _loading(tree: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    """Name what would be fetched when the mail or the page is opened."""
    for name, attributes in _elements(tree):
        if name == "link" and attributes.get("rel") not in {"canonical", "alternate"}:
            yield f"link {attributes}"
        yield from (f"{name} {key}" for key in attributes if key in _ADDRESSES - {"href"})
    for style in tree.iter("style"):
        yield from _STYLE.findall("".join(style.itertext()))


def _packed(text: str) -> str:
    """Take out all white space: titles break into lines."""
    return "".join(text.split())
