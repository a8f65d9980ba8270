"""Pictures that a message brings along, and the field that names its edition."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.mime import Strip, general_copy, reader_message, wire_faults
from digest.model import (
    Edition,
    FieldPlace,
    IssueKey,
    Mailbox,
    Newsletter,
    Picture,
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
)
_ANN: Final = Mailbox(name="Ann", address="ann@reader.example")
_IMPRINT: Final = "X-Digest-Edition"


def _picture(data: bytes, kind: str = "image/png") -> Picture:
    return Picture(path="a", media_type=kind, width=1, height=1, data=data)


_WHEEL: Final = _picture(bytes(range(256)) * 3)
_TIDE: Final = _picture(b"tide", "image/jpeg")


def _tags(*pictures: Picture) -> bytes:
    named = (f'<img src="cid:{one.name}@harbour.example" alt="A">' for one in pictures)
    return f"<!doctype html>\n<body><p>{' '.join(named)} é</p></body>\n".encode()


def _edition(*pictures: Picture, html: bytes = b"", name: str = "") -> Edition:
    html = html or _tags(*pictures)
    text = f"Dear {name}\n".encode()
    return Edition(
        key=IssueKey("2026-w49"),
        number=3,
        slot=datetime(2026, 11, 30, 9, tzinfo=ZoneInfo("Europe/Berlin")),
        subject="Tides",
        preheader="",
        title="Tides",
        summary="",
        theme=ThemeId("tides"),
        items=(),
        files={
            "issue.html": html,
            "issue.txt": text,
            **{f"pictures/{one.name}": one.data for one in pictures},
        },
        fields={
            "issue.txt": (FieldPlace(name="name", default="", start=5, end=5 + len(name)),),
        },
    )


def _copy(edition: Edition) -> bytes:
    html, text = edition.files["issue.html"], edition.files["issue.txt"]
    return general_copy(edition, newsletter=_LETTER, html=html, text=text)


def _message(edition: Edition, **parts: Any) -> bytes:  # noqa: ANN401 - any argument
    standard: dict[str, Any] = {
        "newsletter": _LETTER,
        "to": _ANN,
        "message_id": "<2026-w49.abc@harbour.example>",
        "date": datetime(2026, 11, 30, 8, tzinfo=UTC),
    }
    return reader_message(edition, **{**standard, **parts}).data


def _parsed(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert [defect for part in message.walk() for defect in part.defects] == []
    return message


def _types(data: bytes) -> list[str]:
    return [part.get_content_type() for part in _parsed(data).walk()]


def test_pictures_stand_beside_the_html_that_shows_them() -> None:
    """Text first; last the HTML with its pictures in their order, in both kinds of message."""
    edition = _edition(_WHEEL, _TIDE)
    for data in (_copy(edition), _message(edition), _message(edition, test=True)):
        assert _types(data) == [
            "multipart/alternative",
            "text/plain",
            "multipart/related",
            "text/html",
            "image/png",
            "image/jpeg",
        ]
        assert wire_faults(data) == ()


def test_each_picture_is_found_by_its_id_and_comes_back_whole() -> None:
    """The id is what the HTML names; the file has its public name and is shown in its place."""
    edition = _edition(_WHEEL, _TIDE)
    message = _parsed(_message(edition))
    html = message.get_body(("html",))
    assert html is not None
    text = html.get_content()
    for part, picture in zip(list(message.walk())[4:], (_WHEEL, _TIDE), strict=True):
        id_ = str(part["Content-ID"])

        assert f'src="cid:{id_.strip("<>")}"' in text
        assert id_ == f"<{picture.name}@harbour.example>"
        assert part.get_content_disposition() == "inline"
        assert part.get_filename() == picture.name
        assert part["Content-Transfer-Encoding"] == "base64"
        assert part.get_payload(decode=True) == picture.data


def test_related_parts_say_what_their_root_is() -> None:
    """The type of the whole is that of its first part (RFC 2387)."""
    related = list(_parsed(_copy(_edition(_WHEEL))).walk())[2]

    assert related.get_param("type") == "text/html"
    assert related.get_content_type() == "multipart/related"


def test_a_picture_that_is_shown_twice_comes_once() -> None:
    """One part answers each mention."""
    edition = _edition(_WHEEL, html=_tags(_WHEEL, _WHEEL))

    assert _types(_copy(edition)).count("image/png") == 1


@pytest.mark.parametrize(
    "html",
    [
        b"<p>x</p>\n",
        f'<img src="https://harbour.example/pictures/{_WHEEL.name}" alt="A">'.encode(),
        b'<img src="cid:0123456789abcdef.png@harbour.example" alt="gone">',
        b'<a href="acid:rain">cid:</a>',
    ],
)
def test_without_a_mention_nothing_is_brought_along(html: bytes) -> None:
    """Pictures that the mail loads, and such as are not there, leave the message as it was."""
    data = _copy(_edition(_WHEEL, html=html))

    assert _types(data) == ["multipart/alternative", "text/plain", "text/html"]


def test_what_a_reader_is_called_brings_nothing_along() -> None:
    """Only the edition's own HTML decides."""
    edition = _edition(_WHEEL, html=b"<p>x</p>\n", name="x")
    to = Mailbox(name=f"cid:{_WHEEL.name}@harbour.example", address="a@b.example")

    assert "image/png" not in _types(_message(edition, to=to))


def test_equal_inputs_give_equal_bytes() -> None:
    """So do the boundaries, which are the same for all readers, and no boundary begins another."""
    edition = _edition(_WHEEL, _TIDE)
    assert _copy(edition) == _copy(edition)
    assert _message(edition) == _message(edition)

    def boundaries(data: bytes) -> list[str]:
        found = [part.get_boundary() for part in _parsed(data).walk() if part.is_multipart()]
        return [str(one) for one in found]

    strip = Strip(html="<p>Notice</p>", text="Notice")
    assert boundaries(_copy(edition)) == boundaries(_message(edition, strip=strip))
    outer, inner = boundaries(_copy(edition))
    assert not inner.startswith(outer)
    assert not outer.startswith(inner)


@given(st.sampled_from(["digest=_", "related=_", "x"]), st.integers(0, 2))
@settings(deadline=None, max_examples=20)
def test_a_reader_cannot_end_a_part(kind: str, more: int) -> None:
    """Who knows the boundaries from an earlier mail puts them into a name in vain."""
    edition = _edition(_WHEEL, name="x")
    digits = str(_parsed(_copy(edition)).get_boundary()).removeprefix("digest=_")
    name = f"--{kind}{digits}{'x' * more} b"
    message = _parsed(_message(edition, to=Mailbox(name=name, address="a@b.example")))
    text = message.get_body(("plain",))

    assert text is not None
    assert text.get_content().rstrip() == f"Dear {name}"
    assert list(message.walk())[4].get_payload(decode=True) == _WHEEL.data


@given(st.binary(max_size=500))
@settings(deadline=None, max_examples=50)
def test_any_octets_travel(octets: bytes) -> None:
    """Empty or not, in lines of at most 76 characters, they arrive as they left."""
    picture = _picture(octets)
    part = list(_parsed(_copy(_edition(picture))).walk())[4]

    assert part.get_payload(decode=True) == octets
    assert max(map(len, [*str(part.get_payload()).splitlines(), ""])) <= 76


def test_every_message_names_its_edition() -> None:
    """Issue and imprint stand in each: the general copy, a reader's mail, a test, a notice."""
    edition = _edition(_TIDE)
    strip = Strip(html="<p>Notice</p>", text="Notice")
    for data in (
        _copy(edition),
        _message(edition),
        _message(edition, test=True),
        _message(edition, strip=strip),
    ):
        assert _parsed(data)[_IMPRINT] == f"2026-w49 sha256:{edition.imprint}"
        head = data.partition(b"\r\n\r\n")[0]
        assert head.count(_IMPRINT.encode()) == 1
        lines = head.partition(f"{_IMPRINT}:".encode())[2].split(b"\r\n")[:2]
        assert max(map(len, lines)) <= 78


def test_the_imprint_is_that_of_the_bytes_of_the_copy() -> None:
    """It is taken of the HTML and text that the copy is made of."""
    edition = _edition()
    other = general_copy(edition, newsletter=_LETTER, html=b"<p>y</p>\n", text=b"y\n")

    assert _parsed(other)[_IMPRINT] != _parsed(_copy(edition))[_IMPRINT]
