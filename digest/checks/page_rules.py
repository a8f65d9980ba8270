"""Rules that look at the HTML and the text of the edition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import unquote

from digest.checks.finding import Hit, Level, Seen
from digest.checks.places import file_of, line_of, own_words, told_by_issue
from digest.checks.wording import count_words
from digest.model import kilobytes
from digest.model.limits import BUDGET, FIRST_SHOWN, HTML_MOST

__all__ = [
    "broken_link",
    "faint_text",
    "heavy_html",
    "leftover_field",
    "link_text",
    "no_way_to_leave",
    "poor_text",
    "shortened_item",
    "unsafe_link",
]

_HEAVIEST: Final = 3
_TEXT_LEAST: Final = 30  # percent of the words of the HTML
_FEW_WORDS: Final = 20  # so few say nothing of a share
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
    they have none with its bracket and its first word.
    """
    edition = seen.material.edition
    own = own_words(seen)
    whole = own + told_by_issue(seen)
    for name, line in (("subject", edition.subject), ("preheader", edition.preheader)):
        for mark in _marks([line], own):
            told = f"the {name} holds {mark}, which nothing replaces"
            yield Hit(path=seen.issue_file, message=told)
    parts = (
        ("issue.html", seen.html, seen.mail.texts),
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


def _opening(match: re.Match[str]) -> tuple[str, ...]:
    """Give the bracket of a mark and its first word."""
    return tuple(group for group in match.groups() if group is not None)


def _marks(texts: Iterable[str], own: str) -> list[str]:
    theirs = {_opening(match) for match in _MARK.finditer(own)}
    found: dict[str, None] = {}
    for text in texts:
        # Addresses have their brackets percent-encoded.
        for match in _MARK.finditer(unquote(text)):
            if _opening(match) not in theirs:
                found[match[0]] = None
    return list(found)


def unsafe_link(seen: Seen) -> Iterator[Hit]:
    """D111: a link that anybody on the way can read and change."""
    for href in dict.fromkeys(anchor.href for anchor in seen.mail.anchors):
        if href.lower().startswith("http:"):
            yield Hit(path=file_of(seen, href), message=f"{href} is not https")


def link_text(seen: Seen) -> Iterator[Hit]:
    """D112: a link whose words do not say where it leads."""
    for anchor in dict.fromkeys(seen.mail.anchors):
        if " ".join(re.findall(r"\w+", anchor.text.lower())) in _EMPTY_WORDS:
            told = f"the link {anchor.text!r} to {anchor.href} does not say where it leads"
            yield Hit(path=file_of(seen, anchor.href), message=told)


def broken_link(seen: Seen) -> Iterator[Hit]:
    """D126: a link whose target is not there, or did not answer, or has moved."""
    for url, state in seen.material.links.items():
        detail = f": {state.detail}" if state.detail else ""
        path = file_of(seen, url)
        if state.result == "broken":
            yield Hit(path=path, message=f"the link {url} is broken{detail}")
        elif state.result == "unreachable":
            told = f"the link {url} could not be reached{detail}"
            yield Hit(path=path, message=told, level="note")
        elif state.result == "redirected":
            to = f" to {state.to}" if state.to else detail
            yield Hit(path=path, message=f"the link {url} has moved{to}", level="note")


def heavy_html(seen: Seen) -> Iterator[Hit]:
    """D113: HTML that mail programs cut, or that did not fit its budget."""
    size = len(seen.html.encode())
    soft = min(seen.material.newsletter.budget or BUDGET, BUDGET)
    if size > soft:
        hard = size > HTML_MOST
        limit = HTML_MOST if hard else soft
        told = f"the HTML has {kilobytes(size)}, more than {kilobytes(limit)}{_heaviest(seen)}"
        level: Level | None = "error" if hard else None
        yield Hit(path=seen.edition_file("issue.html"), message=told, line=0, level=level)


def _heaviest(seen: Seen) -> str:
    """Name the parts that take the most of the HTML: items, and the introduction."""
    from digest.checks.sizes import (  # noqa: PLC0415 - lxml only where it is needed
        introduction_size,
        item_sizes,
    )

    items = seen.material.edition.items
    sizes = item_sizes(seen.html, items)
    parts = [(sizes[item.id], repr(item.title)) for item in items if item.id in sizes]
    if seen.material.issue.introduction.strip():
        parts.append((introduction_size(seen.html, items), "the introduction"))
    found = sorted((part for part in parts if part[0]), key=lambda part: -part[0])
    told = [f"{name} {octets:,} octets" for octets, name in found[:_HEAVIEST]]
    return f"; most of it is {', '.join(told)}" if told else ""


def shortened_item(seen: Seen) -> Iterator[Hit]:
    """D125: an item of which the mail has not all, so that it is not too large."""
    for item in seen.material.edition.items:
        if item.shortened:
            summary = seen.material.summaries.get(item.id)
            path = seen.summary_file(summary) if summary else seen.edition_file("issue.html")
            told = "is shortened in the mail, so that all of it fits; the page has the whole"
            yield Hit(path=path, message=told, line=1 if summary else 0)


def poor_text(seen: Seen) -> Iterator[Hit]:
    """D114: a text part that does not say what the HTML says."""
    words, said = seen.mail.words, count_words(seen.text)
    if words >= _FEW_WORDS and said * 100 < words * _TEXT_LEAST:
        told = f"has {said} words where the HTML has {words}: less than {_TEXT_LEAST} %"
        yield Hit(path=seen.edition_file("issue.txt"), message=told, line=0)


def faint_text(seen: Seen) -> Iterator[Hit]:
    """D117: text that is hard to tell from its ground: light, dark, or darkened by force."""
    from digest.checks.faint import faint_anywhere  # noqa: PLC0415 - lxml only where it is needed

    for faint in faint_anywhere(seen.html):
        yield Hit(path=seen.edition_file("issue.html"), message=str(faint), line=faint.line)


def _bare(text: str) -> str:
    """Make addresses comparable: a long one may be encoded, or wrapped over two lines."""
    return "".join(unquote(text).lower().split())


def no_way_to_leave(seen: Seen) -> Iterator[Hit]:
    """D115: parts in which the address for leaving does not stand, or stands too far down."""
    newsletter = seen.material.newsletter
    leave = _bare(newsletter.leave)
    if not leave:
        told = "no address for leaving the list is set"
        yield Hit(path=seen.material.settings_file, message=told, line=0)
        return
    # The sender's own address stands in a mail for other reasons too.
    wanted = [leave, *(["unsubscribe"] if leave == _bare(newsletter.sender.address) else [])]
    html = any(all(part in _bare(anchor.href) for part in wanted) for anchor in seen.mail.anchors)
    text = _leads_away(seen, leave)
    for name, found, kind in (("issue.html", html, "link"), ("issue.txt", text, "address")):
        if not found:
            told = f"has no {kind} for leaving the list ({leave})"
            yield Hit(path=seen.edition_file(name), message=told, line=0)
    if html and (place := _first_way(seen)) > FIRST_SHOWN:
        told = (
            f"the first link for leaving stands at octet {place:,}; Gmail may hide what stands "
            f"after {FIRST_SHOWN:,}"
        )
        yield Hit(path=seen.edition_file("issue.html"), message=told, line=0, level="warning")


def _leads_away(seen: Seen, leave: str) -> bool:
    """Tell whether the text part has the field for leaving, or the address itself."""
    edition, sender = seen.material.edition, seen.material.newsletter.sender
    if any(place.name == "leave_url" for place in edition.fields.get("issue.txt", ())):
        return True
    bare = _bare(seen.text)
    # The sender's own address stands at the foot for other reasons, too.
    return f"mailto:{leave}?subject=" in bare or (leave in bare and leave != _bare(sender.address))


def _first_way(seen: Seen) -> int:
    """Give the octet of the HTML at which the first merge field for leaving stands; else 0."""
    places = seen.material.edition.fields.get("issue.html", ())
    return min((place.start for place in places if place.name == "leave_url"), default=0)
