"""What a relay says: the reply (RFC 5321 §4.2) with its enhanced status (RFC 3463)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from digest.model import Outcome, OutcomeState, clean_line

__all__ = [
    "GO_ON",
    "MOST_OCTETS",
    "NEVER",
    "NOT_NOW",
    "SERVICE_ENDS",
    "TAKEN",
    "LostError",
    "Replies",
    "Reply",
    "read_reply",
]

TAKEN, GO_ON, NOT_NOW, NEVER = 2, 3, 4, 5  # what a reply's first digit means (RFC 5321 §4.2.1)
SERVICE_ENDS: Final = 421  # at any moment (RFC 5321 §3.8)
MOST_OCTETS: Final = 1_048_576  # of one reply
_TEXT_LENGTH: Final = 500
_KNOWN: Final = 32
_SHORT: Final = 512  # octets that are said over and over together
_REPLY: Final = re.compile(rb"([2-5][0-9][0-9])(?:[ -](.*))?\Z", re.DOTALL)
_ENHANCED: Final = re.compile(r"([245]\.[0-9]{1,3}\.[0-9]{1,3})(?:\s+|\Z)")


class LostError(Exception):
    """The connection gives nothing more; the message tells why, to follow a relay's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply: `code` is 0 for what is none, `text` one clean line of at most 500 characters."""

    code: int
    enhanced: str = ""
    text: str = ""

    @property
    def kind(self) -> int:
        """Give the first digit; 0 is no reply at all."""
        return self.code // 100

    def __str__(self) -> str:
        # Whatever it means for a message, it is written the same.
        return self.outcome("unknown").reply

    def outcome(self, state: OutcomeState) -> Outcome:
        """Make it what became of a message."""
        return Outcome(state=state, code=self.code, enhanced=self.enhanced, text=self.text)


def read_reply(lines: Iterable[bytes], *, secrets: tuple[str, ...] = ()) -> Reply:
    """Read the lines of one reply, each without its line end; the last one's code counts.

    Each line may repeat the enhanced status (RFC 2034 §4); the first one counts. Octets that are
    no UTF-8 become replacement signs, secrets in the text three asterisks.
    """
    code, enhanced, words = 0, "", []
    for line in lines:
        match = _REPLY.match(line)
        code, rest = (int(match[1]), match[2] or b"") if match else (0, line)
        text = rest.decode("utf-8", "replace").strip()
        if status := _ENHANCED.match(text):
            enhanced, text = enhanced or status[1], text[status.end() :]
        for secret in secrets:
            text = text.replace(secret, "***")
        words.append(text)
    return Reply(code=code, enhanced=enhanced, text=clean_line(" ".join(words))[:_TEXT_LENGTH])


class Replies:
    """Cuts what a relay says into replies, however its octets come.

    `is_endless` tells that one has more than 1 MB; what follows is not looked at.
    """

    __slots__ = ("_known", "_lines", "_rest", "_secrets", "_several", "_size", "is_endless")

    def __init__(self, *, secrets: tuple[str, ...] = ()) -> None:
        self.is_endless = False
        self._secrets = secrets
        self._known: dict[bytes, Reply] = {}  # of one line: most are said over and over
        self._several: dict[bytes, tuple[Reply, ...]] = {}  # of octets that came together
        self._lines: list[bytes] = []
        self._rest = bytearray()
        self._size = 0  # octets of the lines

    def __bool__(self) -> bool:
        """Tell whether a reply has begun and not ended."""
        return bool(self._lines or self._rest)

    def take(self, octets: bytes) -> Sequence[Reply]:
        """Give the replies that end in these octets."""
        if self:
            return self._cut(octets)
        if (known := self._several.get(octets)) is not None:
            return known
        replies = self._cut(octets)
        if not self and len(octets) <= _SHORT:
            if len(self._several) >= _KNOWN:
                self._several.clear()
            self._several[octets] = tuple(replies)
        return replies

    def _cut(self, octets: bytes) -> list[Reply]:
        replies: list[Reply] = []
        if b"\n" in octets:
            *lines, rest = (bytes(self._rest) + octets if self._rest else octets).split(b"\n")
            self._rest = bytearray(rest)
            for line in lines:
                self._size += len(line) + 1
                if self._size > MOST_OCTETS:
                    break
                self._lines.append(line.rstrip(b"\r"))
                if not (line[:3].isdigit() and line[3:4] == b"-"):
                    replies.append(self._read())
        else:
            self._rest += octets
        self.is_endless = self._size + len(self._rest) > MOST_OCTETS
        return replies

    def _read(self) -> Reply:
        lines, self._lines, self._size = self._lines, [], 0
        if len(lines) == 1 and (known := self._known.get(lines[0])):
            return known
        reply = read_reply(lines, secrets=self._secrets)
        if len(lines) == 1:
            if len(self._known) >= _KNOWN:
                self._known.clear()
            self._known[lines[0]] = reply
        return reply
