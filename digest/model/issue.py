"""One number of the newsletter: what was picked for it, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from digest.model.names import IssueKey, ThemeId, week_days
from digest.model.summary import refuse_naive

__all__ = [
    "History",
    "Issue",
    "LeftOut",
    "PastIssue",
    "PastItem",
    "Pick",
    "Seal",
    "Slot",
    "WeeklyTime",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The aware moment at which an issue is due, in the newsletter's zone, and its key."""

    issue: IssueKey
    at: datetime

    def __post_init__(self) -> None:
        refuse_naive(self.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyTime:
    """A time of the week by the wall clock: `weekday` 0 is Monday, as in `datetime`."""

    weekday: int
    hour: int
    minute: int

    def slot(self, key: IssueKey, zone: ZoneInfo) -> Slot:
        """Give the slot of an issue in the zone.

        An hour that comes twice means its first coming (RFC 5545 §3.3.5); one that the clocks
        skip means the moment as far after the skip.
        """
        day = week_days(key)[0] + timedelta(days=self.weekday)
        wall = datetime.combine(day, time(self.hour, self.minute), tzinfo=zone)
        # There and back over UTC turns a time that does not exist into one that does.
        return Slot(issue=key, at=wall.astimezone(UTC).astimezone(zone))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One summary in an issue: under which theme it stands, and why it was chosen."""

    id: str
    theme: ThemeId
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One summary that was looked at and not chosen, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What an issue file keeps once published: when, as which number, and the edition's hash.

    `sent` is when its mails began to go out, `ended` when each of them had its end; None where
    that has not been.
    """

    at: datetime
    number: int
    edition: str
    sent: datetime | None = None
    ended: datetime | None = None

    def __post_init__(self) -> None:
        for moment in (self.at, self.sent, self.ended):
            if moment is not None:
                refuse_naive(moment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One number of the newsletter as its issue file says it.

    `theme` is the theme of the week, empty where the issue is mixed. `items` stand in the order
    shown. Empty `subject`, `preheader` and `title` fall back to the newsletter's templates.
    `introduction` is Markdown. `hold` is the reason why it must not go out, else empty.
    """

    slot: Slot
    theme: ThemeId
    items: tuple[Pick, ...]
    left_out: tuple[LeftOut, ...] = ()
    theme_reason: str = ""
    subject: str = ""
    preheader: str = ""
    title: str = ""
    introduction: str = ""
    hold: str = ""
    seal: Seal | None = None

    @property
    def key(self) -> IssueKey:
        """Give the key, `2026-w49`."""
        return self.slot.issue


@dataclass(frozen=True, slots=True, kw_only=True)
class PastItem:
    """What is remembered of a summary that has been in an issue.

    `url` is canonical; empty where it had none.
    """

    id: str
    url: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastIssue:
    """An issue that was published, or one whose file reserves its items (`at` is its slot)."""

    key: IssueKey
    at: datetime
    theme: ThemeId
    items: tuple[PastItem, ...]
    published: bool
    number: int = 0
    edition: str = ""

    def __post_init__(self) -> None:
        refuse_naive(self.at)


History = tuple[PastIssue, ...]
