"""The bytes of a message."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import DigestError
from digest.mime import general_copy, header_line, mailbox_text, wire_faults
from digest.model import Edition, IssueKey, Mailbox, Newsletter, ThemeId, WeeklyTime, clean_line

_LETTER = Newsletter(
    name="Harbour Notes",
    slug="harbour-notes",
    language="en",
    zone=ZoneInfo("Europe/Berlin"),
    tag="harbour.example,2026",
    site_url="https://harbour.example/",
    sender=Mailbox(name="Harbour, Notes", address="letter@harbour.example"),
    leave="leave@harbour.example",
    list_id="harbour-notes.harbour.example",
    send=WeeklyTime(weekday=0, hour=9, minute=0),
    reply_to="desk@harbour.example",
)


def _edition(subject: str) -> Edition:
    return Edition(
        key=IssueKey("2026-w49"),
        number=3,
        slot=datetime(2026, 11, 30, 9, tzinfo=ZoneInfo("Europe/Berlin")),
        subject=subject,
        preheader="",
        title="Tides",
        summary="",
        theme=ThemeId("tides"),
        items=(),
    )


def _copy(subject: str = "Tides", html: bytes = b"<p>x</p>\n", text: bytes = b"x\n") -> bytes:
    return general_copy(_edition(subject), newsletter=_LETTER, html=html, text=text)


def test_general_copy_is_read_without_a_defect() -> None:
    """The standard library's parser finds no defect, the text part first and the HTML last."""
    message = message_from_bytes(_copy(), policy=policy.default)

    assert message.defects == []
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]
    assert message["Message-ID"] == "<2026-w49.general@harbour.example>"
    assert message["From"].addresses[0].display_name == "Harbour, Notes"
    assert message["Date"].datetime == datetime(2026, 11, 30, 8, tzinfo=UTC)
    assert message["List-Id"] == "Harbour Notes <harbour-notes.harbour.example>"
    assert message["Reply-To"] == "desk@harbour.example"


def test_general_copy_is_the_same_each_time() -> None:
    """Equal inputs give equal bytes; another text gives another boundary."""
    assert _copy() == _copy()
    assert _copy(text=b"y\n") != _copy()


def test_parts_come_back_whole() -> None:
    """Long lines, dots at the start of lines and letters beyond ASCII survive the encoding."""
    text = "é" * 2000 + "\n.\n..\nfrom here\n"
    message = message_from_bytes(_copy(text=text.encode()), policy=policy.default)
    body = message.get_body(("plain",))

    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == text


def test_fields_without_a_value_are_left_out() -> None:
    """No Reply-To is written where the newsletter has none."""
    from dataclasses import replace  # noqa: PLC0415 - used by this test alone

    plain = replace(_LETTER, reply_to="", sender=Mailbox(address="a@harbour.example"))
    message = general_copy(_edition("x"), newsletter=plain, html=b"", text=b"")

    assert b"Reply-To" not in message
    assert b"From: a@harbour.example\r\n" in message


@given(st.text(max_size=300))
@settings(deadline=None, max_examples=100)
def test_subject_decodes_to_what_was_written(subject: str) -> None:
    """Two decoders give back the exact title, every space included, from lines within limits."""
    line = header_line("Subject", subject)
    value = line.removeprefix(b"Subject: ").removesuffix(b"\r\n").decode("ascii")
    other = message_from_bytes(line + b"\r\n", policy=policy.default)

    assert str(make_header(decode_header(value))) == clean_line(subject)
    assert other["Subject"] == clean_line(subject)
    assert all(len(part) <= 76 for part in line.split(b"\r\n"))


@given(st.text(max_size=80))
@settings(deadline=None, max_examples=100)
def test_name_of_a_mailbox_survives(name: str) -> None:
    """A display name of any letters comes back, beside the address as stored."""
    text = mailbox_text(Mailbox(name=clean_line(name), address="a@harbour.example"))
    message = message_from_bytes(f"From: {text}\r\n\r\n".encode("ascii"), policy=policy.default)

    assert message["From"].addresses[0].addr_spec == "a@harbour.example"
    assert len(message["From"].addresses) == 1


def test_line_break_in_a_title_makes_no_field() -> None:
    """A title with a line break stays one Subject and adds no field."""
    message = message_from_bytes(_copy("Tides\r\nBcc: x@harbour.example"), policy=policy.default)

    assert message["Bcc"] is None
    assert message["Subject"] == "Tides Bcc: x@harbour.example"


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (b"A: b\n\r\n", "alone"),
        (b"A: b\r\n\r\nx\0", "NUL"),
        (b"A: b\r\n\r\n" + b"x" * 999, "998"),
        (b"no field\r\n\r\n", "no field"),
        (b"From: a\r\nfrom: b\r\n\r\n", "twice"),
    ],
)
def test_wire_faults_are_named(message: bytes, fault: str) -> None:
    """Each broken rule of the wire is named."""
    assert fault in wire_faults(message)[0]


def test_sound_message_has_no_fault() -> None:
    """A folded field and a body pass."""
    assert wire_faults(b"A: b\r\n c\r\n\r\nbody\r\n") == ()


def test_broken_message_is_never_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that breaks the wire is an error, not a file."""
    monkeypatch.setattr("digest.mime.wire_faults", lambda _: ("a fault",))

    with pytest.raises(DigestError, match="a fault"):
        _copy()
