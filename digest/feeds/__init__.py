"""The feeds of a newsletter: RSS 2.0, Atom 1.0 and JSON Feed 1.1, written from one value."""

from digest.feeds.build import build_feeds

__all__ = ["build_feeds"]
