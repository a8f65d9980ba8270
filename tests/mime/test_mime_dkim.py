"""Signatures: what is in them, and whether a verifier that we did not write takes them."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final
from zoneinfo import ZoneInfo

import dkim
import pytest
from dkim.canonicalization import Relaxed
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from digest.mime import Signer, reader_message, wire_faults
from digest.mime.dkim import make_seal, relaxed_field
from digest.mime.dkim_key import dns_record, read_signer
from digest.model import (
    Edition,
    FieldPlace,
    IssueKey,
    Mailbox,
    Newsletter,
    ThemeId,
    WeeklyTime,
)

_LETTER: Final = Newsletter(
    name="Harbour Notes",
    slug="harbour-notes",
    language="en",
    zone=ZoneInfo("Europe/Berlin"),
    tag="harbour.example,2026",
    site_url="https://harbour.example/",
    sender=Mailbox(name="Harbour Notes", address="letter@harbour.example"),
    leave="leave@harbour.example",
    list_id="harbour-notes.harbour.example",
    send=WeeklyTime(weekday=0, hour=9, minute=0),
    reply_to="desk@harbour.example",
)
_EDITION: Final = Edition(
    key=IssueKey("2024-w02"),
    number=3,
    slot=datetime(2024, 1, 8, 9, tzinfo=ZoneInfo("Europe/Berlin")),
    subject="Tides é",
    preheader="",
    title="Tides",
    summary="",
    theme=ThemeId("tides"),
    items=(),
    files={
        "issue.html": b"<body><p>Dear  x,\t.</p>\n\n</body>\n",
        "issue.txt": b"Dear x \n.\n\n\n",
    },
    fields={
        "issue.html": (FieldPlace(name="name", default="reader", start=15, end=16),),
        "issue.txt": (FieldPlace(name="name", default="reader", start=5, end=6),),
    },
)
_ANN: Final = Mailbox(name="Ann", address="ann@reader.example")
_LEAVE: Final = ("https://harbour.example/leave?t=b7", "mailto:leave@harbour.example")
# A judge takes no signature of the future, so this is of the past on each machine.
_DATE: Final = datetime(2024, 1, 8, 8, 0, 0, 500, tzinfo=UTC)
_SEALED: Final = (
    *("from", "to", "subject", "date", "message-id", "reply-to", "cc", "mime-version"),
    *("content-type", "content-transfer-encoding", "list-id"),
    *("list-unsubscribe", "list-unsubscribe-post"),
)


@pytest.fixture(params=["rsa_pem", "ed_pem"])
def pem(request: pytest.FixtureRequest) -> bytes:
    """Give a key of each kind."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, bytes)
    return found


@cache
def _signer(pem: bytes) -> Signer:
    return read_signer(pem, domain="harbour.example", selector="s1", where="key")


def _signed(pem: bytes, **parts: Any) -> bytes:  # noqa: ANN401 - any argument of the function
    standard: dict[str, Any] = {
        "newsletter": _LETTER,
        "to": _ANN,
        "message_id": "<2024-w02.abc@harbour.example>",
        "date": _DATE,
        "unsubscribe": _LEAVE,
        "signer": _signer(pem),
    }
    return reader_message(_EDITION, **{**standard, **parts}).data


def _is_verified(data: bytes, pem: bytes) -> bool:
    """Ask the judge, with the record of the key in the place of the DNS."""

    def record(name: bytes, timeout: int = 5) -> bytes:
        del timeout
        assert name == b"s1._domainkey.harbour.example."
        return dns_record(pem).encode()

    return bool(dkim.verify(data, dnsfunc=record))


def _tags(data: bytes) -> dict[str, str]:
    """Read the tags of the signature, blanks and folds taken out."""
    field = re.match(rb"DKIM-Signature:((?:[^\r]|\r\n )*)\r\n", data)
    assert field is not None
    pairs = (tag.split("=", 1) for tag in re.sub(r"\s", "", field[1].decode()).split(";"))
    return {name: value for name, value in pairs}  # noqa: C416 - `dict` cannot be told the types


def _names(data: bytes) -> list[str]:
    """Name the fields of a message in small letters, the signature set aside."""
    lines = data.partition(b"\r\n\r\n")[0].split(b"\r\n")
    return [line.partition(b":")[0].decode().lower() for line in lines if line[:1] != b" "][1:]


def test_tags_are_those_of_the_standard(pem: bytes) -> None:
    """Version, algorithm, canonical forms, who, and when; neither a length nor an end."""
    tags = _tags(_signed(pem))
    body = _signed(pem).partition(b"\r\n\r\n")[2]

    assert list(tags) == ["v", "a", "c", "d", "s", "t", "h", "bh", "b"]
    assert tags["v"] == "1"
    assert tags["a"] == _signer(pem).algorithm
    assert tags["c"] == "relaxed/relaxed"
    assert (tags["d"], tags["s"]) == ("harbour.example", "s1")
    assert tags["t"] == str(int(datetime(2024, 1, 8, 8, tzinfo=UTC).timestamp()))
    assert b64decode(tags["bh"]) == sha256(body).digest()


@pytest.mark.parametrize("leave", [_LEAVE, _LEAVE[1:]])
@pytest.mark.parametrize("reply_to", ["desk@harbour.example", ""])
def test_signed_fields_are_named_once_more_than_they_stand(
    ed_pem: bytes, leave: tuple[str, ...], reply_to: str
) -> None:
    """Nobody can add another of them, also of those that do not stand there."""
    letter = replace(_LETTER, reply_to=reply_to)
    data = _signed(ed_pem, unsubscribe=leave, newsletter=letter)
    present, named = Counter(_names(data)), Counter(_tags(data)["h"].split(":"))

    assert named.keys() == {*_SEALED, "auto-submitted"}
    assert {name: named[name] for name in _SEALED} == {name: present[name] + 1 for name in _SEALED}
    assert named["auto-submitted"] == 1
    assert _is_verified(data, ed_pem)


def test_feedback_id_is_signed_once_where_it_stands(ed_pem: bytes) -> None:
    """Relays add one of their own beside it, which breaks nothing."""
    common = b"From: a@harbour.example\r\nFeedback-ID: a:b\r\n c:d\r\n"
    signer = _signer(ed_pem)
    seal = make_seal(signer, common=common, own=[()], date=_DATE)
    blank = seal.blank((), body=sha256(b"x\r\n").digest())
    data = blank.field(signer.sign(blank.digest)) + common + b"\r\nx\r\n"

    assert _tags(data)["h"].split(":").count("feedback-id") == 1
    assert _is_verified(data, ed_pem)
    assert _is_verified(b"Feedback-ID: x\r\n" + data, ed_pem)
    assert not _is_verified(data.replace(b"c:d", b"c:e"), ed_pem)


def test_signature_stands_above_and_changes_nothing(pem: bytes) -> None:
    """Below it is the message as it is without a signer; its lines are short."""
    data = _signed(pem)
    field = data.removesuffix(_signed(pem, signer=None))

    assert field.startswith(b"DKIM-Signature: v=1;")
    assert field.count(b"DKIM-Signature") == data.count(b"DKIM-Signature") == 1
    assert max(map(len, field.split(b"\r\n"))) <= 78
    assert wire_faults(data) == ()


def test_equal_arguments_give_equal_bytes(pem: bytes) -> None:
    """A retry sends the very same signature."""
    assert _signed(pem) == _signed(pem)


@given(st.text(max_size=90), st.text("ab=&%7.", max_size=200), st.booleans())
@settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_judge_takes_each_message(pem: bytes, name: str, token: str, test: bool) -> None:  # noqa: FBT001 - drawn
    """Whatever a reader is called, and wherever they leave, the signature holds."""
    leave = (f"https://harbour.example/leave?t={token}", "mailto:leave@harbour.example")
    to = Mailbox(name=name, address="ann@reader.example")

    assert _is_verified(_signed(pem, to=to, unsubscribe=leave, test=test), pem)


def test_judge_takes_a_local_part_beyond_ascii(pem: bytes) -> None:
    """Raw letters in To are signed as they stand (RFC 8616)."""
    to = Mailbox(name="Jürgen", address="jürgen@reader.example")

    assert _is_verified(_signed(pem, to=to), pem)


@pytest.mark.parametrize("on_top", [True, False])
@pytest.mark.parametrize("name", _SEALED)
def test_field_that_is_added_breaks_the_signature(ed_pem: bytes, name: str, on_top: bool) -> None:  # noqa: FBT001 - a parameter
    """Above the others or below them, another of the sealed fields is found out."""
    data = _signed(ed_pem)
    line = f"{name.title()}: <x@other.example>\r\n".encode()
    head, empty, body = data.partition(b"\r\n\r\n")
    forged = line + data if on_top else head + b"\r\n" + line.rstrip() + empty + body

    assert _is_verified(data, ed_pem)
    assert not _is_verified(forged, ed_pem)


def test_field_that_is_changed_or_gone_breaks_the_signature(ed_pem: bytes) -> None:
    """So does a change in any field that is signed; one that servers write may be added."""
    data = _signed(ed_pem)
    head, empty, body = data.partition(b"\r\n\r\n")
    fields = re.split(rb"\r\n(?![ \t])", head)

    for at, field in enumerate(fields[1:], start=1):
        name = field.partition(b":")[0].decode().lower()
        for forged in ([], [field + b"x"]):
            changed = b"\r\n".join([*fields[:at], *forged, *fields[at + 1 :]]) + empty + body
            signed = name in {*_SEALED, "auto-submitted"}
            assert _is_verified(changed, ed_pem) is not signed, (name, forged)
    assert _is_verified(b"Received: from a by b\r\n" + data, ed_pem)


@given(st.integers(min_value=0), st.integers(1, 255))
@example(3174, 4)  # a tab in place of the last carriage return
@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_change_in_the_body_breaks_the_signature(ed_pem: bytes, place: int, flip: int) -> None:
    """An octet that is another one, or one more, is found out."""
    data = _signed(ed_pem)
    start = data.index(b"\r\n\r\n") + 4
    at = start + place % (len(data) - start)
    changed = data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :]
    # The judge takes a line feed alone for a line end.
    read = re.sub(rb"\r?\n", b"\r\n", changed[start:])
    same = Relaxed.canonicalize_body(read) == data[start:]

    assert _is_verified(changed, ed_pem) is same
    assert not _is_verified(data[:at] + b"x" + data[at:], ed_pem)
    assert not _is_verified(data + b"more\r\n", ed_pem)


def test_other_key_does_not_verify(rsa_pem: bytes, ed_pem: bytes) -> None:
    """A signature is that of the key whose record is published."""
    assert not _is_verified(_signed(ed_pem), rsa_pem)


@given(st.lists(st.sampled_from(["a", " ", "\t", "  ", "\r\n ", "\r\n\t", "é", ":", ";", "="])))
@settings(deadline=None, max_examples=100)
def test_relaxed_form_of_a_field_is_that_of_the_judge(pieces: list[str]) -> None:
    """Folds, tabs and blanks become one blank, and none at the edges."""
    value = "".join(pieces).encode()
    [(name, relaxed)] = Relaxed.canonicalize_headers([(b"X-Some ", value + b"\r\n")])

    assert relaxed_field(b"X-Some :" + value + b"\r\n") == name + b":" + relaxed
