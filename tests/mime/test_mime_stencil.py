"""An edition encoded once: each reader's message is what would be made of it from scratch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, message_from_string, policy
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import parseaddr
from html import escape
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from dkim.canonicalization import Relaxed
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.errors import DigestError
from digest.mime import (
    Signer,
    Strip,
    cut_stencil,
    header_line,
    mailbox_text,
    reader_message,
    uri_list,
    wire_faults,
)
from digest.mime.fields import id_line, list_id_line
from digest.mime.wire import surely_sound
from digest.model import (
    Edition,
    FieldPlace,
    IssueKey,
    Mailbox,
    Newsletter,
    Picture,
    ThemeId,
    WeeklyTime,
    clean_line,
)

_ZONE: Final = ZoneInfo("Europe/Berlin")
_LETTER: Final = Newsletter(
    name="Harbour Notes",
    slug="harbour-notes",
    language="en",
    zone=_ZONE,
    tag="harbour.example,2026",
    site_url="https://harbour.example/",
    sender=Mailbox(name="Harbour, Notes é", address="letter@harbour.example"),
    leave="leave@harbour.example",
    list_id="harbour-notes.harbour.example",
    send=WeeklyTime(weekday=0, hour=9, minute=0),
    reply_to="desk@harbour.example",
)
_LEAVE: Final = "mailto:leave@harbour.example?subject=unsubscribe%20harbour-notes"
_BEGAN: Final = datetime(2026, 11, 30, 8, 0, 5, tzinfo=UTC)
_ANN: Final = Mailbox(name="Ann", address="ann@reader.example")
_ID: Final = "<2026-w49.abc@harbour.example>"
_WHEEL: Final = Picture(
    path="a", media_type="image/png", width=1, height=1, data=bytes(range(256)) * 3
)
_PLACED: Final = ("name", "address", "leave_url")


def _file(text: str, **general: str) -> tuple[bytes, tuple[FieldPlace, ...]]:
    """Fill `{name}` and the like with what the general copy has, and tell where they stand."""
    data, places = b"", []
    for number, piece in enumerate(text.replace("}", "{").split("{")):
        start = len(data)
        data += (general.get(piece, "") if number % 2 else piece).encode()
        if number % 2:
            default = "reader & friend" if piece == "name" else ""
            places.append(FieldPlace(name=piece, default=default, start=start, end=len(data)))
    return data, tuple(places)


def _edition(html: str, text: str, *, pictures: tuple[Picture, ...] = ()) -> Edition:
    html_data, html_places = _file(html, name="reader &amp; friend", leave_url=escape(_LEAVE))
    text_data, text_places = _file(text, name="reader & friend", leave_url=_LEAVE)
    return Edition(
        key=IssueKey("2026-w49"),
        number=3,
        slot=datetime(2026, 11, 30, 9, tzinfo=_ZONE),
        subject="Tides é & more",
        preheader="",
        title="Tides",
        summary="",
        theme=ThemeId("tides"),
        items=(),
        files={
            "issue.html": html_data,
            "issue.txt": text_data,
            **{f"pictures/{one.name}": one.data for one in pictures},
        },
        fields={"issue.html": html_places, "issue.txt": text_places},
    )


_HTML: Final = (
    "<!doctype html>\n<body>\n<p>Dear {name},{name}</p>\n<p>.  two \t\n{address}\n"
    f'<img src="cid:{_WHEEL.name}@harbour.example" alt="A">'
    '<a href="{leave_url}">Leave</a></p>é\n</body>\n'
)
_TEXT: Final = "{name}\nFrom é  \n.{address}\n\n{leave_url}"
_EDITION: Final = _edition(_HTML, _TEXT, pictures=(_WHEEL,))


def _filled(text: str, values: dict[str, str], quote: Callable[[str], str] = str) -> str:
    for name in _PLACED:
        shown = clean_line(values[name]) or ("reader & friend" if name == "name" else "")
        text = text.replace(f"{{{name}}}", quote(shown))
    return text


def _whole(to: Mailbox, leave: tuple[str, ...]) -> EmailMessage:
    """Make the body by the standard library alone, from the texts with the values in them."""
    values = {"name": to.name, "address": to.address, "leave_url": leave[0]}
    message = EmailMessage(policy=policy.SMTP)
    message.set_content(_filled(_TEXT, values), cte="quoted-printable")
    message.add_alternative(_filled(_HTML, values, escape), subtype="html", cte="quoted-printable")
    html = list(message.iter_parts())[1]
    assert isinstance(html, EmailMessage)
    html.add_related(_WHEEL.data, "image", "png", cid=f"<{_WHEEL.name}@harbour.example>")
    return message


def _parts(message: EmailMessage) -> list[tuple[str, object]]:
    """Give each part's type with its content; whether a text's last line ends does not count."""
    leaves = (part for part in message.walk() if not part.is_multipart())
    found: list[tuple[str, object]] = []
    for part in leaves:
        assert isinstance(part, EmailMessage)
        content = part.get_content()
        if isinstance(content, str):
            content = content.replace("\r\n", "\n").removesuffix("\n")
        found.append((part.get_content_type(), content))
    return found


def _parsed(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=policy.SMTP)
    assert isinstance(message, EmailMessage)
    assert [defect for part in message.walk() for defect in part.defects] == []
    return message


_NAMES: Final = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from([".", "From ", "=", " ", "é", "--digest=_", "\n", "x" * 70, '<&>"']),
        max_size=12,
    ).map("".join),
)
_LEAVES: Final = st.one_of(
    st.just((_LEAVE,)),
    st.text("ab=&%7-_.", max_size=400).map(
        lambda token: (f"https://harbour.example/leave?t={token}", _LEAVE)
    ),
)


@given(_NAMES, st.emails(), _LEAVES)
@settings(deadline=None, max_examples=100)
def test_a_message_is_what_the_standard_library_makes(
    name: str, address: str, leave: tuple[str, ...]
) -> None:
    """Parts are those that `email` makes of the whole texts; nothing of the wire is broken."""
    to = Mailbox(name=name, address="ann@reader.example" if '"' in address else address)
    try:
        mailbox_text(to)
    except ValueError:
        to = replace(to, address=_ANN.address)
    data = reader_message(
        _EDITION, newsletter=_LETTER, to=to, message_id=_ID, date=_BEGAN, unsubscribe=leave
    ).data
    head, _, body = data.partition(b"\r\n\r\n")

    assert _parts(_parsed(data)) == _parts(_parsed(_whole(to, leave).as_bytes()))
    assert wire_faults(data) == ()
    assert max(map(len, body.split(b"\r\n"))) <= 76
    assert b"\r\n." not in data
    assert Relaxed.canonicalize_body(body) == body
    assert head + b"\r\n" == b"".join(
        (
            f"From: {mailbox_text(_LETTER.sender)}\r\n".encode(),
            f"To: {mailbox_text(to)}\r\n".encode(),
            header_line("Subject", _EDITION.subject),
            b"Date: Mon, 30 Nov 2026 09:00:05 +0100\r\n",
            id_line(_ID),
            b"Reply-To: desk@harbour.example\r\n",
            list_id_line(_LETTER.name, _LETTER.list_id),
            uri_list("List-Unsubscribe", leave),
            b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" if leave[1:] else b"",
            uri_list("List-Help", (_LETTER.site_url,)),
            uri_list("List-Archive", (_LETTER.site_url,)),
            b"List-Post: NO\r\nAuto-Submitted: auto-generated\r\nPrecedence: list\r\n",
            f"X-Digest-Edition: 2026-w49\r\n sha256:{_EDITION.imprint}\r\n".encode(),
            b"MIME-Version: 1.0\r\nContent-Type: multipart/alternative;\r\n",
            f' boundary="{_parsed(data).get_boundary()}"\r\n'.encode(),
        )
    )


@given(_NAMES)
@settings(deadline=None, max_examples=50)
def test_header_fields_read_as_the_standard_library_has_them(name: str) -> None:
    """To, From, Subject and List-Unsubscribe mean what `email` means by the same values."""
    theirs = EmailMessage(policy=policy.SMTP)
    theirs["To"] = Address(clean_line(name), addr_spec="ann@reader.example")
    theirs["From"] = Address(_LETTER.sender.name, addr_spec=_LETTER.sender.address)
    theirs["Subject"] = clean_line(_EDITION.subject)
    theirs["List-Unsubscribe"] = f"<{_LEAVE}>"
    to = Mailbox(name=name, address="ann@reader.example")
    message = cut_stencil(_EDITION, newsletter=_LETTER, date=_BEGAN).message(to=to, message_id=_ID)
    mine = message_from_bytes(message.data)

    for field in ("To", "From"):
        [their] = theirs[field].addresses
        phrase, address = parseaddr(mine[field].replace("\r\n", ""))
        assert str(make_header(decode_header(phrase))) == their.display_name
        assert address == their.addr_spec
    assert str(make_header(decode_header(mine["Subject"]))) == theirs["Subject"]
    assert mine["List-Unsubscribe"] == theirs["List-Unsubscribe"]


@given(st.lists(st.tuples(_NAMES, _LEAVES), max_size=5))
@settings(deadline=None, max_examples=30)
def test_one_stencil_serves_all_readers(readers: list[tuple[str, tuple[str, ...]]]) -> None:
    """What was made for others before changes nothing: the bytes are those of a stencil alone."""
    stencil = cut_stencil(_EDITION, newsletter=_LETTER, date=_BEGAN, signer=_SIGNER)
    for name, leave in [*readers, *readers]:
        own: dict[str, Any] = {
            "to": Mailbox(name=name, address="a@reader.example"),
            "message_id": _ID,
            "unsubscribe": leave,
        }
        alone = reader_message(_EDITION, newsletter=_LETTER, date=_BEGAN, signer=_SIGNER, **own)
        assert stencil.message(**own) == alone


_SIGNER: Final = Signer(
    domain="harbour.example", selector="s", algorithm="rsa-sha256", sign=lambda digest: digest
)


def test_bytes_are_known() -> None:
    """A resent message is the one that was sent, whatever version made it first."""
    edition = _edition("<p>Dear {name}</p>\n", "Dear {name}\n.\n")
    message = cut_stencil(
        edition, newsletter=replace(_LETTER, reply_to=""), date=_BEGAN, test=True
    ).message(to=_ANN, message_id=_ID)

    assert message.data.partition(b"MIME-Version")[2].decode().replace("\r\n", "\n") == (
        ": 1.0\n"
        "Content-Type: multipart/alternative;\n"
        ' boundary="digest=_d49f81b330b3ab74aa53b68fda8671fd"\n'
        "\n"
        "--digest=_d49f81b330b3ab74aa53b68fda8671fd\n"
        'Content-Type: text/plain; charset="utf-8"\n'
        "Content-Transfer-Encoding: quoted-printable\n"
        "\n"
        "Dear=20=\n"
        "Ann\n"
        "=2E\n"
        "\n"
        "--digest=_d49f81b330b3ab74aa53b68fda8671fd\n"
        'Content-Type: text/html; charset="utf-8"\n'
        "Content-Transfer-Encoding: quoted-printable\n"
        "\n"
        "<p>Dear=20=\n"
        "Ann=\n"
        "</p>\n"
        "\n"
        "--digest=_d49f81b330b3ab74aa53b68fda8671fd--\n"
    )


def test_a_field_that_stands_twice_is_encoded_once() -> None:
    """Fields that show the same are one slot; each place still gets its value."""
    stencil = cut_stencil(_EDITION, newsletter=_LETTER, date=_BEGAN)

    assert len(stencil.slots) == len(set(stencil.slots)) == 6
    assert len(stencil.holes) == 7
    assert stencil.message(to=_ANN, message_id=_ID).data.count(b"\r\nAnn=\r\n") == 2


def test_strip_moves_the_fields_behind_it() -> None:
    """A strip may stand before fields and behind others, in any of which the values are right."""
    edition = _edition("{name}<body>{name} {address}</body>", "{name}")
    message = cut_stencil(
        edition, newsletter=_LETTER, date=_BEGAN, strip=Strip(html="<b>é{}</b>", text="é\n")
    ).message(to=_ANN, message_id=_ID)
    text, html = (content for _, content in _parts(_parsed(message.data)))

    assert html == "Ann<body><b>é{}</b>Ann ann@reader.example</body>"
    assert text == "é\n\nAnn"


def test_what_all_share_is_looked_at_once() -> None:
    """A newsletter whose own fields break the wire gets no stencil, and no reader is blamed."""
    broken = replace(_LETTER, reply_to=f"{'a' * 990}@harbour.example")

    with pytest.raises(DigestError, match="2026-w49: a line is longer than 998 octets"):
        cut_stencil(_EDITION, newsletter=broken, date=_BEGAN)


def test_a_long_way_to_leave_may_stand_at_the_limit() -> None:
    """What the glance does not let pass is looked at as a whole, and goes out where it is sound."""
    url = f"https://harbour.example/{'a' * 953}"
    stencil = cut_stencil(_EDITION, newsletter=_LETTER, date=_BEGAN)
    data = stencil.message(to=_ANN, message_id=_ID, unsubscribe=(url,)).data
    own = b"".join(
        (
            f"To: {mailbox_text(_ANN)}\r\n".encode(),
            id_line(_ID),
            uri_list("List-Unsubscribe", (url,)),
        )
    )

    assert not surely_sound(own, ())
    assert surely_sound(own.replace(b"a" * 900, b""), ())
    assert max(map(len, data.split(b"\r\n"))) == 997
    assert wire_faults(data) == ()


def test_local_part_beyond_ascii_is_at_home_in_a_stencil() -> None:
    """Its letters stand in To as they are and encoded in the body, and are signed."""
    to = Mailbox(name="Jürgen", address="jürgen@harbour.example")
    stencil = cut_stencil(_EDITION, newsletter=_LETTER, date=_BEGAN, signer=_SIGNER)
    data = stencil.message(to=to, message_id=_ID).data

    assert [line for line in data.split(b"\r\n") if not line.isascii()] == [
        " <jürgen@harbour.example>".encode()
    ]
    parsed = message_from_string(data.decode(), policy=policy.SMTPUTF8)
    assert parsed["To"].addresses[0].addr_spec == to.address
    assert wire_faults(data) == ()
