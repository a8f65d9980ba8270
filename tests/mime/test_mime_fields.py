"""Header fields: what may be folded or encoded, and what never is."""

from __future__ import annotations

import re
from binascii import a2b_base64
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.utils import parseaddr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.mime import header_line, mailbox_text, uri_list
from digest.mime.fields import id_line, list_id_line
from digest.model import Mailbox, clean_line

_WORD = re.compile(r"=\?utf-8\?b\?([A-Za-z0-9+/=]*)\?=")


def _decoded(value: str) -> str:
    """Decode a field by RFC 2047 alone: words that only white space parts belong together."""
    unfolded = value.replace("\r\n", "")
    joined = re.sub(r"(\?=)[ \t]+(?==\?)", r"\1", unfolded)
    return _WORD.sub(lambda word: a2b_base64(word[1]).decode("utf-8", "strict"), joined)


@given(st.text(max_size=300))
@settings(deadline=None, max_examples=100)
def test_subject_decodes_to_what_was_written(subject: str) -> None:
    """Three decoders give back the exact title, every space included, from lines within limits."""
    line = header_line("Subject", subject)
    value = line.removeprefix(b"Subject: ").removesuffix(b"\r\n").decode("ascii")
    other = message_from_bytes(line + b"\r\n", policy=policy.default)

    assert str(make_header(decode_header(value))) == clean_line(subject)
    assert other["Subject"] == clean_line(subject)
    assert _decoded(value) == clean_line(subject)
    assert all(len(part) <= 76 for part in line.split(b"\r\n"))
    assert all(len(word[0]) <= 75 for word in _WORD.finditer(value))


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=100)
def test_name_of_a_mailbox_survives(name: str) -> None:
    """A display name of any letters comes back, beside the address as stored."""
    text = mailbox_text(Mailbox(name=name, address="a@harbour.example"))
    message = message_from_bytes(f"From: {text}\r\n\r\n".encode("ascii"), policy=policy.default)
    [address] = message["From"].addresses

    assert address.addr_spec == "a@harbour.example"
    assert all(len(part) <= 76 for part in text.split("\r\n"))
    phrase = parseaddr(text.replace("\r\n", ""))[0] if name else ""
    assert str(make_header(decode_header(phrase))) == clean_line(name)


def test_name_that_holds_an_encoded_word_is_shown_as_typed() -> None:
    """Nobody can write another name, or a line break, by encoding it himself."""
    text = mailbox_text(Mailbox(name="=?utf-8?q?a=0d=0aBcc:_x?=", address="a@harbour.example"))

    assert _decoded(text.partition("\r\n <")[0]) == "=?utf-8?q?a=0d=0aBcc:_x?="


@pytest.mark.parametrize(
    "address",
    [
        "",
        "a",
        "a@b\r\nBcc: c@d.example",
        "a b@c.example",
        "a@c.example>, <x@y.example",
        "=?utf-8?q?a=40evil.example?=@c.example",
        '"a"@c.example',
        "a\x85@c.example",
        "a\u2028@c.example",
        "a@bücher.example",
    ],
)
def test_address_that_reads_otherwise_is_refused(address: str) -> None:
    """No address with a break, a blank, a quote or an encoded word gets into a field."""
    with pytest.raises(ValueError, match="header field"):
        mailbox_text(Mailbox(address=address))


def test_local_part_beyond_ascii_stays() -> None:
    """Its letters are written as they are; only the name is encoded."""
    text = mailbox_text(Mailbox(name="Jürgen", address="jürgen@harbour.example"))
    phrase, _, address = text.partition("\r\n ")

    assert _decoded(phrase) == "Jürgen"
    assert address == "<jürgen@harbour.example>"


@pytest.mark.parametrize("name", ["List-Unsubscribe", "List-Help", "List-Archive", "Feedback-ID"])
def test_addresses_in_brackets_are_never_encoded(name: str) -> None:
    """With tokens of 1 to 400 characters each address stands whole on one line."""
    for length in range(1, 401):
        https = f"https://letters.example/leave?t={'a9' * 200}"[: 32 + length]
        uris = (https, "mailto:leave@letters.example?subject=out")
        line = uri_list(name, uris)
        assert b"=?" not in line
        assert line == f"{name}: <{uris[0]}>,\r\n <{uris[1]}>\r\n".encode()
        parsed = message_from_bytes(line + b"\r\n", policy=policy.default)
        assert "".join(str(parsed[name]).split()) == f"<{uris[0]}>,<{uris[1]}>"


@pytest.mark.parametrize("length", range(1, 401, 7))
def test_message_id_is_never_folded_or_encoded(length: int) -> None:
    """However long its parts, it is one line."""
    value = f"<2026-w49.{'a' * length}@harbour.example>"

    assert id_line(value) == f"Message-ID: {value}\r\n".encode()


@pytest.mark.parametrize(
    "uri",
    [
        "https://a.example/é",
        "https://a.example/a b",
        "https://a.example/\r\nBcc:x",
        "https://a.example/<x>",
        "https://a.example/\x7f",
        "https://a.example/=?utf-8?q?x?=",
        "a.example/x",
        "",
        "https://a.example/" + "x" * 999,
    ],
)
def test_what_is_no_address_is_refused(uri: str) -> None:
    """An address with blanks, controls, brackets or other letters is an error, not a field."""
    with pytest.raises(ValueError, match="cannot stand in List-Help"):
        uri_list("List-Help", (uri,))


@pytest.mark.parametrize("value", ["", "a@b", "<a b@c>", "<a@b>\r\nBcc: x", "<=?x?=@b>", "<é@b>"])
def test_what_is_no_message_id_is_refused(value: str) -> None:
    """Nothing but an identifier in brackets gets into the field."""
    with pytest.raises(ValueError, match="no Message-ID"):
        id_line(value)


@given(st.text(max_size=90))
@settings(deadline=None, max_examples=100)
def test_list_id_is_never_encoded(name: str) -> None:
    """Whatever the newsletter is called, the identifier can be read in the raw bytes."""
    line = list_id_line(name, "notes.harbour.example")

    assert b"=?" not in line
    assert line.endswith(b"<notes.harbour.example>\r\n")
    assert all(len(part) <= 76 for part in line.split(b"\r\n"))
    assert line.count(b"\r\n") <= 2


def test_list_id_has_the_name_where_it_is_plain() -> None:
    """A short ASCII name stands before the identifier, in quotes where it needs them."""
    assert list_id_line("Harbour", "a.example") == b"List-Id: Harbour\r\n <a.example>\r\n"
    assert list_id_line("A. B", "a.example") == b'List-Id: "A. B"\r\n <a.example>\r\n'
    assert list_id_line("Hafen é", "a.example") == b"List-Id: <a.example>\r\n"
