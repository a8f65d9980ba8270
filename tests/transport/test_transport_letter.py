"""A message made ready for the wire, and what a relay offers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relay.talk import (
    make_letter,
)

from digest.transport.envelope import Offers


@pytest.mark.parametrize("size", ["1" * 19, "9" * 5000, "\u0665", "-1", "1e9"])
def test_offers_are_read_whatever_they_say(size: str) -> None:
    """A size that is none, or that none could have, is no limit."""
    offers = Offers.of({"size": size, "pipelining": "", "8bitmime": ""})
    assert offers == Offers(
        size=int(size) if size in {"1" * 19, "\u0665"} else 0, pipelining=True, eightbit=True
    )


@settings(deadline=None, max_examples=100)
@given(data=st.lists(st.sampled_from([b".", b"\r\n", b"\r", b"\n", b"a", b"\xff"])).map(b"".join))
def test_content_is_stuffed_or_refused(data: bytes) -> None:
    """A CR or LF alone is refused; else taking doubled dots back gives the content."""
    lone = b"\r" in data.replace(b"\r\n", b"") or b"\n" in data.replace(b"\r\n", b"")
    if lone:
        with pytest.raises(ValueError, match="stands alone"):
            make_letter(1, data=data)
        return
    letter = make_letter(1, data=data)
    wire = letter.content + letter.last
    lines = wire.removesuffix(b"\r\n").split(b"\r\n")
    assert lines.pop() == b"."
    assert b"." not in lines
    whole = data if data.endswith(b"\r\n") or not data else data + b"\r\n"
    assert b"".join(line.removeprefix(b".") + b"\r\n" for line in lines) == whole


def test_content_without_dots_is_not_copied() -> None:
    """The octets that leave are those of the message."""
    data = b"Subject: x\r\n\r\nplain\r\n"
    assert make_letter(1, data=data).content is data
