"""Which theme leads an issue, and by which numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from picking.libraries import THEMES, past, summary, text
from picking.scenes import SLOT, ago, issue_of, select, several, tagged

from digest.model import Theme, ThemeId
from digest.picking import Policy, ThemeScore


def _weighted(**weights: float) -> tuple[Theme, ...]:
    return tuple(replace(theme, weight=weights.get(theme.id, 1.0)) for theme in THEMES)


def test_the_theme_that_waited_longest_leads() -> None:
    """One more week of waiting outweighs any stock, and the reason gives the numbers."""
    history = (past("2026-w52", "locks"), past("2026-w51", "tides"))
    found = select(
        *several("locks", 6, date=ago(90)), *several("tides", 3, date=ago(2)), history=history
    )

    assert issue_of(found).theme == "tides"
    assert issue_of(found).theme_reason == (
        "tides leads, 1st of 5 themes: 3 weeks from its last issue, stock 3, oldest 2 weeks; "
        "score 1 * (100 * 3 + 50 * 3 // 6 + 2) = 327"
    )
    assert found.scores[:2] == (
        ThemeScore(
            theme=THEMES[1].id,
            label="tides",
            place=1,
            score=327,
            fresh=3,
            stock=3,
            weeks=3,
            waited=3,
            oldest=2,
            weight=1.0,
            thin=False,
        ),
        ThemeScore(
            theme=THEMES[0].id,
            label="locks",
            place=2,
            score=299,
            fresh=6,
            stock=6,
            weeks=2,
            waited=2,
            oldest=90,
            weight=1.0,
            thin=False,
        ),
    )


def test_a_theme_never_used_waited_longer_than_any_other() -> None:
    """It counts as one week more than there have been issues for."""
    history = (past("2026-w45", "locks"), past("2026-w53", "tides"))
    found = select(
        *several("locks", 6), *several("tides", 6), *several("mills", 3), history=history
    )

    score = found.scores[0]
    assert (score.theme, score.weeks, score.waited, score.fresh) == ("mills", None, 10, 3)
    assert "never used, counted as 10 weeks, stock 3" in issue_of(found).theme_reason


def test_stock_and_age_decide_between_themes_that_waited_equally() -> None:
    """Stock counts up to what an issue can hold, age up to 49 weeks; then the order of themes."""
    locks, tides = several("locks", 3), several("tides", 4)
    old = (*several("tides", 3, date=ago(9)), *several("mills", 3, date=ago(48)))
    oldest = (*several("mills", 3, date=ago(49)), *several("weirs", 3, date=ago(490)))

    assert issue_of(select(*locks, *tides)).theme == "tides"
    assert issue_of(select(*several("locks", 6), *several("tides", 9))).theme == "locks"
    assert issue_of(select(*locks, *old)).theme == "mills"
    assert issue_of(select(*locks, *oldest)).theme == "mills"


def test_a_stock_in_part_is_rounded() -> None:
    """Four of six that an issue could hold are 33 points."""
    found = select(*several("locks", 4))

    assert found.scores[0].score == 133
    assert issue_of(found).theme_reason.endswith(" = 133")


def test_a_theme_of_more_weight_comes_sooner() -> None:
    """Its whole score is multiplied: with weight 2 half the wait is enough."""
    history = (past("2026-w52", "locks"), past("2026-w51", "tides"))
    library = (*several("locks", 6), *several("tides", 6))

    found = select(*library, history=history, themes=_weighted(locks=2.0))
    less = select(*library, history=history, themes=_weighted(locks=1.3))

    assert issue_of(found).theme == "locks"
    assert "score 2 * (100 * 2 + " in issue_of(found).theme_reason
    assert issue_of(less).theme == "tides"
    assert [score.weight for score in less.scores[:2]] == [1.0, 1.3]


def test_a_large_score_is_told_in_figures() -> None:
    """However heavy the theme and however long its wait, no power of ten stands in the text."""
    found = select(
        *several("locks", 6),
        history=(past("2020-w01", "tides"),),
        themes=_weighted(locks=100.0),
    )

    assert found.scores[0].score == 3_679_900
    assert "e+" not in issue_of(found).theme_reason.rpartition("score ")[2]


def test_stock_is_what_the_caps_leave() -> None:
    """Six by one author are worth one where one by an author is the most."""
    policy = Policy(max_per_author=1)

    found = select(*several("locks", 6, authors=("Ada",)), *several("tides", 3), policy=policy)

    assert issue_of(found).theme == "tides"
    assert [(score.fresh, score.stock, score.thin) for score in found.scores[:2]] == [
        (3, 3, False),
        (6, 1, True),
    ]


def test_thin_themes_come_after_all_others() -> None:
    """However long it waited, a theme that cannot fill an issue leads none; empty ones are last."""
    history = (past("2026-w53", "locks"), past("2026-w01", "mills"))
    found = select(*several("locks", 3), *several("mills", 2), history=history)

    assert issue_of(found).theme == "locks"
    assert [score.theme for score in found.scores] == ["locks", "mills", "tides", "weirs", "other"]
    assert [score.place for score in found.scores] == [1, 2, 3, 4, 5]
    assert [score.thin for score in found.scores] == [False, True, True, True, True]


def test_of_thin_themes_the_best_leads() -> None:
    """Where none has enough, one with something goes before an empty one that waited longer."""
    history = (past("2026-w53", "mills"),)
    found = select(*several("mills", 1), history=history)

    assert issue_of(found).theme == "mills"
    assert ", stock 1, below the 3 an issue should hold, " in issue_of(found).theme_reason


def test_thinness_does_not_count_in_mixed_issues() -> None:
    """A theme with one summary that waited longest stands first."""
    history = (past("2026-w53", "locks"),)
    found = select(
        *several("locks", 6), *several("mills", 1), history=history, policy=Policy(mode="mixed")
    )

    assert [(score.theme, score.thin) for score in found.scores[:3]] == [
        ("mills", False),
        ("locks", False),
        ("tides", True),
    ]


def test_an_issue_in_the_weeks_after_counts_for_a_theme() -> None:
    """Where an older issue is made again, the theme of the next one is not repeated."""
    history = (past("2027-w02", "locks"), past("2026-w44", "tides"))
    found = select(*several("locks", 6), *several("tides", 6), history=history)

    assert issue_of(found).theme == "tides"


def test_a_mixed_issue_used_the_themes_of_its_items() -> None:
    """A past issue without a theme counts for each theme it held, the slot's own for none."""
    locks = several("locks", 6)
    history = (
        past("2026-w53", "", locks[0], summary("gone")),
        past(SLOT.issue, "tides"),
        past("2026-w52", "mills", freed=True),
    )
    found = select(*locks, *several("tides", 6), history=history)

    weeks = {score.theme: score.weeks for score in found.scores}
    assert weeks == {"tides": None, "locks": 1, "mills": None, "weirs": None, "other": None}


@pytest.mark.parametrize(("keys", "weeks"), [(("2026-w40", "2026-w52"), 2), (("2026-w40",), 14)])
def test_of_several_issues_of_a_theme_the_nearest_counts(keys: tuple[str, ...], weeks: int) -> None:
    """Whatever the order in which they are given."""
    history = tuple(past(key, "locks") for key in keys)

    for given in (history, history[::-1]):
        score = select(*several("locks", 3), history=given).scores[0]
        assert (score.theme, score.weeks, score.waited) == ("locks", weeks, weeks)


def test_what_matches_nothing_belongs_to_other() -> None:
    """The built-in last theme can lead an issue as any other."""
    found = select(*several("", 3), *several("locks", 2))

    assert issue_of(found).theme == "other"
    assert issue_of(found).items[0].reason.startswith("other by no matching rule; ")


def test_one_that_is_not_fresh_does_not_count() -> None:
    """Drafts and what was sent are neither stock nor age."""
    sent = tagged("sent", "locks", date=ago(40))
    library = (tagged("new", "locks", date=ago(3)), tagged("d", "locks", draft=True), sent)

    score = select(*library, history=(past("2026-w10", "", sent),)).scores[0]

    assert (score.theme, score.fresh, score.stock, score.oldest) == ("locks", 1, 1, 3)


def test_stock_is_what_the_greedy_choice_takes() -> None:
    """A theme whose oldest bars its others under a cap is thin: no week is lost to it."""
    library = (
        tagged("x", "locks", authors=("Ada", "Bo"), date=ago(30)),
        tagged("y", "locks", authors=("Ada",), weight=1.0, date=ago(0)),
        tagged("z", "locks", authors=("Bo",), weight=1.0, date=ago(0)),
        *several("tides", 12),
    )
    policy = Policy(min_items=2, when_thin="skip", max_per_author=1)

    found = select(*library, policy=policy)

    assert {score.theme: score.stock for score in found.scores}[ThemeId("locks")] == 1
    assert issue_of(found).theme == "tides"


def test_stock_counts_texts_that_are_alike_once() -> None:
    """Of four equal texts an issue could hold one."""
    library = (*several("locks", 4, title="T", body=text(1)), *several("tides", 2))

    scores = {score.theme: score for score in select(*library).scores}

    assert (scores[ThemeId("locks")].fresh, scores[ThemeId("locks")].stock) == (4, 1)
    assert (scores[ThemeId("tides")].fresh, scores[ThemeId("tides")].stock) == (2, 2)


def test_what_has_been_out_is_not_counted_as_fresh() -> None:
    """Where repeats fill an issue with nothing fresh they make its stock, and nothing waits."""
    old = several("locks", 5)
    policy = Policy(repeats="fill", repeat_window=4)

    found = select(*old, history=(past("2026-w40", "", *old),), policy=policy)

    assert {score.theme: (score.fresh, score.stock) for score in found.scores}[
        ThemeId("locks")
    ] == (0, 5)
