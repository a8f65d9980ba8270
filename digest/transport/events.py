"""What a carrier tells of the messages that it has in hand."""

from __future__ import annotations

from dataclasses import dataclass

from digest.errors import TransportBusyError, TransportError
from digest.model import Outcome

__all__ = ["Answered", "Event", "Failed", "Ready", "Returned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The other side took the envelope and waits for the content."""

    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What became of a message, at its final dot, at its envelope, or without a word."""

    position: int
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A message of which certainly nothing was taken.

    `of_sender` tells that its sender was refused or put off, which is no word on the message.
    """

    position: int
    error: TransportBusyError
    of_sender: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The other side wants nothing of ours; another try gains nothing."""

    error: TransportError


Event = Ready | Answered | Returned | Failed
