"""Rules that look at the issue and its summaries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Final
from urllib.parse import urlsplit

from digest.checks.finding import Hit, Level, Seen
from digest.model import Summary, canonical_url, clean_line

__all__ = [
    "already_in_issue",
    "draft_or_embargoed",
    "duplicate_link",
    "empty_summary",
    "item_without_link",
    "link_sent_before",
    "long_subject",
    "no_postal_address",
    "no_preheader",
    "no_subject",
]

_SUBJECT_SOFT: Final = 60
_SUBJECT_HARD: Final = 150
_ISSUES_BACK: Final = 8
_ADDRESS = re.compile(r"<[a-z][a-z0-9+.-]*:[^<>\s]*>|<[^<>\s@]+@[^<>\s]+>", re.IGNORECASE)
# Comments, pictures, tags, headings and fences: what a text may hold without saying anything.
_WORDLESS = re.compile(
    r"<!--[\s\S]*?(?:-->|\Z)|!\[[^\[\]\n]*\]\([^()\n]*\)|<[^<>\n]*>"
    r"|^ {0,3}#{1,6}(?:[ \t][^\n]*)?$|^ {0,3}[`~]{3,}[^\n]*$",
    re.MULTILINE,
)
_SAYS_SOMETHING = re.compile(r"[^\s#*_>`~|=+:.\-]")


def no_subject(seen: Seen) -> Iterator[Hit]:
    """D101: a mail without a subject."""
    if not clean_line(seen.material.edition.subject):
        yield Hit(path=seen.issue_file, message="the issue has no subject")


def long_subject(seen: Seen) -> Iterator[Hit]:
    """D102: a subject that mail programs cut."""
    length = len(clean_line(seen.material.edition.subject))
    if length > _SUBJECT_SOFT:
        hard = length > _SUBJECT_HARD
        limit = _SUBJECT_HARD if hard else _SUBJECT_SOFT
        told = f"the subject has {length} characters, more than {limit}"
        level: Level | None = "error" if hard else None
        yield Hit(path=seen.issue_file, message=told, level=level)


def no_preheader(seen: Seen) -> Iterator[Hit]:
    """D103: no line beside the subject, or the subject once more."""
    subject = clean_line(seen.material.edition.subject)
    preheader = clean_line(seen.material.edition.preheader)
    if not preheader:
        yield Hit(path=seen.issue_file, message="the issue has no preheader")
    elif preheader.casefold() == subject.casefold():
        yield Hit(path=seen.issue_file, message="the preheader only says the subject again")


def item_without_link(seen: Seen) -> Iterator[Hit]:
    """D104: an item whose title leads to its place on the issue's page."""
    for summary in seen.items():
        if not summary.url.strip():
            told = "has no link, so its title leads to its place on the issue's page"
            yield Hit(path=seen.summary_file(summary), message=told)
        elif not _is_web(summary.url):
            told = f"{summary.url!r} is no web address, so its title does not lead there"
            yield Hit(path=seen.summary_file(summary), message=told)


def _is_web(url: str) -> bool:
    try:
        scheme = urlsplit(url.strip()).scheme.lower()
    except ValueError:
        return False
    return scheme in {"", "http", "https"}


def _addresses(summary: Summary) -> list[str]:
    found = (summary.url, *(link.url for link in summary.links))
    return [canonical_url(url) for url in found if url.strip()]


def duplicate_link(seen: Seen) -> Iterator[Hit]:
    """D105: two links of this issue that lead to one page."""
    first: dict[str, Summary] = {}
    for summary in seen.items():
        for url in dict.fromkeys(_addresses(summary)):
            earlier = first.setdefault(url, summary)
            if earlier is not summary:
                told = f"{url} is a link of {seen.summary_file(earlier)} too"
                yield Hit(path=seen.summary_file(summary), message=told)
        for url, count in Counter(_addresses(summary)).items():
            if count > 1:
                told = f"{url} is a link of it {count} times"
                yield Hit(path=seen.summary_file(summary), message=told)


def link_sent_before(seen: Seen) -> Iterator[Hit]:
    """D106: a link that was in one of the last eight issues."""
    issue = seen.material.issue
    past = [
        other
        for other in seen.material.history
        if other.published
        and not other.freed
        and other.key != issue.key
        and other.at < issue.slot.at
    ]
    past.sort(key=lambda other: (other.at, other.key))
    sent = {item.url: other.key for other in past[-_ISSUES_BACK:] for item in other.items}
    for summary in seen.items():
        for url in dict.fromkeys(_addresses(summary)):
            if url in sent:
                told = f"{url} was in {sent[url]}, one of the last {_ISSUES_BACK} issues"
                yield Hit(path=seen.summary_file(summary), message=told)


def empty_summary(seen: Seen) -> Iterator[Hit]:
    """D107: an item that says nothing, or whose file is not there."""
    for item in seen.material.issue.items:
        summary = seen.material.summaries.get(item.id)
        if summary is None:
            yield Hit(path=seen.issue_file, message=f"there is no summary {item.id!r}")
        elif not _says_something(summary.summary or summary.body):
            yield Hit(path=seen.summary_file(summary), message="has no summary text")


def _says_something(text: str) -> bool:
    # An address between angle brackets is a link and no tag.
    bare = _WORDLESS.sub("", _ADDRESS.sub("address", unescape(text)))
    return bool(_SAYS_SOMETHING.search(bare))


def no_postal_address(seen: Seen) -> Iterator[Hit]:
    """D116: no postal address of the sender."""
    if not seen.material.newsletter.postal_address.strip():
        told = "no postal address is set, so none stands at the foot of the mail"
        yield Hit(path=seen.material.settings_file, message=told, line=0)


def draft_or_embargoed(seen: Seen) -> Iterator[Hit]:
    """D121: an item that must not go out at the moment the issue does."""
    moment = seen.material.at or seen.material.issue.slot.at
    for summary in seen.items():
        path = seen.summary_file(summary)
        if summary.draft:
            yield Hit(path=path, message="is a draft")
        if summary.withdrawn:
            yield Hit(path=path, message="is withdrawn")
        if summary.not_before is not None and moment < summary.not_before:
            start = summary.not_before.isoformat(sep=" ", timespec="minutes")
            yield Hit(path=path, message=f"must not go out before {start}")
        if summary.not_after is not None and summary.not_after <= moment:
            end = summary.not_after.isoformat(sep=" ", timespec="minutes")
            yield Hit(path=path, message=f"must not go out after {end}")


def already_in_issue(seen: Seen) -> Iterator[Hit]:
    """D123: an item that another issue has, and that may not come again."""
    for summary in seen.items():
        if reason := seen.material.already.get(summary.id):
            yield Hit(path=seen.summary_file(summary), message=reason)
