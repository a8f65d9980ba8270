"""However the octets of a relay are cut, and ours, every message has its own answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st
from relay.talk import NOBODY, make_dialogue, make_letter, say

from digest.transport import Answered, Ready


@dataclass(slots=True)
class _Mirror:
    """A relay without a connection; what it answers stands in the recipient's address."""

    lax: bool
    said: bytes = b""
    waiting: bytes = b""
    has_sender: bool = False
    recipient: str = ""
    in_content: bool = False
    kept: list[tuple[str, bytes]] = field(default_factory=list)

    def hear(self, octets: bytes) -> None:
        """Answer what is whole by now."""
        self.waiting += octets
        while self._one():
            pass

    def _one(self) -> bool:
        if self.in_content:
            head, dot, rest = (b"\r\n" + self.waiting).partition(b"\r\n.\r\n")
            if dot:
                self.waiting, self.in_content = rest, False
                self._end(head[2:] + b"\r\n" if head else b"")
            return bool(dot)
        line, end, rest = self.waiting.partition(b"\r\n")
        if end:
            self.waiting = rest
            self.said += self._answer(line)
        return bool(end)

    def _answer(self, line: bytes) -> bytes:
        verb, _, more = line.decode().partition(" ")
        if verb in {"MAIL", "RSET"}:
            self.recipient, self.has_sender = "", "SMTPUTF8" not in more
            return b"250-2.1.0 so\r\n250 2.1.0 ok\r\n" if self.has_sender else b"553 5.6.7 no\r\n"
        address = more.removeprefix("TO:<").rstrip(">")
        if verb == "RCPT" and not self.has_sender:
            return b"503 5.5.1 who sends it?\r\n"
        if verb == "RCPT":
            code = {"r": "550 5.1.1 no", "g": "450 4.2.0 grey"}.get(address[0], "")
            self.recipient = "" if code else address
            return f"{code or '250 2.1.5 ok'}\r\n".encode()
        if not self.recipient and not self.lax:
            return NOBODY
        if self.recipient.startswith("d"):
            return b"451 4.3.0 no\r\n"
        self.in_content = True
        return b"354 go on\r\n"

    def _end(self, data: bytes) -> None:
        if not self.recipient:
            self.said += b"554 5.5.1 nobody\r\n"
        elif self.recipient.startswith("e"):
            self.said += b"554-5.7.1 no\r\n554 5.7.1 never\r\n"
        else:
            self.kept.append((self.recipient, data.replace(b"\r\n.", b"\r\n")))
            self.said += b"250 2.0.0 taken\r\n"
        self.recipient = ""


_EXPECTED = {"r": "refused", "g": "pending", "d": "pending", "e": "refused", "a": "accepted"}


def _converse(
    letters: list[str], mirror: _Mirror, *, pipelining: bool, pieces: st.DataObject
) -> dict[int, str]:
    """Have letters sent, in pieces of any size in both directions; give the state of each."""
    dialogue = make_dialogue(pipelining=pipelining)
    states, queue = dict[int, str](), list(letters)
    size = st.integers(min_value=1, max_value=400)
    while len(states) < len(letters):
        if queue and dialogue.is_free:
            data = f"Subject: {len(queue)}\r\n\r\nx\r\n..y\r\n".encode()
            dialogue.offer(make_letter(len(letters) - len(queue), queue.pop(0), data))
        while dialogue.outgoing and (not mirror.said or pieces.draw(st.booleans())):
            mirror.hear(say(dialogue, most=pieces.draw(size)))
        count = pieces.draw(size)
        octets, mirror.said = mirror.said[:count], mirror.said[count:]
        for event in dialogue.take(octets, 0.0) if octets else ():
            if isinstance(event, Ready):
                dialogue.pour(event.position)
            else:
                assert isinstance(event, Answered)
                states[event.position] = event.outcome.state
    assert not dialogue.is_over
    return states


@settings(deadline=None, max_examples=100)
@given(
    kinds=st.lists(st.sampled_from("rgdeaaw"), min_size=1, max_size=5),
    pipelining=st.booleans(),
    lax=st.booleans(),
    pieces=st.data(),
)
def test_pieces_change_nothing(
    kinds: list[str], pieces: st.DataObject, *, pipelining: bool, lax: bool
) -> None:
    """However octets are cut on both ways, each message has its own answer, and arrives whole."""
    letters = [
        f"{kind}{number}@b.example".replace("w", "j\u00f6") for number, kind in enumerate(kinds)
    ]
    mirror = _Mirror(lax=lax)
    states = _converse(letters, mirror, pipelining=pipelining, pieces=pieces)
    assert [states[at] for at in range(len(kinds))] == [
        _EXPECTED.get(kind, "unsupported") for kind in kinds
    ]
    taken = [letter for letter in letters if letter.startswith("a")]
    assert [to for to, _ in mirror.kept] == taken
    assert all(data.endswith(b"\r\n\r\nx\r\n..y\r\n") for _, data in mirror.kept)
