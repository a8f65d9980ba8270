"""The rules of picking, each by the smallest example."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from picking.libraries import FIRST, THEMES, libraries, past, pasts, policies, slots, summary, text

from digest.model import History, Summary, Theme, ThemeId
from digest.picking import Policy, Selection, Wish, life, pick, plan

_SLOT = slots(1)[0]
_SHORT = Policy(min_items=1, max_items=6, when_thin="short")


def _pick(*library: Summary, history: History = (), policy: Policy = _SHORT) -> Selection:
    return pick(_SLOT, library, themes=THEMES, history=history, policy=policy)


def _ids(selection: Selection) -> list[str]:
    return [item.id for item in selection.issue.items] if selection.issue else []


def _life(*library: Summary, history: History = (), policy: Policy = _SHORT) -> dict[str, str]:
    lives = life(library, at=FIRST, themes=THEMES, history=history, policy=policy)
    return {found.path: state for found, state in lives}


def _ago(weeks: int) -> datetime:
    return FIRST - timedelta(weeks=weeks)


def _many(theme: str, count: int, **fields: object) -> list[Summary]:
    return [summary(f"{theme}-{number}", theme, **fields) for number in range(count)]


# The life of a summary.


def test_each_life_of_a_summary() -> None:
    """Each state by the smallest example; only what waits is picked."""
    sent = summary("sent", url="https://a.example/sent")
    library = (
        summary("draft", draft=True),
        summary("withdrawn", withdrawn=True),
        summary("superseded"),
        summary("heir", supersedes=("superseded",)),
        summary("held", not_before=FIRST + timedelta(days=1)),
        summary("dated", date=FIRST + timedelta(days=1)),
        summary("lapsed", not_after=FIRST),
        summary("old", date=_ago(31)),
        summary("reserved"),
        sent,
        summary("same-page", url="http://www.a.example/sent/?utm_source=x"),
        summary("plain"),
    )
    history = (past("2026-w50", "", sent), past("2027-w03", "", library[8], published=False))
    policy = Policy(min_items=1, max_items=20, when_thin="short", max_age=30)

    lives = _life(*library, history=history, policy=policy)

    assert lives == {
        "draft.md": "draft",
        "withdrawn.md": "withdrawn",
        "superseded.md": "withdrawn",
        "heir.md": "waiting",
        "held.md": "embargoed",
        "dated.md": "embargoed",
        "lapsed.md": "expired",
        "old.md": "expired",
        "reserved.md": "reserved",
        "sent.md": "sent",
        "same-page.md": "sent",
        "plain.md": "waiting",
    }
    assert sorted(_ids(_pick(*library, history=history, policy=policy))) == ["heir", "plain"]


@pytest.mark.parametrize(
    ("heir", "old"),
    [
        ({}, "withdrawn"),
        ({"draft": True}, "waiting"),
        ({"withdrawn": True}, "waiting"),
        ({"date": FIRST + timedelta(days=3)}, "waiting"),
        ({"not_before": FIRST + timedelta(days=3)}, "waiting"),
    ],
)
def test_an_heir_takes_the_place_once_it_is_there(heir: dict[str, Any], old: str) -> None:
    """Until the new one may go out itself the old one may."""
    lives = _life(summary("old"), summary("new", supersedes=("old",), **heir))

    assert lives["old.md"] == old


def test_what_became_of_the_old_one_does_not_count_against_its_heir() -> None:
    """The old one was sent, with the same address and the same text: the new one goes out."""
    same: dict[str, Any] = {"url": "https://a.example/1", "title": "One", "body": text(1)}
    old, new = summary("old", **same), summary("new", supersedes=("old",), **same)

    assert _ids(_pick(old, new, history=(past("2026-w52", "", old),))) == ["new"]
    assert _ids(_pick(new, history=(past("2026-w52", "", old),))) == ["new"]


# Sent once.


def test_a_summary_goes_out_once() -> None:
    """However long ago it was."""
    one = summary("one")

    assert _ids(_pick(one, history=(past("2019-w01", "", one),))) == []


@pytest.mark.parametrize(("cooldown", "comes"), [(None, False), (0, True), (4, True), (5, False)])
def test_one_with_a_cooldown_comes_again(cooldown: int | None, *, comes: bool) -> None:
    """Sent four weeks ago it comes again where its cooldown is four weeks or fewer."""
    one = summary("one", cooldown=cooldown)

    assert bool(_ids(_pick(one, history=(past("2026-w50", "", one),)))) is comes


def test_a_cooldown_counts_from_the_nearest_issue_whatever_the_name_there() -> None:
    """Out nine weeks ago by its id and last week under another, it is not due after eight."""
    one = summary("one", url="https://a.example/1", cooldown=8)
    renamed = summary("renamed", url="https://a.example/1")
    history = (past("2026-w45", "", one), past("2026-w53", "", renamed))

    assert _ids(_pick(one, history=history)) == []


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("e\u0301t\u00e9", ""),
        ("\u00e9t\u00e9", ""),
        ("other", "HTTP://www.A.example/x/?utm_source=1#top"),
    ],
)
def test_identity_survives(name: str, url: str) -> None:
    """What was sent is known by its id in any Unicode form, and by its address in any writing."""
    sent = summary("\u00e9t\u00e9", url="https://a.example/x")
    history = (past("2026-w20", "", summary(name, url=url or "https://b.example/")),)

    assert _ids(_pick(sent, history=history)) == []


@pytest.mark.parametrize(
    ("changed", "similarity", "weeks", "held"),
    [
        (1, 0.7, 51, True),
        (2, 0.7, 51, True),
        (2, 0.99, 51, False),
        (2, 0.0, 51, False),
        (1, 0.7, 52, False),
        (30, 0.7, 51, False),
    ],
)
def test_a_text_like_one_that_was_sent_is_held_back(
    changed: int, similarity: float, weeks: int, *, held: bool
) -> None:
    """Within the repeat window, by the likeness asked for, and the twin is named."""
    old = summary("old", title="Twin", body=text(1))
    new = summary("new", title="Twin", body=text(1, changed=changed))
    key = f"2026-w{53 - weeks + 1:02d}" if weeks < 53 else ""
    policy = Policy(min_items=1, max_items=6, when_thin="short", similarity=similarity)

    found = _pick(new, history=(past(key, "", old),), policy=policy)

    assert _ids(found) == ([] if held else ["new"])
    if held:
        assert _life(new, history=(past(key, "", old),), policy=policy) == {"new.md": "duplicate"}


def test_of_two_alike_one_goes_and_the_other_names_it() -> None:
    """Neither was sent: the one that goes before is picked, the other told with its twin."""
    one, two = (summary(name, title="Twin", body=text(1), date=_ago(2)) for name in ("a", "b"))

    found = _pick(two, one)

    assert _ids(found) == ["a"]
    assert found.issue is not None
    [left] = found.issue.left_out
    assert left.id == "b"
    assert "its text is that of a" in left.reason


def test_of_two_alike_both_wait_until_one_is_out() -> None:
    """Either may go first, by theme and value; from then on both are sent."""
    one, two = (summary(name, title="Twin", body=text(1), date=_ago(2)) for name in ("a", "b"))
    history = (past("2026-w50", "locks", one),)

    assert _life(one, two) == {"a.md": "waiting", "b.md": "waiting"}
    assert _life(one, two, history=history) == {"a.md": "sent", "b.md": "sent"}


def test_repeats_fill_a_thin_issue_where_they_may() -> None:
    """Up to the least, those the window away, marked as repeats; never without the setting."""
    library = [summary("new", "locks"), *_many("locks", 4)]
    history = (
        past("2026-w40", "locks", library[1]),
        past("2026-w41", "locks", library[2]),
        past("2026-w52", "locks", *library[3:]),
    )
    fill = Policy(min_items=2, when_thin="short", repeat_window=8, repeats="fill")

    found = _pick(*library, history=history, policy=fill)

    assert found.issue is not None
    told = {item.id: "a repeat" in item.reason for item in found.issue.items}
    assert told in ({"new": False, "locks-0": True}, {"new": False, "locks-1": True})
    assert _ids(_pick(*library, history=history, policy=_SHORT)) == ["new"]


def test_an_issue_taken_back_before_its_mails_holds_nothing() -> None:
    """Its items and its theme count as never used."""
    one = summary("one", "locks")
    freed = past("2026-w52", "locks", one, withdrawn=FIRST - timedelta(days=3), freed=True)

    found = _pick(one, history=(freed,))

    assert _ids(found) == ["one"]
    assert [score.weeks for score in found.scores if score.theme == "locks"] == [None]


def test_an_issue_taken_back_after_its_mails_keeps_its_items() -> None:
    """People have read them."""
    one = summary("one", "locks")
    withdrawn = past("2026-w52", "locks", one, withdrawn=FIRST - timedelta(days=3))

    assert _ids(_pick(one, history=(withdrawn,))) == []


# The order of themes and items.


def test_oldest_goes_first_and_overflow_comes_next() -> None:
    """What does not fit carries over, no newer one gets in before it; the newest is shown first."""
    library = [summary(f"n{weeks:02d}", "locks", date=_ago(weeks)) for weeks in range(12)]

    found = plan(
        slots(2), library, themes=THEMES, history=(), policy=Policy(min_items=1, max_items=6)
    )

    assert [_ids(one) for one in found] == [
        ["n06", "n07", "n08", "n09", "n10", "n11"],
        ["n00", "n01", "n02", "n03", "n04", "n05"],
    ]


@given(
    libraries().flatmap(lambda library: pasts(library).map(lambda history: (library, history))),
    policies,
)
@settings(deadline=None, max_examples=60)
def test_scores_are_the_formula(scene: tuple[list[Summary], History], policy: Policy) -> None:
    """Weight * (100 a week + 50 for a full stock + the age of the oldest), thin and empty last."""
    library, history = scene
    weights = (1.0, 0.5, 3.0, 1.0)
    themes = tuple(
        Theme(id=theme.id, label=theme.label, match=theme.match, weight=weight)
        for theme, weight in zip(THEMES, weights, strict=True)
    )

    scores = pick(_SLOT, library, themes=themes, history=history, policy=policy).scores

    for score in scores:
        stock = 50 * score.stock // policy.max_items
        points = 100 * score.waited + stock + min(score.oldest or 0, 49)
        assert score.score == pytest.approx(score.weight * points)
        assert score.stock <= min(score.fresh, policy.max_items)
        assert score.fresh or score.oldest is None
    assert [score.place for score in scores] == list(range(1, len(scores) + 1))
    if policy.mode == "theme":
        ranks = [
            (score.stock == 0, score.stock < policy.min_items, -score.score) for score in scores
        ]
        assert ranks == sorted(ranks)


def test_a_theme_of_twice_the_weight_comes_twice_as_often() -> None:
    """Three themes, one of weight 2, all with plenty: of 40 issues it leads about half."""
    themes = tuple(
        Theme(id=ThemeId(name), label=name, weight=weight)
        for name, weight in (("locks", 2.0), ("tides", 1.0), ("mills", 1.0))
    )
    library = [one for theme in themes for one in _many(theme.id, 200)]

    found = plan(slots(40), library, themes=themes, history=(), policy=Policy(max_items=4))

    leads = [one.issue.theme for one in found if one.issue]
    assert 18 <= leads.count(ThemeId("locks")) <= 22
    assert abs(leads.count(ThemeId("tides")) - leads.count(ThemeId("mills"))) <= 2


# Guests, and what people ask for.


def test_what_waited_too_long_for_its_theme_is_a_guest() -> None:
    """The oldest of a theme too thin to lead takes the last place; one guest an issue."""
    library = [
        *_many("locks", 30, date=_ago(1)),
        summary("old", "wells", date=_ago(27)),
        summary("older", "weirs", date=_ago(30)),
        summary("young", "mills", date=_ago(20)),
    ]

    found = plan(slots(3), library, themes=THEMES, history=(), policy=Policy(max_items=4))

    assert [len(_ids(one)) for one in found] == [4, 4, 4]
    assert [_ids(one)[-1] for one in found[:2]] == ["older", "old"]
    assert {item.theme for item in found[2].issue.items if found[2].issue} == {"locks"}  # type: ignore[union-attr] # has one


def test_an_undated_one_does_not_wait_for_ever() -> None:
    """Nobody knows its age; all the same it is out before a theme too thin to lead has starved."""
    busy = [
        summary(f"{slot.issue}-{number}", "locks", date=slot.at)
        for slot in slots(60)
        for number in range(6)
    ]
    library = [*busy, summary("undated", "wells")]

    found = plan(slots(60), library, themes=THEMES, history=(), policy=Policy())

    assert "undated" in {name for one in found for name in _ids(one)}


def test_dropped_ones_stay_out_and_kept_ones_stay_in() -> None:
    """What people took out of an issue is not put back; the place is filled by rule."""
    library = [summary(f"n{weeks}", "locks", date=_ago(weeks)) for weeks in range(6)]
    policy = Policy(min_items=2, max_items=3)
    first = pick(_SLOT, library, themes=THEMES, history=(), policy=policy)
    assert first.issue is not None
    keep = tuple(item for item in first.issue.items if item.id != "n4")

    again = pick(
        _SLOT,
        library,
        themes=THEMES,
        history=(),
        policy=policy,
        wish=Wish(theme=first.issue.theme, keep=keep, dropped=("n4",)),
    )

    assert _ids(first) == ["n3", "n4", "n5"]
    assert _ids(again) == ["n3", "n5", "n2"]


def test_wishes_of_a_plan_hold_for_their_issue_alone() -> None:
    """What is dropped from one week's issue is free for the next."""
    library = [summary(f"n{weeks}", "locks", date=_ago(weeks)) for weeks in range(4)]
    two = slots(2)

    found = plan(
        two,
        library,
        themes=THEMES,
        history=(),
        policy=Policy(min_items=2, max_items=2),
        wishes={two[0].issue: Wish(dropped=("n3",))},
    )

    assert [_ids(one) for one in found] == [["n1", "n2"], ["n0", "n3"]]
