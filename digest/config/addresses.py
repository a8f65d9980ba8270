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
    "domain",
    "is_loopback",
    "list_id",
    "mailbox",
    "mailboxes",
    "relay_host",
    "web_address",
]

_ATOMS: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABELS: Final = re.compile(r"(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)*(?!-)[a-z0-9-]{1,63}(?<!-)")
# What nearly all addresses are: nothing in them that could be read in two ways.
_PLAIN: Final = re.compile(
    r"([A-Za-z0-9_+-]{1,30}(?:\.[A-Za-z0-9_+-]{1,30})?)"
    r"@((?:[A-Za-z0-9]{1,60}(?:-[A-Za-z0-9]{1,60})?\.){1,3}[A-Za-z]{2,20})"
)
_DOMAIN_LENGTH, _LIST_ID_LENGTH = 253, 255


def domain(value: object) -> str:
    """Check a domain; give it in ASCII and small letters, with A-labels (RFC 5890 §2.3.2.1)."""
    return _domain(line(value))


def _domain(text: str) -> str:
    ascii_form = text.lower() if text.isascii() else _a_labels(text)
    if len(ascii_form) > _DOMAIN_LENGTH or not _LABELS.fullmatch(ascii_form):
        raise Wrong("holds no valid domain", value=text)
    return ascii_form


def _a_labels(text: str) -> str:
    """Write a domain with A-labels as a mail address has them; empty where it is none."""
    from digest.mime import parse_address  # noqa: PLC0415 - 40 ms, for other scripts only

    with suppress(ValueError):
        if text == text.strip():
            return parse_address(f"a@{text}").removeprefix("a@")
    return ""


def address(value: object) -> str:
    """Check a bare mail address, as `parse_address` does; its local part is ASCII."""
    text = line(value)
    if (plain := _PLAIN.fullmatch(text)) is not None:
        return f"{plain[1]}@{plain[2].lower()}"
    from digest.mime import parse_address  # noqa: PLC0415 - 40 ms, for what is not plain only

    try:
        found = parse_address(text)
    except ValueError as error:
        what = f"must be a mail address, such as letter@example.org: {error}"
        raise Wrong(what, value=text) from None
    if not found.isascii():
        raise Wrong("must be a mail address with only ASCII before the @-sign", value=text)
    return found


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
    """Tell whether a host is this machine by its very name: `localhost`, 127.0.0.0/8 or ::1."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


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
