"""The page of picking tells the rules and the arithmetic of the program."""

from __future__ import annotations

import re

from docs.pages import page, rows, sections

from digest.model import Summary, Theme, ThemeId
from digest.picking import Policy
from digest.picking.assign import read_rules
from digest.picking.fresh import RULES, TWIN
from digest.picking.score import score_themes
from digest.picking.shelf import Candidate

_SECTIONS = sections(page("picking.md"))


def _shelf(theme: ThemeId, count: int) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            summary=Summary(
                id=f"{theme}{n}", path=f"{theme}{n}.md", title="A", body="", fingerprint=""
            ),
            theme=theme,
            rule="",
            url="",
        )
        for n in range(count)
    )


def test_worked_example_is_what_the_program_computes() -> None:
    """Counted weeks, scores and places of the table follow from its weeks and its stock."""
    table = rows(_SECTIONS["Which theme leads"])
    names = [ThemeId(row[0].strip("`")) for row in table]
    led = {
        name: int(row[1].partition(" ")[0])
        for name, row in zip(names, table, strict=True)
        if row[1] != "never"
    }
    stock = {name: int(row[3]) for name, row in zip(names, table, strict=True)}
    scores = score_themes(
        tuple(Theme(id=name, label=name) for name in names),
        {name: _shelf(name, count) for name, count in stock.items()},
        weeks=led,
        policy=Policy(min_items=3, max_items=6),
    )

    assert [
        [
            score.theme,
            str(score.waited),
            str(score.stock),
            f"{score.waited} * 7 + {score.stock} = {score.score}",
            str(score.place),
        ]
        for score in scores
    ] == [[row[0].strip("`"), *row[2:]] for row in table]


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
