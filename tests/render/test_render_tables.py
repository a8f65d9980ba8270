"""Tables of a text: aligned as typed, and fitting a phone without breaking what need not break."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.render.markdown import markdown_html
from digest.render.tables import with_breaks

_BASE = "https://harbour.example/"


def _table(*cells: str) -> str:
    return "<table><tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr></table>"


@pytest.mark.parametrize(
    ("mark", "style"),
    [(":--", "text-align:left"), ("--:", "text-align:right"), (":-:", "text-align:center")],
)
def test_columns_stand_as_they_were_typed(mark: str, style: str) -> None:
    """The side that a column is set to holds for its head and its cells."""
    html = markdown_html(f"| a |\n|{mark}|\n| 1 |\n", base=_BASE)

    assert f'<th scope="col" style="{style}">a</th>' in html
    assert f'<td style="{style}">1</td>' in html


def test_a_column_without_a_side_has_none() -> None:
    """The look decides where nothing was typed; no other style comes through."""
    html = markdown_html(
        '| a |\n|---|\n| 1 |\n\n<table><tr><td align="evil" style="color:red">x</td></tr></table>',
        base=_BASE,
    )

    assert '<th scope="col">a</th>' in html
    assert "style" not in html
    assert "align" not in html


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (("Height", "Missed", "a", "b"), ("Height", "Missed", "a", "b")),
        (("Internationalisation", "b", "c", "d"), ("Intern|ationa|lisati|on", "b", "c", "d")),
        (("1,000.00", "12.55 %", "-1998", "x", "y", "z"), ("1,000.00", "12.55 %", "-1998")),
        (
            ("ab&amp;&lt;cdefghijklmnopqrstuvwxyz&gt;",) * 2,
            ("ab&amp;&lt;cdefghijklm|nopqrstuvwxyz&gt;",),
        ),
        (("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", *"abcdefgh"), ("👨‍👩‍👧👨‍👩‍👧|👨‍👩‍👧",)),
    ],
)
def test_only_what_has_no_room_may_break(cells: tuple[str, ...], shown: tuple[str, ...]) -> None:
    """Words get places to break after as many letters as a phone has room for; numbers none."""
    found = re.findall(r"<td>(.*?)</td>", with_breaks(_table(*cells)))

    assert tuple(cell.replace("<wbr />", "|") for cell in found[: len(shown)]) == shown


def test_tags_formulas_and_other_text_stay() -> None:
    """Addresses and formulas in cells are whole, and so is all that stands in no table."""
    long = "https://harbour.example/" + "a" * 60
    cell = f'<a href="{long}">x</a><math alttext="{long}"><mi>{long}</mi></math>'
    html = f"<p>{long}</p>{_table(cell, *'abc')}"

    assert with_breaks(html) == html


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=9))
def test_breaks_change_no_word(cells: list[str]) -> None:
    """Without the places to break, a table is as it was, whatever it holds."""
    rows = "".join(f"| {cell} " for cell in cells)
    html = markdown_html(f"{rows}|\n{'|---' * len(cells)}|\n{rows}|\n", base=_BASE)

    broken = with_breaks(html)

    assert broken.replace("<wbr />", "") == html
    fromstring(f"<div>{broken}</div>")  # noqa: S314 - our own output
