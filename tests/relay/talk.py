"""A dialogue without a connection: what a relay says is written by the test, octet by octet."""

from __future__ import annotations

from digest.model import Message
from digest.transport import Event, Ready, Returned
from digest.transport.dialogue import Dialogue
from digest.transport.envelope import Letter, Offers

__all__ = [
    "GO",
    "NOBODY",
    "PATIENCE",
    "PLACE",
    "TAKEN",
    "TIMEOUT",
    "bring_to_ready",
    "make_dialogue",
    "make_letter",
    "returned",
    "say",
]

PLACE = "relay.example:25"
TIMEOUT, PATIENCE = 30.0, 600.0
GO = b"250 2.1.0 a\r\n250 2.1.5 b\r\n354 c\r\n"
TAKEN = b"250 2.0.0 taken\r\n"
NOBODY = b"503 5.5.1 nobody\r\n"


def make_dialogue(*, pipelining: bool = True) -> Dialogue:
    """Make the dialogue with a relay that offers what we need."""
    offers = Offers(pipelining=pipelining, smtputf8=True, eightbit=True)
    return Dialogue(where=PLACE, offers=offers, timeout=TIMEOUT, patience=PATIENCE)


def make_letter(position: int, to: str = "ann@reader.example", data: bytes = b"Hi.\r\n") -> Letter:
    """Make a message ready."""
    message = Message(id="<a@b.example>", sender="letter@b.example", recipient=to, data=data)
    return Letter.of(position, message)


def say(dialogue: Dialogue, now: float = 0.0, *, most: int | None = None) -> bytes:
    """Send what is to be sent, or the first octets of it, and give it."""
    octets = b"".join(dialogue.outgoing.parts)[:most]
    dialogue.sent(len(octets), now)
    return octets


def bring_to_ready(dialogue: Dialogue, position: int = 1) -> None:
    """Bring a message so far that its content is waited for."""
    dialogue.offer(make_letter(position))
    say(dialogue)
    assert dialogue.take(GO, 0.0) == [Ready(position=position)]


def returned(events: list[Event]) -> list[tuple[int, str]]:
    """Give the messages that came back, each with the words."""
    return [
        (each.position, each.error.brief.removeprefix(f"{PLACE}: "))
        for each in events
        if isinstance(each, Returned)
    ]
