"""CN-02: who leaves while the issue is going out, before their turn, gets nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cases.inputs import both
from cases.scripts import relay_of
from cases.sending import by_relay, with_people

from digest.store import open_store

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_OURS = {
    "people.csv": "email,name,status\n"
    + "".join(f"reader{n:02}@harbour.example,Reader {n},active\n" for n in range(1, 31)),
    "server.txt": "delay 1\n# once the fifth is kept, the twentieth leaves\n",
}
_inputs = both("CN-02", _OURS, "*.*")
_ways = pytest.mark.parametrize("way", ["left", "suppressed"])


def _goes(digest: Digest, root: Path, address: str, way: str) -> None:
    """Let a reader leave, or let another process suppress them."""
    if way == "left":
        digest("-C", root, "readers", "remove", address, *_NOW)
    else:
        with open_store(f"sqlite:///{root}/private/digest.db", create=True) as store:
            at = datetime(2027, 1, 18, 9, tzinfo=UTC)
            store.readers.change(address, state=way, reason="in the list of a service", at=at)  # type: ignore[arg-type] # one of its states


def _twentieth(people: bytes) -> str:
    return people.decode().splitlines()[20].partition(",")[0]


@_inputs
@_ways
def test_cn_02_leaving_while_it_goes_out(
    digest: Digest, newsletter: Make, files: dict[str, bytes], way: str
) -> None:
    """No RCPT for the twentieth, who goes when the fifth is kept; 29 sent, one not."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    gone = _twentieth(files["people.csv"])
    with relay_of(files["server.txt"].decode(), encrypted=False) as relay:
        relay.on("END", before=lambda: _goes(digest, root, gone, way), skip=4, times=1)
        words = ("send", "--json", "--yes", *by_relay(relay), *_NOW)
        code, out, err = digest("-C", root, *words)
        told = json.loads(out)
        assert (code, told["accepted"], told[way]) == (0, 29, 1), err
        assert len(relay.kept) == 29
        assert relay.commands(f"RCPT TO:<{gone}") == []


@_inputs
@_ways
def test_cn_02_leaving_before_the_outbox_is_sent(
    digest: Digest, newsletter: Make, files: dict[str, bytes], way: str
) -> None:
    """The file was written before they went, and is not handed on."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    gone = _twentieth(files["people.csv"])
    assert digest("-C", root, "send", "--via", "outbox", *_NOW)[0] == 0
    assert len(list((root / "outbox/2027-w03/messages").glob("*.eml"))) == 30
    _goes(digest, root, gone, way)
    with relay_of(files["server.txt"].decode(), encrypted=False) as relay:
        words = ("send", "--from-outbox", "--json", "--yes", *by_relay(relay), *_NOW)
        code, out, err = digest("-C", root, *words)
        told = json.loads(out)
        assert (code, told["accepted"], told[way]) == (0, 29, 1), err
        assert len(relay.kept) == 29
        assert relay.commands(f"RCPT TO:<{gone}") == []
