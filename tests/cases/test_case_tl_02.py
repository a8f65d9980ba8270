"""TL-02: a refused login is tried once, touches no reader, and is told."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from cases.inputs import both
from cases.scripts import relay_of
from cases.sending import by_relay, with_people
from relay.server import Relay

from digest.cli.stop import Stop

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2027-01-18T10:00:00+01:00")
_WORD = "sea-salt-and-wind"
_PEOPLE = "email,name,status\n" + "".join(
    f"r{n:02}@reader.example,Reader {n},active\n" for n in range(30)
)
_OURS = {
    "people.csv": _PEOPLE,
    "server.txt": "block wrong-password\nAUTH -> 535 5.7.8 that is not your word\n"
    "block passing-trouble\nfor=30 AUTH -> 454 4.7.0 the book of words is shut\n",
}
_inputs = both("TL-02", _OURS, "*.*")


@pytest.fixture
def login(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[str, ...]:
    """Give the options of a login over verified TLS; waiting takes no time."""
    monkeypatch.setenv("SSL_CERT_FILE", Relay().trust(tmp_path))
    monkeypatch.setenv("WORD_OF_THE_QUAY", _WORD)
    monkeypatch.setattr(Stop, "pause", lambda _stop, _seconds: None)
    return (
        "--yes",
        "--set=transport.smtp.username=letter",
        "--set=transport.smtp.password_env=WORD_OF_THE_QUAY",
    )


@_inputs
def test_tl_02_wrong_password(
    digest: Digest, newsletter: Make, login: tuple[str, ...], files: dict[str, bytes]
) -> None:
    """One try, no RCPT, no reader changed, nothing published or sent, an error and exit 6."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    readers = digest("-C", root, "readers", "list", "--json", *_NOW)[1]
    with relay_of(files["server.txt"].decode(), "wrong-password") as relay:
        options = (*login, *by_relay(relay, security="starttls"))
        code, out, err = digest("-C", root, "send", "-v", *options, *_NOW)

    assert code == 6
    assert "535 5.7.8" in err
    assert len(relay.commands("AUTH")) == 1
    assert relay.commands("RCPT") == []
    assert digest("-C", root, "readers", "list", "--json", *_NOW)[1] == readers
    status = json.loads(digest("-C", root, "status", "--json", *_NOW)[1])
    assert [issue["state"] for issue in status["issues"]] == ["draft"]
    for secret in (_WORD, b64encode(_WORD.encode()).decode(), _plain()):
        assert secret not in out + err


@_inputs
def test_tl_02_passing_trouble(
    digest: Digest, newsletter: Make, login: tuple[str, ...], files: dict[str, bytes]
) -> None:
    """A login that is put off is tried again after a wait, and then all thirty are served."""
    root = with_people(newsletter, digest, files["people.csv"], now=_NOW)
    with relay_of(files["server.txt"].decode(), "passing-trouble", passing=5) as relay:
        options = (*login, *by_relay(relay, security="starttls"))
        code, out, err = digest("-C", root, "send", *options, *_NOW)

    assert code == 0, err
    # Five that were put off, the one that was let in, and one for each connection after it.
    assert 6 <= len(relay.commands("AUTH")) <= 9
    assert len({kept.recipients for kept in relay.kept}) == len(relay.kept) == 30
    assert _WORD not in out + err


def _plain() -> str:
    return b64encode(f"\0letter\0{_WORD}".encode()).decode()
