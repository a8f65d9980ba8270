"""`digest send`: each reader once, by the outbox and by a relay, and what is told of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dkim
import pytest
from cli.mailing import ITEM, KEY, NOW, PEOPLE, messages, read, relay_settings, tree
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from relay.server import Relay, free_port

from digest.mime.dkim_key import dns_record

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Send = Callable[..., tuple[int, dict[str, Any], str]]


def test_outbox_gets_one_file_for_each_reader(letter: Path, send: Send) -> None:
    """Three messages, each parsed without a defect, each to one reader; a second send is exit 4."""
    code, told, _ = send()

    assert (code, told["state"], told["audience"], told["accepted"]) == (0, "sent", 3, 3)
    found = [read(data) for data in messages(letter)]
    assert sorted(message["To"].addresses[0].addr_spec for message in found) == list(PEOPLE)
    assert sorted(message["To"].addresses[0].display_name for message in found) == [
        "Ann",
        "Bo",
        "Cleo",
    ]
    assert [part.defects for message in found for part in message.walk()] == [[]] * 9
    before = tree(letter)

    code, told, err = send()
    assert code == 4
    assert "was sent already" in err
    assert tree(letter) == before


def test_relay_gets_one_transaction_for_each_reader(send: Send) -> None:
    """Three mails on one connection, one RCPT each; again: none more."""
    with Relay() as relay:
        options = (*relay_settings(relay), "--yes")
        code, told, _ = send(*options)
        assert (code, told["accepted"], relay.sessions) == (0, 3, 1)
        assert sorted(kept.recipients for kept in relay.kept) == [(one,) for one in PEOPLE]
        assert {kept.sender for kept in relay.kept} == {"letter@harbour.example"}

        assert send(*options)[0] == 4
        assert len(relay.kept) == 3


def test_what_goes_out_is_what_was_built(letter: Path, send: Send) -> None:
    """The parts of each message are the edition's files, octet for octet: it has no name in it."""
    folder = letter / f"outbox/{KEY}"
    html, text = (folder / "issue.html").read_bytes(), (folder / "issue.txt").read_bytes()
    with Relay() as relay:
        assert send(*relay_settings(relay), "--yes")[0] == 0
        for kept in relay.kept:
            plain, rich = read(kept.data).iter_parts()
            assert plain.get_content().encode() == text.replace(b"\n", b"\r\n")
            assert rich.get_content().encode() == html.replace(b"\n", b"\r\n")


def test_both_ways_send_the_same_bytes(letter: Path, send: Send, digest: Digest) -> None:
    """What the outbox holds is what a relay is given, octet for octet, with single dots."""
    twin = letter.with_name("twin")
    (letter / "private/key").write_text("5a" * 32)  # what the Message-IDs are made with
    shutil.copytree(letter, twin)
    assert send()[0] == 0
    with Relay() as relay:
        options = (*relay_settings(relay), "--yes")
        assert digest("-C", twin, "send", *options, *NOW)[0] == 0

    assert sorted(kept.data for kept in relay.kept) == sorted(messages(letter))


def test_issue_file_is_sealed_as_sent(letter: Path, send: Send, digest: Digest) -> None:
    """When its mails began to go out stands in the seal, and `status` tells it."""
    assert send()[0] == 0

    assert "  sent: 2026-12-01T10:00:00+01:00\n" in (letter / f"content/issues/{KEY}.md").read_text(
        "utf-8"
    )
    out = digest("-C", letter, "status", *NOW)[1]
    assert out.startswith("2026-w49  sent       number 1\n")


def test_dry_run_changes_nothing(letter: Path, send: Send) -> None:
    """It asks the guards and counts; no byte changes, no relay is called."""
    before = tree(letter)
    code, told, _ = send("--dry-run")
    assert (code, told["audience"], told["dry_run"]) == (0, 3, True)
    with Relay() as relay:
        assert send("--dry-run", *relay_settings(relay))[0] == 0
        assert relay.sessions == 0
    assert tree(letter) == before


def test_relay_that_is_not_there_changes_nothing(letter: Path, send: Send) -> None:
    """Exit 6, nothing published, nobody enrolled; the same command is right once it is there."""
    before = tree(letter)
    gone = Relay(port=free_port())
    code, told, err = send(*relay_settings(gone), "--yes")

    assert (code, told["error"]["exit"]) == (6, 6)
    assert f"127.0.0.1:{gone.port}" in err
    after = tree(letter)
    assert {path for path in after if after[path] != before.get(path)} <= {
        "private/sending",
        "private/lock",
    }
    with gone:
        assert send(*relay_settings(gone), "--yes")[0] == 0
        assert len(gone.kept) == 3


@pytest.mark.parametrize(
    ("rules", "code", "counts"),
    [
        ([("RCPT", "550 5.1.1 no such mailbox", "bo@reader.example")], 0, (2, 1, 0)),
        ([("RCPT", "450 4.2.0 come back", "bo@reader.example")], 5, (2, 0, 1)),
        ([("END", "554 5.7.1 no", "")], 5, (0, 0, 3)),
        ([("END", "554 5.7.1 no", "bo@reader.example")], 0, (2, 1, 0)),
        ([("MAIL", "550 5.7.1 not this sender", "")], 6, (0, 0, 3)),
    ],
)
def test_answers_of_the_relay_are_told(
    letter: Path,
    send: Send,
    rules: list[tuple[Any, str, str]],
    code: int,
    counts: tuple[int, int, int],
) -> None:
    """Who was refused or put off is named with the relay's words; the counts add up."""
    with Relay() as relay:
        for event, answer, to in rules:
            relay.on(event, answer, to=to)
        done, told, err = send(*relay_settings(relay), "--yes")

    assert (done, (told["accepted"], told["refused"], told["pending"])) == (code, counts)
    assert rules[0][1] in err
    states = ("accepted", "refused", "pending", "unknown", "left", "suppressed", "unsupported")
    assert sum(told[state] for state in states) == told["audience"] == 3
    assert (letter / "outbox/site/2026-w49.html").is_file()


def test_put_off_reader_is_tried_again_when_it_is_time(
    letter: Path, send: Send, digest: Digest
) -> None:
    """Too early changes nothing; then the reader gets the same message, and the send is done."""
    with Relay() as relay:
        relay.on("END", "451 4.3.0 later", to="bo@reader.example", times=1)
        options = (*relay_settings(relay), "--yes")
        code, told, _ = send(*options)
        assert (code, told["next_try"][:16]) == (5, "2026-12-01T09:05")
        assert send(*options)[0] == 5
        assert len(relay.kept) == 2

        later = ("--now", "2026-12-01T10:08:00+01:00")
        out = digest("-C", letter, "send", KEY, "--json", *options, *later)[1]
        assert json.loads(out)["state"] == "sent"
        assert len(relay.kept) == 3
        last = read(relay.kept[-1].data)
        assert (last["To"], last["Date"]) == (
            "Bo <bo@reader.example>",
            "Tue, 01 Dec 2026 10:00:00 +0100",
        )


def test_dead_mailbox_gets_no_later_issue(letter: Path, send: Send, digest: Digest) -> None:
    """The reader is suppressed with the relay's answer, and is not tried next week."""
    with Relay() as relay:
        relay.on("RCPT", "550 5.1.1 no such mailbox", to="bo@reader.example")
        assert send(*relay_settings(relay), "--yes")[0] == 0
        listed = json.loads(digest("-C", letter, "readers", "list", "--json", *NOW)[1])
        assert [
            (one["email"], one["reason"]) for one in listed["readers"] if one["state"] != "active"
        ] == [("bo@reader.example", "550 5.1.1 no such mailbox")]

        week = ("--now", "2026-12-08T10:00:00+01:00")
        (letter / "content/new.md").write_text(ITEM.format("new"))
        assert digest("-C", letter, "build", "2026-w50", *week)[0] == 0
        options = (*relay_settings(relay), "--audience", "2")
        assert digest("-C", letter, "send", "2026-w50", *options, *week)[0] == 0
        assert len(relay.commands("RCPT TO:<bo@")) == 1


def test_test_goes_to_the_editors_alone(letter: Path, send: Send, digest: Digest) -> None:
    """It has the true subject, a mark in header and body, and no trace in ledger or seal."""
    before = tree(letter)
    code, told, _ = send("--test", "editor@harbour.example")
    assert (code, told["accepted"]) == (0, 1)
    [file] = (letter / "outbox/notices").iterdir()
    message, copy = (
        read(file.read_bytes()),
        read((letter / f"outbox/{KEY}/issue.eml").read_bytes()),
    )

    assert message["X-Digest-Test"] == "1"
    assert message["Subject"] == copy["Subject"]
    for part in message.iter_parts():
        assert "Test: this copy went to no reader" in part.get_content()
    for address in PEOPLE:
        assert address.encode() not in file.read_bytes()
    changed = {path for path, value in tree(letter).items() if before.get(path) != value}
    assert changed <= {f"outbox/notices/{file.name}", "private/key"}
    assert "sent" not in digest("-C", letter, "status", *NOW)[1]


def test_test_of_an_issue_by_name_goes_to_the_editors(letter: Path, digest: Digest) -> None:
    """`--test 2026-w49` means the issue; five editors at most get it."""
    editors = [f"e{n}@harbour.example" for n in range(7)]
    setting = f"--set=desk.editors={json.dumps(editors)}"
    out = digest("-C", letter, "send", "--test", KEY, setting, "--json", *NOW)[1]
    assert json.loads(out)["test"] == editors[:5]
    out = digest("-C", letter, "send", "--test", KEY, setting, "--json", "--dry-run", *NOW)[1]
    assert (json.loads(out)["test"], json.loads(out)["outcomes"]) == (editors[:5], [])


@pytest.mark.parametrize("to", ["", "nobody", "a@b@c.example"])
def test_test_without_an_address_is_exit_2(letter: Path, digest: Digest, to: str) -> None:
    """There is nobody to guess."""
    words = ("--test", to) if to else ("--test", KEY)
    assert digest("-C", letter, "send", *words, *NOW)[0] == 2


def test_test_that_the_relay_refuses_is_told(send: Send) -> None:
    """Exit 6 and the relay's words."""
    with Relay() as relay:
        relay.on("RCPT", "550 5.1.1 who")
        code, told, err = send("--test", "e@harbour.example", *relay_settings(relay))
    assert (code, told["accepted"]) == (6, 0)
    assert "550 5.1.1 who" in err


def test_reader_who_leaves_meanwhile_gets_nothing(letter: Path, send: Send, digest: Digest) -> None:
    """`readers remove` works while a send runs, and counts at once."""
    with Relay() as relay:
        relay.on(
            "END",
            before=lambda: digest("-C", letter, "readers", "remove", "cleo@reader.example", *NOW),
            times=1,
        )
        code, told, _ = send(*relay_settings(relay), "--yes")

    assert (code, told["accepted"], told["left"]) == (0, 2, 1)
    assert len(relay.kept) == 2


def test_limit_of_the_relay_ends_a_run_and_the_next_goes_on(letter: Path, digest: Digest) -> None:
    """Exit 5 and when the next may go; before that the relay is not even called."""
    rate = '--set=transport.smtp.rate=["2/hour"]'
    with Relay() as relay:
        words = ("-C", letter, "send", KEY, *relay_settings(relay), rate, "--yes")
        code, out, err = digest(*words, *NOW)
        assert (code, len(relay.kept)) == (5, 2)
        assert "3 readers: 2 accepted, 1 pending" in out
        told = "the limits of the relay are reached; next from Tue 1 Dec 2026 11:0"
        assert told in out
        assert f": digest send {KEY}\n" in out
        assert "ended early" not in err
        sessions = relay.sessions
        code, out, _ = digest(*words, "--now", "2026-12-01T10:30:00+01:00")
        assert (code, relay.sessions) == (5, sessions)
        assert told in out

        assert digest(*words, "--now", "2026-12-01T11:02:00+01:00")[0] == 0
        assert sorted(kept.recipients for kept in relay.kept) == [(one,) for one in PEOPLE]


def test_test_is_signed_as_an_issue_is(letter: Path, digest: Digest) -> None:
    """What an editor sees of a signature is what readers will; a key that is none is exit 2."""
    key = letter / "private/dkim.pem"
    pem = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    key.write_bytes(pem)
    key.chmod(0o600)
    signing = ("--set=dkim.selector=s1", "--set=dkim.key_file=private/dkim.pem")
    words = ("-C", letter, "send", KEY, "--test", "ed@harbour.example", *signing, *NOW)
    assert digest(*words)[0] == 0
    [file] = (letter / "outbox/notices").iterdir()
    record = dns_record(pem).encode()
    assert dkim.verify(file.read_bytes(), dnsfunc=lambda *_, **__: record)

    assert digest("-C", letter, "send", *signing, *NOW)[0] == 0
    for data in messages(letter):
        assert dkim.verify(data, dnsfunc=lambda *_, **__: record)
    told = json.loads((letter / f"outbox/{KEY}/messages/manifest.json").read_bytes())
    assert told["dkim"].startswith("s1@harbour.example ")
    key.write_bytes(b"no key")
    assert digest(*words)[0] == 2
