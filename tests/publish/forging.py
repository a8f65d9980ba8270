"""Ways to forge a mail, each with what is told of it; nobody published `evil` and `won`."""

from __future__ import annotations

import re
from base64 import encodebytes
from binascii import a2b_qp
from collections.abc import Callable

__all__ = ["FORGED", "TWO_WAYS", "Forge", "above", "as_base64", "part"]

EVIL = b"Log in: https://evil.example/"
TWO_WAYS = "can be read in more than one way"
Forge = Callable[[bytes], bytes]


def above(*lines: bytes) -> Forge:
    """Put fields in front."""
    return lambda mail: b"".join(line + b"\r\n" for line in lines) + mail


def swapped(old: bytes, new: bytes) -> Forge:
    """Put something in the place of what is surely there."""

    def forge(mail: bytes) -> bytes:
        assert old in mail
        return mail.replace(old, new, 1)

    return forge


def section(mail: bytes, kind: bytes) -> tuple[bytes, bytes, bytes]:
    """Cut a mail in what stands before a part, the part, and what follows it."""
    found = re.search(
        rb"Content-Type: " + kind + rb".*?(?=\r\n--(?:digest|related)=_)", mail, re.DOTALL
    )
    assert found is not None
    return mail[: found.start()], found[0], mail[found.end() :]


def part(kind: bytes, make: Forge) -> Forge:
    """Change one part."""

    def forge(mail: bytes) -> bytes:
        before, old, after = section(mail, kind)
        return before + make(old) + after

    return forge


def as_base64(*, more: bytes = b"", between: bytes = b"") -> Forge:
    """Encode a part in base64, and put another text after its padding."""

    def make(entity: bytes) -> bytes:
        head, _, body = entity.partition(b"\r\n\r\n")
        data = a2b_qp(body).rstrip()
        data += b"\n" * (3 - (len(data) + 1) % 3)  # so that there is padding
        encoded = encodebytes(data).replace(b"\n", b"\r\n")
        tail = encodebytes(more).replace(b"\n", b"\r\n") if more else b""
        return head.replace(b"quoted-printable", b"base64") + b"\r\n\r\n" + encoded + between + tail

    return make


def more_part(entity: bytes, *, before: bytes = b"", last: bool = False) -> Forge:
    """Add a part to the outer container: in front of another, or as its last."""

    def forge(mail: bytes) -> bytes:
        mark = re.search(rb"--digest=_[0-9a-f]+", mail)
        assert mark is not None
        at = mail.rindex(mark[0]) if last else mail.index(mark[0] + b"\r\n" + before)
        return mail[:at] + mark[0] + b"\r\n" + entity + b"\r\n" + mail[at:]

    return forge


def second_type(mail: bytes) -> bytes:
    """Write a forged container into the preamble, for programs that take the last Content-Type."""
    head, _, body = mail.partition(b"\r\n\r\n")
    forged = b"--evil\r\nContent-Type: text/html\r\n\r\n" + EVIL + b"\r\n--evil--\r\n"
    more = b'\r\nContent-Type: multipart/alternative; boundary="evil"'
    return head + more + b"\r\n\r\n" + forged + b"\r\n" + body


HTML_MORE = b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>" + EVIL + b"</p>"
FORGED: dict[str, tuple[Forge, str]] = {
    "a second Content-Type": (second_type, "header: Content-Type stands twice"),
    "a preamble": (
        swapped(b"\r\n\r\n--digest", b"\r\n\r\n" + EVIL + b"\r\n--digest"),
        "header: something stands before its first part",
    ),
    "an epilogue": (lambda mail: mail + EVIL, "header: something stands after its last part"),
    "after the padding": (
        part(b"text/html", as_base64(more=b"<p>" + EVIL)),
        f"part 2.1: its encoding {TWO_WAYS}",
    ),
    "no digits of base64": (
        part(b"text/html", as_base64(between=b"<!-- !! -->")),
        f"part 2.1: its encoding {TWO_WAYS}",
    ),
    "a second encoding": (
        part(
            b"text/html",
            swapped(
                b"\r\nContent-Transfer-Encoding",
                b"\r\nContent-Transfer-Encoding: 8bit\r\nContent-Transfer-Encoding",
            ),
        ),
        "part 2.1: Content-Transfer-Encoding stands twice",
    ),
    "a second disposition": (
        swapped(
            b"Content-Disposition: inline",
            b"Content-Disposition: attachment\r\nContent-Disposition: inline",
        ),
        "part 2.2: Content-Disposition stands twice",
    ),
    "a second id": (
        swapped(b"Content-ID: <", b"Content-ID: <x@evil.example>\r\nContent-ID: <"),
        "part 2.2: Content-Id stands twice",
    ),
    "a second charset": (
        swapped(b'charset="utf-8"', b'charset="utf-8"; charset="utf-7"'),
        f"part 1: Content-Type {TWO_WAYS}",
    ),
    "UTF-7": (swapped(b'charset="utf-8"', b"charset=utf-7"), "text: it cannot be decoded"),
    "flowed text": (
        swapped(b'charset="utf-8"', b'charset="utf-8"; format=flowed'),
        "part 1: Content-Type has a parameter more, format",
    ),
    "flowed HTML": (
        part(b"text/html", swapped(b'charset="utf-8"', b'charset="utf-8"; format=flowed')),
        "part 2.1: Content-Type has a parameter more, format",
    ),
    "a file name for the HTML": (
        part(
            b"text/html",
            swapped(
                b"\r\nContent-", b'\r\nContent-Disposition: inline; filename="a.exe"\r\nContent-'
            ),
        ),
        "part 2.1: it may be shown as a file",
    ),
    "an attachment of HTML": (
        part(
            b"text/html",
            swapped(b"\r\nContent-", b"\r\nContent-Disposition: attachment\r\nContent-"),
        ),
        "part 2.1: it may be shown as a file",
    ),
    "another base for links": (
        part(
            b"text/html",
            swapped(b"\r\nContent-", b"\r\nContent-Base: https://evil.example/\r\nContent-"),
        ),
        "part 2.1: there is a field more, Content-Base",
    ),
    "a subject of the part": (
        part(b"text/html", swapped(b"\r\nContent-", b"\r\nSubject: You won\r\nContent-")),
        "part 2.1: there is a field more, Subject",
    ),
    "a base in the HTML": (
        swapped(b"<head>", b'<head><base href=3D"//x.example">'),
        "HTML: line ",
    ),
    "a byte order mark": (
        part(b"text/html", swapped(b"\r\n\r\n", b"\r\n\r\n=EF=BB=BF")),
        "HTML: line 1 should go on",
    ),
    "a NUL": (part(b"text/html", swapped(b"<body", b"\0<body")), "mail: there is a NUL in it"),
    "an encoded NUL": (part(b"text/html", swapped(b"<body", b"=00<body")), "HTML: line "),
    "a soft break with blanks": (
        part(b"text/html", swapped(b"=\r\n", b"=  \r\n")),
        f"part 2.1: its encoding {TWO_WAYS}",
    ),
    "a lone carriage return": (
        swapped(b"\r\nSubject: ", b"\r\nX-A: 1\rSubject: You won\r\nSubject: "),
        "mail: its line ends are of more than one kind",
    ),
    "more HTML in front": (
        more_part(HTML_MORE, before=b"Content-Type: text/plain"),
        "HTML: line 1",
    ),
    "more HTML at the end": (
        more_part(HTML_MORE, last=True),
        "parts: there is one more, text/html",
    ),
    "more text": (
        more_part(b"Content-Type: text/plain\r\n\r\n" + EVIL, last=True),
        "parts: there is one more, text/plain",
    ),
    "a calendar": (
        more_part(b"Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR", last=True),
        "parts: there is one more, text/calendar",
    ),
    "a mail in the mail": (
        more_part(b"Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n" + EVIL, last=True),
        "parts: there is one more, message/rfc822",
    ),
    "an attachment": (
        more_part(b"Content-Type: application/pdf\r\n\r\n%PDF", last=True),
        "parts: there is one more, application/pdf",
    ),
    "mixed": (
        swapped(b"multipart/alternative", b"multipart/mixed"),
        "parts: they should be put together as multipart/alternative(text/plain, ",
    ),
    "a part of the related ones as the root": (
        swapped(b'type="text/html"', b'type="text/html"; start="<x@y>"'),
        "part 2: Content-Type has a parameter more, start",
    ),
    "an encoded container": (
        swapped(
            b"MIME-Version: 1.0\r\n", b"MIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n"
        ),
        f"header: its Content-Type or encoding {TWO_WAYS}",
    ),
    "no MIME": (swapped(b"MIME-Version: 1.0\r\n", b""), "header: it lacks MIME-Version 1.0"),
    "no end": (lambda mail: mail.rstrip()[:-2] + b"\r\n", "header: its last part has no end"),
    "another picture": (swapped(b"iVBORw0KGgo", b"iVBORw0KGgp"), ".png: it holds something else"),
    "a picture by another name": (
        swapped(b'filename="', b'filename="x'),
        "it has another file name",
    ),
    "a picture of another type": (
        swapped(b"image/png", b"image/svg+xml"),
        "parts: they should be put together as",
    ),
    "a picture twice": (
        more_part(b"Content-Type: image/png\r\nContent-ID: <x@y>\r\n\r\nx", last=True),
        "parts: there is one more, image/png",
    ),
    "a second subject": (above(b"Subject: You won"), "header: Subject stands twice"),
    "a second sender": (above(b"From: bank@evil.example"), "header: From stands twice"),
    "a second place to leave": (
        above(b"List-Unsubscribe: <https://evil.example/>"),
        "header: List-Unsubscribe stands twice",
    ),
    "a subject of joined words": (
        swapped(b"Subject: Mills", b"Subject: =?utf-8?q?Mi?==?utf-8?q?lls?="),
        f"header: Subject {TWO_WAYS}",
    ),
    "another subject": (
        swapped(b"Subject: Mills", b"Subject: Wills"),
        "subject: it should be 'Mills', once",
    ),
    "another sender": (
        swapped(b"<letter@harbour.example>", b"<letter@evil.example>"),
        "header: From should be Harbour Notes <letter@harbour.example>",
    ),
    "another name of the sender": (
        swapped(b"From: Harbour Notes", b"From: Your Bank"),
        "header: From should be Harbour Notes <letter@harbour.example>",
    ),
    "two senders": (
        swapped(b"<letter@harbour.example>", b"<letter@harbour.example>, bank@evil.example"),
        f"header: From {TWO_WAYS}",
    ),
    "no sender": (swapped(b"From: ", b"X-From: "), "header: it lacks From"),
    "on behalf of": (above(b"Sender: bank@evil.example"), "header: there is more, Sender"),
    "answers to somebody else": (
        above(b"Reply-To: bank@evil.example"),
        "header: there is more, Reply-To",
    ),
    "many fields": (
        above(*(b"F%d: x" % number for number in range(9))),
        "header: there is more, F0, F1, F2, F3, F4 and 4 others",
    ),
    "a subject to some programs": (above(b"Subject : You won"), "header: line 1 is no field"),
    "leaving elsewhere": (
        swapped(
            b"List-Unsubscribe: <mailto:letter@harbour.example",
            b"List-Unsubscribe: <mailto:x@evil.example",
        ),
        "header: List-Unsubscribe should be '<mailto:letter@harbour.example?",
    ),
    "leaving elsewhere, too": (
        swapped(b"List-Unsubscribe: ", b"List-Unsubscribe: <https://evil.example/>, "),
        "header: List-Unsubscribe should be ",
    ),
    "leaving by one click": (
        above(b"List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
        "header: there is more, List-Unsubscribe-Post",
    ),
    "leaving elsewhere in the HTML": (
        part(b"text/html", lambda html: html.replace(b"mailto:letter@", b"mailto:l3tter@")),
        "in the place of [[leave_url]] than the way to leave",
    ),
    "leaving elsewhere in the text": (
        part(
            b"text/plain",
            lambda text: text.replace(b"mailto:letter@harbour.example?", b"https://evil.example/?"),
        ),
        "in the place of [[leave_url]] than the way to leave",
    ),
    "another list": (
        swapped(b"List-Id: Harbour Notes", b"List-Id: Your Bank"),
        "header: List-Id should be ",
    ),
    "another issue": (
        swapped(b"Message-ID: <2026-w49.", b"Message-ID: <2026-w50."),
        "header: Message-Id is one of another issue",
    ),
    "no imprint": (
        swapped(b"sha256:", b"sha512:"),
        "header: X-Digest-Edition names no edition of this issue",
    ),
    "a second imprint": (
        above(b"X-Digest-Edition: 2026-w49 sha256:" + b"0" * 64),
        "header: X-Digest-Edition stands twice",
    ),
    "to two people": (
        swapped(b"<ann@reader.example>", b"<ann@reader.example>, bo@reader.example"),
        f"header: To {TWO_WAYS}",
    ),
    "to nobody": (swapped(b"To: ", b"X-To: "), "header: it lacks To"),
    "a line above that is a field": (
        above(b"From : bank@evil.example"),
        "header: line 1 is no field",
    ),
}
