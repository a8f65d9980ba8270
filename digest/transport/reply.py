"""What a relay says: the reply (RFC 5321 §4.2) with its enhanced status (RFC 3463)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from digest.model import Outcome, OutcomeState, clean_line

__all__ = ["GO_ON", "NEVER", "NOT_NOW", "TAKEN", "LostError", "Reply", "read_reply"]

TAKEN, GO_ON, NOT_NOW, NEVER = 2, 3, 4, 5  # what a reply's first digit means (RFC 5321 §4.2.1)
_TEXT_LENGTH: Final = 500
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
