"""Words and minutes of an issue, told without making its letter."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from digest.model import Edition, Issue, Newsletter, Summary
from digest.render.reading import Reading, count_reading

MakeSummary = Callable[..., Summary]
MakeIssue = Callable[..., Issue]
Build = Callable[..., Edition]

_SUM = "$a+b\\ne c$"  # five words, or two where dollars are no signs of a formula


def _count(issue: Issue, newsletter: Newsletter, *summaries: Summary) -> Reading:
    held = {summary.id: summary for summary in summaries}
    return count_reading(issue, summaries=held, newsletter=newsletter)


def test_introduction_and_texts_count(
    make_issue: MakeIssue, make_summary: MakeSummary, paper: Newsletter
) -> None:
    """Of a summary with a short form that counts alone; titles and what is not picked do not."""
    one = make_summary(1, body="one two three " * 200, summary="Four _words_ and no")
    two, three = make_summary(2, body="Five or **six**"), make_summary(3)
    issue = make_issue(introduction="Dear *readers*")

    assert _count(issue, paper, one, two, three) == Reading(words=2 + 4 + 3, minutes=1)


def test_a_formula_has_the_words_that_are_shown(
    make_issue: MakeIssue, make_summary: MakeSummary, paper: Newsletter
) -> None:
    """Whether dollars part one from the text is a setting of the newsletter."""
    one = make_summary(1, body=_SUM)
    counts = [
        _count(make_issue("tides"), replace(paper, dollar_maths=dollars), one).words
        for dollars in (True, False)
    ]

    assert counts == [5, 2]


@pytest.mark.parametrize("dollars", [True, False])
@pytest.mark.parametrize("text", [f"{_SUM} " * 60, "港口的灯亮了。" * 200, "[a b](c.md) " * 300])
def test_minutes_are_those_of_the_letter(
    build: Build,
    make_issue: MakeIssue,
    make_summary: MakeSummary,
    paper: Newsletter,
    *,
    text: str,
    dollars: bool,
) -> None:
    """Formulas, scripts without spaces and links count as they stand in the letter."""
    newsletter = replace(paper, dollar_maths=dollars)
    summaries = [make_summary(1, body=text, lang="zh"), make_summary(2, body=f"> {text}")]
    edition = build(issue=make_issue(), summaries=summaries, newsletter=newsletter)
    told = re.search(r"([0-9]+) min", edition.files["issue.txt"].decode())

    assert told
    assert _count(make_issue(), newsletter, *summaries).minutes == int(told[1]) > 1
