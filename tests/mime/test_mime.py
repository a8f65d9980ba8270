"""The general copy of a message, and the last look at its bytes."""

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import DigestError
from digest.mime import general_copy, wire_faults
from digest.model import Edition, IssueKey, Mailbox, Newsletter, ThemeId, WeeklyTime

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
    plain = replace(_LETTER, reply_to="", sender=Mailbox(address="a@harbour.example"))
    message = general_copy(_edition("x"), newsletter=plain, html=b"", text=b"")

    assert b"Reply-To" not in message
    assert b"From: a@harbour.example\r\n" in message


def _parsed(message: bytes) -> EmailMessage:
    parsed = message_from_bytes(message, policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    return parsed


def _content(part: EmailMessage) -> str:
    """Give a part's text; whether its last line ends does not count."""
    text = part.get_content()
    assert isinstance(text, str)
    return text.replace("\r\n", "\n").removesuffix("\n")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
@settings(deadline=None, max_examples=100)
def test_parts_are_what_the_standard_library_makes(text: str) -> None:
    """Whatever stands in a part, its lines are short and it reads as one made by `email` does."""
    message = _copy(text=text.encode(), html=text.encode())
    theirs = EmailMessage(policy=policy.SMTP)
    theirs.set_content(text, cte="quoted-printable")

    for part in _parsed(message).iter_parts():
        assert isinstance(part, EmailMessage)
        assert _content(part) == _content(_parsed(theirs.as_bytes()))
        assert not part.defects
    body = message.partition(b"\r\n\r\n")[2]
    assert all(len(line) <= 76 for line in body.split(b"\r\n"))
    assert body.isascii()


def test_help_leads_to_the_site() -> None:
    """List-Help and List-Archive name the site, List-Unsubscribe the mail to leave by."""
    message = _copy()

    assert b"\r\nList-Help: <https://harbour.example/>\r\n" in message
    assert b"\r\nList-Archive: <https://harbour.example/>\r\n" in message
    assert b"\r\nList-Unsubscribe: <mailto:leave@harbour.example?subject=" in message
    assert b"List-Unsubscribe-Post" not in message


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
        (b"From: a\r\n c\r\n\r\n\xc3\xa9", "body"),
        (b"To: a\r\nSubject: b\r\n \xc3\xa9\r\n\r\n", "not ASCII"),
    ],
)
def test_wire_faults_are_named(message: bytes, fault: str) -> None:
    """Each broken rule of the wire is named."""
    assert fault in wire_faults(message)[0]


def test_sound_message_has_no_fault() -> None:
    """A folded field and a body pass."""
    assert wire_faults(b"A: b\r\n c\r\n\r\nbody\r\n") == ()
    assert wire_faults(b"A: b\r\n") == ()


def test_address_beyond_ascii_may_stand_in_to() -> None:
    """A local part of other letters is no fault there (RFC 6532)."""
    assert wire_faults("To: A\r\n <jürgen@harbour.example>\r\n\r\nx\r\n".encode()) == ()


def test_broken_message_is_never_given_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that breaks the wire is an error, not a file."""
    monkeypatch.setattr("digest.mime.message.wire_faults", lambda _: ("a fault",))

    with pytest.raises(DigestError, match="a fault"):
        _copy()
