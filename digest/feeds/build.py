"""From published editions to the three feed files, within the size that readers accept."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from digest.feeds.entry import Feed, gather
from digest.feeds.json_feed import write_json
from digest.model import Newsletter, Published

__all__ = ["build_feeds"]

# Common validators and readers stop at five megabytes.
_LIMIT: Final = 5_000_000


def build_feeds(newsletter: Newsletter, published: tuple[Published, ...]) -> dict[str, bytes]:
    """Write the feeds of the published issues, newest first, without those that were withdrawn.

    Gives `rss.xml` (RSS 2.0), `atom.xml` (RFC 4287) and `feed.json` (JSON Feed 1.1): the same
    entries in each, at most `newsletter.feed_entries`, the oldest dropped while a file would
    reach 5 MB. Without an issue the feeds are valid and empty. Call it from one thread: feedgen
    changes the locale of the process while it writes a date. Raises ConfigError for a tag that
    RFC 4151 does not allow.
    """
    feed = gather(newsletter, tuple(issue for issue in published if issue.withdrawn is None))
    files = _write(feed)
    while (size := max(map(len, files.values()))) >= _LIMIT and len(feed.entries) > 1:
        count = len(feed.entries)
        fewer = max(1, min(count - 1, count * _LIMIT // size))
        feed = replace(feed, entries=feed.entries[:fewer])
        files = _write(feed)
    return files


def _write(feed: Feed) -> dict[str, bytes]:
    from digest.feeds.rss_atom import (  # noqa: PLC0415 - lxml and feedgen load only for a build
        write_atom,
        write_rss,
    )

    return {"rss.xml": write_rss(feed), "atom.xml": write_atom(feed), "feed.json": write_json(feed)}
