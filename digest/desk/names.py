"""Which names mean this machine."""

from __future__ import annotations

from ipaddress import ip_address

__all__ = ["is_loopback"]


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine and no other, by its very name; nothing is looked up."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
