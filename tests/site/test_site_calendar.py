"""The calendar of the coming issues: what it shows, to whom, and that it stands on its own."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree as ET

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.model import COLOURS, OTHER, IssueKey, Theme, ThemeId, clean_line
from digest.site import CALENDAR_STYLE, NAMES_WIDTH, CalendarWeek, plan_calendar
from digest.site.calendar_style import DARK, LIGHT

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
TIDES = Theme(id=ThemeId("tides"), label="Tides & currents", colour="teal")
BOATS = Theme(id=ThemeId("boats"), label="Boats", colour="rust")
THEMES = (TIDES, BOATS, OTHER)


def _week(number: int = 3, *, year: int = 2027, state: str = "planned") -> CalendarWeek:
    return CalendarWeek(
        key=IssueKey(f"{year}-w{number:02d}"),
        at=datetime(year, 1, 4, 9, tzinfo=UTC) + timedelta(weeks=number - 1),
        state=state,
        lead=TIDES.id,
        counts=((TIDES.id, 4), (BOATS.id, 1)),
    )


def _with(week: CalendarWeek, **changes: object) -> CalendarWeek:
    told = {name: getattr(week, name) for name in CalendarWeek.__slots__} | changes
    return CalendarWeek(**told)


def _draw(*weeks: CalendarWeek, themes: tuple[Theme, ...] = THEMES) -> ET.Element:
    return _parse(plan_calendar(weeks, themes))


def _parse(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)  # noqa: S314 - our own drawing


def _columns(tree: ET.Element) -> list[ET.Element]:
    return [group for group in tree.findall(f"{SVG}g") if group.get("id") is None]


def _texts(element: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def _of(element: ET.Element, kind: str) -> list[ET.Element]:
    return [each for each in element.iter() if kind in (each.get("class") or "").split()]


def test_a_column_a_week_and_a_row_a_theme() -> None:
    """Each week has its name and day above, each theme its label beside."""
    tree = _draw(_week(3), _week(4))

    first, second = _columns(tree)
    assert _texts(first) == ["2027", "w03", "18 Jan", "planned", "4", "1"]
    assert _texts(second) == ["w04", "25 Jan", "planned", "4", "1"]
    (names,) = [group for group in tree.findall(f"{SVG}g") if group.get("id")]
    assert names.get("id") == "plan-names"
    assert " ".join(_texts(names)) == "Tides & currents Boats Other"


def test_the_year_stands_where_it_begins() -> None:
    """The year is that of the week's name, written once."""
    weeks = (_week(52, year=2026), _week(53, year=2026), _week(1), _week(2))

    assert [_texts(column)[0] for column in _columns(_draw(*weeks))] == [
        "2026",
        "w53",
        "2027",
        "w02",
    ]


def test_the_theme_that_leads_is_filled_and_a_section_is_light() -> None:
    """The look tells who leads: full colour with light words, or light with coloured words."""
    (column,) = _columns(_draw(_week()))

    (lead, section) = _of(column, "plan-count")
    assert "plan-lead" in lead.get("class", "")
    assert "plan-full-rust" in section.get("class", "")
    assert [rect.get("class") for rect in column.iter(f"{SVG}rect")] == [
        "plan-full-teal",
        "plan-part-rust",
    ]


def test_a_mixed_issue_has_sections_alone() -> None:
    """Where nobody leads all cells are light."""
    (column,) = _columns(_draw(_with(_week(), lead=ThemeId(""))))

    assert _of(column, "plan-lead") == []
    assert len(_of(column, "plan-count")) == 2


def test_a_theme_that_leads_with_nothing_is_shown() -> None:
    """An issue made of borrowed items alone still shows whose it is."""
    (column,) = _columns(_draw(_with(_week(), counts=((BOATS.id, 3),))))

    assert _texts(column)[-2:] == ["0", "3"]


def test_a_thin_issue_is_hatched_and_says_so() -> None:
    """The cell of its theme is hatched, with its count on a plain ground, and the word below."""
    (column,) = _columns(_draw(_with(_week(), thin=True)))

    hatched = [rect.get("fill") for rect in column.iter(f"{SVG}rect") if rect.get("fill")]
    assert hatched == ["url(#plan-hatch-teal)"]
    assert "thin" in _texts(column)
    assert _of(column, "plan-lead") == []


def test_a_skipped_week_is_hatched_from_top_to_bottom() -> None:
    """It shows no item, whatever it is said to hold, and the word below says why it is empty."""
    (column,) = _columns(_draw(_with(_week(), skipped="the harbour is closed")))

    assert _texts(column) == ["2027", "w03", "18 Jan", "skipped"]
    assert [rect.get("fill") for rect in column.iter(f"{SVG}rect") if rect.get("fill")] == [
        "url(#plan-hatch-none)"
    ]
    (gap,) = _of(column, "plan-gap")
    assert float(gap.get("height", "")) > 3 * 30
    assert len(_of(column, "plan-dash")) == 1


@pytest.mark.parametrize(
    ("state", "mark"),
    [
        ("planned", "plan-ring"),
        ("picked", "plan-dot"),
        ("draft", "plan-dot"),
        ("held", "plan-dot"),
        ("published", "plan-out"),
        ("sent", "plan-out"),
    ],
)
def test_each_state_has_its_mark_and_word(state: str, mark: str) -> None:
    """What is foreseen, in hand and out is told by a mark and by the word below it."""
    (column,) = _columns(_draw(_week(state=state)))

    marks = ("plan-ring", "plan-dot", "plan-out", "plan-dash")
    assert [kind for kind in marks if _of(column, kind)] == [mark]
    assert state in _texts(column)


def test_who_does_not_see_it_is_told_all_of_it() -> None:
    """The picture has a title and a description that says each column in words."""
    weeks = (
        _week(3),
        _with(_week(4), thin=True),
        _with(_week(5), skipped="nobody is there"),
        _with(_week(6), lead=ThemeId("")),
    )
    tree = _draw(*weeks)

    ids = {each.get("id"): "".join(each.itertext()) for each in tree.iter() if each.get("id")}
    assert tree.get("role") == "img"
    assert ids[tree.get("aria-labelledby")] == "Coming issues by theme, 2027-w03 to 2027-w06"
    assert ids[tree.get("aria-describedby")] == (
        "2027-w03, 18 Jan, planned: Tides & currents leads; Tides & currents 4; Boats 1. "
        "2027-w04, 25 Jan, planned: Tides & currents leads; Tides & currents 4; Boats 1; thin. "
        "2027-w05, 1 Feb: no issue, nobody is there. "
        "2027-w06, 8 Feb, planned: mixed; Tides & currents 4; Boats 1."
    )
    titles = [column.findtext(f"{SVG}title") for column in _columns(tree)]
    assert " ".join(map(str, titles)) == ids["plan-desc"]


def test_a_theme_that_nobody_declared_has_its_row() -> None:
    """What the weeks hold is shown, also where the settings do not know its theme any more."""
    week = _with(_week(), lead=ThemeId("old-maps"), counts=((ThemeId("old-maps"), 3),))
    tree = _draw(week, themes=(TIDES,))

    assert _texts(tree)[-3:] == ["3", "Tides & currents", "Old maps"]
    assert "plan-full-slate" in {rect.get("class") for rect in tree.iter(f"{SVG}rect")}


def test_a_colour_that_the_look_has_not_becomes_slate() -> None:
    """No theme is drawn in no colour."""
    theme = Theme(id=TIDES.id, label="Tides", colour="pink")

    assert _of(_draw(_week(), themes=(theme,)), "plan-full-slate")


def test_without_weeks_the_names_stand_alone() -> None:
    """A plan of nothing is a picture all the same."""
    tree = _draw()

    assert tree.findtext(f"{SVG}title") == "No coming issue"
    assert _columns(tree) == []


def test_without_themes_the_weeks_stand_alone() -> None:
    """A week that holds nothing under no theme is a column of words."""
    tree = _draw(_with(_week(), lead=ThemeId(""), counts=()), themes=())

    assert _texts(tree) == ["2027", "w03", "18 Jan", "planned"]


def test_the_page_may_hold_the_style() -> None:
    """The style is in the drawing, or left to the page; nothing else differs."""
    alone = plan_calendar((_week(),), THEMES)
    inside = plan_calendar((_week(),), THEMES, style=False)

    assert "<style>" not in inside
    style = _parse(alone).findtext(f"{SVG}style")
    assert style == CALENDAR_STYLE
    assert re.sub("<style>.*</style>", "", alone, flags=re.DOTALL) == inside


def test_a_moment_without_a_zone_is_refused() -> None:
    """Its day would be another one elsewhere."""
    with pytest.raises(ValueError, match="has no zone"):
        _with(_week(), at=datetime(2027, 1, 18, 9))  # noqa: DTZ001 - what is refused here


def test_every_class_of_the_drawing_has_a_rule() -> None:
    """Nothing is left in the black of a browser by a name that the style does not know."""
    weeks = (
        _week(3, state="sent"),
        _week(4, state="held"),
        _with(_week(5), thin=True),
        _with(_week(6), skipped="x"),
    )
    used = set(chain.from_iterable(each.get("class", "").split() for each in _draw(*weeks).iter()))

    assert used - {"plan-stripes-none"} <= set(re.findall(r"\.(plan[a-z-]*)", CALENDAR_STYLE))


def test_sixty_weeks_of_thirty_themes_fit() -> None:
    """The drawing grows with what it shows, and nothing shrinks."""
    themes = tuple(
        Theme(id=ThemeId(f"t{n}"), label=f"Theme of the number {n}", colour=COLOURS[n % 8])
        for n in range(30)
    )
    weeks = [
        _with(_week(n % 50 + 1, year=2027 + n // 50), lead=themes[n % 30].id) for n in range(60)
    ]
    tree = _draw(*weeks, themes=themes)

    assert float(tree.get("width", "")) >= NAMES_WIDTH + 60 * 58
    assert float(tree.get("height", "")) >= 30 * 38
    assert tree.get("viewBox") == f"0 0 {tree.get('width')} {tree.get('height')}"
    assert len(_columns(tree)) == 60


_LABELS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Co", "Cn"]), min_size=1, max_size=60
)


@settings(deadline=None, max_examples=100)
@given(label=_LABELS, reason=st.just("") | _LABELS, state=_LABELS)
def test_any_text_stays_text_and_whole(label: str, reason: str, state: str) -> None:
    """Whatever people write is well-formed, in XML and in HTML, and not a sign of it is cut."""
    theme = Theme(id=TIDES.id, label=label, colour="teal")
    week = _with(_week(), state=state, skipped=reason)
    drawn = plan_calendar((week,), (theme, BOATS))
    tree = _parse(drawn)
    page = html5lib.parse(drawn)

    (names,) = [group for group in tree.findall(f"{SVG}g") if group.get("id")]
    told = "".join(_texts(names)).removesuffix("Boats")
    assert told.replace(" ", "") == (clean_line(label) or "tides").replace(" ", "")
    assert {each.tag for each in page.iter() if "svg" in str(each.tag)} == {
        each.tag for each in tree.iter()
    }


def test_it_asks_for_nothing_and_runs_nothing() -> None:
    """No script, no link, no picture, and no address but the names of XML and of its own parts."""
    drawn = plan_calendar((_week(), _with(_week(4), thin=True)), THEMES)
    tree = _parse(drawn)

    names = {str(each.tag).removeprefix(SVG) for each in tree.iter()}
    shapes = {"defs", "pattern", "path", "rect", "g", "circle"}
    assert names <= {"svg", "title", "desc", "style", "text", *shapes}
    assert not [key for each in tree.iter() for key in each.attrib if key.startswith("on")]
    assert set(re.findall(r"url\(([^)]*)\)", drawn)) <= {
        f"#{each.get('id')}" for each in tree.iter() if each.get("id")
    }
    assert re.findall(r"[a-z]+://[^\"]*", drawn) == ["http://www.w3.org/2000/svg"]
    assert "@import" not in drawn


def test_each_id_is_there_once() -> None:
    """What is pointed to is one thing."""
    tree = _draw(_week(3), _week(4))
    ids = [each.get("id") for each in tree.iter() if each.get("id")]

    assert len(ids) == len(set(ids))


def _luminance(colour: str) -> float:
    long = colour if len(colour) == 7 else "#" + "".join(2 * sign for sign in colour[1:])
    parts = [int(long[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, two: str) -> float:
    dark, light = sorted((_luminance(one), _luminance(two)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_words_are_readable(tokens: dict[str, str]) -> None:
    """Every pair of words and ground has the 4.5 to 1 of WCAG 2.2, success criterion 1.4.3."""
    pairs = [
        *((text, "card") for text in ("text", "muted", "amber")),
        *(("card", colour) for colour in COLOURS),
        *((colour, f"{colour}-on") for colour in COLOURS),
    ]

    assert {pair: _contrast(*map(tokens.__getitem__, pair)) >= 4.5 for pair in pairs} == (
        dict.fromkeys(pairs, True)
    )


@pytest.mark.parametrize("sheet", ["templates/site.css.j2", "digest/desk/pages/desk.css"])
@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_are_those_of_the_look(sheet: str, scheme: int) -> None:
    """Site, desk and calendar name one colour alike."""
    style = (ROOT / sheet).read_text("utf-8").split("@media (prefers-color-scheme: dark)")[scheme]
    tokens = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6});", style))
    own = (LIGHT, DARK)[scheme]

    assert {name: tokens[name] for name in own if name in tokens} == {
        name: colour for name, colour in own.items() if name in tokens
    }
    assert set(COLOURS) <= tokens.keys() & own.keys()
