"""What a relay says is read whatever it says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import Outcome
from digest.transport.reply import MOST_OCTETS, Replies, Reply, read_reply


@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        ([b"250 2.0.0 taken as 4F2"], Reply(code=250, enhanced="2.0.0", text="taken as 4F2")),
        ([b"250"], Reply(code=250)),
        ([b"550 5.1.1"], Reply(code=550, enhanced="5.1.1")),
        ([b"550 5.1.1x odd"], Reply(code=550, text="5.1.1x odd")),
        (
            [b"550-5.7.1 not from", b"550 5.7.1 your network"],
            Reply(code=550, enhanced="5.7.1", text="not from your network"),
        ),
        ([b"250-one", b"451 two"], Reply(code=451, text="one two")),
        ([b"250\ttab"], Reply(code=0, text="250 tab")),
        ([b"SSH-2.0-thing"], Reply(code=0, text="SSH-2.0-thing")),
        ([b"999 no"], Reply(code=0, text="999 no")),
        ([b""], Reply(code=0)),
    ],
)
def test_code_status_and_text_are_told_apart(lines: list[bytes], reply: Reply) -> None:
    """Several lines become one, and what is no reply has the code 0."""
    assert read_reply(lines) == reply


@settings(deadline=None)
@given(st.lists(st.binary(max_size=700), min_size=1, max_size=4))
def test_text_is_one_clean_line(lines: list[bytes]) -> None:
    """No octets whatever make the text long, broken over lines or unprintable."""
    reply = read_reply([b"550 " + line for line in lines])
    assert reply.code == 550
    assert len(reply.text) <= 500
    assert len(reply.text.splitlines()) <= 1
    assert not {chr(code) for code in range(32)} & set(reply.text)


def test_signs_beyond_ascii_are_kept_or_replaced() -> None:
    """UTF-8 is read as such, other octets become replacement signs."""
    assert read_reply(["550 Empfänger unbekannt".encode()]).text == "Empfänger unbekannt"
    assert read_reply(["550 Empfänger".encode("latin-1")]).text == "Empf\ufffdnger"


def test_secrets_are_hidden_in_the_text_alone() -> None:
    """A password that looks like a code hides no code."""
    reply = read_reply([b"535 5.7.8 not 535 for ann"], secrets=("535",))
    assert reply == Reply(code=535, enhanced="5.7.8", text="not *** for ann")


def test_reply_becomes_an_outcome() -> None:
    """Code, status and text go into the ledger as they came."""
    reply = Reply(code=450, enhanced="4.2.1", text="later")
    expected = Outcome(state="pending", code=450, enhanced="4.2.1", text="later")
    assert reply.outcome("pending") == expected
    assert str(reply) == expected.reply == "450 4.2.1 later"


def test_replies_are_cut_wherever_they_end() -> None:
    """Lines end with LF, with or without a CR; what has begun is kept for later."""
    replies = Replies(secrets=("hush",))
    assert not replies
    assert replies.take(b"250-a\r\n25") == []
    assert replies
    assert replies.take(b"0 hush\n354 go\r\n4") == [
        Reply(code=250, text="a ***"),
        Reply(code=354, text="go"),
    ]
    assert replies.take(b"21") == []
    assert replies.take(b" bye\r\n") == [Reply(code=421, text="bye")]
    assert not replies


def test_many_different_replies_are_each_their_own() -> None:
    """What was read before is remembered for some, and never mixed up."""
    replies = Replies()
    for number in (*range(100), *range(100)):
        assert replies.take(b"250 queued as %d\r\n" % number) == [
            Reply(code=250, text=f"queued as {number}")
        ]


@pytest.mark.parametrize("line", [b"250-" + b"x" * 100 + b"\r\n", b"y"])
def test_reply_without_an_end_is_noticed(line: bytes) -> None:
    """Whether it is of many lines or of one, and whether or not it ends in the same breath."""
    replies = Replies()
    many = line * (MOST_OCTETS // len(line) + 1)
    assert replies.take(many) == []
    assert replies.is_endless
    whole = Replies()
    assert whole.take(many + b"\r\n250 end\r\n") == []
    assert whole.is_endless
