"""Quoted-printable that nothing on the way has a reason to change."""

from __future__ import annotations

import quopri
import re
from binascii import a2b_qp

import pytest
from dkim.canonicalization import Relaxed
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.mime.quoted import quoted, quoted_around
from digest.mime.transfer import from_quoted_printable
from digest.model import FieldPlace

# What the rules are about, more often than chance would bring it.
_PIECES = st.sampled_from(
    [
        *("a", "tide", " ", "  ", "\t", ".", "..", "=", "=_", "--", "From ", "From"),
        *("\n", "\r\n", "\r", "é", "潮", "\x00", "\x7f", "\x85"),
        *("x" * 73, "é" * 13, "." * 80, " " * 40),
    ]
)
_TEXTS = st.one_of(st.lists(_PIECES, max_size=40).map("".join), st.text(max_size=200)).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)


def _with_crlf(data: bytes) -> bytes:
    return re.sub(rb"\r\n?|\n", b"\r\n", data)


def _assert_untouchable(coded: bytes, *, limit: int) -> None:
    """Assert that nothing stands there which mail changes on its way, or which is a boundary."""
    lines = coded.split(b"\r\n")
    assert coded.isascii()
    assert not re.search(rb"[^ -~\r\n]|\r(?!\n)|(?<!\r)\n|  |=_", coded)
    assert max(map(len, lines)) <= limit
    for line in lines:
        assert not line.startswith((b".", b" ", b"From "))
        assert not line.endswith(b" ")
    # The line after it is that of a boundary, so no empty line of it is the last of the body.
    body = coded + b"\r\n--end--\r\n"
    assert Relaxed.canonicalize_body(body) == body


@given(_TEXTS)
@settings(deadline=None, max_examples=100)
def test_any_text_comes_back_and_needs_no_change(data: bytes) -> None:
    """Three decoders give back the octets, with CRLF line ends, from lines that are left alone."""
    coded = quoted(data)

    assert a2b_qp(coded) == quopri.decodestring(coded) == _with_crlf(data)
    assert from_quoted_printable(coded.replace(b"\r\n", b"\n"))[1]
    _assert_untouchable(coded, limit=76)


@given(_TEXTS)
@settings(deadline=None, max_examples=100)
def test_a_soft_break_fits_behind_each_line(data: bytes) -> None:
    """No last line is so long that the sign of a soft line break would make it too long."""
    assert len(quoted(data).rpartition(b"\r\n")[2]) <= 75


@pytest.mark.parametrize(
    ("text", "coded"),
    [
        (b"", b""),
        (b"a plain line", b"a plain line"),
        (b"a=b", b"a=3Db"),
        (b".", b"=2E"),
        (b"a.\n.b", b"a.\r\n=2Eb"),
        (b" a  b ", b"=20a=20=20b=20"),
        (b"a\tb", b"a=09b"),
        (b"From here\nFrom\nfrom ", b"=46rom here\r\nFrom\r\nfrom=20"),
        ("é".encode(), b"=C3=A9"),
        (b"a\rb\nc\r\nd", b"a\r\nb\r\nc\r\nd"),
        (b"x" * 75, b"x" * 75),
        (b"x" * 76, b"x" * 75 + b"=\r\nx"),
        (b"x" * 75 + b".", b"x" * 75 + b"=\r\n=2E"),
        (b"x" * 75 + b" y", b"x" * 75 + b"=\r\n=20y"),
        (b"x" * 74 + b" From y", b"x" * 74 + b" =\r\n=46rom y"),
        (b"x" * 73 + b"=y", b"x" * 73 + b"=\r\n=3Dy"),
        (b"x" * 74 + b"=y", b"x" * 74 + b"=\r\n=3Dy"),
        (b"x" * 72 + b"=y", b"x" * 72 + b"=3D=\r\ny"),
    ],
)
def test_each_rule_shows(text: bytes, coded: bytes) -> None:
    """What must not stand as it is, is encoded; lines are broken at 75, never inside a code."""
    assert quoted(text) == coded


def _place(start: int, end: int) -> FieldPlace:
    return FieldPlace(name="name", default="", start=start, end=end)


@pytest.mark.parametrize(
    ("text", "places", "pieces"),
    [
        (b"Dear x, hello", [(5, 6)], [b"Dear=20=\r\n", b"=\r\n, hello"]),
        (b"x", [(0, 1)], [b"", b""]),
        (b"a\nx\nb", [(2, 3)], [b"a\r\n", b"\r\nb"]),
        (b"a\rx\r\nb", [(2, 3)], [b"a\r\n", b"\r\nb"]),
        (b"axyb", [(1, 2), (2, 3)], [b"a=\r\n", b"=\r\n", b"=\r\nb"]),
        (b"ab", [(1, 1)], [b"a=\r\n", b"=\r\nb"]),
        (b"ax.", [(1, 2)], [b"a=\r\n", b"=\r\n=2E"]),
        (b"ab", [], [b"ab"]),
    ],
)
def test_values_are_parted_by_soft_breaks(
    text: bytes, places: list[tuple[int, int]], pieces: list[bytes]
) -> None:
    """Around a value stands a soft line break, but where a line or the text begins or ends."""
    assert list(quoted_around(text, [_place(*place) for place in places])) == pieces


@given(st.lists(st.tuples(_TEXTS, st.text(st.characters(codec="utf-8"), max_size=90)), max_size=4))
@settings(deadline=None, max_examples=100)
def test_values_encoded_alone_fit_between_the_pieces(parts: list[tuple[bytes, str]]) -> None:
    """Whatever stands around it, a value encoded by itself decodes in its place."""
    # A value is one line, as `clean_line` makes it; editions have LF line ends.
    values = [re.sub(r"[\r\n]", "", value).encode() for _, value in parts]
    texts = [*(text.replace(b"\r", b"") for text, _ in parts), b"end"]
    whole, places = b"", []
    for text, value in zip(texts, [*values, b""], strict=True):
        whole += text
        places.append(_place(len(whole), len(whole) + len(value)))
        whole += value
    pieces = quoted_around(whole, places[:-1])
    filled = [quoted(value) for value in values]
    coded = b"".join(piece for pair in zip(pieces, [*filled, b""], strict=True) for piece in pair)

    assert a2b_qp(coded) == _with_crlf(whole)
    assert from_quoted_printable(coded.replace(b"\r\n", b"\n"))[1]
    _assert_untouchable(coded, limit=76)
