"""Which file of the newsletter an address, a picture or a mark in the edition came from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import chain
from posixpath import dirname, relpath
from urllib.parse import unquote

from digest.checks.finding import Seen
from digest.model import Summary

__all__ = ["file_of", "file_of_picture", "line_of", "own_words", "told_by_issue"]


def _texts(summary: Summary) -> Iterator[str]:
    yield from (summary.url, *(link.url for link in summary.links), summary.summary, summary.body)
    if summary.image is not None:
        yield summary.image.url


def file_of(seen: Seen, address: str) -> str:
    """Find the file that names an address, by the whole of it or by its last part.

    That is the summary that does, else the issue file.
    """
    whole = unquote(address)
    wanted = [whole] if whole else []
    # The edition makes relative addresses absolute; their end is still as the author wrote it.
    if "://" not in whole or whole.startswith(seen.material.newsletter.site_url):
        wanted += [end] if (end := whole.rpartition("/")[2]) else []
    texts = [(summary, unquote(text)) for summary in seen.items() for text in _texts(summary)]
    for part in wanted:
        whole_ones = (summary for summary, text in texts if text == part)
        bounded = _bounded(part)
        holders = (summary for summary, text in texts if bounded.search(text))
        if (found := next(chain(whole_ones, holders), None)) is not None:
            return seen.summary_file(found)
    return seen.issue_file


def file_of_picture(seen: Seen, path: str) -> str:
    """Find the file that shows a picture of the content folder, named as from its own folder."""
    for summary in seen.items():
        named = relpath(path, dirname(summary.path) or ".")
        shown = re.compile(rf"""[(<"'=]\s*(?:\./)?{re.escape(named)}[\s)>"']""")
        image = summary.image.url if summary.image else ""
        if unquote(image) in {named, f"./{named}"} or any(
            shown.search(unquote(text)) for text in (summary.summary, summary.body)
        ):
            return seen.summary_file(summary)
    return file_of(seen, path)


def _bounded(part: str) -> re.Pattern[str]:
    """Find an address where it is not a part of a longer one."""
    return re.compile(rf"(?<![\w./-]){re.escape(part)}(?![\w-]|[./?&=#]+\w)")


def line_of(text: str, part: str) -> int:
    """Give the line of a text on which a part stands first; 1 where it is not found as such."""
    return text.count("\n", 0, max(0, text.find(part))) + 1


def _plain(text: str) -> str:
    """Take away what HTML and Markdown use to write a sign as itself."""
    return unescape(unquote(text)).replace("\\", "")


def own_words(seen: Seen) -> str:
    """Give what summaries and settings say, to tell their words from those of a template."""
    newsletter = seen.material.newsletter
    said = [newsletter.name, newsletter.description, newsletter.postal_address]
    for summary in seen.items():
        said += [summary.title, *_texts(summary), *summary.authors, summary.source, *summary.tags]
        said += [link.label for link in summary.links]
        said += [text for pair in summary.extra for text in pair]
        said += [summary.image.alt] if summary.image else []
    return _plain("\n".join(said))


def told_by_issue(seen: Seen) -> str:
    """Give what the issue file itself says on the page."""
    issue = seen.material.issue
    return _plain(f"{issue.title}\n{issue.introduction}")
