"""Where the rows and columns of the calendar of coming issues stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from digest.model import COLOURS, OTHER, IssueKey, Theme, ThemeId, clean_line, theme_label
from digest.model.summary import refuse_naive
from digest.site.svg import text_width, wrapped

__all__ = [
    "HEAD",
    "LINE",
    "MARGIN",
    "NAMES_WIDTH",
    "NAME_AT",
    "SIZE",
    "CalendarWeek",
    "Column",
    "Row",
    "columns_of",
    "rows_of",
]

# The column of the themes' names, so that a page can keep it in sight while the weeks go by.
NAMES_WIDTH: Final = 168
MARGIN: Final = 12
NAME_AT: Final = 26
HEAD: Final = 68
SIZE: Final = 13  # pixels; the look has nothing smaller
LINE: Final = 17
_ROW: Final = 38
_COLUMN: Final = 58
_BESIDE: Final = 10
# fmt: off
_MONTHS: Final = (
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
)
# fmt: on


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarWeek:
    """One column of the calendar.

    `at` is the aware moment of its slot, in the zone whose date is shown. `state` is the word
    shown below. `lead` is the theme of the week, empty where the issue is mixed; `counts` are the
    items of each theme. `thin` tells that there is too little, `skipped` why there is no issue.
    """

    key: IssueKey
    at: datetime
    state: str
    lead: ThemeId
    counts: tuple[tuple[ThemeId, int], ...]
    thin: bool = False
    skipped: str = ""

    def __post_init__(self) -> None:
        refuse_naive(self.at)

    @property
    def name(self) -> str:
        """Give the week without its year, `w03`."""
        return self.key[5:]

    @property
    def day(self) -> str:
        """Give the day of its slot, `18 Jan`."""
        return f"{self.at.day} {_MONTHS[self.at.month - 1]}"

    @property
    def word(self) -> str:
        """Give the word that stands below the column."""
        return "skipped" if self.skipped else clean_line(self.state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One theme: its name as it is written, where its row begins, and how high it is."""

    theme: ThemeId
    label: str
    colour: str
    name: tuple[str, ...]
    top: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One week: where its column begins, and how wide it is. `year` stands where it begins."""

    week: CalendarWeek
    left: float
    width: float
    year: str

    @property
    def middle(self) -> float:
        """Give the line on which its texts are centred."""
        return self.left + self.width / 2


def rows_of(themes: tuple[Theme, ...], weeks: Sequence[CalendarWeek]) -> tuple[Row, ...]:
    """Give each theme its row: those given, then those that only the weeks have, by id."""
    used = {theme for week in weeks for theme, _ in week.counts}
    used |= {week.lead for week in weeks if week.lead}
    given = {theme.id: theme for theme in themes}
    others = (Theme(id=name, label=theme_label(name)) for name in sorted(used - given.keys()))
    rows: list[Row] = []
    top: float = HEAD
    for theme in (*given.values(), *others):
        row = _row(theme, top)
        rows.append(row)
        top += row.height
    return tuple(rows)


def _row(theme: Theme, top: float) -> Row:
    label = clean_line(theme.label) or theme.id
    name = wrapped(label, size=SIZE, room=NAMES_WIDTH - NAME_AT - _BESIDE / 2)
    return Row(
        theme=theme.id,
        label=label,
        colour=theme.colour if theme.colour in COLOURS else OTHER.colour,
        name=name,
        top=top,
        height=max(_ROW, len(name) * LINE + 6),
    )


def columns_of(weeks: Sequence[CalendarWeek]) -> tuple[Column, ...]:
    """Give each week its column, wide enough for its words."""
    columns: list[Column] = []
    left, year = float(NAMES_WIDTH), ""
    for week in weeks:
        told = max(text_width(text, size=SIZE) for text in (week.name, week.day, week.word))
        width = max(_COLUMN, told + _BESIDE)
        first = week.key[:4] if week.key[:4] != year else ""
        columns.append(Column(week=week, left=left, width=width, year=first))
        left, year = left + width, week.key[:4]
    return tuple(columns)
