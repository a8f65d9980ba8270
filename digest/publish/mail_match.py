"""Compare a part of a received mail with that of its edition, as filled in for one reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from digest.mime import parse_address
from digest.mime.received import Received
from digest.model import Edition, FieldPlace, Mailbox
from digest.render.fields import refill

__all__ = ["first_difference", "leave_addresses", "reader_faults"]

_LONGEST: Final = 320  # octets of a name or an address; RFC 5321 §4.5.3.1
_SHOWN: Final = 60  # octets of what should stand there
# What mail programs make a link of, or what shows the rest of a line in another order.
_LINK: Final = re.compile(
    r"://|www\.|mailto:|@|[^\W_][\w-]*[^\W_]\.[^\W\d_]{2}|\.[^\W\d_]{2,}/"
    r"|[\u202a-\u202e\u2066-\u2069]",
    re.IGNORECASE,
)
_BRACKETED: Final = re.compile(r"<([^<>]*)>")


def leave_addresses(copy: Received) -> tuple[str, ...]:
    """Give the addresses at which readers leave, by the general copy: the best first.

    The first alone may stand in the place of `leave_url`, and all of them, in this order, in
    List-Unsubscribe. Once each reader has an address of the public pages, here is where to say
    which of those may stand there.
    """
    return tuple(_BRACKETED.findall(copy.first("list-unsubscribe")))


def reader_faults(edition: Edition, to: Mailbox) -> Iterator[str]:
    """Say what in a reader's name and address nobody's name and address has.

    Looked at is only what the edition shows, since a mail may bring along anybody's.
    """
    used = {place.name for places in edition.fields.values() for place in places}
    if "name" in used and to.name != to.address and _is_no_name(to.name):
        yield "the name in To is longer than any, or has what may be shown as a link"
    if "address" in used and to.address and not _is_address(to.address):
        yield "the address in To is none"


def _is_no_name(name: str) -> bool:
    return len(name.encode()) > _LONGEST or _LINK.search(name) is not None


def _is_address(address: str) -> bool:
    try:
        return len(address.encode()) <= _LONGEST and parse_address(address) == address
    except ValueError:
        return False


def first_difference(
    found: bytes,
    general: bytes,
    places: Sequence[FieldPlace],
    *,
    values: Mapping[str, str],
    as_html: bool,
) -> str:
    """Say where a part first differs from that of the edition, empty where it does not.

    Both are UTF-8 with LF line ends; line ends at the very end do not count. In each place the
    value of its field must stand, as it would have been filled in.
    """
    wanted = refill(general, places, values, as_html=as_html)
    found, stripped = found.rstrip(b"\n"), wanted.rstrip(b"\n")
    if found == stripped:
        return ""
    at = _common(found, stripped)
    if at == len(stripped):
        return "more stands after its end"
    shift = 0
    for place in places:
        size = len(refill(general[place.start : place.end], _alone(place), values, as_html=as_html))
        start = place.start + shift
        if start <= at < start + size:
            return _misfit(general, place)
        if at < start:
            break
        shift += size - (place.end - place.start)
    return _told(general, at - shift)


def _alone(place: FieldPlace) -> tuple[FieldPlace]:
    """Give a place as that of a text which it is all of."""
    size = place.end - place.start
    return (FieldPlace(name=place.name, default=place.default, start=0, end=size),)


def _common(one: bytes, other: bytes) -> int:
    """Give the length of the longest common beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _told(general: bytes, at: int) -> str:
    """Name the line of the edition, and what should stand there: nothing of the mail is shown."""
    line = general.count(b"\n", 0, at) + 1
    shown = general[at : at + _SHOWN].partition(b"\n")[0].decode("utf-8", "ignore").strip()
    return f"line {line} should go on with {shown!r}" if shown else f"line {line} should end there"


def _misfit(general: bytes, place: FieldPlace) -> str:
    line = general.count(b"\n", 0, place.start) + 1
    whose = "the way to leave" if place.name == "leave_url" else "what To has"
    return f"line {line} holds something else in the place of [[{place.name}]] than {whose}"
