"""A send killed again and again: nobody is lost, nobody is mailed twice beyond what is in doubt."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from relay.server import Relay

from digest.model import Consent, Reader
from digest.store import open_store

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_ROOT = Path(__file__).resolve().parents[2]
_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_READERS = 200
_CONNECTIONS = 4  # the default
# Where the process is killed, each on another message: before the relay answers, or, at END, after
# it has stored the mail and before it says so. Then nobody can know.
_POINTS = ("MAIL", "RCPT", "DATA", "END", "END", "RCPT", "END", "MAIL", "END", "DATA")


@pytest.fixture
def letter(digest: Digest, newsletter: Make) -> Path:
    """Give a newsletter with two hundred readers and this week's draft."""
    item = "---\ntitle: Tide mills\nurl: https://mills.example/\n---\n\nThey ground corn.\n"
    root = newsletter({"content/mills.md": item})
    assert digest("-C", root, "build", *_NOW)[0] == 0
    now = datetime.fromisoformat(_NOW[1])
    with open_store(f"sqlite:///{root}/private/digest.db", create=True) as store:
        readers = [
            Reader(address=f"r{n:03}@reader.example", name=f"R {n}", since=now)
            for n in range(_READERS)
        ]
        store.readers.add(readers, consent=Consent(source="asked at the quay", at=now))
    return root


def _by(relay: Relay) -> tuple[str, ...]:
    return (
        *("--set=transport.kind=smtp", "--set=transport.smtp.host=127.0.0.1"),
        *(f"--set=transport.smtp.port={relay.port}", "--set=transport.smtp.security=none"),
    )


def _start(letter: Path, relay: Relay) -> subprocess.Popen[bytes]:
    words = ["-C", str(letter), "send", "--yes", *_NOW, *_by(relay)]
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "digest", *words],
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_ten_interruptions_lose_nobody(letter: Path, how: signal.Signals) -> None:
    """All get it; a kill doubles one a connection at most, with one Message-ID; a plea none."""
    with Relay() as relay:
        for number, point in enumerate(_POINTS):
            event: Any = point
            started: list[subprocess.Popen[bytes]] = []

            def strike(started: list[subprocess.Popen[bytes]] = started) -> None:
                started[0].send_signal(how)
                if how == signal.SIGKILL:
                    started[0].wait()  # so that no answer reaches it

            relay.on(event, before=strike, skip=11 + number, times=1, keep=point == "END")
            started.append(_start(letter, relay))
            _, err = started[0].communicate(timeout=60)
            if how == signal.SIGKILL:
                assert started[0].returncode == -signal.SIGKILL, err
            else:
                assert started[0].returncode == 5, err
            relay.heal()
        last = _start(letter, relay)
        _, err = last.communicate(timeout=60)
        assert last.returncode == 0, err

    got = Counter(kept.recipients for kept in relay.kept)
    ids = {_message_id(kept.data) for kept in relay.kept}
    assert len(got) == _READERS
    doubled = len(relay.kept) - _READERS
    assert doubled <= (len(_POINTS) * _CONNECTIONS if how == signal.SIGKILL else 0)
    assert max(got.values()) <= 2
    assert len(ids) == _READERS
    assert len({kept.data for kept in relay.kept}) == _READERS


def test_ctrl_c_is_not_undone_by_the_schedule(letter: Path, digest: Digest) -> None:
    """It ends with 130 between two messages; no tick goes on, and the same command does."""
    with Relay() as relay:
        started: list[subprocess.Popen[bytes]] = []
        relay.on("END", before=lambda: started[0].send_signal(signal.SIGINT), skip=11, times=1)
        started.append(_start(letter, relay))
        _, err = started[0].communicate(timeout=60)
        assert started[0].returncode == 130, err
        kept = len(relay.kept)
        assert 12 <= kept < 12 + _CONNECTIONS  # those on the wire had their answers
        relay.heal()
        assert digest("-C", letter, "tick", *_by(relay), *_NOW)[0] == 0
        assert len(relay.kept) == kept

        last = _start(letter, relay)
        _, err = last.communicate(timeout=60)
        assert last.returncode == 0, err
    assert len({kept.recipients for kept in relay.kept}) == len(relay.kept) == _READERS


def _message_id(data: bytes) -> bytes:
    return next(line for line in data.split(b"\r\n") if line.startswith(b"Message-ID:"))
