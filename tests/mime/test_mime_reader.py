"""One reader's message: the general copy with this reader's values in it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, message_from_string, policy
from email.message import EmailMessage
from html import escape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import DigestError
from digest.mime import Strip, general_copy, message_id, reader_message, wire_faults
from digest.model import (
    Edition,
    FieldPlace,
    IssueKey,
    Mailbox,
    Message,
    Newsletter,
    ThemeId,
    WeeklyTime,
    clean_line,
)

_ZONE = ZoneInfo("Europe/Berlin")
_LETTER = Newsletter(
    name="Harbour Notes",
    slug="harbour-notes",
    language="en",
    zone=_ZONE,
    tag="harbour.example,2026",
    site_url="https://harbour.example/",
    sender=Mailbox(name="Harbour Notes", address="letter@harbour.example"),
    leave="leave@harbour.example",
    list_id="harbour-notes.harbour.example",
    send=WeeklyTime(weekday=0, hour=9, minute=0),
    reply_to="desk@harbour.example",
)
_LEAVE = "mailto:leave@harbour.example?subject=unsubscribe%20harbour-notes"
_BEGAN = datetime(2026, 11, 30, 8, 0, 5, tzinfo=UTC)
_ONE_CLICK = "https://harbour.example/leave?t=abc&l=1"


def _file(*pieces: str | tuple[str, str, str]) -> tuple[bytes, tuple[FieldPlace, ...]]:
    """Join texts and fields (name, default, general value), and tell where the fields stand."""
    data, places = b"", []
    for piece in pieces:
        if isinstance(piece, str):
            data += piece.encode()
            continue
        name, default, shown = piece
        start = len(data)
        data += shown.encode()
        places.append(FieldPlace(name=name, default=default, start=start, end=len(data)))
    return data, tuple(places)


_HTML, _HTML_PLACES = _file(
    "<!doctype html>\n<html><head><title>A &lt;body&gt;</title><!-- <body> --></head>"
    '<body class="x>y">\n<p>Dear é ',
    ("name", "reader & friend", "reader &amp; friend"),
    ", ",
    ("address", "", ""),
    '</p><a href="',
    ("leave_url", "", _LEAVE),
    '">Leave</a></body></html>\n',
)
_TEXT, _TEXT_PLACES = _file(
    "Dear é ",
    ("name", "reader & friend", "reader & friend"),
    "\n",
    ("leave_url", "", _LEAVE),
    "\n.\n..\n",
)
_EDITION = Edition(
    key=IssueKey("2026-w49"),
    number=3,
    slot=datetime(2026, 11, 30, 9, tzinfo=_ZONE),
    subject="Tides",
    preheader="",
    title="Tides",
    summary="",
    theme=ThemeId("tides"),
    items=(),
    files={"issue.html": _HTML, "issue.txt": _TEXT},
    fields={"issue.html": _HTML_PLACES, "issue.txt": _TEXT_PLACES},
)
_ADA = Mailbox(name="Ada Lund", address="ada@reader.example")
_ID = message_id(b"k", issue=_EDITION.key, address=_ADA.address, domain="harbour.example")


def _message(**parts: Any) -> Message:  # noqa: ANN401 - any argument of the function tested
    standard = {"newsletter": _LETTER, "to": _ADA, "message_id": _ID, "date": _BEGAN}
    return reader_message(parts.pop("edition", _EDITION), **{**standard, **parts})


def _parsed(message: Message) -> EmailMessage:
    parsed = message_from_bytes(message.data, policy=policy.SMTPUTF8)
    assert isinstance(parsed, EmailMessage)
    assert [part.defects for part in parsed.walk()] == [[], [], []]
    return parsed


def _bodies(message: Message) -> tuple[str, str]:
    """Give HTML and text of a message, line ends as in files."""
    bodies = (_parsed(message).get_body((kind,)) for kind in ("html", "plain"))
    html, text = (body.get_content().replace("\r\n", "\n") for body in bodies if body is not None)
    return html, text


def test_reader_gets_own_values_in_both_parts() -> None:
    """Name, address and the way to leave stand where the templates wrote them, escaped in HTML."""
    message = _message(
        to=Mailbox(name="Bo <b> & Co", address="bo@reader.example"), unsubscribe=(_ONE_CLICK,)
    )
    html, text = _bodies(message)

    assert "<p>Dear é Bo &lt;b&gt; &amp; Co, bo@reader.example</p>" in html
    assert f'<a href="{escape(_ONE_CLICK)}">Leave</a>' in html
    assert text == f"Dear é Bo <b> & Co\n{_ONE_CLICK}\n.\n..\n"


def test_reader_without_a_name_gets_the_general_text() -> None:
    """Where nothing is known the default stands, and leaving is by mail."""
    html, text = _bodies(_message(to=Mailbox(address="ada@reader.example")))

    assert html == _HTML.decode().replace("friend, ", "friend, ada@reader.example")
    assert text == _TEXT.decode()


def test_edition_without_places_goes_out_as_it_is() -> None:
    """What was kept before places were noted is the same for all."""
    html, text = _bodies(_message(edition=replace(_EDITION, fields={})))

    assert (html, text) == (_HTML.decode(), _TEXT.decode())


def test_fields_are_those_of_the_general_copy_but_for_whom_and_when() -> None:
    """To, Date and Message-ID are the reader's own; all else is what the editor looked at."""
    message = _message()
    general = general_copy(_EDITION, newsletter=_LETTER, html=_HTML, text=_TEXT)
    heads = [data.partition(b"\r\n\r\n")[0] for data in (message.data, general)]
    own, other = (head.replace(b"\r\n ", b" ").split(b"\r\n") for head in heads)
    named = [line.partition(b":")[0] for line in own]

    assert named == [line.partition(b":")[0] for line in other]
    assert [line for line in own if line not in other] == [
        b"To: Ada Lund <ada@reader.example>",
        b"Date: Mon, 30 Nov 2026 09:00:05 +0100",
        f"Message-ID: {_ID}".encode(),
    ]


def test_envelope_is_the_stored_address_and_the_sender() -> None:
    """What the server is told is the address as stored, not what a header field says."""
    message = _message()

    assert message.id == _ID
    assert message.sender == "letter@harbour.example"
    assert message.recipient == "ada@reader.example"
    assert _parsed(message)["To"].addresses[0].display_name == "Ada Lund"


def test_one_click_is_offered_only_where_https_comes_first() -> None:
    """The field of RFC 8058 stands beside one https address; a mail to leave by comes second."""
    both = _message(unsubscribe=(_ONE_CLICK, _LEAVE)).data

    assert f"\r\nList-Unsubscribe: <{_ONE_CLICK}>,\r\n <{_LEAVE}>\r\n".encode() in both
    assert both.count(b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n") == 1
    assert b"List-Unsubscribe-Post" not in _message().data
    assert f"\r\nList-Unsubscribe: <{_LEAVE}>\r\n".encode() in _message().data


@pytest.mark.parametrize("length", range(1, 401))
def test_button_survives_any_token(length: int) -> None:
    """With tokens of 1 to 400 characters no field of the list holds an encoded word."""
    url = f"https://harbour.example/leave?t={'b7' * 200}"[: 32 + length]
    message = _message(unsubscribe=(url, _LEAVE))
    head = message.data.partition(b"\r\n\r\n")[0]

    assert f"List-Unsubscribe: <{url}>,\r\n".encode() in head
    assert b"=?" not in head
    assert _parsed(message)["List-Unsubscribe"].startswith(f"<{url}>")


def test_equal_arguments_give_equal_bytes() -> None:
    """A retry sends the very same message; the boundary is that of the general copy."""
    general = general_copy(_EDITION, newsletter=_LETTER, html=_HTML, text=_TEXT)
    boundary = message_from_bytes(general).get_boundary()

    assert _message() == _message()
    assert _parsed(_message()).get_boundary() == boundary
    assert _parsed(_message(to=Mailbox(address="c@reader.example"))).get_boundary() == boundary


def test_name_that_says_the_boundary_ends_no_part() -> None:
    """A reader who knows the boundary from elsewhere still has a whole message."""
    boundary = _parsed(_message()).get_boundary()
    message = _message(to=Mailbox(name=f"--{boundary}--", address="ada@reader.example"))
    html, text = _bodies(message)

    assert _parsed(message).get_boundary() == boundary
    assert f"--{boundary}--" in html
    assert f"--{boundary}--" in text


def test_test_message_says_so() -> None:
    """Only a test carries the mark of one."""
    assert _parsed(_message(test=True))["X-Digest-Test"] == "1"
    assert "X-Digest-Test" not in _parsed(_message())


def test_strip_stands_above_the_issue() -> None:
    """It follows the body's own tag in HTML, and comes first in text."""
    strip = Strip(html="<div>Goes out on Monday é</div>", text="Goes out on Monday é\n")
    html, text = _bodies(_message(strip=strip))
    plain, plain_text = _bodies(_message())

    assert html == plain.replace('<body class="x>y">', f'<body class="x>y">{strip.html}')
    assert text == f"Goes out on Monday é\n\n{plain_text}"


def test_strip_stands_on_top_where_there_is_no_body() -> None:
    """A look whose HTML has no body element loses nothing."""
    edition = replace(_EDITION, files={**_EDITION.files, "issue.html": b"<p>x</p>\n"}, fields={})
    html, _ = _bodies(_message(edition=edition, strip=Strip(html="<p>s</p>", text="s")))

    assert html == "<p>s</p><p>x</p>\n"


def test_local_part_beyond_ascii_is_written_as_it_is() -> None:
    """To holds its letters in UTF-8, and no other octet of the message is beyond ASCII."""
    message = _message(to=Mailbox(name="Jürgen", address="jürgen@xn--bcher-kva.example"))
    lines = [line for line in message.data.split(b"\r\n") if not line.isascii()]

    assert lines == [" <jürgen@xn--bcher-kva.example>".encode()]
    # From bytes the library's parser takes no header for UTF-8.
    parsed = message_from_string(message.data.decode(), policy=policy.SMTPUTF8)
    assert parsed["To"].addresses[0].addr_spec == "jürgen@xn--bcher-kva.example"
    assert message.recipient == "jürgen@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "parts",
    [
        {"to": Mailbox(address="a@reader.example\r\nBcc: b@reader.example")},
        {"to": Mailbox(address="=?utf-8?q?a=40evil.example?=@reader.example")},
        {"message_id": "<a@b>\r\nBcc: x"},
        {"unsubscribe": ("https://harbour.example/a b",)},
        {"date": datetime(2026, 11, 30, 9)},  # noqa: DTZ001 - the mistake that is to be refused
    ],
)
def test_what_would_forge_a_field_is_refused(parts: dict[str, Any]) -> None:
    """Nothing that is not what it should be gets into a header."""
    with pytest.raises(ValueError, match=r"cannot stand|no Message-ID|no zone"):
        _message(**parts)


def test_broken_message_is_never_given_out() -> None:
    """A message that breaks the wire is an error that names the reader, not bytes."""
    address = f"{'a' * 990}@reader.example"

    with pytest.raises(DigestError, match=rf"2026-w49 for {address}: a line is longer than 998"):
        _message(to=Mailbox(address=address))


@given(st.text(max_size=60))
@settings(deadline=None, max_examples=100)
def test_no_name_changes_the_shape_of_a_message(name: str) -> None:
    """Whatever a reader is called, the fields are the same, and the parts show the name."""
    message = _message(to=Mailbox(name=name, address="ada@reader.example"))
    parsed = _parsed(message)
    html, text = _bodies(message)
    shown = clean_line(name) or "reader & friend"

    assert parsed.keys() == _parsed(_message()).keys()
    assert not wire_faults(message.data)
    assert f"<p>Dear é {escape(shown)}, ada@reader.example</p>" in html
    assert text.startswith(f"Dear é {shown}\n")
    body = message.data.partition(b"\r\n\r\n")[2]
    assert all(len(line) <= 76 for line in body.split(b"\r\n"))


@given(st.binary(), st.sampled_from(["2026-w49", "2027-w01"]), st.emails())
@settings(deadline=None, max_examples=100)
def test_message_id_is_the_same_for_a_reader_and_tells_nobody_who(
    key: bytes, issue: str, address: str
) -> None:
    """It depends on key, issue and reader; letter case of the address does not count."""

    def named(secret: bytes, whom: str) -> str:
        return message_id(secret, issue=IssueKey(issue), address=whom, domain="harbour.example")

    mine = named(key, address)

    assert mine == named(key, address) == named(key, address.upper().lower())
    assert mine != named(key + b"x", address)
    assert mine != named(key, f"x{address}")
    left, _, right = mine.strip("<>").partition("@")
    assert (left.partition(".")[0], right) == (issue, "harbour.example")
    assert len(left) == len(issue) + 1 + 18
    assert left == left.lower()


def test_message_id_is_known() -> None:
    """One that was given out before is given out again, whatever version made it."""
    assert _ID == "<2026-w49.deunykjsa2z6fnwedc@harbour.example>"


def test_who_has_no_value_of_their_own_gets_the_general_copy() -> None:
    """The body that was looked at goes out octet for octet, soft line breaks and all."""
    copy = general_copy(_EDITION, newsletter=_LETTER, html=_HTML, text=_TEXT)
    edition = replace(
        _EDITION,
        fields={
            name: tuple(place for place in places if place.name == "leave_url")
            for name, places in _EDITION.fields.items()
        },
    )
    trimmed = general_copy(edition, newsletter=_LETTER, html=_HTML, text=_TEXT)
    message = reader_message(
        edition,
        newsletter=_LETTER,
        to=Mailbox(name="Ann", address="ann@reader.example"),
        message_id="<a@harbour.example>",
        date=_BEGAN,
    )
    assert message.data.partition(b"\r\n\r\n")[2] == trimmed.partition(b"\r\n\r\n")[2]
    parsed = message_from_bytes(copy, policy=policy.SMTP)
    html, text = (parsed.get_body((kind,)) for kind in ("html", "plain"))
    assert html is not None
    assert text is not None
    assert html.get_content().replace("\r\n", "\n").encode() == _HTML
    assert text.get_content().replace("\r\n", "\n").encode() == _TEXT
