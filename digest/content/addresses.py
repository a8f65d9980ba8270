"""Web addresses out of headers: only such as may stand in a mail and a feed."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit, urlunsplit

from digest.model import clean_line

__all__ = ["read_address"]

# Nearly all: nothing to change, nothing to refuse (RFC 3986 §2, §3).
_PLAIN = re.compile(
    r"https?://[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*(?:[/?#](?:[A-Za-z0-9._~!$&'()*+,;=:@/?#-]"
    r"|%[0-9A-Fa-f]{2})*)?\Z"
)
_HOST = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\.?\Z")
_HOST_LENGTH = 253
_SAFE = "!#$%&'()*+,/:;=?@~"
_STRAY = re.compile(r"%(?![0-9A-Fa-f]{2})")


def read_address(text: str) -> str:
    """Read an address of scheme http, https or mailto; the result is ASCII.

    What may not stand in an address is percent-encoded (RFC 3986 §2.1), a host beyond ASCII
    becomes its IDNA form (RFC 3490). Raises ValueError with the reason.
    """
    address = clean_line(text)
    if _PLAIN.match(address):
        return address
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise ValueError("cannot be read as an address") from None
    if parts.scheme == "mailto":
        return _mailto(address, parts.path)
    if parts.scheme not in {"http", "https"}:
        raise ValueError("does not begin with http:, https: or mailto:")
    host = _host(parts.hostname or "")
    user = parts.netloc.rpartition("@")[0]
    netloc = f"{quote(_STRAY.sub('%25', user), safe=_SAFE)}@" if user else ""
    netloc += host if port is None else f"{host}:{port}"
    rest = [_encoded(part) for part in (parts.path, parts.query, parts.fragment)]
    return urlunsplit((parts.scheme, netloc, *rest))


def _mailto(address: str, path: str) -> str:
    """Check that a mailto address has a mailbox with a domain (RFC 6068 §2)."""
    local, _, domain = path.partition("@")
    if not local or not domain:
        raise ValueError("names no mailbox")
    return _encoded(address)


def _host(host: str) -> str:
    """Give the ASCII form of a host; IPv6 addresses get their brackets back."""
    if ":" in host:
        return f"[{host}]"
    try:
        # A longer name cannot exist (RFC 1035 §2.3.4), and takes long to encode.
        ascii_host = host[:254].encode("idna").decode("ascii")
    except UnicodeError:
        ascii_host = ""
    if len(ascii_host) > _HOST_LENGTH or not _HOST.match(ascii_host):
        raise ValueError("has no host that could exist")
    return ascii_host


def _encoded(text: str) -> str:
    """Percent-encode what may not stand in an address; what is encoded already stays."""
    return quote(_STRAY.sub("%25", text), safe=_SAFE)
