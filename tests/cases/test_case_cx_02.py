"""CX-02: the link is lost after the final dot: two copies at most, both the same mail."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
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
    + "".join(f"reader0{n}@harbour.example,Reader {n},active\n" for n in range(1, 4)),
    "server.txt": "block closed\n"
    "rcpt=reader02@harbour.example END -> keep ; close\n"
    "block silent\n"
    "rcpt=reader02@harbour.example END -> keep ; wait 600\n",
}
_inputs = both("CX-02", _OURS, "*.*")
_blocks = pytest.mark.parametrize("block", ["closed", "silent"])


def _send(digest: Digest, root: Path, relay: Relay, *more: str) -> tuple[int, dict[str, Any], str]:
    options = (*by_relay(relay), "--set=transport.smtp.patience=1s", *more)
    code, out, err = digest("-C", root, "send", "--json", "--yes", *options, *_NOW)
    return code, json.loads(out), err


def _copies(relay: Relay) -> dict[str, int]:
    return dict(Counter(kept.recipients[0].partition("@")[0] for kept in relay.kept))


@_inputs
@_blocks
def test_cx_02_two_copies_at_most(
    digest: Digest, newsletter: Make, files: dict[str, bytes], block: str
) -> None:
    """2 is uncertain, and tried once more with the same octets; 1 and 3 get one copy each."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with relay_of(files["server.txt"].decode(), block, encrypted=False) as relay:
        code, told, err = _send(digest, root, relay)
        assert (code, told["accepted"], told["unknown"]) == (5, 2, 1), err
        assert (told["refused"], told["failed"][0]["state"]) == (0, "unknown")
        assert _copies(relay) == {"reader01": 1, "reader02": 1, "reader03": 1}

        code, told, _ = _send(digest, root, relay)
        assert (code, told["state"], told["accepted"], told["unknown"]) == (0, "sent", 2, 1)
        assert _send(digest, root, relay)[0] == 4
        assert _copies(relay) == {"reader01": 1, "reader02": 2, "reader03": 1}
        first, second = (
            kept.data for kept in relay.kept if kept.recipients[0].startswith("reader02@")
        )
        assert first == second
        assert re.search(rb"\r\nMessage-ID: <[^>]+>\r\n", first)


@_inputs
@_blocks
def test_cx_02_no_second_copy_where_the_settings_say_so(
    digest: Digest, newsletter: Make, files: dict[str, bytes], block: str
) -> None:
    """With `on_unknown = "hold"` it stays uncertain, and no run tries it again."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with relay_of(files["server.txt"].decode(), block, encrypted=False) as relay:
        hold = "--set=transport.on_unknown=hold"
        code, told, err = _send(digest, root, relay, hold)
        assert (code, told["state"], told["unknown"]) == (0, "sent", 1), err
        assert _send(digest, root, relay, hold)[0] == 4
        assert _copies(relay) == {"reader01": 1, "reader02": 1, "reader03": 1}
