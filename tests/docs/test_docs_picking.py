"""The page of picking tells the rules and the arithmetic of the program."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import pytest
from docs.pages import page, rows, sections

from digest.model import (
    IssueKey,
    LeftOut,
    PastIssue,
    Pick,
    Slot,
    Summary,
    Theme,
    ThemeId,
    issue_key,
)
from digest.picking import LIVES, Policy, Selection, pick
from digest.picking.assign import assign, read_rules
from digest.picking.fresh import RULES, TWIN
from digest.picking.shelf import shelve
from digest.picking.tally import features

_SECTIONS = sections(page("picking.md"))
_UTC: Final = ZoneInfo("UTC")
_AT: Final = datetime(2026, 11, 30, 9, tzinfo=_UTC)
_SLOT: Final = Slot(issue=issue_key(_AT, _UTC), at=_AT)
_PLACES: Final = {"1st": 0, "2nd": 1, "3rd": 2}


def _summary(name: str, theme: str, *, waited: int | None) -> Summary:
    return Summary(
        id=name,
        path=f"{name}.md",
        title=name,
        body=f"What {name} says.",
        fingerprint="",
        themes=(theme,),
        date=None if waited is None else _AT - timedelta(weeks=waited),
    )


def _past(theme: ThemeId, weeks: int) -> PastIssue:
    at = _AT - timedelta(weeks=weeks)
    return PastIssue(
        key=IssueKey(f"{issue_key(at, _UTC)}-{theme}"), at=at, theme=theme, items=(), published=True
    )


def _scored(table: list[list[str]]) -> Selection:
    """Pick from a library in which each theme stands as its row says."""
    names = [ThemeId(row[0].strip("`")) for row in table]
    by_name = dict(zip(names, table, strict=True))
    return pick(
        _SLOT,
        [
            _summary(f"{name}{place}", name, waited=int(row[5]))
            for name, row in by_name.items()
            for place in range(int(row[4]))
        ],
        themes=tuple(
            Theme(id=name, label=name, weight=float(row[3])) for name, row in by_name.items()
        ),
        history=tuple(
            _past(name, int(row[1].partition(" ")[0]))
            for name, row in by_name.items()
            if row[1] != "never"
        ),
        policy=Policy(min_items=3, max_items=6),
    )


def test_the_table_of_scores_is_what_the_program_computes() -> None:
    """Counted weeks, stock, score and place of each theme follow from what the table gives."""
    table = rows(_SECTIONS["Which theme leads"])
    selection = _scored(table)
    given = {row[0].strip("`"): row for row in table}

    told = []
    for score in selection.scores:
        age = min(score.oldest or 0, 49)
        sum_ = f"(100 * {score.waited} + 50 * {score.stock} // 6 + {age})"
        told.append(
            [
                f"`{score.theme}`",
                given[score.theme][1],
                str(score.waited),
                f"{score.weight:g}",
                str(score.stock),
                "none" if score.oldest is None else str(score.oldest),
                f"{score.weight:g} * {sum_} = {score.score:g}",
                str(score.place),
            ]
        )

    assert told == table
    assert selection.issue is not None
    assert selection.issue.theme_reason.endswith(table[0][6])


def test_the_formula_of_scores_gives_the_figures_of_the_table() -> None:
    """The formula above the table, computed by its words, gives the scores below it."""
    text = _SECTIONS["Which theme leads"]
    (formula,) = re.findall(r"^score = (.+)$", text, re.MULTILINE)
    for row in rows(text):
        numbers = {
            "counted weeks": row[2],
            "weight": row[3],
            "stock": row[4],
            "max_items": "6",
            "oldest": "0" if row[5] == "none" else str(min(int(row[5]), 49)),
        }
        sum_ = formula
        for name, number in numbers.items():
            sum_ = sum_.replace(name, number)

        assert f"{sum_} = " in row[6]
        assert f"{sum_} = {_computed(sum_)}" == row[6]


def _computed(sum_: str) -> int:
    """Compute `a * (b * c + d * e // f + g)`."""
    a, b, c, d, e, f, g = (int(number) for number in re.findall(r"\d+", sum_))
    assert re.sub(r"\d+", "n", sum_) == "n * (n * n + n * n // n + n)"
    return a * (b * c + d * e // f + g)


def _valued(table: list[list[str]]) -> Selection:
    """Pick from summaries of one theme that stand as their rows say, with room for three."""
    return pick(
        _SLOT,
        [
            replace(
                _summary(row[0].strip("`"), "water", waited=int(row[1])),
                source="" if row[2] == "none" else row[2],
            )
            for row in table
        ],
        themes=(Theme(id=ThemeId("water"), label="Water"),),
        history=(),
        policy=Policy(min_items=1, max_items=3),
    )


def test_the_table_of_values_is_what_the_program_computes() -> None:
    """Value, redundancy and the place shown of each summary follow from age and source."""
    table = rows(_SECTIONS["Which summaries are taken"].partition("So with room for three")[2])
    found = _valued(table).issue
    assert found is not None
    told: tuple[Pick | LeftOut, ...] = (*found.items, *found.left_out)
    reasons = {one.id: one.reason for one in told}
    shown = [item.id for item in found.items]
    for row in table:
        name, worth = row[0].strip("`"), f"{row[1]} week"
        reason = reasons.pop(name)

        assert re.search(rf"value 200 \+ 10 \* 0 \+ {worth}s? waited = {row[3]}\b", reason)
        assert (f"redundancy {row[4]} (source {row[2]} {row[4]})" in reason) is (row[4] != "0")
        assert (row[5] == "no") is (name not in shown)
        assert row[6] == "no" or shown[_PLACES[row[6]]] == name
    assert reasons == {}


def test_places_taken_are_those_of_value_less_redundancy() -> None:
    """The column of places follows from the two before it, and so does the one left out."""
    table = rows(_SECTIONS["Which summaries are taken"].partition("So with room for three")[2])
    worth = sorted(table, key=lambda row: int(row[4]) - int(row[3]))

    assert [row[5] for row in worth] == ["1st", "2nd", "3rd", "no"]


def test_points_of_redundancy_are_those_of_the_program() -> None:
    """The table holds the points for a source, for authors and for tags, and how many count."""
    text = _SECTIONS["Which summaries are taken"]
    words = {"two": 2, "five": 5}
    told = [
        (int(row[1].split()[0]), words.get(row[0].rpartition(" ")[2], 1))
        for row in rows(text)
        if "points" not in row[1] and len(row) == 2
    ]
    full = replace(
        _summary("full", "water", waited=1),
        source="s",
        authors=tuple("abcdefgh"),
        tags=tuple("klmnopqrst"),
    )
    (candidate,) = shelve([full], ())
    points = list(features(candidate).values())

    assert [(point, points.count(point)) for point in dict.fromkeys(points)] == told
    assert sum(points) == 100


def test_states_of_a_summary_are_those_of_the_program() -> None:
    """The table of the life of a summary holds each state, in the order of `digest status`."""
    told = [row[0].strip("`") for row in rows(_SECTIONS["The life of a summary"])]

    assert told == list(LIVES)


def test_questions_stand_in_the_order_of_the_program() -> None:
    """What keeps a summary out is listed as the program asks it."""
    told = [row[0].strip("`") for row in rows(_SECTIONS["Who may be picked"])]

    assert told == [*(rule.kind for rule in RULES), TWIN]


def test_kinds_of_rules_are_those_of_the_program() -> None:
    """The table and the sentence name each kind of match rule, strongest first."""
    text = _SECTIONS["Which theme"]
    kinds = list(read_rules(()))

    assert [row[0].strip("`").partition(":")[0] for row in rows(text)] == kinds
    assert re.findall(r"`(\w+):`", text) == kinds


@pytest.mark.parametrize("word", ["mill", "millstone", "milling"])
def test_a_word_rule_with_a_star_fits_what_the_page_says(word: str) -> None:
    """`word:mill*` fits each of the words that the page gives for it."""
    text = _SECTIONS["Which theme"]
    mills = Theme(id=ThemeId("mills"), label="Mills", match=("word:mill*",))
    told = replace(_summary("a", "", waited=None), themes=(), body=f"A {word}.")

    assert re.search(rf"`word:mill\*` fits .*\b{word}\b", text)
    assert assign(told, (mills,)).rule == "word:mill*"


def test_defaults_that_the_page_gives_are_those_of_the_policy() -> None:
    """`max_wait` and `repeats` are told with their defaults."""
    policy = Policy()

    assert f"{policy.max_wait} by default" in _SECTIONS["Nothing is lost"]
    assert f'`repeats = "{policy.repeats}"`, the default' in _SECTIONS["Sent once"]
