"""Mails as they come in: decoded whatever was made of them, and bounded whatever they are."""

from __future__ import annotations

from base64 import encodebytes
from binascii import b2a_qp
from email.message import EmailMessage

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from digest.mime.received import Part, Received, read_mail

HEAD = b"From: a@sea.example\nSubject: Tide mills\n"


def parts(body: bytes, *, head: bytes = HEAD) -> list[tuple[str, bytes | None]]:
    """Read a mail of a header and a body, and give type and octets of each part."""
    return [(part.media_type, part.data) for part in read_mail(head + body).parts]


def doubts(body: bytes) -> set[str]:
    """Read a mail of a body, and give what is told of it, each header field in its place."""
    return set(read_mail(HEAD + b"MIME-Version: 1.0\n" + body).doubts)


def joined(boundary: str, *entities: bytes) -> bytes:
    """Write a container of entities, its own header field first."""
    mark = f"--{boundary}".encode()
    inner = b"".join(mark + b"\n" + entity + b"\n" for entity in entities)
    return (
        f'Content-Type: multipart/mixed; boundary="{boundary}"\n\n'.encode() + inner + mark + b"--"
    )


def test_fields_are_decoded_and_unfolded() -> None:
    """Encoded words become letters; a field that stands twice has two values."""
    mail = read_mail(
        b"From: a@sea.example\r\nX-Kind: one\r\n two\r\nX-Kind: three\r\n"
        b"Subject: =?utf-8?b?w6kg?=\r\n =?utf-8?q?=C3=A9?=\r\nSubject: again\r\n\r\nHello"
    )
    assert mail.fields["x-kind"] == ("one two", "three")
    assert mail.first("x-kind") == "one two"
    assert mail.first("x-other") == ""
    assert mail.fields["subject"] == ("é é", "again")
    assert mail.parts == (Part(media_type="text/plain", id="", data=b"Hello"),)


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"caf\xc3\xa9", "café"),
        (b"caf\xe9", "caf\ufffd"),
        (b"=?no-such?q?x?=", "=?no-such?q?x?="),
        (b"=?utf-8?b?x?=", "=?utf-8?b?x?="),
        (b"caf\xc3\xa9 =?utf-8?q?x?=", "café =?utf-8?q?x?="),
    ],
)
def test_a_damaged_field_comes_as_it_stands(raw: bytes, told: str) -> None:
    """Raw letters are taken for UTF-8; what cannot be decoded is no reason to stop."""
    mail = read_mail(b"Subject: " + raw + b"\n\n")
    assert mail.fields["subject"] == (told,)
    assert "header: Subject can be read in more than one way" in mail.doubts


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_transfer_encodings_and_line_ends_do_not_count(end: bytes) -> None:
    """The same text in quoted-printable, base64 and raw comes out the same."""
    text = "Möwe = gull \nand more" + "x" * 80
    qp = b2a_qp(text.encode()).replace(b"\n", b"  \n")  # blanks were added on the way
    entities = (
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: Quoted-Printable\n\n"
        + qp,
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
        + encodebytes(text.replace("\n", "\r\n").encode()),
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
        + text.encode(),
        b'Content-Type: text/plain; charset="ISO-8859-1"\n\n' + text.encode("latin-1"),
    )
    body = joined("b", *entities).replace(b"\n", end)
    assert parts(body, head=HEAD.replace(b"\n", end)) == [("text/plain", text.encode())] * 4


@pytest.mark.parametrize(
    "fields",
    [
        b"Content-Type: text/plain; charset=utf-8",
        b"Content-Type: text/plain; charset=punycode",
        b"Content-Type: text/plain; charset=zip",
        b"Content-Type: text/plain; charset=no-such",
        b"Content-Type: text/plain\nContent-Transfer-Encoding: base64",
    ],
)
def test_text_that_cannot_be_decoded_is_told_from_empty_text(fields: bytes) -> None:
    """Letters outside the charset, charsets that are none, and broken base64 give None."""
    assert parts(fields + b"\n\n\xff=abc") == [("text/plain", None)]


def test_parts_are_found_at_any_depth() -> None:
    """Text, HTML and a picture of nested containers come in their order, with its Content-ID."""
    mail = EmailMessage()
    mail["From"] = "a@sea.example"
    mail.set_content("text\n")
    mail.add_alternative("<p>html</p>\n", subtype="html")
    html = mail.get_payload(1)
    assert isinstance(html, EmailMessage)
    html.add_related(b"\x89PNG\r\n\x1a\n", "image", "png", cid="<x@sea.example>")
    found = read_mail(b"From sea Mon Nov 30 2026\n" + mail.as_bytes())
    assert [(part.media_type, part.id) for part in found.parts] == [
        ("text/plain", ""),
        ("text/html", ""),
        ("image/png", "x@sea.example"),
    ]
    assert found.parts[2].data == b"\x89PNG\r\n\x1a\n"


def test_a_container_ends_at_its_last_boundary() -> None:
    """What stands before, after and in lines that only begin alike is none of its parts, but told.

    Some programs show it, and some end a part at such a line.
    """
    body = (
        b"Content-Type: multipart/mixed; boundary=b\n\nbefore\n--bx\n--b\n\none\n--bx\n--b \n\n"
        b"two\n--b--\nafter\n--b\n\nthree"
    )
    assert parts(body) == [("text/plain", b"one\n--bx"), ("text/plain", b"two")]
    assert doubts(body) == {
        "header: something stands before its first part",
        "header: a line begins with its boundary and goes on",
        "header: something stands after its last part",
    }
    open_ended = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none"
    assert parts(open_ended) == [("text/plain", b"one")]
    assert doubts(open_ended) == {"header: its last part has no end"}
    assert parts(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\n--b--") == [
        ("text/plain", b""),
        ("text/plain", b""),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Type: multipart/mixed\n\nx",
        b"Content-Type: multipart/mixed; boundary=b\n\nnone of them",
    ],
)
def test_a_container_without_parts_is_a_part(body: bytes) -> None:
    """So it is seen that there is something else."""
    assert [kind for kind, _ in parts(body)] == ["multipart/mixed"]


@pytest.mark.parametrize(
    "data", [b"", b"\n\nFrom: a@sea.example", b"hello\n", b"X-A: 1\n\nFrom: a"]
)
def test_what_has_no_header_is_no_mail(data: bytes) -> None:
    """A mail names at least its sender, date, subject, id or version of MIME."""
    with pytest.raises(ValueError, match="is no mail: it has no header"):
        read_mail(data)


def test_work_is_bounded() -> None:
    """Depth, number of parts and size of a header have limits."""
    nested = b"\n\ndeep"
    for level in range(7):
        nested = joined(f"b{level}", nested)
    with pytest.raises(ValueError, match="is nested more than 6 deep"):
        read_mail(HEAD + nested)
    with pytest.raises(ValueError, match="has more than 200 parts"):
        read_mail(HEAD + joined("b", *[joined("c")] * 201))
    with pytest.raises(ValueError, match="has a header of more than 256 KB"):
        read_mail(HEAD + b"X: y\n" * 60_000)
    with pytest.raises(ValueError, match="has a header of more than 16 KB"):
        read_mail(HEAD + joined("b", b"X: y\n" * 4_000))
    long = read_mail(HEAD + b"X-Long: " + b"y" * 5_001 + b"\n\n")
    assert "x-long" not in long.fields


def test_parameters_in_odd_forms_do_no_harm() -> None:
    """Those of RFC 2231 and damaged ones are as if they were not there, and told."""
    two_ways = "header: Content-Type can be read in more than one way"
    odd = b"Content-Type: multipart/mixed; boundary*=utf-8''b\n\n--b\n\none\n--b--"
    assert [kind for kind, _ in parts(odd)] == ["multipart/mixed"]
    assert two_ways in doubts(odd)
    for kind in (b"text/plain; charset*9=x; charset*=y", b"caf\xe9; charset=\xff"):
        assert parts(b"Content-Type: " + kind + b"\n\none") == [("text/plain", b"one")]
        assert doubts(b"Content-Type: " + kind + b"\n\none") == {two_ways}
    large = b"Content-Type: text/html; charset*" + b"9" * 4500 + b"*=x\n\none"
    assert parts(large) == [("text/html", b"one")]


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=400), st.binary(max_size=200))
@example(b"Content-Type: text/plain; charset*0*=''x; charset*1=", b"")
@example(b"Content-Type: multipart/x; boundary=\x80", b"--\x80\n\nx")
@example(b"Content-Transfer-Encoding: \xff", b"")
def test_any_octets_are_read_or_refused(head: bytes, body: bytes) -> None:
    """Nothing but ValueError comes of damaged mails."""
    try:
        found = read_mail(HEAD + head + b"\n\n" + body)
    except ValueError:
        return
    assert isinstance(found, Received)
    assert len(found.parts) >= 1
