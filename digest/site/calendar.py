"""The coming issues as a picture: a column a week, a row a theme."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from digest.model import Theme, ThemeId
from digest.site.calendar_style import CALENDAR_STYLE
from digest.site.layout import (
    HEAD,
    LINE,
    MARGIN,
    NAME_AT,
    NAMES_WIDTH,
    SIZE,
    CalendarWeek,
    Column,
    Row,
    columns_of,
    rows_of,
)
from digest.site.svg import draw, words

__all__ = ["plan_calendar"]

_FOOT: Final = 48
_FOOT_THIN: Final = 65  # with one more word below
_GAP: Final = 3
_ROUND: Final = 6
# A plain ground behind the count of a hatched cell, so that it can be read.
_PLATE: Final = 26
# The hatch of a column without any issue, of no theme's colour.
_NONE: Final = "none"
_OUT: Final = frozenset({"published", "sending", "paused", "sent"})


def plan_calendar(
    weeks: Sequence[CalendarWeek], themes: tuple[Theme, ...], *, style: bool = True
) -> str:
    """Draw the coming issues as SVG: self-contained, well-formed XML that also stands in HTML.

    A cell is filled where its theme leads, lighter where it only gives items, and hatched where
    the issue is thin; each holds its count of items. A column that is hatched has no issue. The
    group `plan-names` holds all that stands in the first `NAMES_WIDTH` pixels. Without `style`
    the page has to hold `CALENDAR_STYLE`. The ids are those of one calendar a page.
    """
    rows, columns = rows_of(themes, weeks), columns_of(weeks)
    bottom = rows[-1].top + rows[-1].height if rows else HEAD
    width = MARGIN + (columns[-1].left + columns[-1].width if columns else NAMES_WIDTH)
    height = bottom + (_FOOT_THIN if any(week.thin for week in weeks) else _FOOT)
    labels = {row.theme: row.label for row in rows}
    names = _lines(rows, bottom=bottom, left=MARGIN, right=NAMES_WIDTH)
    told = [_sentence(week, labels) for week in weeks]
    return draw(
        "svg",
        draw("title", words(_title(weeks)), id="plan-title"),
        draw("desc", words(" ".join(told)), id="plan-desc"),
        *([draw("style", CALENDAR_STYLE)] if style else []),
        draw("defs", *_hatches(rows)),
        draw("rect", class_="plan-ground", width=width, height=height),
        _lines(rows, bottom=bottom, left=NAMES_WIDTH, right=width - MARGIN),
        *(
            _week(column, rows, bottom=bottom, told=sentence)
            for column, sentence in zip(columns, told, strict=True)
        ),
        draw("g", names, *map(_name, rows), id="plan-names"),
        xmlns="http://www.w3.org/2000/svg",
        class_="plan",
        role="img",
        aria_labelledby="plan-title",
        aria_describedby="plan-desc",
        width=width,
        height=height,
        viewBox=f"0 0 {width:g} {height:g}",
    )


def _title(weeks: Sequence[CalendarWeek]) -> str:
    if not weeks:
        return "No coming issue"
    return f"Coming issues by theme, {weeks[0].key} to {weeks[-1].key}"


def _sentence(week: CalendarWeek, labels: dict[ThemeId, str]) -> str:
    """Say what a column shows, for those who do not see it."""
    if week.skipped:
        return f"{week.key}, {week.day}: no issue, {week.skipped}."
    lead = [f"{labels[week.lead]} leads"] if week.lead else ["mixed"]
    gives = [f"{labels[theme]} {count}" for theme, count in week.counts if count]
    thin = ["thin"] if week.thin else []
    return f"{week.key}, {week.day}, {week.word}: {'; '.join([*lead, *gives, *thin])}."


def _hatches(rows: Sequence[Row]) -> Iterator[str]:
    stripes = "M-2 10 10-2M-2 2 2-2M6 10 10 6"
    for colour in (_NONE, *sorted({row.colour for row in rows})):
        yield draw(
            "pattern",
            draw("path", class_=f"plan-stripes plan-stripes-{colour}", d=stripes),
            id=f"plan-hatch-{colour}",
            width=8,
            height=8,
            patternUnits="userSpaceOnUse",
        )


def _lines(rows: Sequence[Row], *, bottom: float, left: float, right: float) -> str:
    heights = (*(row.top for row in rows), bottom)
    lines = "".join(f"M{left:g} {y + 0.5:g}H{right:g}" for y in heights)
    return draw("path", class_="plan-line", d=lines)


def _name(row: Row) -> str:
    middle = row.top + row.height / 2
    first = middle - (len(row.name) - 1) * LINE / 2 + SIZE / 3
    bar = draw("rect", class_=f"plan-full-{row.colour}", x=MARGIN, y=middle - 8, width=6, height=16)
    lines = (
        draw("text", words(line), class_="plan-name", x=NAME_AT, y=first + place * LINE)
        for place, line in enumerate(row.name)
    )
    return "".join((bar, *lines))


def _week(column: Column, rows: Sequence[Row], *, bottom: float, told: str) -> str:
    week, x = column.week, column.middle
    counts = dict(week.counts)
    lines = [
        (column.year, "when", 18),
        (week.name, "week", 38),
        (week.day, "when", 56),
        (week.word, "when", bottom + 38),
        ("thin" if week.thin else "", "thin", bottom + 55),
    ]
    cells = [
        _cell(column, row, count=counts.get(row.theme, 0))
        for row in rows
        if counts.get(row.theme) or row.theme == week.lead
    ]
    return draw(
        "g",
        draw("title", words(told)),
        *(
            draw("text", words(text), class_=f"plan-{kind}", x=x, y=y)
            for text, kind, y in lines
            if text
        ),
        *([_gap(column, bottom=bottom)] if week.skipped else cells),
        _mark(week, x=x, y=bottom + 16),
    )


def _gap(column: Column, *, bottom: float) -> str:
    """Hatch a whole column: there is no issue."""
    place = _place(column, top=HEAD, height=bottom - HEAD)
    return draw("rect", class_="plan-gap", **place) + draw("rect", fill=_hatched(_NONE), **place)


def _cell(column: Column, row: Row, *, count: int) -> str:
    leads = row.theme == column.week.lead
    place = _place(column, top=row.top, height=row.height)
    middle = row.top + row.height / 2
    ground, text = f"plan-part-{row.colour}", f"plan-full-{row.colour}"
    if leads and not column.week.thin:
        ground, text = text, "plan-lead"
    drawn = [draw("rect", class_=ground, **place)]
    if leads and column.week.thin:
        drawn.append(draw("rect", fill=_hatched(row.colour), **place))
        plate = {"x": column.middle - _PLATE / 2, "y": middle - _PLATE / 2, "rx": _ROUND}
        drawn.append(draw("rect", class_=ground, width=_PLATE, height=_PLATE, **plate))
    number = {"x": column.middle, "y": middle + 5}
    return "".join((*drawn, draw("text", f"{count}", class_=f"plan-count {text}", **number)))


def _place(column: Column, *, top: float, height: float) -> dict[str, float]:
    return {
        "x": column.left + _GAP,
        "y": top + _GAP,
        "width": column.width - 2 * _GAP,
        "height": height - 2 * _GAP,
        "rx": _ROUND,
    }


def _hatched(colour: str) -> str:
    return f"url(#plan-hatch-{colour})"


def _mark(week: CalendarWeek, *, x: float, y: float) -> str:
    """Draw whether an issue is only foreseen, in hand, out, or not to be."""
    if week.skipped:
        return draw("path", class_="plan-dash", d=f"M{x - 5:g} {y:g}h10")
    if week.state == "planned":
        return draw("circle", class_="plan-ring", cx=x, cy=y, r=5)
    if week.state not in _OUT:
        return draw("circle", class_="plan-dot", cx=x, cy=y, r=5)
    tick = draw("path", class_="plan-tick", d=f"M{x - 3:g} {y:g}l2.5 2.5 4-5")
    return draw("circle", class_="plan-out", cx=x, cy=y, r=7) + tick
