"""Addresses in the settings: of mailboxes, of the site, of the list."""

from __future__ import annotations

import re
from contextlib import suppress
from ipaddress import ip_address
from typing import Final
from urllib.parse import quote, urlsplit

from digest.config.values import Wrong, line, lines
from digest.model import Mailbox, reader_key

__all__ = [
    "address",
    "default_list_id",
    "is_loopback",
    "list_id",
    "mailbox",
    "mailboxes",
    "relay_host",
    "web_address",
]

_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABELS: Final = re.compile(r"(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)*(?!-)[a-z0-9-]{1,63}(?<!-)")
_LOCAL_LENGTH, _DOMAIN_LENGTH, _LIST_ID_LENGTH = 64, 253, 255
# IDNA 2003, which Python's codec speaks, makes other domains of these than IDNA 2008 does.
_AMBIGUOUS: Final = re.compile("[ßẞς\u200c\u200d]")


def _domain(text: str) -> str:
    """Write a domain in ASCII, with A-labels (RFC 5890 §2.3.2.1)."""
    if _AMBIGUOUS.search(text):
        raise Wrong("holds a domain that has two readings", fix="write the domain as `xn--…`")
    try:
        ascii_form = text.encode("idna").decode().lower()
    except UnicodeError:
        ascii_form = ""
    if len(ascii_form) > _DOMAIN_LENGTH or not _LABELS.fullmatch(ascii_form):
        raise Wrong("holds no valid domain", value=text)
    return ascii_form


def address(value: object) -> str:
    """Check a bare mail address: an ASCII local part without quotes, a domain with a dot.

    An encoded word in the local part would show another address than the one mailed to.
    """
    text = line(value)
    local, _, domain = text.rpartition("@")
    if len(local) > _LOCAL_LENGTH or "=?" in local or not _ATOMS.fullmatch(local):
        raise Wrong("must be a mail address, such as letter@example.org", value=text)
    domain = _domain(domain)
    if "." not in domain and domain != "localhost":
        raise Wrong("must be a mail address with a full domain", value=text)
    return f"{local}@{domain}"


def mailbox(value: object) -> Mailbox:
    """Check a mailbox: `Name <address>` or the address alone (RFC 5322 §3.4)."""
    text = line(value)
    if not text.endswith(">"):
        return Mailbox(address=address(text))
    name, cut, inside = text[:-1].rpartition("<")
    name = name.strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = re.sub(r"\\(.)", r"\1", name[1:-1]).strip()
    if not cut or "=?" in name or re.search(r"[<>]", name):
        raise Wrong("must have the form `Name <letter@example.org>`", value=text)
    return Mailbox(address=address(inside), name=name)


def mailboxes(value: object) -> tuple[Mailbox, ...]:
    """Check a list of mailboxes: each address once."""
    found = lines(mailbox)(value)
    keys = [reader_key(one.address) for one in found]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise Wrong("has a member twice", value=found[place].address)
    return found


def relay_host(value: object) -> str:
    """Check the host of a relay: a name, or an address of the internet protocol."""
    text = line(value)
    with suppress(ValueError):
        return str(ip_address(text.removeprefix("[").removesuffix("]")))
    if re.search("[:/@]", text):
        raise Wrong(
            "must be the name of a host and nothing else, such as smtp.example.org",
            fix="the port is transport.smtp.port, the name for the login transport.smtp.username",
        )
    return _domain(text)


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine: `localhost`, 127.0.0.0/8 or ::1."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def list_id(value: object) -> str:
    """Check a List-Id: labels with at least one dot, at most 255 characters (RFC 2919 §2)."""
    text = line(value)
    if "." not in text or len(text) > _LIST_ID_LENGTH or not _ATOMS.fullmatch(text):
        raise Wrong("must be a name with a dot, such as letter.example.org", value=text)
    return text


def default_list_id(slug: str, sender: Mailbox) -> str:
    """Name the list below the sender's domain; by the domain alone where that is very long."""
    name = f"{slug}.{sender.domain}"
    return name if len(name) <= _LIST_ID_LENGTH else sender.domain


def web_address(value: object) -> str:
    """Check an absolute http or https address of a folder; give it with a slash at the end."""
    text = line(value)
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise Wrong("must be a web address") from None
    if parts.username is not None or parts.password is not None:
        raise Wrong("must not hold a user or a password")
    if parts.scheme not in {"http", "https"} or not host:
        raise Wrong("must be a full address that begins with https://", value=text)
    if parts.query or parts.fragment:
        raise Wrong("must end before any `?` or `#`", value=text)
    path = quote(parts.path, safe="/%~!$&'()*+,;=:@").rstrip("/")
    return f"{parts.scheme}://{_domain(host)}{f':{port}' if port is not None else ''}{path}/"
