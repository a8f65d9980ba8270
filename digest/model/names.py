"""Names made from other things: issue keys, slugs, file names, canonical addresses."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import NewType
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit
from zoneinfo import ZoneInfo

__all__ = [
    "IssueKey",
    "ThemeId",
    "canonical_url",
    "clean_line",
    "clean_text",
    "host_and_port",
    "is_issue_key",
    "issue_key",
    "safe_name",
    "slugify",
    "week_days",
]

IssueKey = NewType("IssueKey", str)
ThemeId = NewType("ThemeId", str)

_KEY = re.compile(r"(\d{4})-w(0[1-9]|[1-4]\d|5[0-3])(-[a-z0-9]+(?:-[a-z0-9]+)*)?\Z")
_SLUG_LENGTH = 60
_YEARS = range(1900, 9999)  # RFC 5322 §3.3 has no year before; a week of 9999 may end after it
# Device names that Windows keeps for itself, whatever follows the first dot.
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])\Z")
_TRACKING = re.compile(r"utm_|fbclid\Z|gclid\Z|mc_[ce]id\Z|igshid\Z|ref_src\Z")
# Forbidden or unwanted in XML 1.0 §2.2: controls but tab and line feed, surrogates, non-characters.
_UNWANTED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff"
    + "".join(
        chr(plane + end) for plane in range(0x10000, 0x110000, 0x10000) for end in (0xFFFE, 0xFFFF)
    )
    + "]"
)
_BREAKS = re.compile(r"[\s\x85\u2028\u2029]+")


def issue_key(moment: datetime, zone: ZoneInfo, extra: str = "") -> IssueKey:
    """Name the issue of a moment by its ISO 8601 week in the zone: `2026-w53`, `2026-w53-extra`."""
    year, week, _ = moment.astimezone(zone).isocalendar()
    return IssueKey(f"{year:04d}-w{week:02d}" + (f"-{slugify(extra)}" if extra else ""))


def is_issue_key(text: str) -> bool:
    """Tell whether a text is a well-formed issue key of a week that exists."""
    match = _KEY.match(text)
    if match is None or len(text) > len("2026-w49-") + _SLUG_LENGTH:
        return False
    year, week = int(match[1]), int(match[2])
    return year in _YEARS and week <= date(year, 12, 28).isocalendar().week


def week_days(key: IssueKey) -> tuple[date, date]:
    """Give the Monday and the Sunday of an issue's week."""
    monday = date.fromisocalendar(int(key[:4]), int(key[6:8]), 1)
    return monday, monday + timedelta(days=6)


def clean_text(text: str) -> str:
    """Drop characters that XML, mail and terminals refuse; line ends become LF, text NFC."""
    # What is printable holds nothing to drop, and nearly all texts are: this way is ten times
    # shorter.
    if not text.replace("\n", "").replace("\t", "").isprintable():
        text = _UNWANTED.sub("", re.sub("\r\n?|[\x85\u2028\u2029]", "\n", text))
    return unicodedata.normalize("NFC", text)


def clean_line(text: str) -> str:
    """Clean a text and make it one line: every run of white space or breaks becomes a space."""
    # Of all white space only the plain blank is printable.
    if text.isprintable() and "  " not in text:
        return unicodedata.normalize("NFC", text).strip()
    spaced = re.sub(r"[\x0b\x0c\x1c-\x1f]", " ", text)
    return _BREAKS.sub(" ", clean_text(spaced)).strip()


def slugify(text: str, *, fallback: str = "") -> str:
    """Make an ASCII slug of at most 60 characters: `Café notes` becomes `cafe-notes`.

    A text that leaves nothing gives `fallback`, or eight hex digits of its hash: never empty.
    """
    plain = (text if text.isascii() else _latin(text)).lower().replace("'", "")
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_LENGTH].rstrip("-")
    if not slug:
        slug = fallback or "s-" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{slug}-0" if _RESERVED.match(slug) else slug


def _latin(text: str) -> str:
    from anyascii import anyascii  # noqa: PLC0415 - 9 ms at each start, for other scripts only

    return anyascii(unicodedata.normalize("NFC", text))


def safe_name(text: str) -> bool:
    """Tell whether a text may name a file on any system: no separator, dot first, or device."""
    return bool(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", text)) and not (
        text.endswith(".") or _RESERVED.match(text.partition(".")[0].lower())
    )


def host_and_port(host: str, port: int) -> str:
    """Write a host with its port, an IPv6 address in brackets (RFC 3986 §3.2.2): `[::1]:25`."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def canonical_url(url: str) -> str:
    """Reduce an address to what it means: two that lead to one page compare equal.

    Set aside: scheme http or https, letter case of the host, `www.`, default ports, tracking
    parameters, a trailing slash, a fragment that is a place on the page. An address that cannot
    be read comes back as is.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return url.strip()
    if parts.scheme.lower() not in {"http", "https"} or not host:
        return url.strip()
    if port not in {None, 80, 443}:
        host = f"{host}:{port}"
    query = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if not _TRACKING.match(name.lower())
    ]
    # An application's own paths, `#/post/1` and `#!post`, are pages; other fragments are places.
    fragment = parts.fragment if parts.fragment.startswith(("/", "!")) else ""
    return urlunsplit(("https", host, parts.path.rstrip("/"), urlencode(query), fragment))
