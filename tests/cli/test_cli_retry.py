"""`digest send --retry-failed`: those go once more at whom a send failed, and a kill loses none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import KEY, NOW, relay_settings, tree
from relay.server import Relay

from digest.config import load_settings
from digest.publish.project import Project
from digest.publish.send_seal import reopen_seal
from digest.store.deliveries import Deliveries

Digest = Callable[..., tuple[int, str, str]]
Send = Callable[..., tuple[int, dict[str, Any], str]]

_BO = "bo@reader.example"
_LATE = ("--now", "2026-12-09T10:00:00+01:00")


@pytest.fixture
def relay(send: Send) -> Iterator[Relay]:
    """Give a relay that refused one of three for its content, and takes everything now."""
    with Relay() as made:
        made.on("END", "554 5.6.0 no", to=_BO)
        code, told, _ = send(*relay_settings(made), "--yes")
        assert (code, told["accepted"], told["refused"]) == (0, 2, 1)
        made.heal()
        yield made


def _seal(letter: Path) -> str:
    return (letter / f"content/issues/{KEY}.md").read_text("utf-8")


def _again(relay: Relay, *more: str) -> tuple[str, ...]:
    return (*relay_settings(relay), "--yes", "--retry-failed", *more)


def test_who_was_refused_is_tried_again(letter: Path, send: Send, relay: Relay) -> None:
    """One goes once more, with the same Message-ID; the others get nothing, and it ends again."""
    before = tree(letter)
    code, told, _ = send(*_again(relay, "--dry-run"))
    assert (code, told["pending"]) == (0, 1)
    assert tree(letter) == before

    code, told, _ = send(*_again(relay))
    assert (code, told["state"], told["accepted"], told["refused"]) == (0, "sent", 3, 0)
    assert [kept.recipients[0] for kept in relay.kept[2:]] == [_BO]
    assert "  ended: 2026-12-01T10:00:0" in _seal(letter)

    code, _, err = send(*_again(relay))
    assert code == 4
    assert "nobody failed, so there is nobody to try again" in err


def test_number_is_asked_for(send: Send, relay: Relay) -> None:
    """Without a yes nobody is tried again; the number is that of who failed."""
    options = (*relay_settings(relay), "--retry-failed")
    assert "nobody said yes to mailing 1 reader" in send(*options)[2]
    assert "--audience names 3, and there are 1" in send(*options, "--audience", "3")[2]
    assert send(*options, "--audience", "1")[0] == 0
    assert len(relay.kept) == 3


def test_who_gets_no_mail_any_more_is_not_tried_again(
    letter: Path, send: Send, digest: Digest, relay: Relay
) -> None:
    """Somebody who left is not, and that is said."""
    assert digest("-C", letter, "readers", "remove", _BO, *NOW)[0] == 0
    code, _, err = send(*_again(relay))
    assert code == 4
    assert "of those who failed nobody is an active reader now" in err
    assert len(relay.kept) == 2


def test_what_was_never_sent_is_not_tried_again(send: Send) -> None:
    """There is nothing to try again."""
    assert "was never sent" in send("--retry-failed")[2]


def test_relay_that_is_not_there_changes_nothing(letter: Path, send: Send) -> None:
    """The send stays at its end, by its seal and by the ledger."""
    with Relay() as relay:
        relay.on("END", "554 5.6.0 no", to=_BO)
        assert send(*relay_settings(relay), "--yes")[0] == 0
    seal = _seal(letter)
    assert send(*_again(relay))[0] == 6
    assert _seal(letter) == seal
    assert "was sent already" in send(*relay_settings(relay), "--yes")[2]


def _project(letter: Path) -> Project:
    return Project(settings=load_settings(letter, file=None, environ={}, overrides=()))


def _open_seal(letter: Path) -> Project:
    """Do what `--retry-failed` does first, and no more: it was killed then."""
    project = _project(letter)
    with project.opened() as store:
        send = store.deliveries.send(project.key(KEY, now=_NOWHERE))
    assert send is not None
    with project.writing():
        reopen_seal(project, send)
    assert "ended:" not in _seal(letter)
    return project


_NOWHERE: Any = None  # a key that is given needs no moment


def test_killed_between_seal_and_ledger(
    letter: Path, send: Send, digest: Digest, relay: Relay
) -> None:
    """The send counts as ended for all who ask, and the same command is right."""
    _open_seal(letter)
    assert "was sent already" in send(*relay_settings(relay), "--yes")[2]
    assert f"{KEY}  sent" in digest("-C", letter, "status", *NOW)[1]
    assert digest("-C", letter, "tick", *relay_settings(relay), *NOW)[0] == 0
    assert len(relay.kept) == 2
    assert send(*_again(relay))[0] == 0
    assert len(relay.kept) == 3
    assert "ended:" in _seal(letter)


def test_end_that_a_publishing_puts_back_is_taken_out_again(
    letter: Path, send: Send, digest: Digest, relay: Relay
) -> None:
    """Whoever publishes after such a kill mends the seal; nothing is lost by it."""
    _open_seal(letter)
    assert digest("-C", letter, "publish", *NOW)[0] == 0
    assert "ended:" in _seal(letter)
    assert send(*_again(relay))[0] == 0
    assert len(relay.kept) == 3


@pytest.mark.parametrize("words", [("send", "--yes"), ("tick",)])
def test_killed_after_the_ledger(
    letter: Path, digest: Digest, relay: Relay, words: tuple[str, ...]
) -> None:
    """From then on the send is open: any command that goes on with sends brings it to its end."""
    project = _open_seal(letter)
    key = project.key(KEY, now=_NOWHERE)
    with project.opened() as store:
        send = store.deliveries.send(key)
        assert send is not None
        assert store.deliveries.reopen(key, now=send.began) == 1
    assert f"{KEY}  sending" in digest("-C", letter, "status", *NOW)[1]
    later = ("--now", "2026-12-01T10:30:00+01:00")
    code, _, err = digest("-C", letter, *words, *relay_settings(relay), *later)
    assert code == 0, err
    assert len(relay.kept) == 3
    assert "ended:" in _seal(letter)


def test_seal_is_open_before_the_ledger_is(
    letter: Path, send: Send, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other way round a kill would leave what is taken for an old copy of the database."""
    seen: list[str] = []
    reopen = Deliveries.reopen

    def look(self: Deliveries, *arguments: Any, **more: Any) -> int:  # noqa: ANN401 - as they come
        seen.append(_seal(letter))
        return reopen(self, *arguments, **more)

    monkeypatch.setattr(Deliveries, "reopen", look)
    assert send(*_again(relay))[0] == 0
    [text] = seen
    assert "  sent:" in text
    assert "ended:" not in text


def test_send_of_long_ago_goes_on_by_itself(letter: Path, digest: Digest, relay: Relay) -> None:
    """The schedule does not take it for an old copy: somebody was at it a while ago."""
    assert digest("-C", letter, "tick", *relay_settings(relay), *_LATE)[0] == 0
    relay.on("RCPT", "450 4.2.0 later", to=_BO, times=1)
    words = ("send", KEY, *_again(relay), "--json")
    code, out, _ = digest("-C", letter, *words, *_LATE)
    assert (code, json.loads(out)["pending"]) == (5, 1)

    later = ("--now", "2026-12-09T10:08:00+01:00")
    assert digest("-C", letter, "tick", *relay_settings(relay), *later)[0] == 0
    assert "hold:" not in _seal(letter)
    assert f"{KEY}  sent" in digest("-C", letter, "status", *later)[1]
    assert len(relay.kept) == 3


def test_reader_in_doubt_is_tried_again_where_the_settings_hold_them(send: Send) -> None:
    """`on_unknown = "hold"` keeps them from going by themselves; a person may let them go."""
    with Relay() as relay:
        relay.on("END", keep=True, to=_BO, close=True, answer="", times=1)
        options = (*relay_settings(relay), "--set=transport.on_unknown=hold", "--yes")
        code, told, _ = send(*options)
        assert (code, told["unknown"], len(relay.kept)) == (0, 1, 3)
        code, told, _ = send(*options, "--retry-failed")
        assert (code, told["accepted"], len(relay.kept)) == (0, 3, 4)
        assert len({kept.data for kept in relay.kept}) == 3
