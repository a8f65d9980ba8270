"""The glance at a reader's own parts sees nothing wrong only where the whole look does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.mime import wire_faults
from digest.mime.wire import surely_sound

_FIELDS = (
    b"To: Ann\r\n",
    b" <ann@reader.example>\r\n",
    b"Message-ID: <a.b@harbour.example>\r\n",
    b"List-Unsubscribe: <https://harbour.example/leave>,\r\n",
    b" <mailto:leave@harbour.example>\r\n",
    b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
)
_VALUES = (b"Ann", b"", b"https://harbour.example/=\r\nleave", b"x" * 75)
_ODD = st.one_of(
    st.sampled_from(
        [
            *(b"\r\n", b"\n", b"\r", b"\0", b"\r\n\r\n", b"\xc3\xa9", b" ", b"\t", b":"),
            *(b"x" * 70, b"x" * 900, b"\r\n" + b"x" * 999, b"\r\n ", b"\r\n " + b"x" * 998),
            *(b"Subject: x\r\n", b"To: x\r\n", b"\r\nFrom: x", b"Cc", b"=\r\n"),
        ]
    ),
    st.binary(max_size=3),
)


def _whole(fields: bytes, values: list[bytes]) -> bytes:
    """Put a reader's own parts into a message that is sound without them."""
    body = b"".join(b"a piece =\r\n" + value + b"=\r\nand so on\r\n" for value in values)
    return b"From: a@b.example\r\n" + fields + b"Subject: c\r\n\r\n--x\r\n" + body + b"--x--\r\n"


@given(st.data())
@settings(deadline=None, max_examples=100)
def test_what_passes_at_a_glance_passes_the_whole_look(data: st.DataObject) -> None:
    """With anything put in, taken out or changed about, no broken message gets by."""
    fields = b"".join(data.draw(st.lists(st.sampled_from(_FIELDS), max_size=7)))
    if data.draw(st.booleans()):
        fields = b"".join(_FIELDS)
    values = data.draw(st.lists(st.sampled_from(_VALUES), max_size=3))
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(fields)))
        fields = fields[:at] + data.draw(_ODD) + fields[at:]
        values.append(data.draw(st.sampled_from(_VALUES)) + data.draw(_ODD))
    if surely_sound(fields, values):
        assert wire_faults(_whole(fields, values)) == ()


@pytest.mark.parametrize("last", [6, 5])
def test_honest_parts_pass_at_a_glance(last: int) -> None:
    """Fields as they are made, with one click and without, need no second look."""
    assert surely_sound(b"".join(_FIELDS[:last]), _VALUES)


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        (b"".join(_FIELDS[1:]), _VALUES),
        (b"".join(_FIELDS) + b"Bcc: a@b.example\r\n", _VALUES),
        (b"".join(_FIELDS[:3]) + b"\r\n" + b"".join(_FIELDS[3:]), _VALUES),
        (b"".join(_FIELDS).replace(b"Ann", b"x" * 998), _VALUES),
        (b"".join(_FIELDS).replace(b"<a.b", b"<\xc3\xa9"), _VALUES),
        (b"".join(_FIELDS), [b"x" * 99]),
        (b"".join(_FIELDS), [b"a\nb"]),
        (b"".join(_FIELDS), [b"\xc3\xa9"]),
        (b"".join(_FIELDS), [b"a", b"\0"]),
    ],
)
def test_what_is_odd_does_not_pass_at_a_glance(fields: bytes, values: list[bytes]) -> None:
    """A field more or less, a long line, an octet that does not belong: the whole look decides."""
    assert not surely_sound(fields, values)
