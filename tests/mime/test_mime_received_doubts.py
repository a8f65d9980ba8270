"""What mail programs may read in more than one way is told, and nothing of sound mail is."""

from __future__ import annotations

from base64 import b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.mime.fields import header_line, mailbox_text
from digest.mime.header import decoded, read_header, read_mailbox
from digest.mime.received import Received, read_mail
from digest.mime.transfer import from_base64, from_charset, from_quoted_printable
from digest.model import Mailbox, clean_line

HEAD = "From: Sea <a@sea.example>\nMIME-Version: 1.0\n"
PLAIN = "Content-Type: text/plain; charset=utf-8\n\none\n"
TWO_WAYS = "can be read in more than one way"


def mail(rest: str = PLAIN, *, head: str = HEAD) -> Received:
    """Read a mail of a header and what follows it."""
    return read_mail((head + rest).encode())


def in_parts(*entities: str, kind: str = "multipart/alternative") -> str:
    """Write a container of entities."""
    inner = "".join(f"--b\n{entity}\n" for entity in entities)
    return f"Content-Type: {kind}; boundary=b\n\n{inner}--b--\n"


def test_sound_mail_has_no_doubts() -> None:
    """Relays put their fields in, text is encoded anew, mailbox files put a line above."""
    head = (
        "From sea@sea.example Mon Nov 30 10:00:00 2026\n"
        "Received: by a.example\nReceived: by b.example;\n\tMon, 30 Nov 2026\nX-Spam: \xe9\n"
        "X-Spam: 2\n"
        f"Return-Path: <a@sea.example>\nDKIM-Signature: v=1\nARC-Seal: i=1; {'x' * 6000}\n"
    )
    picture = (
        "Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-ID: <x@y.example>\n"
        'Content-Disposition: inline; filename="x.png"\n\naGk=\n'
    )
    related = in_parts(PLAIN, picture, kind='multipart/related; type="text/html"')
    found = mail(
        in_parts(PLAIN, related.replace("=b\n", "=c\n").replace("--b", "--c")), head=head + HEAD
    )
    assert found.doubts == ()
    assert (
        found.form == "multipart/alternative(text/plain, multipart/related(text/plain, image/png))"
    )
    assert (found.parts[2].name, found.parts[2].id) == ("x.png", "x@y.example")
    assert found.sender == Mailbox(address="a@sea.example", name="Sea")
    assert found.to is None


@pytest.mark.parametrize(
    ("rest", "told"),
    [
        ("Content-Type: text/html\n" + PLAIN, "header: Content-Type stands twice"),
        (
            "Content-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: base64\n" + PLAIN,
            "header: Content-Transfer-Encoding stands twice",
        ),
        ("List-Id: a\nList-ID: b\n" + PLAIN, "header: List-Id stands twice"),
        ("MIME-Version: 1.0\n" + PLAIN, "header: Mime-Version stands twice"),
        ("From: b@sea.example\n" + PLAIN, "header: From stands twice"),
        ("To: a@sea.example, b@sea.example\n" + PLAIN, f"header: To {TWO_WAYS}"),
        ("Subject : x\nTo : y\n" + PLAIN, "header: line 3 is no field"),
        ("Subject: x\n \n y\n" + PLAIN, "header: line 4 is no field"),
        ("Subject: " + "x" * 5_001 + "\n" + PLAIN, "header: Subject is longer than any"),
        (
            "Content-Location: https://a.example/\n" + PLAIN,
            "header: there is a field more, Content-Location",
        ),
        ("Content-Disposition: attachment\n" + PLAIN, "header: it may be shown as a file"),
        (
            "Content-Type: text/plain; format=flowed\n\none",
            "header: Content-Type has a parameter more, format",
        ),
        (
            "Content-Type: text/plain; charset=utf-8; charset=utf-7\n\none",
            f"header: Content-Type {TWO_WAYS}",
        ),
        ("Content-Type: text/plain (text/html)\n\none", f"header: Content-Type {TWO_WAYS}"),
        (
            "Content-Transfer-Encoding: \n base64\n\nYQ==",
            "header: Content-Transfer-Encoding begins on its second line",
        ),
        ("Content-Type: text\n\none", f"header: Content-Type {TWO_WAYS}"),
        ("Content-Type: text/plain; charset=utf-7\n\none", f"header: its charset {TWO_WAYS}"),
        ("Content-Type: text/plain\n\n\xe9", f"header: its charset {TWO_WAYS}"),
        ("Content-Transfer-Encoding: x-uuencode\n\none", f"header: its encoding {TWO_WAYS}"),
        ("Content-Transfer-Encoding: base64\n\nb25l=b25l", f"header: its encoding {TWO_WAYS}"),
        ("Content-Transfer-Encoding: quoted-printable\n\na=zz", f"header: its encoding {TWO_WAYS}"),
        (PLAIN + "\0", "mail: there is a NUL in it"),
        (PLAIN + "x\r\n", "mail: its line ends are of more than one kind"),
        (PLAIN + "x\ry", "mail: its line ends are of more than one kind"),
        (
            "Content-Transfer-Encoding: base64\n" + in_parts(PLAIN),
            f"header: its Content-Type or encoding {TWO_WAYS}",
        ),
        (
            in_parts(PLAIN).replace("=b", '="b "'),
            f"header: its Content-Type or encoding {TWO_WAYS}",
        ),
        (
            in_parts(PLAIN, kind="multipart/related; start=x"),
            "header: Content-Type has a parameter more, start",
        ),
        (
            in_parts(PLAIN, kind="multipart/related; type=image/png"),
            "header: Content-Type has a parameter more, type",
        ),
        (in_parts("Subject: Won\n" + PLAIN), "part 1: there is a field more, Subject"),
        (in_parts(PLAIN, "Content-ID: <x>\n" + PLAIN), "part 2: there is a field more, Content-Id"),
        (
            in_parts('Content-Disposition: inline; filename="x.exe"\n' + PLAIN),
            "part 1: it may be shown as a file",
        ),
        (
            in_parts("Content-Disposition: inline (x)\n" + PLAIN),
            "part 1: it may be shown as a file",
        ),
    ],
)
def test_each_doubt_is_told(rest: str, told: str) -> None:
    """A forger says one thing to one program and another to the next by each of these."""
    assert told in mail(rest).doubts


def test_without_version_of_mime_it_may_be_no_mime() -> None:
    """A program that follows RFC 2045 then shows all parts as one text."""
    for head in ("From: a@sea.example\n", "From: a@sea.example\nMIME-Version: 1.0 (x)\n"):
        assert mail(head=head).doubts == (
            "header: it lacks MIME-Version 1.0, so some show its source",
        )


@pytest.mark.parametrize("above", ["From : a@sea.example\n", "From sea\n", ">From x: Mon y\n"])
def test_only_the_line_of_a_mailbox_file_is_passed_over(above: str) -> None:
    """A field with a blank before its colon is one to some programs."""
    assert mail(head=above + HEAD).doubts == ("header: line 1 is no field",)


def test_a_doubt_names_the_place_at_any_depth() -> None:
    """Parts are counted from 1, those inside another after a full stop."""
    inner = (
        in_parts("Content-Type: text/plain; x=y\n\none")
        .replace("=b\n", "=c\n")
        .replace("--b", "--c")
    )
    assert mail(in_parts(PLAIN, inner)).doubts == (
        "part 2.1: Content-Type has a parameter more, x",
    )


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=80))
def test_what_is_written_as_a_field_has_one_reading(text: str) -> None:
    """Whatever stands in a subject or a name of ours comes out as it went in."""
    header = read_header(header_line("Subject", text).replace(b"\r\n", b"\n").removesuffix(b"\n"))
    assert decoded(header.first("subject") or "") == (clean_line(text), True)
    whom = Mailbox(address="ann@reader.example", name=clean_line(text))
    assert read_mailbox(mailbox_text(whom).replace("\r\n", "")) == whom


@pytest.mark.parametrize(
    "raw",
    [
        "a=?utf-8?q?b?=",
        "=?utf-8?q?a?==?utf-8?q?b?=",
        "=?utf-8*en?q?a?=",
        "=?utf-8?q?a b?=",
        "=?utf-8?q?=C3?= =?utf-8?q?=A9?=",
        "=?utf-8?q?=c3=a9?=",
        "=?utf-8?q?=zz?=",
        "=?utf-8?b?YQ==YQ==?=",
        "=?utf-8?q?=00a?=",
        "=?utf-8?q?a=0Ab?=",
        "=?utf-8?q?=EF=BB=BFa?=",
        "=?utf-7?q?a?=",
        "=?unicode-1-1-utf-7?q?a?=",
        f"=?utf-8?q?{'a' * 70}?=",
        "a\x1bb",
        "\xe9",
    ],
)
def test_encoded_words_that_programs_read_differently_are_told(raw: str) -> None:
    """Those inside a word, joined, cut within a letter, or with signs that are not shown."""
    assert decoded(raw)[1] is False


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("a b", "a b"),
        ("a =?utf-8?q?b_c?=", "a b c"),
        ("=?UTF-8?Q?b?= a", "b a"),
        ("=?iso-8859-1?q?=E9?=  =?utf-8?b?w6k=?=", "éé"),
        ("", ""),
    ],
)
def test_sound_encoded_words_are_decoded(raw: str, told: str) -> None:
    """Blanks between two of them are dropped, others stay as one."""
    assert decoded(raw) == (told, True)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "Ann",
        "ann@a.example, bo@a.example",
        "ann@a.example <bo@a.example>",
        '"Ann" "Bo" <ann@a.example>',
        '"=?utf-8?q?Bo?=" <ann@a.example>',
        '"Ann\u200b" <ann@a.example>',
        '" Ann" <ann@a.example>',
        "Ann (Bo) <ann@a.example>",
        "Ann <ann@a.example> (Bo)",
        "Ann <ann@a.example> <bo@a.example>",
        "=?utf-8?q?Ann?=<ann@a.example>",
        "=?x?q?Ann?= <ann@a.example>",
        "<@a.example:ann@b.example>",
        "friends: ann@a.example;",
        "=?utf-8?q?ann?=@a.example",
        "ann@a.example.\xe9",
    ],
)
def test_a_mailbox_that_is_not_plainly_one_is_none(raw: str) -> None:
    """Comments, groups, routes and two of them are read differently."""
    assert read_mailbox(raw) is None


def test_mailboxes_are_read() -> None:
    """With and without a name, in brackets or not, letters beyond ASCII, and nobody."""
    ann = Mailbox(address="ann@a.example")
    assert read_mailbox("ann@a.example") == read_mailbox("<ann@a.example>") == ann
    assert read_mailbox("ännchen@a.example") == Mailbox(address="ännchen@a.example")
    assert read_mailbox('"A, \\"n\\" n" <ann@a.example>') == Mailbox(
        address="ann@a.example", name='A, "n" n'
    )
    assert read_mailbox("undisclosed-recipients:;") == Mailbox(address="")


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=100), st.binary(max_size=40))
def test_base64_has_one_reading_or_is_told(data: bytes, more: bytes) -> None:
    """What was encoded is certain; anything after its padding is not, nor are other octets."""
    encoded = b64encode(data)
    assert from_base64(encoded[:8] + b"\n" + encoded[8:] + b"\n") == (data, True)
    if encoded.endswith(b"="):
        assert from_base64(encoded + b64encode(more or b"x"))[1] is False
    assert from_base64(encoded + b" ")[1] is False
    assert from_base64(b"*" + encoded)[1] is False
    assert from_base64(b"a") == (None, False)


@pytest.mark.parametrize(
    ("data", "certain"),
    [
        (b"a=3D=\nb\n", True),
        (b"", True),
        (b"a =\n b", True),
        (b"a ", False),
        (b"a=  \nb", False),
        (b"a=", False),
        (b"a=\n=\n", True),
        (b"a=3d", False),
        (b"a=b", False),
        (b"a==\nb", False),
        (b"\xe9", False),
        (b"\x0c", False),
    ],
)
def test_quoted_printable_to_the_letter_is_certain(data: bytes, certain: bool) -> None:  # noqa: FBT001 - what is expected
    """Soft breaks stand at the very end of a line that another follows, digits are capitals."""
    assert from_quoted_printable(data)[1] is certain


@pytest.mark.parametrize(
    ("data", "charset", "expected"),
    [
        (b"a\r\nb", "UTF-8", (b"a\nb", True)),
        (b"a", "", (b"a", True)),
        (b"a", "windows-1252", (b"a", True)),
        ("é".encode(), "utf-8", ("é".encode(), True)),
        ("é".encode(), "", ("é".encode(), False)),
        (b"\xe9", "iso-8859-1", ("é".encode(), False)),
        (b"\xe9", "utf-8", (None, False)),
        (b"a", "utf-7", (None, False)),
        (b"a", "utf", (None, False)),
        (b"a", "utf-8-sig", (None, False)),
        (b"a\rb", "utf-8", (b"a\nb", False)),
    ],
)
def test_text_is_certain_in_ascii_and_utf_8(
    data: bytes, charset: str, expected: tuple[bytes | None, bool]
) -> None:
    """Of other charsets, and of none, programs think differently."""
    assert from_charset(data, charset) == expected
