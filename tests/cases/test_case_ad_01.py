"""AD-01: addresses outside plain ASCII, by a relay that can write them and by one that cannot."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cases.inputs import both
from cases.scripts import relay_of
from cases.sending import by_relay, with_people
from relay.server import Relay

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_OURS = {
    "people.csv": "email,name,status\n"
    "ida@quay.example,Ida,active\n"
    "søren@reader.example,Søren,active\n"
    "tide+letter@reader.example,Plus,active\n"
    "d'arc@reader.example,Arc,active\n"
    "mia@fährhaus.example,Mia,active\n",
    "server-a.txt": "ehlo 8BITMIME SIZE 5242880\n",
    "server-b.txt": "ehlo 8BITMIME SMTPUTF8 SIZE 5242880\n",
}
_inputs = both("AD-01", _OURS, "*.*")


class _People:
    """The addresses as they were typed, told apart by what is beyond ASCII in them."""

    def __init__(self, data: bytes) -> None:
        typed = [line.split(",")[0] for line in data.decode().splitlines()[1:]]
        [self.raw] = [one for one in typed if not one.partition("@")[0].isascii()]
        [named] = [one for one in typed if not one.partition("@")[2].isascii()]
        local, _, domain = named.partition("@")
        self.named = f"{local}@{domain.encode('idna').decode()}"
        self.plain = [one for one in typed if one.isascii()]


@pytest.fixture
def people(files: dict[str, bytes]) -> _People:
    """Give the people of the case."""
    return _People(files["people.csv"])


@contextmanager
def _sent(
    digest: Digest, newsletter: Make, files: dict[str, bytes], server: str
) -> Iterator[tuple[Relay, dict[str, Any], Path]]:
    """Send to the people of the case by one of its servers, which still runs then."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with relay_of(files[server].decode(), encrypted=False) as relay:
        code, out, err = digest("-C", root, "send", "--json", "--yes", *by_relay(relay), *_NOW)
        assert code == 0, err
        yield relay, json.loads(out), root


def _assert_no_false_names(relay: Relay) -> None:
    """No server sees an encoded word, or an A-label left of the at sign."""
    commands = [line for line in relay.lines if line.upper().startswith(("MAIL", "RCPT"))]
    assert commands
    for line in commands:
        address = line.partition("<")[2].partition(">")[0]
        assert "=?" not in line
        assert "xn--" not in address.partition("@")[0]
    for kept in relay.kept:
        header = kept.data.partition(b"\r\n\r\n")[0]
        to = next(line for line in header.split(b"\r\n") if line.startswith(b"To: "))
        assert b"=?" not in to.partition(b"<")[2]


@_inputs
def test_ad_01_relay_without_smtputf8(
    digest: Digest, newsletter: Make, files: dict[str, bytes], people: _People
) -> None:
    """The one who cannot be written to is told, not suppressed, and costs nobody their mail."""
    with _sent(digest, newsletter, files, "server-a.txt") as (relay, told, root):
        assert (told["accepted"], told["unsupported"], told["refused"]) == (4, 1, 0)
        [failed] = told["failed"]
        assert (failed["email"], failed["state"]) == (people.raw, "unsupported")
        assert sorted(kept.recipients[0] for kept in relay.kept) == sorted(
            [*people.plain, people.named]
        )
        assert not any(people.raw in line for line in relay.lines)
        assert not any(people.raw.encode() in octets for octets in relay.wire)
        _assert_no_false_names(relay)
        listed = json.loads(digest("-C", root, "readers", "list", "--json", *_NOW)[1])["readers"]
        assert {reader["state"] for reader in listed} == {"active"}


@_inputs
def test_ad_01_relay_with_smtputf8(
    digest: Digest, newsletter: Make, files: dict[str, bytes], people: _People
) -> None:
    """MAIL says SMTPUTF8 for that address alone, RCPT has it as it is; all get their mail."""
    with _sent(digest, newsletter, files, "server-b.txt") as (relay, told, _):
        assert (told["accepted"], told["failed"]) == (5, [])
        by_address = {kept.recipients[0]: kept for kept in relay.kept}
        assert sorted(by_address) == sorted([*people.plain, people.named, people.raw])
        assert {address for address, kept in by_address.items() if "SMTPUTF8" in kept.options} == {
            people.raw
        }
        assert any(f"RCPT TO:<{people.raw}>" in line for line in relay.lines)
        assert f"<{people.raw}>".encode() in by_address[people.raw].data
        _assert_no_false_names(relay)
