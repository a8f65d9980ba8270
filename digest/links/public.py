"""Which addresses belong to the public internet, and so to anybody's web site."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

__all__ = ["is_public"]

_UNICAST: Final = ip_network("2000::/3")  # all that was ever given to anybody (RFC 4291 §2.4)
_NAT64: Final = ip_network("64:ff9b::/96")  # IPv4 as seen from networks without it (RFC 6052 §2.1)
_RELAYS: Final = ip_network("192.88.99.0/24")  # of 6to4, given up (RFC 7526)


def is_public(address: str) -> bool:
    """Tell whether an IP address is one of the public internet, where it is one at all.

    Not so: loopback, private and link-local ones, those for documentation, tests, groups or later
    use. One that has an IPv4 address inside (mapped, NAT64, 6to4) counts as that one.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        inner = _inner(found)
        if inner is not None:
            return is_public(str(inner))
        return found in _UNICAST and found.is_global and found.teredo is None
    return found.is_global and not (found.is_multicast or found.is_reserved or found in _RELAYS)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Give the IPv4 address that an IPv6 address stands for."""
    if address in _NAT64:
        return IPv4Address(int(address) % 2**32)
    return address.ipv4_mapped or address.sixtofour
