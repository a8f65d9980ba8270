"""Addresses as they stand in an edition: absolute, ASCII, the same in each of its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from digest.model import Newsletter, Summary, clean_line, slugify

__all__ = ["anchors", "ascii_url", "content_base", "leave_url", "page_url", "source_url", "web_url"]

# RFC 3986 §2.2 and §2.3, and the sign of what is encoded already.
_URL_SAFE: Final = ":/?#[]@!$&'()*+,;=-._~%"
_ADDRESS_SAFE: Final = "@!$'*+-._~"  # RFC 6068 §2
# What the page calls something else; its other names hold signs that no slug does.
_RESERVED: Final = ("main",)
_WEB: Final = frozenset({"http", "https"})


def ascii_url(url: str) -> str:
    """Write an address in ASCII: host after RFC 3490, all else percent-encoded (RFC 3987 §3.1).

    An address that is ASCII and holds no sign that RFC 3986 forbids comes back as it is.
    """
    line = clean_line(url)
    try:
        parts = urlsplit(line)
        if not parts.netloc.isascii():
            host = parts.netloc.encode("idna").decode("ascii")
            line = urlunsplit(parts._replace(netloc=host))
    except ValueError:
        pass  # no address that can be read: encoded as a whole
    return quote(line, safe=_URL_SAFE)


def web_url(url: str, *, base: str, schemes: frozenset[str] = _WEB) -> str:
    """Make an address of a content file absolute; empty unless it has one of the schemes."""
    try:
        absolute = urljoin(base, clean_line(url)) if url.strip() else ""
        parts = urlsplit(absolute)
    except ValueError:
        return ""
    if parts.scheme.lower() not in schemes or (parts.scheme.lower() in _WEB and not parts.netloc):
        return ""
    return ascii_url(absolute)


def page_url(newsletter: Newsletter, key: str) -> str:
    """Give the address of an issue's page."""
    return ascii_url(f"{newsletter.site_url}{key}.html")


def content_base(newsletter: Newsletter, path: str = "") -> str:
    """Give the address that the relative ones in a content file are relative to."""
    folder, slash, _ = path.rpartition("/")
    return ascii_url(newsletter.site_url) + quote(folder + slash)


def source_url(newsletter: Newsletter, path: str, *, commit: str) -> str:
    """Give the address of a summary's source file; empty where it cannot be told.

    An address with a commit in it has none for a file that git does not know as it is.
    """
    form = newsletter.source_url
    if not form or ("{commit}" in form and not commit):
        return ""
    return ascii_url(form.replace("{commit}", commit).replace("{path}", quote(path)))


def leave_url(newsletter: Newsletter) -> str:
    """Give the address at which anybody can leave by mail (RFC 6068)."""
    address = quote(clean_line(newsletter.leave), safe=_ADDRESS_SAFE)
    return f"mailto:{address}?subject=unsubscribe%20{quote(newsletter.slug, safe='')}"


def anchors(summaries: Iterable[Summary]) -> Mapping[str, str]:
    """Give each summary's place on the issue's page, by id.

    Twins of one slug each get four hex digits of their id's hash (and twelve, should those be
    twins again), whatever their order.
    """
    slugs = {summary.id: slugify(summary.slug or summary.title) for summary in summaries}
    named = slugs
    for digits in (4, 12):
        counted = Counter(named.values()) + Counter(_RESERVED)
        named = {
            id_: f"{slugs[id_]}-{sha256(id_.encode()).hexdigest()[:digits]}"
            if counted[name] > 1
            else name
            for id_, name in named.items()
        }
    return named
