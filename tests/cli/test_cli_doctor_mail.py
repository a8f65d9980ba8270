"""`digest doctor --mail` and `--received`: how a mail arrives, field by field."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dkim
import pytest
from cli.mailing import read
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from relay.server import Relay

from digest.mime.dkim_key import dns_record

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_NOW = ("--now", "2026-12-01T10:00:00+01:00")
_TO = "ed@harbour.example"
_DKIM = '[dkim]\nselector = "s1"\nkey_file = "private/dkim.pem"\n'
_TRACE = (
    b"Received: from relay.example by mx.reader.example; Tue, 1 Dec 2026 10:00:01 +0100\r\n"
    b"DKIM-Signature: v=1; a=rsa-sha256; d=relay.example; s=x; h=from; bh=AA==; b=AA==\r\n"
    b"X-Spam-Score: 0\r\nReturn-Path: <letter@harbour.example>\r\n"
)


@pytest.fixture(scope="module")
def pem() -> bytes:
    """Give an RSA key as small as is taken."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.fixture
def root(newsletter: Make, pem: bytes) -> Path:
    """Give a newsletter whose mail is signed."""
    made = newsletter({"private/dkim.pem": pem}, settings=_DKIM)
    (made / "private/dkim.pem").chmod(0o600)
    return made


@pytest.fixture
def sent(root: Path, digest: Digest) -> bytes:
    """Send the mail into the outbox, and give its octets."""
    code, _, err = digest("-C", root, "doctor", "--mail", _TO, *_NOW)
    assert code == 0, err
    [file] = (root / "outbox/notices").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    return file.read_bytes()


@pytest.fixture
def arrived(root: Path, digest: Digest) -> Callable[[bytes], tuple[int, dict[str, Any]]]:
    """Give a function that saves a mail and compares it: exit code, JSON."""

    def call(data: bytes) -> tuple[int, dict[str, Any]]:
        file = root.parent / "saved.eml"
        file.write_bytes(data)
        code, out, _ = digest("-C", root, "doctor", "--received", file, "--json", *_NOW)
        return code, json.loads(out)

    return call


def _verified(data: bytes, pem: bytes) -> bool:
    """Let another implementation verify the last of the signatures, which is ours."""
    record = dns_record(pem).encode()
    index = len(re.findall(rb"^DKIM-Signature:", data, re.MULTILINE)) - 1
    try:
        verified: bool = dkim.DKIM(data).verify(idx=index, dnsfunc=lambda *_, **__: record)
    except dkim.ValidationError:  # the body is another one
        return False
    return verified


def test_mail_goes_to_an_editor_by_the_relay(root: Path, digest: Digest) -> None:
    """It has the true From, says what it is, and its very octets are kept."""
    with Relay() as relay:
        options = (
            "--set=transport.kind=smtp",
            "--set=transport.smtp.host=127.0.0.1",
            f"--set=transport.smtp.port={relay.port}",
            "--set=transport.smtp.security=none",
            f'--set=desk.editors=["{_TO}", "other@harbour.example"]',
        )
        code, out, _ = digest("-C", root, "doctor", "--mail", "--json", *options, *_NOW)
        told = json.loads(out)
        assert (code, told["mail"], told["signed"]) == (0, _TO, True)
        assert told["outcome"]["state"] == "accepted"
        [kept] = relay.kept
        assert (kept.sender, kept.recipients) == ("letter@harbour.example", (_TO,))
        assert kept.data == (root / told["file"]).read_bytes()
        assert read(kept.data)["From"] == "Harbour Notes <letter@harbour.example>"
        assert b"This is no issue of Harbour Notes." in kept.data
        assert not (root / "private/digest.db").exists()

        relay.on("END", "550 5.7.1 not from you")
        code, _, err = digest("-C", root, "doctor", "--mail", *options, *_NOW)
        assert code == 6
        assert "550 5.7.1 not from you" in err


def _identity(data: bytes) -> bytes:
    return data


def _folded(data: bytes) -> bytes:
    return data.replace(b"List-Help: ", b"List-Help:\r\n\t ")


@pytest.mark.parametrize(
    "way",
    [
        _identity,
        lambda data: _TRACE + data,
        lambda data: data.replace(b"\r\n", b"\n"),
        lambda data: b"From ed Tue Dec  1 10:00:01 2026\n" + data.replace(b"\r\n", b"\n"),
        lambda data: data + b"\r\n\r\n",
        _folded,
    ],
)
def test_mail_that_came_as_it_left(
    sent: bytes,
    pem: bytes,
    arrived: Callable[[bytes], tuple[int, dict[str, Any]]],
    way: Callable[[bytes], bytes],
) -> None:
    """What servers note on the way, fold anew, and what saving does, is no change."""
    code, told = arrived(way(sent))
    assert (code, told["same"], told["body"], told["signature"]) == (0, True, "same", "holds")
    assert {field["state"] for field in told["fields"]} == {"same"}
    mail = way(sent)
    if not mail.startswith(b"From "):
        assert _verified(mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), pem)


def _other_id(data: bytes) -> bytes:
    return re.sub(rb"\r\nMessage-ID: [^\r]*", b"\r\nMessage-ID: <x@relay.example>", data)


def _dropped(data: bytes) -> bytes:
    return re.sub(rb"\r\nList-Unsubscribe:[^\r]*", b"", data)


def _unsigned(data: bytes) -> bytes:
    return data[data.index(b"\r\nFrom:") + 2 :]


def _encoded(data: bytes) -> bytes:
    """Encode one letter more: a server that recodes does that to all of a part."""
    return data.replace(b"This is no issue", b"This is n=6F issue", 1)


@pytest.mark.parametrize(
    ("way", "field", "state", "body", "signature", "why"),
    [
        (_other_id, "Message-Id", "rewritten", "same", "broken", ["Message-Id"]),
        (_dropped, "List-Unsubscribe", "dropped", "same", "broken", ["List-Unsubscribe"]),
        (
            lambda data: b"Sender: x@relay.example\r\n" + data,
            "Sender",
            "added",
            "same",
            "holds",
            [],
        ),
        (
            lambda data: b"Reply-To: x@relay.example\r\n" + data,
            *("Reply-To", "added", "same", "broken", ["Reply-To"]),
        ),
        (
            lambda data: data.replace(b"Precedence: list", b"Precedence: bulk"),
            *("Precedence", "rewritten", "same", "holds", []),
        ),
        (_unsigned, "Dkim-Signature", "dropped", "same", "gone", []),
        (_encoded, "", "", "encoded", "broken", ["body"]),
        (
            lambda data: data.replace(b"to see how mail", b"to see, how mail", 1),
            *("", "", "changed", "broken", ["body"]),
        ),
    ],
)
def test_mail_that_was_changed_on_the_way(  # noqa: PLR0913 - what was changed, and what is told
    sent: bytes,
    pem: bytes,
    arrived: Callable[[bytes], tuple[int, dict[str, Any]]],
    way: Callable[[bytes], bytes],
    *,
    field: str,
    state: str,
    body: str,
    signature: str,
    why: list[str],
) -> None:
    """Each change is told, exit 1; whether the signature outlives it another judge says too."""
    mail = way(sent)
    assert mail != sent
    code, told = arrived(mail)
    changed = [(one["name"], one["state"]) for one in told["fields"] if one["state"] != "same"]
    assert (code, told["same"], told["body"]) == (1, False, body)
    assert changed == ([(field, state)] if field else [])
    assert (told["signature"], told["why"]) == (signature, why)
    assert (signature != "gone" and _verified(mail, pem)) == (signature == "holds")


def test_table_shows_what_was_and_what_came(sent: bytes, root: Path, digest: Digest) -> None:
    """One line a field, with both values where it was rewritten."""
    file = root.parent / "saved.eml"
    file.write_bytes(sent.replace(b"Precedence: list", b"Precedence: bulk"))
    code, out, _ = digest("-C", root, "doctor", "--received", file, *_NOW)
    assert code == 1
    lines = [line.split() for line in out.splitlines()]
    assert ["Precedence", "rewritten", "list", "->", "bulk"] in lines
    assert ["Subject", "same"] in lines
    assert ["signature", "holds"] in lines
    assert lines[-1][:7] == ["it", "did", "not", "come", "in", "as", "it"]
    assert digest("-C", root, "doctor", "--received", root / "digest.toml")[0] == 2


def test_mail_that_is_not_signed_has_no_signature_to_tell_of(
    newsletter: Make, digest: Digest
) -> None:
    """Without [dkim] nothing is said of one."""
    root = newsletter({})
    assert "not signed: accepted" in digest("-C", root, "doctor", "--mail", _TO, *_NOW)[1]
    [file] = (root / "outbox/notices").iterdir()
    code, out, _ = digest("-C", root, "doctor", "--received", file)
    assert code == 0
    assert "signature" not in out
    assert out.endswith(f"it came in as it left: outbox/notices/{file.name}\n")


def test_mail_whose_octets_are_gone_cannot_be_compared(
    sent: bytes, root: Path, arrived: Callable[[bytes], tuple[int, dict[str, Any]]]
) -> None:
    """Exit 6; another mail is exit 2, and so is what is none."""
    assert arrived(_dropped(sent).replace(b"doctor.2", b"doctor.3"))[0] == 6
    [file] = (root / "outbox/notices").iterdir()
    file.unlink()
    code, told = arrived(sent)
    assert (code, told["error"]["problems"][0]["where"]) == (6, f"outbox/notices/{file.name}")
    assert arrived(b"Subject: tides\r\nFrom: a@sea.example\r\n\r\nHigh.\r\n")[0] == 2
    assert arrived(b"")[0] == 2


@pytest.mark.parametrize(
    "options",
    [
        ("--mail", _TO, "--offline"),
        ("--received", "x.eml", "--offline"),
        ("--mail", _TO, "--received", "x.eml"),
        ("--mail",),  # there is no editor
        ("--mail", "nobody"),
        ("--received", "nowhere.eml"),
    ],
)
def test_questions_without_an_answer_are_exit_2(
    root: Path, digest: Digest, options: tuple[str, ...]
) -> None:
    """One question at a time, to somebody, about something."""
    assert digest("-C", root, "doctor", *options, *_NOW)[0] == 2
