"""A message on its way to one reader, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from digest.model.names import IssueKey
from digest.model.summary import refuse_naive

__all__ = [
    "Claim",
    "Delivery",
    "DeliveryState",
    "Limits",
    "Message",
    "Outcome",
    "OutcomeState",
    "Rate",
    "Send",
    "Settled",
    "Stepped",
    "Tally",
]

# `claimed` rows belong to a sender that has said nothing of them yet; `wire` is marked before the
# content of a message leaves. A process that died leaves its rows so.
DeliveryState = Literal[
    "pending",
    "claimed",
    "wire",
    "accepted",
    "refused",
    "unknown",
    "left",
    "suppressed",
    "unsupported",
]
OutcomeState = Literal["accepted", "refused", "pending", "unknown", "unsupported"]
_DEAD: Final = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The bytes of one internet message (RFC 5322) with its envelope (RFC 5321 §2.3.1).

    `id` is the Message-ID in its angle brackets. `data` has CRLF line ends and no stuffed dots.
    `is_plain` tells that it was made so that no CR or LF stands alone and no line begins with a
    dot: nobody need look for them again.
    """

    id: str
    sender: str
    recipient: str
    data: bytes
    is_plain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a transport says became of one message.

    `accepted`: the other side took it. `refused`: it never will. `pending`: not now (4xx).
    `unknown`: no answer came after the last octet. `unsupported`: it has no way to write this
    address. `code` is the reply code (RFC 5321 §4.2), `enhanced` the status (RFC 3463), `text`
    the rest of the reply on one line.
    """

    state: OutcomeState
    code: int = 0
    enhanced: str = ""
    text: str = ""

    @property
    def dead(self) -> bool:
        """Tell whether the answer means that there is no such mailbox, and never will be."""
        return self.state == "refused" and self.enhanced in _DEAD

    @property
    def reply(self) -> str:
        """Write the reply as the other side gave it."""
        return " ".join(filter(None, (str(self.code or ""), self.enhanced, self.text)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """One issue going to its readers, from the moment it began.

    `began` is the Date of every message. `by` tells whether a person started it or the schedule.
    `key_id` names the secret key that made the Message-IDs, `dkim` the key that signs them, empty
    where none does. `replays` is the issue whose outbox this send hands to a relay, empty for the
    first sending. `paused` is why the schedule must not go on with it, empty where it may.
    `finished` is None while a row is open.
    """

    issue: IssueKey
    edition: str
    began: datetime
    via: Literal["outbox", "smtp"]
    by: Literal["hand", "schedule"]
    key_id: str
    audience: int = 0
    paused: str = ""
    finished: datetime | None = None
    dkim: str = ""
    replays: str = ""

    def __post_init__(self) -> None:
        refuse_naive(self.began)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One issue's message for one reader: the row of the ledger.

    `position` counts from 1 in the order of enrolment. `name` and `address` are as they were
    then, so that a retry has the same bytes. `due` is when a pending one may be tried again.
    """

    issue: IssueKey
    position: int
    address: str
    name: str = ""
    state: DeliveryState = "pending"
    attempts: int = 0
    due: datetime | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What is to be written down of one delivery; `due` where it is to be tried again."""

    position: int
    outcome: Outcome
    at: datetime
    due: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How many messages may go out in any stretch of so many seconds."""

    count: int
    seconds: int

    def __post_init__(self) -> None:
        if self.count < 1 or self.seconds < 1:
            raise ValueError(f"{self.count} messages in {self.seconds} seconds is no rate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a relay, and the domains behind it, are not to get more of.

    `total` holds for all messages, `domains` for those to one receiving domain (in A-labels and
    small letters; `*` stands for each domain that is not named). `warm_up` says how many may go
    out in the first 24 hours, in the second, and so on; after the last there is no such limit.
    """

    total: tuple[Rate, ...] = ()
    domains: Mapping[str, tuple[Rate, ...]] = field(default_factory=dict)
    warm_up: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.total or self.domains or self.warm_up)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The rows that a sender got; without rows `wait_until` says when a limit lets some go."""

    rows: tuple[Delivery, ...]
    wait_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped:
    """What a step found: positions now in `wire`, and those that must not be mailed any more.

    `gone` rows are closed where their reader left, or belong to another sender by now.
    """

    wire: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many of an issue's deliveries are in each state; the states add up to the audience.

    One that a sender has claimed counts as pending, one on the wire as unknown.
    """

    audience: int
    accepted: int = 0
    refused: int = 0
    pending: int = 0
    unknown: int = 0
    left: int = 0
    suppressed: int = 0
    unsupported: int = 0

    def __post_init__(self) -> None:
        told = self.accepted + self.refused + self.pending + self.unknown
        told += self.left + self.suppressed + self.unsupported
        if told != self.audience:
            raise ValueError(f"{told} deliveries do not add up to an audience of {self.audience}")
