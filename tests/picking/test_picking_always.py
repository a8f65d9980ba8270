"""What holds for every library, every history and every policy."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from picking.libraries import (
    FIRST,
    NAMES,
    THEMES,
    clashes,
    libraries,
    past,
    pasts,
    policies,
    published,
    slots,
    summary,
)

from digest.model import History, Issue, Pick, Summary, Theme, ThemeId
from digest.picking import Policy, Selection, Wish, explain, life, pick, plan

_SLOT = slots(1)[0]


@st.composite
def _scenes(draw: st.DrawFn) -> tuple[list[Summary], History, Policy]:
    library = draw(libraries())
    return library, draw(pasts(library)), draw(policies)


def _issues(found: tuple[Selection, ...]) -> list[Issue]:
    return [selection.issue for selection in found if selection.issue is not None]


@given(scene=_scenes(), dice=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=80)
def test_order_of_what_is_given_does_not_matter(
    scene: tuple[list[Summary], History, Policy], dice: Random
) -> None:
    """Summaries and history in any order give the same plan, with the same reasons, and lives."""
    library, history, policy = scene
    mixed, other = list(library), list(history)
    dice.shuffle(mixed)
    dice.shuffle(other)

    one = plan(slots(3), library, themes=THEMES, history=history, policy=policy)
    two = plan(slots(3), mixed, themes=THEMES, history=tuple(other), policy=policy)
    lives = life(library, at=FIRST, themes=THEMES, history=history, policy=policy)
    again = life(mixed, at=FIRST, themes=THEMES, history=tuple(other), policy=policy)

    assert one == two
    assert {found.id: state for found, state in lives} == {
        found.id: state for found, state in again
    }


@given(scene=_scenes(), weeks=st.integers(1, 8))
@settings(deadline=None, max_examples=100)
def test_nothing_comes_twice(scene: tuple[list[Summary], History, Policy], weeks: int) -> None:
    """No id, no address and no text like another comes again, but after its cooldown."""
    library, history, policy = scene
    by_id = {found.id: found for found in library}

    found = plan(slots(weeks), library, themes=THEMES, history=history, policy=policy)

    made = [published(issue, by_id) for issue in _issues(found)]
    assert clashes(history, made, by_id, policy) == []


@given(scene=_scenes())
@settings(deadline=None, max_examples=100)
def test_only_what_waits_is_picked_and_all_that_waits_can_be(
    scene: tuple[list[Summary], History, Policy],
) -> None:
    """`life`, `pick` and the count of fresh ones agree on each summary."""
    library, history, policy = scene
    policy = replace(policy, mode="theme", min_items=1, max_items=20, when_thin="short")
    # Which of two texts alike goes depends on whose theme leads first: that is for another test.
    policy = replace(policy, max_per_source=None, max_per_author=None, similarity=0)
    given_ = {"themes": THEMES, "history": history, "policy": policy}
    lives = life(library, at=FIRST, **given_)  # type: ignore[arg-type] # as named
    waiting = {found.id for found, state in lives if state == "waiting"}

    picked: set[str] = set()
    for theme in (*NAMES, "other"):
        if theme in {*NAMES[:4], "other"} or any(theme in one.themes for one in library):
            wish = Wish(theme=ThemeId(theme))
            selection = pick(_SLOT, library, wish=wish, **given_)  # type: ignore[arg-type] # as named
            picked |= {item.id for item in selection.issue.items} if selection.issue else set()
            assert sum(score.fresh for score in selection.scores) == len(waiting)

    assert len(lives) == len(library)
    assert picked == waiting


@given(scene=_scenes())
@settings(deadline=None, max_examples=60)
def test_explanations_agree_with_the_pick(scene: tuple[list[Summary], History, Policy]) -> None:
    """`explain` says of each summary what `pick` did; sizes and caps hold; items have reasons."""
    library, history, policy = scene
    found = pick(_SLOT, library, themes=THEMES, history=history, policy=policy)
    by_id = {one.id: one for one in library}
    items = found.issue.items if found.issue else ()
    ids = [item.id for item in items]

    assert (found.issue is None) is bool(found.skipped)
    assert len(ids) == len(set(ids)) <= policy.max_items
    assert all(item.reason for item in items)
    for cap, names in (
        (policy.max_per_source, [by_id[name].source for name in ids if by_id[name].source]),
        (policy.max_per_author, [author for name in ids for author in by_id[name].authors]),
    ):
        assert cap is None or max(Counter(names).values(), default=0) <= cap
    for name in by_id:
        told = explain(name, _SLOT, library, themes=THEMES, history=history, policy=policy)
        assert told.included is (name in ids)
        assert told.steps[-1].startswith("in: " if told.included else "out: ")


@given(scene=_scenes(), dice=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_what_people_asked_goes_before_the_rules(
    scene: tuple[list[Summary], History, Policy], dice: Random
) -> None:
    """What was dropped stays out, what is kept and may go stays in, and the theme is theirs."""
    library, history, policy = scene
    given_ = {"themes": THEMES, "history": history, "policy": replace(policy, max_per_author=None)}
    plain = pick(_SLOT, library, **given_)  # type: ignore[arg-type] # as named
    if plain.issue is None:
        return
    items = list(plain.issue.items)
    dice.shuffle(items)
    keep, dropped = items[: len(items) // 2], {item.id for item in items[len(items) // 2 :]}
    wish = Wish(theme=plain.issue.theme or None, keep=tuple(keep), dropped=tuple(sorted(dropped)))

    again = pick(_SLOT, library, wish=wish, **given_)  # type: ignore[arg-type] # as named

    ids = [item.id for item in again.issue.items] if again.issue else []
    assert not dropped & set(ids)
    if again.issue is not None:
        assert [name for name in ids if name in {item.id for item in keep}] == [
            item.id for item in keep
        ]
        assert again.issue.theme == plain.issue.theme
        assert len(ids) <= policy.max_items


@given(
    count=st.integers(2, 5),
    policy=st.builds(Policy, min_items=st.integers(1, 3), max_items=st.integers(3, 8)),
    rich=st.lists(st.booleans(), min_size=5, max_size=5),
    led=st.lists(st.integers(0, 5), max_size=4),
    dice=st.randoms(use_true_random=False),
)
@settings(deadline=None, max_examples=40)
def test_no_theme_that_stays_eligible_waits_longer_than_there_are_themes(
    *, count: int, policy: Policy, rich: list[bool], led: list[int], dice: Random
) -> None:
    """Of K themes of weight 1 each leads at least every K issues, however old and many they are.

    Rich themes get many new summaries each week, poor ones just what keeps them going, of any age.
    Who led before does not matter.
    """
    themes = tuple(Theme(id=ThemeId(name), label=name) for name in NAMES[:count])
    history: History = tuple(
        past(f"2026-w{40 + week}", NAMES[place]) for week, place in enumerate(led) if place < count
    )
    library: list[Summary] = []
    leads: list[str] = []
    fresh = Counter[str]()
    for week, slot in enumerate(slots(4 * count)):
        for place, theme in enumerate(themes):
            new = max(0, policy.min_items - fresh[theme.id]) + (dice.randrange(9) * rich[place])
            library += [
                summary(
                    f"{theme.id}-{week}-{number}",
                    theme.id,
                    date=slot.at.replace(year=slot.at.year - dice.randrange(4), day=1),
                    weight=dice.randrange(-9, 9),
                )
                for number in range(new)
            ]
            fresh[theme.id] += new
        issue = pick(slot, library, themes=themes, history=history, policy=policy).issue
        assert issue is not None
        leads.append(issue.theme)
        by_id = {found.id: found for found in library}
        fresh.subtract(by_id[item.id].themes[0] for item in issue.items)
        history = (*history, published(issue, by_id))

    for theme in themes:
        turns = [number for number, leader in enumerate(leads) if leader == theme.id]
        assert turns[0] < count
        assert len(leads) - turns[-1] <= count
        assert all(later - turn <= count for turn, later in pairwise(turns))


_FINITE = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.one_of(st.none(), st.integers(0, 90)),
        st.sampled_from([0.0, 0.0, 9.0, -10.0]),
        st.sampled_from(["", "Board", "Club"]),
        st.booleans(),
    ),
    max_size=14,
)


@given(
    drawn=_FINITE,
    policy=policies,
    when_thin=st.sampled_from(["borrow", "short"]),
)
@settings(deadline=None, max_examples=60)
def test_all_that_may_go_is_sent_in_the_end(
    drawn: list[tuple[str, int | None, float, str, bool]], policy: Policy, when_thin: str
) -> None:
    """In as many weeks as there are summaries all of a library are out, each of them once."""
    policy = replace(policy, when_thin=when_thin, max_age=None)  # type: ignore[arg-type] # drawn
    library = _finite(drawn)

    found = plan(slots(len(library)), library, themes=THEMES, history=(), policy=policy)

    sent = [item.id for issue in _issues(found) for item in issue.items]
    assert sorted(sent) == sorted(one.id for one in library)


@given(drawn=_FINITE, policy=policies)
@settings(deadline=None, max_examples=60)
def test_where_thin_issues_are_skipped_only_what_is_too_little_stays(
    drawn: list[tuple[str, int | None, float, str, bool]], policy: Policy
) -> None:
    """What is not sent in the end are fewer of each theme, or in all, than an issue should hold."""
    policy = replace(policy, when_thin="skip", max_age=None)
    policy = replace(policy, max_per_source=None, max_per_author=None)
    library = _finite(drawn)

    found = plan(slots(len(library) + 1), library, themes=THEMES, history=(), policy=policy)

    sent = {item.id for issue in _issues(found) for item in issue.items}
    left = Counter(
        "all" if policy.mode == "mixed" else one.themes[0] for one in library if one.id not in sent
    )
    assert all(count < policy.min_items for count in left.values())


def _finite(drawn: list[tuple[str, int | None, float, str, bool]]) -> list[Summary]:
    return [
        summary(
            f"n{place}",
            theme,
            date=None if weeks is None else FIRST.replace(year=2026, month=1 + weeks % 12),
            weight=weight,
            source=source,
            pin=pin,
        )
        for place, (theme, weeks, weight, source, pin) in enumerate(drawn)
    ]


def test_evergreens_do_not_keep_others_out() -> None:
    """What may come again every week takes its turn: new ones are sent all the same."""
    again = [
        summary(f"green-{n}", "locks", cooldown=0, date=FIRST.replace(year=2020)) for n in range(6)
    ]
    weekly = [summary(f"new-{n}", "locks", date=slot.at) for n, slot in enumerate(slots(12))]

    found = plan(
        slots(40), [*again, *weekly], themes=THEMES, history=(), policy=Policy(max_items=6)
    )

    sent = {item.id for issue in _issues(found) for item in issue.items}
    assert {one.id for one in weekly} <= sent


def test_kept_items_that_may_not_go_any_more_are_replaced() -> None:
    """Of what an issue holds, drafts, withdrawn ones and the like leave it, and others come in."""
    library = [
        summary("draft", "locks", draft=True),
        summary("withdrawn", "locks", withdrawn=True),
        summary("later", "locks", not_before=FIRST + timedelta(days=1)),
        summary("lapsed", "locks", not_after=FIRST),
        summary("good-0", "locks", supersedes=("superseded",)),
        summary("superseded", "locks"),
        *(summary(f"good-{n}", "locks") for n in range(1, 4)),
    ]
    kept = ("draft", "withdrawn", "later", "lapsed", "superseded", "gone", "good-3")
    keep = tuple(Pick(id=name, theme=ThemeId("locks"), reason="") for name in kept)

    found = pick(
        _SLOT,
        library,
        themes=THEMES,
        history=(),
        policy=Policy(min_items=3, max_items=3),
        wish=Wish(theme=ThemeId("locks"), keep=keep),
    )

    assert found.issue is not None
    assert [item.id for item in found.issue.items] == ["good-3", "good-0", "good-1"]
    assert [left.id for left in found.issue.left_out[:6]] == list(kept[:6])
