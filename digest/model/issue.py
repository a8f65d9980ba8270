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
    """One summary in an issue: under which theme it stands, and why it was chosen.

    `repeat` is the key of the issue that it was in last; empty where it never was out.
    """

    id: str
    theme: ThemeId
    reason: str
    repeat: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One summary that was looked at and not chosen, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What an issue file keeps once published: when, as which number, and the edition's hash.

    `sent` is when its mails began to go out, `ended` when each of them had its end, `withdrawn`
    when it was taken back from site and feeds; None where that has not been.
    """

    at: datetime
    number: int
    edition: str
    sent: datetime | None = None
    ended: datetime | None = None
    withdrawn: datetime | None = None

    def __post_init__(self) -> None:
        for moment in (self.at, self.sent, self.ended, self.withdrawn):
            if moment is not None:
                refuse_naive(moment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One number of the newsletter as its issue file says it.

    `theme` is the theme of the week, empty where the issue is mixed. `items` stand in the order
    shown. Empty `subject`, `preheader` and `title` fall back to the newsletter's templates.
    `introduction` is Markdown. `hold` is the reason why it must not go out, `skip` the reason why
    there is no issue that week; else empty. `picked` is False while the file names no items: then
    they are picked for it. `dropped` are summaries that people took out of it: no rule puts them
    back in.
    """

    slot: Slot
    theme: ThemeId
    items: tuple[Pick, ...]
    left_out: tuple[LeftOut, ...] = ()
    dropped: tuple[LeftOut, ...] = ()
    picked: bool = True
    theme_reason: str = ""
    subject: str = ""
    preheader: str = ""
    title: str = ""
    introduction: str = ""
    hold: str = ""
    skip: str = ""
    seal: Seal | None = None

    @property
    def key(self) -> IssueKey:
        """Give the key, `2026-w49`."""
        return self.slot.issue


@dataclass(frozen=True, slots=True, kw_only=True)
class PastItem:
    """What is remembered of a summary that has been in an issue.

    `url` is canonical; empty where it had none. `sketch` tells texts that are alike
    (`model.sketch`); empty where the text is not known any more.
    """

    id: str
    url: str
    title: str = ""
    sketch: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastIssue:
    """An issue that was published, or one whose file reserves its items (`at` is its slot).

    `withdrawn` is when it was taken back from site and feeds. One that is `freed` was taken back
    before any mail of it went out: its items and its theme count as never used.
    """

    key: IssueKey
    at: datetime
    theme: ThemeId
    items: tuple[PastItem, ...]
    published: bool
    number: int = 0
    edition: str = ""
    withdrawn: datetime | None = None
    freed: bool = False

    def __post_init__(self) -> None:
        for moment in (self.at, self.withdrawn):
            refuse_naive(moment)


History = tuple[PastIssue, ...]
