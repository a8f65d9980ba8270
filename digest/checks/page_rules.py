"""Rules that look at the HTML and the text of the edition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from digest.checks.finding import Hit, Seen
from digest.checks.places import file_of, line_of, own_words, told_by_issue

__all__ = [
    "heavy_html",
    "heavy_picture",
    "leftover_field",
    "link_text",
    "no_way_to_leave",
    "picture_without_alt",
    "unsafe_link",
]

_KILOBYTE: Final = 1000
_HTML_SOFT: Final = 80 * _KILOBYTE
_HTML_HARD: Final = 100 * _KILOBYTE
_PICTURE_MOST: Final = 200 * _KILOBYTE
_EMPTY_WORDS: Final = frozenset(
    {"click", "click here", "here", "link", "more", "read more", "this", "this link"}
)
# What the render room puts for a merge field until the reader's value comes in.
_TOKEN = re.compile(r"\bmf[0-9a-f]{24}\b")
# [[field]] or [[field|else]], {{ name }}, {% tag %}, *|NAME|*: each with its first word.
_MARK = re.compile(
    r"(\[\[) *([A-Za-z_]\w*) *(?:\|[^\[\]\n]*)?\]\]"
    r"|(\{\{)[^\w{}\n]*(\w+)[^{}\n]*\}\}"
    r"|(\{%)[^\w{}%\n]*(\w+)[^{}%\n]*%\}"
    r"|(\*\|)(\w+)\|\*"
)


def leftover_field(seen: Seen) -> Iterator[Hit]:
    """D108: a merge field or a mark of a template that nothing replaced.

    What summaries write between such brackets is theirs: a mark counts as left over only if
    they do not have both its bracket and its first word.
    """
    edition = seen.material.edition
    own = own_words(seen)
    whole = own + told_by_issue(seen)
    for name, line in (("subject", edition.subject), ("preheader", edition.preheader)):
        for mark in _marks([line], own):
            told = f"the {name} holds {mark}, which nothing replaces"
            yield Hit(path=seen.issue_file, message=told)
    parts = (
        ("issue.html", seen.html, seen.page.texts),
        ("issue.txt", seen.text, (seen.text,)),
    )
    # Both lines stand in the edition too, where they are not told a second time.
    known = {*_marks([edition.subject, edition.preheader], own)}
    for name, source, texts in parts:
        tokens = [token for token in _TOKEN.findall(source) if token not in whole]
        for mark in dict.fromkeys([*tokens, *_marks(texts, whole)]):
            if mark not in known:
                told = f"holds {mark}, which nothing replaced"
                path = seen.edition_file(name)
                yield Hit(path=path, message=told, line=line_of(source, mark))


def _marks(texts: Iterable[str], own: str) -> list[str]:
    found: dict[str, None] = {}
    for text in texts:
        # Addresses have their brackets percent-encoded.
        for match in _MARK.finditer(unquote(text)):
            bracket, word = (group for group in match.groups() if group is not None)
            if bracket not in own or word not in own:
                found[match[0]] = None
    return list(found)


def picture_without_alt(seen: Seen) -> Iterator[Hit]:
    """D109: a picture without words for those who do not see it."""
    told: set[tuple[str, str]] = set()
    for summary in seen.items():
        if summary.image is not None and not summary.image.alt.strip():
            told.add((seen.summary_file(summary), summary.image.url))
    for picture in (*seen.page.pictures, *seen.shown):
        if not picture.decorative and not (picture.alt or "").strip():
            path, name = file_of(seen, picture.src), picture.src.rpartition("/")[2]
            if not any(path == known and url.endswith(name) for known, url in told):
                told.add((path, picture.src))
    for path, src in sorted(told):
        yield Hit(path=path, message=f"the picture {src} has no alternative text")


def heavy_picture(seen: Seen) -> Iterator[Hit]:
    """D110: a picture that takes long to load, or that mail programs may show at any width."""
    local = seen.material.pictures
    most = _kilobytes(_PICTURE_MOST)
    for name, (size, _) in sorted(local.items()):
        if size > _PICTURE_MOST:
            told = f"the picture {name} has {_kilobytes(size)}, more than {most}"
            yield Hit(path=file_of(seen, name), message=told)
    wide = (picture.src for picture in seen.page.pictures if not picture.has_width)
    for src in dict.fromkeys(wide):
        if src.lower().startswith(("data:", "cid:")):
            continue
        widths = [local[name][1] for name in local if f"/{unquote(src)}".endswith(f"/{name}")]
        if not widths:
            told = f"the picture {src} is elsewhere and its width not known"
            yield Hit(path=file_of(seen, src), message=told)
        elif None in widths:
            told = f"the picture {src} has no width that can be read"
            yield Hit(path=file_of(seen, src), message=told)


def unsafe_link(seen: Seen) -> Iterator[Hit]:
    """D111: a link that anybody on the way can read and change."""
    for href in dict.fromkeys(anchor.href for anchor in seen.page.anchors):
        if href.lower().startswith("http:"):
            yield Hit(path=file_of(seen, href), message=f"{href} is not https")


def link_text(seen: Seen) -> Iterator[Hit]:
    """D112: a link whose words do not say where it leads."""
    for anchor in dict.fromkeys(seen.page.anchors):
        if " ".join(re.findall(r"\w+", anchor.text.lower())) in _EMPTY_WORDS:
            told = f"the link {anchor.text!r} to {anchor.href} does not say where it leads"
            yield Hit(path=file_of(seen, anchor.href), message=told)


def heavy_html(seen: Seen) -> Iterator[Hit]:
    """D113: HTML that mail programs cut."""
    size = len(seen.html.encode())
    if size > _HTML_SOFT:
        hard = size > _HTML_HARD
        limit = _HTML_HARD if hard else _HTML_SOFT
        told = f"the HTML has {_kilobytes(size)}, more than {_kilobytes(limit)}"
        yield Hit(path=seen.edition_file("issue.html"), message=told, line=0, hard=hard)


def _kilobytes(size: int) -> str:
    # Rounded up, so that what is over a limit never reads as if it met it.
    return f"{-(-size // _KILOBYTE)} kB"


def _bare(text: str) -> str:
    """Make addresses comparable: a long one may be encoded, or wrapped over two lines."""
    return "".join(unquote(text).lower().split())


def no_way_to_leave(seen: Seen) -> Iterator[Hit]:
    """D115: HTML or text in which the address for leaving does not stand."""
    newsletter = seen.material.newsletter
    leave = _bare(newsletter.leave)
    if not leave:
        told = "no address for leaving the list is set"
        yield Hit(path=seen.material.settings_file, message=told, line=0)
        return
    # The sender's own address stands in a mail for other reasons too.
    wanted = [leave, *(["unsubscribe"] if leave == _bare(newsletter.sender.address) else [])]
    html = any(all(part in _bare(anchor.href) for part in wanted) for anchor in seen.page.anchors)
    text = all(part in _bare(seen.text) for part in wanted)
    for name, found, kind in (("issue.html", html, "link"), ("issue.txt", text, "address")):
        if not found:
            told = f"has no {kind} for leaving the list ({leave})"
            yield Hit(path=seen.edition_file(name), message=told, line=0)
