"""`digest send --from-outbox`: what the outbox holds goes to a relay, octet for octet, once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import KEY, NOW, PEOPLE, messages, read, relay_settings, tree
from relay.server import Relay

from digest.model import Outcome
from digest.transport import Outbox

Digest = Callable[..., tuple[int, str, str]]
Send = Callable[..., tuple[int, dict[str, Any], str]]

_ROOT = Path(__file__).resolve().parents[2]
_LEFT = "cleo@reader.example"


@pytest.fixture
def folder(letter: Path, send: Send) -> Path:
    """Give the folder of the messages, of an issue that was sent into the outbox."""
    assert send("--via", "outbox")[0] == 0
    return letter / f"outbox/{KEY}/messages"


def _manifest(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
    return told


def _from_outbox(relay: Relay, *more: str) -> tuple[str, ...]:
    return ("--from-outbox", *relay_settings(relay), "--yes", *more)


def test_manifest_names_each_message_with_its_hash(folder: Path) -> None:
    """It is for the eyes of its owner alone, and tells what a later sender has to know."""
    told = _manifest(folder)
    assert (told["schema"], told["issue"], told["dkim"]) == (1, KEY, "")
    assert told["began"] == "2026-12-01T10:00:00+01:00"
    assert len(told["edition"]) == len(told["imprint"]) == 64
    assert (folder / "manifest.json").stat().st_mode & 0o777 == 0o600
    assert [one["position"] for one in told["messages"]] == [1, 2, 3]
    assert [one["recipient"] for one in told["messages"]] == list(PEOPLE)
    assert [one["name"] for one in told["messages"]] == ["Ann", "Bo", "Cleo"]
    files = {file.name: file.read_bytes() for file in folder.glob("*.eml")}
    for one in told["messages"]:
        data = files.pop(one["file"])
        assert (sha256(data).hexdigest(), len(data)) == (one["sha256"], one["size"])
        assert read(data)["Message-ID"] == one["message_id"]
        assert one["sender"] == "letter@harbour.example"
    assert files == {}


def test_files_go_out_as_they_are_and_once(
    letter: Path, folder: Path, send: Send, digest: Digest
) -> None:
    """Each reader has the very octets of their file; a second time is exit 4."""
    status = digest("-C", letter, "status", *NOW)
    with Relay() as relay:
        code, told, _ = send(*_from_outbox(relay))
        assert (code, told["state"], told["accepted"]) == (0, "sent", 3)
        assert sorted(kept.data for kept in relay.kept) == sorted(messages(letter))
        assert {kept.sender for kept in relay.kept} == {"letter@harbour.example"}
        named = {one["recipient"]: one["sha256"] for one in _manifest(folder)["messages"]}
        for kept in relay.kept:
            assert sha256(kept.data).hexdigest() == named[kept.recipients[0]]

        code, _, err = send(*_from_outbox(relay))
        assert code == 4
        assert "was handed on already, on Tue 1 Dec 2026 10:00" in err
        assert send(*relay_settings(relay), "--yes")[0] == 4
        assert digest("-C", letter, "tick", *relay_settings(relay), *NOW)[0] == 0
        assert len(relay.kept) == 3
    assert digest("-C", letter, "status", *NOW) == status


def test_who_left_meanwhile_gets_nothing(
    letter: Path, folder: Path, send: Send, digest: Digest
) -> None:
    """Who left since the files were written is left out, before and while they are handed on."""
    assert len(list(folder.glob("*.eml"))) == 3
    assert digest("-C", letter, "readers", "remove", _LEFT, *NOW)[0] == 0
    before = tree(letter)
    with Relay() as relay:
        dry = digest("-C", letter, "send", *_from_outbox(relay), "--dry-run", *NOW)
        assert "would go to 2 readers by smtp" in dry[1]
        assert "  left out, as they get no mail any more: 1\n" in dry[1]
        assert (relay.sessions, tree(letter)) == (0, before)
        relay.on(
            "END",
            before=lambda: digest("-C", letter, "readers", "remove", PEOPLE[1], *NOW),
            times=1,
        )
        code, told, _ = send(*_from_outbox(relay))
        assert (code, told["audience"], told["accepted"], told["left"]) == (0, 3, 1, 2)
        assert [kept.recipients for kept in relay.kept] == [(PEOPLE[0],)]


@pytest.mark.parametrize("what", ["changed", "longer", "gone", "linked"])
def test_file_that_is_not_as_it_was_stops_all(
    letter: Path, folder: Path, send: Send, what: str
) -> None:
    """Every such file is named before anything leaves; the relay is not even called."""
    first, second, _ = sorted(folder.glob("*.eml"))
    data = first.read_bytes()
    for file in (first, second):
        if what == "gone":
            file.unlink()
        elif what == "linked":
            file.unlink()
            file.symlink_to(letter / "digest.toml")
        else:
            file.write_bytes(data.replace(b"harbour", b"harborr") + b"x" * (what == "longer"))
    with Relay() as relay:
        code, _, err = send(*_from_outbox(relay))
        assert code == 4
        assert relay.sessions == 0
    told = "is not there" if what == "gone" else "is not as it was written"
    for file in (first, second):
        assert f"outbox/{KEY}/messages/{file.name}: {told}" in err


def test_file_that_changes_while_others_go_out_is_not_sent(
    letter: Path, folder: Path, send: Send
) -> None:
    """It is told of that reader alone; put back, `--retry-failed` sends it."""
    entry = _manifest(folder)["messages"][2]
    file = folder / entry["file"]
    data = file.read_bytes()
    with Relay() as relay:
        options = _from_outbox(relay, "--set=transport.smtp.connections=1")
        relay.on("END", before=lambda: file.write_bytes(data[:-2] + b"-\n"), times=1)
        code, told, err = send(*options)
        assert (code, told["accepted"], told["unsupported"]) == (0, 2, 1)
        assert f"{entry['file']}: is not as it was written" in err
        assert "digest send" not in told["failed"][0]["reply"]

        file.write_bytes(data)
        code, told, _ = send(*options, "--retry-failed")
        assert (code, told["accepted"], told["unsupported"]) == (0, 3, 0)
        assert sorted(kept.data for kept in relay.kept) == sorted(messages(letter))
        assert send(*options, "--retry-failed")[0] == 4


def _without_end(text: str) -> str:
    return text.removesuffix("]\n}\n")


def _twice(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:8], lines[8], *lines[8:]])


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda _: None, "is not there"),
        (lambda _: "", "is no manifest of 2026-w49"),
        (lambda text: text.replace("2026-w49", "2026-w48"), "is no manifest of 2026-w49"),
        (lambda text: text.replace('"schema": 1', '"schema": 2'), "is no manifest of 2026-w49"),
        (lambda text: text.replace('"edition": "', '"edition": "0'), "is of another edition"),
        (_without_end, "it has no end"),
        (_twice, "message 1 stands behind message 1"),
        (lambda text: text.replace('"position": 2', '"position": "2"'), "is no message"),
        (lambda text: text.replace('"size"', '"octets"', 1), "is no message"),
        (lambda text: text.replace("bo@reader", "bo> @reader"), "is no message"),
        (lambda text: text.replace('.eml"', '/../x"', 1), "is no message"),
        (lambda text: text.replace("bo@reader", "bob@reader"), "different things of message 2"),
        (lambda text: text.replace('"Bo"', '"Bob"'), "different things of message 2"),
        (lambda text: text.replace('"position": 3', '"position": 7'), "things of message 3"),
        (lambda _: "[" * 100_000, "manifest"),
        (lambda text: text.replace('"position": 2', f'"position": {"[" * 100_000}'), "no message"),
    ],
)
def test_manifest_that_does_not_fit_stops_all(
    folder: Path, send: Send, spoil: Callable[[str], str | None], told: str
) -> None:
    """A manifest that was lost, cut off or edited is exit 4, and nothing leaves."""
    file = folder / "manifest.json"
    text = spoil(file.read_text("utf-8"))
    if text is None:
        file.unlink()
    else:
        file.write_text(text, "utf-8")
    with Relay() as relay:
        code, _, err = send(*_from_outbox(relay))
        assert (code, relay.sessions) == (4, 0)
    assert told in err
    assert "put " in err


def test_manifest_without_a_message_of_the_ledger_stops_all(folder: Path, send: Send) -> None:
    """Who was taken out of it by hand would else never get the issue."""
    file = folder / "manifest.json"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    last = lines.pop(10)
    assert '"position": 3' in last
    lines[9] = lines[9].replace("},", "}")
    file.write_text("".join(lines), "utf-8")
    with Relay() as relay:
        code, _, err = send(*_from_outbox(relay))
        assert (code, relay.sessions) == (4, 0)
    assert "different things of message 3" in err


def test_reader_who_is_put_off_gets_the_same_octets_later(
    letter: Path, folder: Path, send: Send, digest: Digest
) -> None:
    """The same command goes on; the schedule leaves it to the person who began it."""
    assert folder.is_dir()
    later = ("--now", "2026-12-01T10:08:00+01:00")
    with Relay() as relay:
        relay.on("END", "451 4.3.0 later", to=PEOPLE[1], times=1)
        code, told, _ = send(*_from_outbox(relay))
        assert (code, told["accepted"], told["pending"]) == (5, 2, 1)
        assert send(*_from_outbox(relay))[0] == 5

        assert digest("-C", letter, "tick", *relay_settings(relay), *later)[0] == 0
        assert len(relay.kept) == 2
        words = ("send", KEY, *_from_outbox(relay), *later)
        code, out, _ = digest("-C", letter, *words)
        assert (code, len(relay.kept)) == (0, 3)
        assert "3 readers: 3 accepted" in out
        assert sorted(kept.data for kept in relay.kept) == sorted(messages(letter))
        # What is in the outbox cannot grow any more: it was handed on.
        assert "handed on already" in send("--via", "outbox", "--retry-failed")[2]


def test_process_that_is_killed_loses_nobody(letter: Path, folder: Path, digest: Digest) -> None:
    """The same command goes on; only what was on the wire may come twice, with the same octets."""
    assert folder.is_dir()
    with Relay() as relay:
        words = _from_outbox(relay, "--set=transport.smtp.connections=1", *NOW)
        started: list[subprocess.Popen[bytes]] = []

        def strike() -> None:
            started[0].kill()
            started[0].wait()

        relay.on("END", before=strike, skip=1, times=1)
        started.append(
            subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "digest", "-C", str(letter), "send", *words],
                env={**os.environ, "PYTHONPATH": str(_ROOT)},
            )
        )
        assert started[0].wait(60) == -signal.SIGKILL
        assert len(relay.kept) == 2
        assert digest("-C", letter, "send", *words)[0] == 0
        assert len(relay.kept) == 4
        assert {kept.data for kept in relay.kept} == set(messages(letter))


def test_hold_stops_what_is_handed_on(
    letter: Path, folder: Path, send: Send, digest: Digest
) -> None:
    """`digest hold` works while files go out; once released the same command goes on."""
    assert folder.is_dir()
    with Relay() as relay:
        options = _from_outbox(relay, "--set=transport.smtp.connections=1")
        relay.on(
            "END",
            before=lambda: digest("-C", letter, "hold", "--reason", "a dead link", *NOW),
            times=1,
        )
        code, told, _ = send(*options)
        assert (code, told["accepted"], told["halted"]) == (5, 1, "held: a dead link")
        assert send(*options)[0] == 4
        assert digest("-C", letter, "hold", "--release", *NOW)[0] == 0
        assert send(*options)[0] == 0
        assert len(relay.kept) == 3
    assert digest("-C", letter, "hold", *NOW)[0] == 4


def test_issue_that_went_by_smtp_is_not_handed_on(send: Send) -> None:
    """Its readers have it."""
    with Relay() as relay:
        assert send(*relay_settings(relay), "--yes")[0] == 0
        code, _, err = send(*_from_outbox(relay))
        assert code == 4
        assert "was sent by smtp" in err
        assert len(relay.kept) == 3


def test_what_is_not_in_the_outbox_is_not_handed_on(
    letter: Path, send: Send, digest: Digest
) -> None:
    """Nothing is there before the issue was sent into it, nor after it was withdrawn."""
    with Relay() as relay:
        assert "has no messages in the outbox" in send(*_from_outbox(relay))[2]
        assert send("--via", "outbox")[0] == 0
        assert "was never handed on" in send(*_from_outbox(relay, "--retry-failed"))[2]
        assert digest("-C", letter, "withdraw", KEY, *NOW)[0] == 0
        code, _, err = send(*_from_outbox(relay))
        assert code == 4
        assert "was withdrawn" in err
        assert relay.sessions == 0


def test_outbox_that_nobody_reads_any_more_is_exit_4(
    letter: Path, folder: Path, send: Send, digest: Digest
) -> None:
    """Where all have left, nothing is handed on."""
    assert folder.is_dir()
    assert digest("-C", letter, "readers", "remove", *PEOPLE, *NOW)[0] == 0
    with Relay() as relay:
        code, _, err = send(*_from_outbox(relay))
        assert (code, relay.sessions) == (4, 0)
    assert "D119" in err


@pytest.mark.parametrize(
    "options",
    [
        ("--from-outbox", "--via", "outbox"),
        ("--from-outbox", "--test", "e@harbour.example"),
        ("--retry-failed", "--test", "e@harbour.example"),
        ("--from-outbox",),  # no relay is set
    ],
)
def test_options_that_contradict_each_other_are_exit_2(
    send: Send, options: tuple[str, ...]
) -> None:
    """They are refused before anything is looked at."""
    assert send(*options)[0] == 2


def test_number_is_asked_for_as_for_any_mail(folder: Path, send: Send) -> None:
    """Without a yes nothing leaves; a number named beforehand has to be the right one."""
    assert folder.is_dir()
    with Relay() as relay:
        options = ("--from-outbox", *relay_settings(relay))
        assert "nobody said yes to mailing 3 readers" in send(*options)[2]
        assert "--audience names 2, and there are 3" in send(*options, "--audience", "2")[2]
        assert relay.sessions == 0
        assert send(*options, "--audience", "3")[0] == 0
        assert len(relay.kept) == 3


def test_reader_without_a_file_is_told_and_written_first(
    letter: Path, send: Send, digest: Digest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has no message in the outbox is counted; `--retry-failed` writes it before it goes on."""
    with monkeypatch.context() as broken:
        hand_over = Outbox.hand_over
        broken.setattr(
            Outbox,
            "hand_over",
            lambda self, message: (
                Outcome(state="unsupported", text="cannot be written")
                if message.recipient == PEOPLE[1]
                else hand_over(self, message)
            ),
        )
        code, told, _ = send()
        assert (code, told["accepted"], told["unsupported"]) == (0, 2, 1)
    with Relay() as relay:
        words = ("send", *_from_outbox(relay), *NOW)
        dry = digest("-C", letter, *words, "--dry-run")[1]
        assert "would go to 2 readers" in dry
        assert "  without a message in the outbox: 1\n" in dry
        assert send("--retry-failed")[0] == 0
        assert digest("-C", letter, *words)[0] == 0
        assert sorted(kept.data for kept in relay.kept) == sorted(messages(letter))
        assert len(relay.kept) == 3


def test_limit_of_the_relay_holds_for_files_too(letter: Path, folder: Path, digest: Digest) -> None:
    """Exit 5 and when the next may go; the command that is named goes on."""
    assert folder.is_dir()
    rate = '--set=transport.smtp.rate=["2/hour"]'
    with Relay() as relay:
        words = ("-C", letter, "send", KEY, *_from_outbox(relay, rate))
        told = "the limits of the relay are reached; next from Tue 1 Dec 2026 11:0"
        for sessions, moment in ((1, NOW[1]), (1, "2026-12-01T10:30:00+01:00")):
            code, out, err = digest(*words, "--now", moment)
            assert not err
            assert (code, relay.sessions, len(relay.kept)) == (5, sessions, 2)
            assert told in out
            assert f": digest send {KEY} --from-outbox\n" in out
        assert digest(*words, "--now", "2026-12-01T11:02:00+01:00")[0] == 0
        assert len(relay.kept) == 3


def test_ctrl_c_stops_what_is_handed_on(letter: Path, folder: Path, digest: Digest) -> None:
    """It ends with 130 between two messages, and the same command goes on."""
    assert folder.is_dir()
    with Relay() as relay:
        words = _from_outbox(relay, "--set=transport.smtp.connections=1", *NOW)
        relay.on("END", before=lambda: os.kill(os.getpid(), signal.SIGINT), times=1)
        assert digest("-C", letter, "send", *words)[0] == 130
        assert len(relay.kept) == 1
        assert digest("-C", letter, "send", *words)[0] == 0
        assert len(relay.kept) == 3
