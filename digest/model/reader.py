"""A reader of the newsletter, and where the consent to be mailed came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from digest.model.summary import refuse_naive

__all__ = ["READER_STATES", "Consent", "Reader", "ReaderState", "reader_key"]

ReaderState = Literal["active", "pending", "left", "suppressed"]
# Each further from getting mail than the one before.
READER_STATES: Final[tuple[ReaderState, ...]] = ("active", "pending", "left", "suppressed")


def reader_key(address: str) -> str:
    """Give what two spellings of one reader's address share; letter case does not count.

    By RFC 5321 §2.4 the local part has a case; no provider of mailboxes keeps two people apart
    by it, and two mails to one person are the larger fault.
    """
    return address.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One subscriber.

    `address` is `local@domain`, the domain in ASCII. `state` is `active` for those who get mail;
    `reason` says why it is what it is, and `since` when it became so.
    """

    address: str
    name: str = ""
    state: ReaderState = "active"
    reason: str = ""
    since: datetime

    def __post_init__(self) -> None:
        refuse_naive(self.since)

    @property
    def key(self) -> str:
        """Give what identifies the reader."""
        return reader_key(self.address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """Where and when a reader agreed to get mail, in the words of who added them."""

    source: str
    at: datetime

    def __post_init__(self) -> None:
        refuse_naive(self.at)
