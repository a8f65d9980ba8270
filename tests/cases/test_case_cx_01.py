"""CX-01: a server that ends each session after some mails, or is busy: all get one mail each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases.inputs import both
from cases.scripts import relay_of
from cases.sending import by_relay, with_people
from relay.server import Relay

from digest.cli.stop import Stop

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_COUNT = 12
_OURS = {
    "people.csv": "email,name,status\n"
    + "".join(f"r{n:02}@harbour.example,Reader {n},active\n" for n in range(1, _COUNT + 1)),
    "server.txt": "block session-limit\n"
    "message=6 MAIL -> 421 4.7.0 five are enough for one session ; close\n"
    "block busy-at-connect\n"
    "for=60 CONNECT -> 421 4.7.0 all moorings are taken ; close\n",
}
_inputs = both("CX-01", _OURS, "*.*")


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Give the seconds that were waited for, in order; waiting takes no time."""
    asked: list[float] = []
    monkeypatch.setattr(Stop, "pause", lambda _, seconds: asked.append(seconds))
    return asked


def _assert_once(relay: Relay, told: dict[str, Any]) -> None:
    """Compare the report with what the server kept: each reader once."""
    got = Counter(kept.recipients[0] for kept in relay.kept)
    assert (told["state"], told["accepted"], told["audience"]) == ("sent", _COUNT, _COUNT)
    assert (len(got), len(relay.kept)) == (_COUNT, _COUNT)


@_inputs
@pytest.mark.parametrize("connections", [1, 4])
def test_cx_01_session_that_ends_after_five(
    digest: Digest,
    newsletter: Make,
    files: dict[str, bytes],
    waits: list[float],
    connections: int,
) -> None:
    """A new session after the 421, after a wait; nobody is lost and nobody gets it twice."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with relay_of(files["server.txt"].decode(), "session-limit", encrypted=False) as relay:
        options = (*by_relay(relay), f"--set=transport.smtp.connections={connections}")
        code, out, err = digest("-C", root, "send", "--json", "--yes", *options, *_NOW)
        assert code == 0, err
        _assert_once(relay, json.loads(out))
        assert max(Counter(kept.session for kept in relay.kept).values()) <= 5
        if connections == 1:
            assert relay.sessions == 3
            assert waits[0] >= 1


@_inputs
def test_cx_01_server_that_is_busy(
    digest: Digest, newsletter: Make, files: dict[str, bytes], waits: list[float]
) -> None:
    """It is called again after waits that grow, and then all get their mail."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    script = files["server.txt"].decode()
    with relay_of(script, "busy-at-connect", encrypted=False, passing=4) as relay:
        words = ("send", "--json", "--yes", *by_relay(relay), *_NOW)
        code, out, err = digest("-C", root, *words)
        assert code == 0, err
        _assert_once(relay, json.loads(out))
    assert waits[:4] == sorted(set(waits[:4]))
    assert len(waits) >= 4


@_inputs
def test_cx_01_nobody_is_sent_to_without_an_answer(
    digest: Digest, newsletter: Make, files: dict[str, bytes], waits: list[float]
) -> None:
    """A server that stays busy leaves nothing marked as sent; later the same command is right."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    script = files["server.txt"].decode()
    with relay_of(script, "busy-at-connect", encrypted=False, passing=99) as relay:
        words = ("send", "--json", "--yes", *by_relay(relay), *_NOW)
        code, out, _ = digest("-C", root, *words)
        assert (code, json.loads(out)["error"]["exit"]) == (6, 6)
        assert relay.kept == []
        assert "sent" not in digest("-C", root, "status", *_NOW)[1].splitlines()[0]
        relay.heal()
        code, out, _ = digest("-C", root, *words)
        assert code == 0
        _assert_once(relay, json.loads(out))
    assert waits


@_inputs
def test_cx_01_limits_are_kept(digest: Digest, newsletter: Make, files: dict[str, bytes]) -> None:
    """Five in any hour and three a session: three runs, hours apart, and then all have it."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with Relay() as relay:
        options = (
            *by_relay(relay),
            '--set=transport.smtp.rate=["5/hour"]',
            "--set=transport.smtp.messages_per_connection=3",
        )
        words = ("send", "2027-w03", "--json", "--yes", *options, "--now")
        for hour, count in ((10, 5), (11, 10), (12, 12)):
            at = f"2027-01-18T{hour}:0{2 * (hour - 10)}:00+01:00"
            code, out, err = digest("-C", root, *words, at)
            told = json.loads(out)
            assert (code, told["accepted"], len(relay.kept)) == (
                5 if count < _COUNT else 0,
                count,
                count,
            ), err
            early = digest("-C", root, *words, at.replace(":00+", ":40+"))
            assert early[0] == (5 if count < _COUNT else 4)
            assert len(relay.kept) == count
        _assert_once(relay, told)
        assert max(Counter(kept.session for kept in relay.kept).values()) <= 3
