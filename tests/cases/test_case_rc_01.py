"""RC-01: greylisting is waited for, with growing patience, and given up after three days."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cases.inputs import both
from cases.scripts import relay_of
from cases.sending import by_relay, with_people
from relay.server import Relay

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_BEGAN = datetime.fromisoformat("2027-01-18T10:00:00+01:00")
_NOW = ("--now", _BEGAN.isoformat())
_OURS = {
    "people.csv": "email,name,status\n"
    + "".join(f"reader0{n}@harbour.example,Reader {n},active\n" for n in range(1, 4)),
    "server.txt": "rcpt=reader02@harbour.example for=300 RCPT -> 450 4.2.0 come back later\n",
}
_inputs = both("RC-01", _OURS, "*.*")


def _send(
    digest: Digest, root: Path, relay: Relay, at: datetime
) -> tuple[int, dict[str, Any], str]:
    """Send as a process of its own would: all that is known stands in the database."""
    words = ("send", "2027-w03", "--json", "--yes", *by_relay(relay), "--now", at.isoformat())
    code, out, err = digest("-C", root, *words)
    return code, json.loads(out), err


def _got(relay: Relay) -> list[str]:
    return sorted(kept.recipients[0].partition("@")[0] for kept in relay.kept)


def _state(digest: Digest, root: Path) -> str:
    told = json.loads(digest("-C", root, "readers", "list", "--json", *_NOW)[1])["readers"]
    [reader] = [one for one in told if one["email"].startswith("reader02@")]
    state: str = reader["state"]
    return state


@_inputs
def test_rc_01_greylisted_reader_gets_the_mail_later(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """1 and 3 are served at once, 2 later and once; nobody knocks before it is time."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with relay_of(files["server.txt"].decode(), encrypted=False) as relay:
        at, waits = _BEGAN, []
        for _ in range(2):
            code, told, _ = _send(digest, root, relay, at)
            assert (code, told["accepted"], told["pending"]) == (5, 2, 1)
            assert _got(relay) == ["reader01", "reader03"]
            assert _state(digest, root) == "active"
            due = datetime.fromisoformat(told["next_try"])
            waits.append(due - at)

            asked = len(relay.commands("RCPT"))
            assert _send(digest, root, relay, due - timedelta(minutes=1))[0] == 5
            assert len(relay.commands("RCPT")) == asked
            at = due + timedelta(minutes=1)
        code, told, _ = _send(digest, root, relay, at)
        assert (code, told["accepted"]) == (0, 3)
        assert _got(relay) == ["reader01", "reader02", "reader03"]
        assert _send(digest, root, relay, at)[0] == 4
    assert timedelta(minutes=4) < waits[0] < waits[1]


@_inputs
def test_rc_01_gives_up_after_the_time_of_the_manual(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Waits grow up to four hours; after three days it is refused, told, and not suppressed."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with relay_of(files["server.txt"].decode(), encrypted=False, passing=99) as relay:
        at, waits = _BEGAN, []
        for _ in range(7):
            code, told, _ = _send(digest, root, relay, at)
            assert (code, told["pending"]) == (5, 1)
            due = datetime.fromisoformat(told["next_try"])
            waits.append(round((due - at).total_seconds() / 60))
            at = due + timedelta(minutes=1)
        assert waits == [5, 15, 30, 60, 120, 240, 240]

        code, told, err = _send(digest, root, relay, _BEGAN + timedelta(days=3))
        assert (code, told["state"], told["refused"], told["accepted"]) == (0, "sent", 1, 2)
        assert "given up after 3 days" in err
        assert "450 4.2.0" in told["failed"][0]["reply"]
        assert len(relay.commands("RCPT TO:<reader02@")) == 8
    assert _state(digest, root) == "active"
