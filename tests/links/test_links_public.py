"""Addresses of the public internet, and all the others."""

from __future__ import annotations

from ipaddress import IPv4Address, ip_network

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.links import is_public

PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("0.0.0.1", "255.255.255.255", "224.0.0.1", "240.0.0.1", "192.0.2.1", "198.18.0.1"),
    *("192.88.99.1", "198.51.100.1", "203.0.113.1"),
]


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "172.32.0.1", "2606:4700::1111", "64:ff9b::8.8.8.8", "2002:808:808::1"]
)
def test_public_addresses_are_public(address: str) -> None:
    """So are those that have a public one inside."""
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_of_other_use_are_not(address: str) -> None:
    """In none of the forms in which IPv6 has them inside."""
    number = int(IPv4Address(address))
    high, low = number >> 16, number & 0xFFFF
    forms = ("::ffff:{}", "64:ff9b::{}", "::{}", "2002:{}::1", "64:ff9b:1::{}")
    assert not is_public(address)
    assert not any(is_public(form.format(f"{high:x}:{low:x}")) for form in forms)


@pytest.mark.parametrize(
    "address",
    [
        *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1"),
        *("2001:db8::1", "2001::1", "2001:0:808:808::1", "64:ff9b:1::808:808", "4000::1"),
        *("", "localhost", "127.1", "0x7f000001", "8.8.8.8 ", "[::1]"),
    ],
)
def test_other_addresses_and_what_is_none_are_not(address: str) -> None:
    """Only what was given to somebody for the public counts."""
    assert not is_public(address)


@settings(deadline=None, max_examples=100)
@given(st.ip_addresses(v=4), st.sampled_from(["10.0.0.0/8", "127.0.0.0/8", "192.168.0.0/16"]))
def test_whole_networks_are_refused(address: IPv4Address, network: str) -> None:
    """Each address that lies in one of these is private."""
    inside = ip_network(network)
    number = int(inside.network_address) | (int(address) & int(inside.hostmask))
    assert not is_public(str(IPv4Address(number)))
