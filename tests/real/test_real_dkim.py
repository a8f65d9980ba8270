"""Two verifiers that we did not write take what is signed, and refuse what was tampered with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from real.opendkim import Opendkim
from real.samples import build, content

from digest.mime import cut_stencil
from digest.mime.dkim_key import dns_record, read_signer
from digest.model import Mailbox
from digest.publish.editions import material_from, read_kept

pytestmark = pytest.mark.real

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

# A judge takes no signature of the future, so this is of the past on each machine.
_DATE = datetime(2024, 1, 8, 8, tzinfo=UTC)
_SEALED = (
    *("From", "To", "Subject", "Date", "Message-ID", "Reply-To", "Cc", "MIME-Version"),
    *("Content-Type", "Content-Transfer-Encoding", "List-Id"),
    *("List-Unsubscribe", "List-Unsubscribe-Post"),
)
_READERS = (
    Mailbox(name="Ann", address="ann@reader.example"),
    Mailbox(name="", address="bo@reader.example"),
    Mailbox(name="=?utf-8?q?x?= From . 潮" * 3, address="from@reader.example"),
    Mailbox(name="Jürgen", address="jürgen@reader.example"),
)


@pytest.fixture(scope="module", params=["rsa", "ed25519"])
def pem(request: pytest.FixtureRequest) -> bytes:
    """Give a new key of each kind in PEM."""
    key = (
        rsa.generate_private_key(65537, 2048)
        if request.param == "rsa"
        else ed25519.Ed25519PrivateKey.generate()
    )
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.fixture
def judges(pem: bytes, tmp_path: Path) -> Callable[[Mapping[str, bytes]], None]:
    """Give what asserts that both judges take the messages named `good…`, and no others."""
    opendkim = Opendkim(tmp_path, dns_record(pem))

    def judge(messages: Mapping[str, bytes]) -> None:
        files = {name: tmp_path / f"{name}.eml" for name in messages}
        for name, data in messages.items():
            files[name].write_bytes(data)
        wanted = {name: name.startswith("good") for name in messages}
        assert opendkim.verified(list(files.values())) == {
            str(file): wanted[name] for name, file in files.items()
        }
        assert {name: _dkimpy(data, pem) for name, data in messages.items()} == wanted

    return judge


def _dkimpy(data: bytes, pem: bytes) -> bool:
    def record(name: bytes, timeout: int = 5) -> bytes:
        del timeout
        assert name == b"s1._domainkey.harbour.example."
        return dns_record(pem).encode()

    return bool(dkim.verify(data, dnsfunc=record))


@pytest.fixture
def signed(newsletter: Make, digest: Digest, pem: bytes) -> Callable[[Mailbox], bytes]:
    """Give what makes the signed message of a published issue for a reader."""
    root = newsletter(content("zh", 6))
    kept = read_kept(build(digest, root, language="zh") / "2026-w49", root=root)
    stencil = cut_stencil(
        kept.edition,
        newsletter=material_from(kept).newsletter,
        date=_DATE,
        signer=read_signer(pem, domain="harbour.example", selector="s1", where="key"),
    )

    def make(to: Mailbox) -> bytes:
        message_id = f"<2026-w49.{to.address.partition('@')[0].encode().hex()}@harbour.example>"
        leave = (f"https://harbour.example/leave?t={'b7=' * 60}", "mailto:a@harbour.example")
        return stencil.message(to=to, message_id=message_id, unsubscribe=leave).data

    return make


def test_judges_take_what_is_signed(
    judges: Callable[[Mapping[str, bytes]], None], signed: Callable[[Mailbox], bytes]
) -> None:
    """Both take the mail of each reader, and as servers on the way may write it anew."""
    mails = {f"good-{number}": signed(to) for number, to in enumerate(_READERS)}
    # Fields of servers on the way, and white space that the relaxed form passes over.
    mails["good-on-the-way"] = b"Received: from a by b\r\n" + mails["good-0"] + b"\r\n\r\n"
    mails["good-refolded"] = mails["good-0"].replace(b"\r\n <ann@", b" \t<ann@", 1)

    judges(mails)


def test_judges_find_a_field_that_is_added(
    judges: Callable[[Mapping[str, bytes]], None], signed: Callable[[Mailbox], bytes]
) -> None:
    """Another of the sealed fields, above the others or below them, is found by both."""
    good = signed(_READERS[0])
    head, empty, body = good.partition(b"\r\n\r\n")
    mails = {"good": good}
    for name in _SEALED:
        line = f"{name}: <x@other.example>".encode()
        mails[f"bad-{name}-top"] = line + b"\r\n" + good
        mails[f"bad-{name}-bottom"] = head + b"\r\n" + line + empty + body

    judges(mails)


def test_judges_find_a_change_in_the_body(
    judges: Callable[[Mapping[str, bytes]], None], signed: Callable[[Mailbox], bytes]
) -> None:
    """An octet that is another one, wherever it stands, is found by both; nothing may follow."""
    good = signed(_READERS[0])
    start = good.index(b"\r\n\r\n") + 4
    letters = [at for at in range(start, len(good)) if good[at : at + 1].isalnum()]
    mails = {
        "good": good,
        "bad-end": good + b"more\r\n",
        "bad-start": good[:start] + b"x" + good[start:],
    }
    for at in letters[:: len(letters) // 25]:
        mails[f"bad-{at}"] = good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]

    assert len(mails) > 25
    assert b" l=" not in good.partition(b"\r\n\r\n")[0]
    judges(mails)


def test_judges_find_a_signed_field_that_is_changed(
    judges: Callable[[Mapping[str, bytes]], None], signed: Callable[[Mailbox], bytes]
) -> None:
    """What a reader sees above the text, and what the button to leave does, is sealed."""
    good = signed(_READERS[0])
    mails = {"good": good}
    for number, (old, new) in enumerate(
        [
            (b"\r\nFrom: Harbour", b"\r\nFrom: Barbour"),
            (b"ann@reader.example", b"bo@reader.example"),
            (b"\r\nSubject: ", b"\r\nSubject: x"),
            (b"\r\nDate: Mon", b"\r\nDate: Tue"),
            (b"https://harbour.example/leave", b"https://harbour.invalid/leave"),
            (b"List-Unsubscribe=One-Click", b"List-Unsubscribe=Two-Click"),
            (b"; t=", b"; l=9; t="),
        ]
    ):
        assert old in good
        mails[f"bad-{number}"] = good.replace(old, new, 1)

    judges(mails)
