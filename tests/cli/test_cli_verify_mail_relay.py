"""`digest verify-mail` on mails that a relay took, each with its reader's name in it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import ITEM, KEY, NOW, relay_settings, tree
from relay.server import Relay

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Verify = Callable[..., tuple[int, dict[str, Any]]]

_TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
_GREETING = "Dear [[name|reader]], this goes to [[address|nobody]]."
# Names as people have them, and as nobody has.
_NAMES = {
    "ann@reader.example": "Ann",
    "bo@reader.example": "Bo <b>& Co</b>",
    "cleo@reader.example": "Cléo 港 🐢 O'Hara",
    "dan@reader.example": "",
    "eve@reader.example": "Eve " + "of the very long name " * 6,
    "fay@reader.example": "reader, this goes to nobody",
}


@pytest.fixture
def letter(newsletter: Make, digest: Digest) -> Path:
    """Give a newsletter that greets its readers by name, in both parts of the mail."""
    text = (_TEMPLATES / "letter.txt.j2").read_text("utf-8")
    mail = (_TEMPLATES / "letter.mjml.j2").read_text("utf-8")
    root = newsletter(
        {
            **{f"content/m{n}.md": ITEM.format(n) for n in range(3)},
            "templates/letter.txt.j2": f"{_GREETING}\n{text}",
            "templates/letter.mjml.j2": mail.replace("</h1>", f"</h1>\n<p>{_GREETING}</p>", 1),
        }
    )
    for address, name in _NAMES.items():
        words = ("--name", name) if name else ()
        added = digest("-C", root, "readers", "add", address, *words, "--consent", "asked", *NOW)
        assert added[0] == 0, added
    assert digest("-C", root, "build", *NOW)[0] == 0
    return root


@pytest.fixture
def mails(letter: Path, digest: Digest) -> dict[str, bytes]:
    """Send the issue by a relay, and give the octets it took, by address."""
    with Relay() as relay:
        code, _, err = digest("-C", letter, "send", *relay_settings(relay), "--yes", *NOW)
        assert code == 0, err
        kept = {one.recipients[0]: one.data for one in relay.kept}
    assert kept.keys() == _NAMES.keys()
    return kept


@pytest.fixture
def verify(letter: Path, digest: Digest, tmp_path: Path) -> Verify:
    """Give a function that verifies a mail: exit code and JSON."""

    def call(data: bytes) -> tuple[int, dict[str, Any]]:
        (tmp_path / "mail.eml").write_bytes(data)
        code, out, err = digest("-C", letter, "verify-mail", "--json", tmp_path / "mail.eml")
        assert "Traceback" not in err
        return code, json.loads(out)

    return call


def _parse(data: bytes) -> EmailMessage:
    return message_from_bytes(data, policy=policy.default)  # type: ignore[return-value]


def _with(data: bytes, kind: str, old: str, new: str) -> bytes:
    """Change the words of one part of a mail, `plain` or `html`, and write it anew."""
    message = _parse(data)
    part = message.get_body((kind,))
    assert part is not None
    text = part.get_content()
    assert text.count(old) >= 1
    part.set_content(text.replace(old, new), subtype=kind, cte="8bit")
    return bytes(message)


def test_each_readers_mail_is_the_edition(mails: dict[str, bytes], verify: Verify) -> None:
    """Whatever the name is, with tags in it, without one, or one that is like the text around."""
    for address, data in mails.items():
        assert _parse(data)["X-Digest-Edition"].startswith(f"{KEY} sha256:")
        code, told = verify(data)
        assert (code, told["differences"]) == (0, []), address
        assert (told["identical"], told["state"], told["issue"]) == (True, "published", KEY)
        assert told["fields"] == ["address", "name"]


def test_names_are_in_the_mails_and_not_in_the_answer(
    mails: dict[str, bytes], letter: Path, digest: Digest, tmp_path: Path
) -> None:
    """The greeting was filled in; what is told of a mail holds nothing of its reader."""
    for address, data in mails.items():
        name = _NAMES[address].strip()
        plain = _parse(data).get_body(("plain",))
        assert plain is not None
        assert f"Dear {name or 'reader'}, this" in " ".join(plain.get_content().split())
        (tmp_path / "m.eml").write_bytes(_with(data, "plain", "ground corn", "ground gold"))
        for words in ((), ("--json",), ("-v",)):
            _, out, err = digest("-C", letter, "verify-mail", *words, tmp_path / "m.eml")
            assert address not in out + err
            assert not name or name not in out + err


def test_mails_come_by_stdin(
    mails: dict[str, bytes], letter: Path, digest: Digest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dash reads one from there, with any line ends; a changed one is exit 1 as well."""
    good = mails["bo@reader.example"]
    told = {}
    for name, data in {
        "good": good,
        "lines": good.replace(b"\r\n", b"\n"),
        "changed": _with(good, "html", "ground corn", "ground gold"),
        "none": b"",
    }.items():
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        told[name] = digest("-C", letter, "verify-mail", "-")[0]
    assert told == {"good": 0, "lines": 0, "changed": 1, "none": 2}


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("plain", "Dear Ann,", "Dear Ann,\nclick here,"),
        ("plain", "Dear Ann,", "Dead Ann,"),
        ("plain", "this goes to ann@reader.example.", "this goes to ann@reader.example"),
        ("html", "Dear Ann,", 'Dear <a href="https://evil.example/">Ann</a>,'),
        ("html", "Dear Ann,", "Dear Ann<br>,"),
        ("html", "Dear Ann,", "Dear Ann<!-- x -->,"),
        ("html", "Dear Ann, this goes to", "Dear Ann, that goes to"),
        ("html", "https://mills.example/1", "https://mills.example.evil.example/1"),
        ("html", "mailto:letter@harbour.example?", 'mailto:x"onclick="y'),
        ("html", "mailto:letter@harbour.example?", "javascript:alert(1)//"),
    ],
)
def test_a_changed_mail_is_told(
    mails: dict[str, bytes], verify: Verify, kind: str, old: str, new: str
) -> None:
    """Outside the fields any sign, inside them what no name, address or link can be."""
    code, told = verify(_with(mails["ann@reader.example"], kind, old, new))

    assert (code, told["identical"], told["state"]) == (1, False, "published")
    [difference] = told["differences"]
    assert difference.startswith("text: " if kind == "plain" else "HTML: ")
    assert "Ann" not in difference


@pytest.mark.parametrize("kind", ["plain", "html"])
@pytest.mark.parametrize("new", ["Dear Zoë &amp; all,", "Dear ,", "Dear reader,"])
def test_another_name_than_that_of_to_is_told(
    mails: dict[str, bytes], verify: Verify, kind: str, new: str
) -> None:
    """What stands in a field's place is the reader's own, whom To names."""
    code, told = verify(_with(mails["ann@reader.example"], kind, "Dear Ann,", new))
    assert code == 1
    assert [difference.split(":")[0] for difference in told["differences"]] == [
        "text" if kind == "plain" else "HTML"
    ]


def test_a_mail_to_somebody_else_is_told(mails: dict[str, bytes], verify: Verify) -> None:
    """To does not agree with the greeting; the places are named, and no value of them."""
    message = _parse(mails["ann@reader.example"])
    message.replace_header("To", "Somebody <some@body.example>")
    code, told = verify(bytes(message))
    assert code == 1
    end = "holds something else in the place of [[name]] than what To has"
    assert [difference[-len(end) :] for difference in told["differences"]] == [end, end]


def test_the_published_edition_counts_and_not_todays_content(
    mails: dict[str, bytes], verify: Verify, letter: Path
) -> None:
    """Texts, look and settings changed since; even without the database the seal knows it."""
    for file in (letter / "content").glob("*.md"):
        file.write_text("---\ntitle: Other\n---\n\nOther.\n")
    (letter / "templates/letter.txt.j2").write_text("broken {{\n")
    (letter / "private/digest.db").unlink()
    code, told = verify(mails["cleo@reader.example"])
    assert (code, told["state"]) == (0, "published")


def test_nothing_is_written(
    mails: dict[str, bytes], letter: Path, digest: Digest, tmp_path: Path
) -> None:
    """Who only proves leaves no trace."""
    (tmp_path / "m.eml").write_bytes(mails["ann@reader.example"])
    before = tree(letter)
    assert digest("-C", letter, "verify-mail", tmp_path / "m.eml")[0] == 0
    assert tree(letter) == before
