"""`digest verify-mail`: what was received is what was published, or it is said where it is not."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import KEY, NOW, messages

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Send = Callable[..., tuple[int, dict[str, Any], str]]
Verify = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def verify(digest: Digest, letter: Path, tmp_path: Path) -> Verify:
    """Give a function that verifies the octets of a mail: exit code and JSON."""

    def call(data: bytes) -> tuple[int, dict[str, Any]]:
        (tmp_path / "mail.eml").write_bytes(data)
        code, out, err = digest("-C", letter, "verify-mail", "--json", tmp_path / "mail.eml")
        assert "Traceback" not in err
        return code, json.loads(out)

    return call


@pytest.fixture
def mail(letter: Path, send: Send) -> bytes:
    """Give the mail that one of three readers got."""
    assert send()[0] == 0
    return messages(letter)[0]


def _changed(verify: Verify, data: bytes) -> list[str]:
    """Verify a mail that is not the edition, and give the differences."""
    code, told = verify(data)
    assert (code, told["identical"], told["state"]) == (1, False, "published")
    return list(told["differences"])


def test_each_readers_mail_is_the_published_edition(
    letter: Path, send: Send, verify: Verify
) -> None:
    """All three are, and so is the general copy; names of the fields are told, no values."""
    assert send()[0] == 0
    for data in (*messages(letter), (letter / f"outbox/{KEY}/issue.eml").read_bytes()):
        code, told = verify(data)
        assert code == 0
        assert told == {
            "schema": 1,
            "issue": KEY,
            "state": "published",
            "identical": True,
            "differences": [],
            "fields": [],
        }


def test_it_says_so_for_people(digest: Digest, letter: Path, mail: bytes, tmp_path: Path) -> None:
    """One line tells which edition it is; a difference has one below."""
    file = tmp_path / "mail.eml"
    file.write_bytes(mail)
    assert digest("-C", letter, "verify-mail", file)[:2] == (
        0,
        f"{KEY}: identical to the published edition\n",
    )
    file.write_bytes(mail.replace(b"ground corn", b"ground gold"))
    code, out, _ = digest("-C", letter, "verify-mail", file)
    assert code == 1
    first, *rest = out.splitlines()
    assert first == f"{KEY}: differs from the published edition"
    assert [line.split(":")[0] for line in rest] == ["  text", "  HTML"]
    assert "gold" not in out


def test_a_mail_comes_from_stdin(
    digest: Digest, letter: Path, mail: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dash stands for it."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(mail)))
    assert digest("-C", letter, "verify-mail", "-")[0] == 0


@pytest.mark.parametrize("encoding", ["base64", "8bit", "quoted-printable"])
def test_what_relays_may_do_is_no_difference(mail: bytes, verify: Verify, encoding: str) -> None:
    """Another transfer encoding, other line ends, more fields, folded anew: all the same mail."""
    message = message_from_bytes(mail, policy=policy.default)
    for part in message.walk():
        if part.get_content_maintype() == "text":
            text = part.get_content()  # type: ignore[attr-defined] - messages of this policy have it
            del part["Content-Transfer-Encoding"]
            part.set_content(text, subtype=part.get_content_subtype(), cte=encoding)  # type: ignore[attr-defined] - as above
    message["X-Spam-Score"] = "0.1"
    data = b"From letter@harbour.example Mon Nov 30\nReceived: by sea.example\n" + bytes(message)
    assert verify(data)[0] == 0
    assert verify(data.replace(b"\n", b"\r\n"))[0] == 0


def test_a_changed_subject_is_named(mail: bytes, verify: Verify) -> None:
    """Another one, a second one and none are differences; letters are compared, not octets."""
    start = mail.index(b"Subject: ")
    end = mail.index(b"\r\n", start)
    subject = mail[start + len(b"Subject: ") : end]
    put = lambda new: mail[:start] + new + mail[end + 2 :]  # noqa: E731 - short, and used thrice
    wanted = [f"subject: it should be {subject.decode()!r}, once"]
    assert _changed(verify, put(b"Subject: Won!\r\n")) == wanted
    assert _changed(verify, put(b"")) == wanted
    damaged = [*wanted, "header: Subject can be read in more than one way"]
    assert _changed(verify, put(b"Subject: =?utf-8?b?x?=\r\n")) == damaged
    twice = [*wanted, "header: Subject stands twice"]
    assert _changed(verify, b"Subject: Won!\r\n" + mail) == twice
    encoded = b"Subject: =?utf-8?q?" + subject.replace(b" ", b"_") + b"?=\r\n"
    assert verify(put(encoded))[0] == 0


def test_another_leave_link_is_a_difference(mail: bytes, verify: Verify) -> None:
    """It is the same for all, as a link to an item is."""
    header, text, html = _changed(verify, mail.replace(b"mailto:letter@", b"mailto:better@"))
    assert header.startswith("header: List-Unsubscribe should be '<mailto:letter@harbour.example?")
    for told in (text, html):
        assert told.endswith(" else in the place of [[leave_url]] than the way to leave")
    assert _changed(verify, mail.replace(b"//mills.example", b"//evils.example"))


def test_a_part_more_or_less_is_named(mail: bytes, verify: Verify) -> None:
    """A text that is lost, a list's footer as a part of its own, an attachment."""
    message = message_from_bytes(mail, policy=policy.default)
    text, html = message.get_payload()
    message.set_payload([html])
    assert _changed(verify, bytes(message)) == ["text: there is none"]
    message.set_payload([text, html, text])
    assert _changed(verify, bytes(message)) == ["parts: there is one more, text/plain"]
    data = mail.replace(b'text/plain; charset="utf-8"', b'text/plain; charset="x"')
    assert _changed(verify, data) == [
        "part 1: its charset can be read in more than one way",
        "text: it cannot be decoded",
    ]


def test_a_footer_below_the_text_is_a_difference(mail: bytes, verify: Verify) -> None:
    """What a mailing list adds was not published."""
    message = message_from_bytes(mail, policy=policy.default)
    text, _ = message.get_payload()
    text.set_content(text.get_content() + "-- \nlist of sea.example\n")
    assert _changed(verify, bytes(message)) == ["text: more stands after its end"]


def test_the_hash_in_the_header_counts(mail: bytes, verify: Verify) -> None:
    """One of another edition is named; without the field the edition is found all the same."""
    start = mail.index(b"X-Digest-Edition: ")
    end = mail.index(b"\r\n", mail.index(b"sha256:", start)) + 2
    other = f"X-Digest-Edition: {KEY} sha256:{'0' * 64}\r\n".encode()
    data = mail[:start] + other + mail[end:]
    assert _changed(verify, data) == ["header: it names another edition, sha256:000000000000"]
    without = mail[:start] + mail[end:]
    assert verify(without)[0] == 0
    foreign = without.replace(b"Message-ID: <2026", b"Message-ID: <x2026")
    assert verify(foreign)[0] == 0
    assert _changed(verify, foreign.replace(b"ground corn", b"ground gold"))


def test_a_draft_is_not_what_was_published(letter: Path, verify: Verify) -> None:
    """Its general copy is identical, and nobody published it: exit 1."""
    code, told = verify((letter / f"outbox/{KEY}/issue.eml").read_bytes())
    assert (code, told["identical"], told["state"]) == (1, True, "draft")


def test_a_withdrawn_edition_is_called_so(digest: Digest, letter: Path, verify: Verify) -> None:
    """It was published, and is no more: exit 1."""
    assert digest("-C", letter, "publish", *NOW)[0] == 0
    assert digest("-C", letter, "withdraw", KEY, *NOW)[0] == 0
    code, told = verify((letter / f"outbox/{KEY}/issue.eml").read_bytes())
    assert (code, told["identical"], told["state"]) == (1, True, "withdrawn")


def test_another_edition_than_the_published_one_is_called_so(
    digest: Digest, letter: Path, verify: Verify
) -> None:
    """A folder put in the place of what was published proves nothing."""
    draft = (letter / f"outbox/{KEY}/issue.eml").read_bytes()
    assert digest("-C", letter, "publish", *NOW)[0] == 0
    file = letter / f"content/issues/{KEY}.md"
    text = file.read_text("utf-8")
    before = json.loads((letter / f"outbox/{KEY}/edition.json").read_text("utf-8"))["edition"]
    file.write_text(text.replace(before, "0" * 64), "utf-8")
    (letter / "private/digest.db").unlink()
    code, told = verify(draft)
    assert (code, told["identical"], told["state"]) == (1, True, "other")


def test_a_test_copy_is_called_so(
    digest: Digest, letter: Path, verify: Verify, tmp_path: Path
) -> None:
    """It has a strip on top, and no reader got it."""
    assert digest("-C", letter, "send", "--test", "ed@harbour.example", *NOW)[0] == 0
    (file,) = (path for path in letter.rglob("*.eml") if b"X-Digest-Test" in path.read_bytes())
    code, told = verify(file.read_bytes())
    assert (code, told["identical"], told["state"]) == (1, False, "test")
    (tmp_path / "test.eml").write_bytes(file.read_bytes())
    said = digest("-C", letter, "verify-mail", tmp_path / "test.eml")[1]
    assert said.startswith(f"{KEY}: names itself a test for the editors, not what readers got\n")


def test_a_notice_is_called_so(mail: bytes, verify: Verify) -> None:
    """It is known by its Message-ID, whether or not its issue has an edition."""
    head = b"From: a@sea.example\r\nMessage-ID: <2027-w01.missed.0a1b.abc@harbour.example>\r\n"
    held = mail.replace(b"Message-ID: <2026-w49.", b"Message-ID: <2026-w49.held.")
    for data in (head + b"\r\n", held):
        code, told = verify(data)
        assert (code, told["identical"], told["state"]) == (1, False, "notice")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "is no mail: it has no header"),
        (b"\x00\xff" * 500, "is no mail: it has no header"),
        (b"From: a@sea.example\n\nHello", "it names no edition, and none has its subject"),
        (
            b"From: a@sea.example\nX-Digest-Edition: 2026-w01 sha256:" + b"0" * 64 + b"\n\n",
            "says that it is 2026-w01, of which there is no edition here",
        ),
        (
            b"From: a@sea.example\nX-Digest-Edition: ../x sha256:" + b"0" * 64 + b"\n\n",
            "it names no edition, and none has its subject",
        ),
    ],
)
def test_what_is_no_mail_of_the_newsletter_is_wrong_use(
    verify: Verify, data: bytes, what: str
) -> None:
    """Exit 2 says what it is."""
    code, told = verify(data)
    assert code == 2
    assert what in told["error"]["problems"][0]["what"]


def test_a_file_that_cannot_be_read_is_wrong_use(
    digest: Digest, letter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is not there, a folder, and one that is larger than any mail."""
    code, _, err = digest("-C", letter, "verify-mail", tmp_path / "no.eml")
    assert (code, "cannot be read: No such file or directory" in err) == (2, True)
    assert digest("-C", letter, "verify-mail", tmp_path)[0] == 2
    monkeypatch.setattr("digest.cli.mail_file._LIMIT", 3)
    (tmp_path / "large.eml").write_bytes(b"abcd")
    code, _, err = digest("-C", letter, "verify-mail", tmp_path / "large.eml")
    assert (code, "as no mail has" in err) == (2, True)


def test_a_damaged_edition_is_no_edition_to_guess_from(
    letter: Path, mail: bytes, verify: Verify
) -> None:
    """Where the mail names it the damage is told, else it is passed over."""
    (letter / f"outbox/{KEY}/issue.txt").write_bytes(b"damaged")
    assert verify(mail)[0] == 6
    start = mail.index(b"Subject: ")
    plain = b"From: a@sea.example\r\n" + mail[start : mail.index(b"\r\n", start)] + b"\r\n\r\nHi"
    assert verify(plain)[0] == 2


_PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8"
    "cfc0000003010100c9fe92ef0000000049454e44ae426082"
)


def test_enclosed_pictures_are_compared(digest: Digest, newsletter: Make, tmp_path: Path) -> None:
    """Other octets, a picture less and one more are differences."""
    root = newsletter(
        {
            "content/a.md": "---\ntitle: Mills\nimage: a.png\nimage_alt: A mill\n---\n\nGrind.\n",
            "content/a.png": _PICTURE,
        },
        name="pictures",
    )
    for command in ("build", "publish"):
        assert digest("-C", root, command, "--set=mail.images=cid", *NOW)[0] == 0
    mail = (root / f"outbox/{KEY}/issue.eml").read_bytes()
    assert b"Content-ID: <" in mail
    file = tmp_path / "mail.eml"

    def told(data: bytes) -> list[str]:
        file.write_bytes(data)
        return list(json.loads(digest("-C", root, "verify-mail", "--json", file)[1])["differences"])

    assert told(mail) == []
    (changed,) = told(mail.replace(b"iVBORw0KGgo", b"iVBORw0KGgp"))
    assert changed.endswith(".png: it holds something else")
    lost, more = told(mail.replace(b"Content-ID: <", b"Content-ID: <x"))
    assert lost.endswith(".png: there is none")
    assert more == "parts: there is one more, image/png"
