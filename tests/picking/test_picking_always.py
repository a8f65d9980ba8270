"""What holds for every library, every history and every policy."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
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
    text,
)

from digest.model import History, Issue, Pick, Slot, Summary, Theme, ThemeId, sketch
from digest.picking import Policy, Repeats, Selection, WhenThin, Wish, explain, life, pick, plan

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


@given(scene=_scenes(), weeks=st.integers(1, 8), repeats=st.sampled_from(["never", "fill"]))
@settings(deadline=None, max_examples=100)
def test_nothing_comes_twice(
    scene: tuple[list[Summary], History, Policy], weeks: int, repeats: Repeats
) -> None:
    """No id, no address and no text like another comes again, but after its rest."""
    library, history, policy = scene
    policy = replace(policy, repeats=repeats)
    by_id = {found.id: found for found in library}

    found = plan(slots(weeks), library, themes=THEMES, history=history, policy=policy)

    made = [published(issue, by_id) for issue in _issues(found)]
    assert clashes(history, made, by_id, policy) == []


@given(scene=_scenes())
@settings(deadline=None, max_examples=100)
def test_only_what_waits_is_picked_and_all_that_waits_can_be(
    scene: tuple[list[Summary], History, Policy],
) -> None:
    """`life`, `pick` and the count of fresh ones agree on each summary.

    With room for all, only a cap or the text of another one in the issue keeps out what waits.
    """
    library, history, policy = scene
    policy = replace(policy, mode="theme", min_items=1, max_items=20, when_thin="short")
    given_ = {"themes": THEMES, "history": history, "policy": policy}
    lives = life(library, at=FIRST, **given_)  # type: ignore[arg-type] # as named
    waiting = {found.id for found, state in lives if state == "waiting"}

    picked: set[str] = set()
    kept_out: set[str] = set()
    for theme in (*NAMES, "other"):
        if theme in {*NAMES[:4], "other"} or any(theme in one.themes for one in library):
            wish = Wish(theme=ThemeId(theme))
            selection = pick(_SLOT, library, wish=wish, **given_)  # type: ignore[arg-type] # as named
            picked |= {item.id for item in selection.issue.items} if selection.issue else set()
            kept_out |= _kept_out(selection)
            assert sum(score.fresh for score in selection.scores) == len(waiting)

    assert len(lives) == len(library)
    assert picked <= waiting <= picked | kept_out


def _kept_out(selection: Selection) -> set[str]:
    """Name what a cap or a text that is in the issue kept out of it."""
    left = selection.issue.left_out if selection.issue else ()
    told = ("; the issue already holds ", "; its text is that of ")
    return {one.id for one in left if any(words in one.reason for words in told)}


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


_SOURCES = st.sampled_from(["", "Board", "Club"])
_AUTHORS = st.sampled_from([(), (), ("Ada",), ("Bo",), ("Ada", "Bo")])
# None: a text of its own. Of the others some are equal, some 0.9 alike and some 0.6.
_WORDS = st.sampled_from([None, None, (1, 0), (1, 2), (1, 11), (2, 0), (2, 2)])


@given(
    count=st.integers(2, 5),
    policy=policies,
    rich=st.lists(st.booleans(), min_size=5, max_size=5),
    led=st.lists(st.integers(0, 5), max_size=4),
    dice=st.randoms(use_true_random=False),
)
@settings(deadline=None, max_examples=40)
def test_no_theme_that_stays_eligible_waits_longer_than_there_are_themes(
    *, count: int, policy: Policy, rich: list[bool], led: list[int], dice: Random
) -> None:
    """Of K themes of weight 1 each leads at least every K issues, however old and many they are.

    Each has `min_items` that no cap and no other text keeps out. Rich ones get others beside them
    each week, of any age, which caps and texts alike thin out. Who led before does not matter.
    """
    policy = replace(policy, mode="theme", max_age=None)
    themes = tuple(Theme(id=ThemeId(name), label=name) for name in NAMES[:count])
    history: History = tuple(
        past(f"2026-w{40 + week}", NAMES[place]) for week, place in enumerate(led) if place < count
    )
    library: list[Summary] = []
    leads: list[str] = []
    sent: set[str] = set()
    for slot in slots(4 * count):
        for place, theme in enumerate(themes):
            library += _stocked(theme.id, library, sent, least=policy.min_items, dice=dice)
            if rich[place]:
                library += _crowd(theme.id, len(library), slot.at, dice=dice)
        issue = pick(slot, library, themes=themes, history=history, policy=policy).issue
        assert issue is not None
        leads.append(issue.theme)
        sent |= {item.id for item in issue.items}
        history = (*history, published(issue, {found.id: found for found in library}))

    for theme in themes:
        turns = [number for number, leader in enumerate(leads) if leader == theme.id]
        assert turns[0] < count
        assert len(leads) - turns[-1] <= count
        assert all(later - turn <= count for turn, later in pairwise(turns))


def _stocked(
    theme: str, library: list[Summary], sent: set[str], *, least: int, dice: Random
) -> list[Summary]:
    """Make what a theme lacks of summaries that nothing can keep out of an issue."""
    free = sum(
        one.themes == (theme,) and not (one.source or one.authors) and one.id not in sent
        for one in library
    )
    return [
        summary(f"{theme}-{len(library) + number}-free", theme, weight=dice.randrange(-9, 9))
        for number in range(least - free)
    ]


def _crowd(theme: str, first: int, at: datetime, *, dice: Random) -> list[Summary]:
    """Make summaries of a few sources, authors and texts, of any age."""
    return [
        summary(
            f"{theme}-{first + number}",
            theme,
            title="Twins",
            body=text(dice.randrange(4), changed=dice.choice([0, 2, 11])),
            date=at.replace(year=at.year - dice.randrange(4), day=1),
            weight=dice.randrange(-9, 9),
            source=dice.choice(["Board", "Club"]),
            authors=tuple(dice.sample(["Ada", "Bo", "Cy"], dice.randrange(3))),
        )
        for number in range(dice.randrange(9))
    ]


@st.composite
def _finite(draw: st.DrawFn) -> list[Summary]:
    """Draw summaries that may all go at once but for caps and texts that are alike."""
    library = []
    for place in range(draw(st.integers(0, 14))):
        months, words = draw(st.one_of(st.none(), st.integers(1, 12))), draw(_WORDS)
        library.append(
            summary(
                f"n{place}",
                draw(st.sampled_from(NAMES[2:])),
                title="Twins" if words else f"Title of n{place}",
                body=text(words[0], changed=words[1]) if words else f"Words of n{place}.",
                date=None if months is None else FIRST.replace(year=2026, month=months),
                weight=draw(st.sampled_from([0.0, 0.0, 9.0, -10.0])),
                source=draw(_SOURCES),
                authors=draw(_AUTHORS),
                pin=draw(st.booleans()),
            )
        )
    return library


def _enough(library: list[Summary], policy: Policy) -> tuple[Slot, ...]:
    """Give the weeks in which a library is sent: each time one, and its twins a window later."""
    return slots(len(library) * (1 + policy.repeat_window) + 1)


@given(
    library=_finite(),
    policy=policies,
    window=st.sampled_from([0, 1, 3]),
    when_thin=st.sampled_from(["borrow", "short"]),
)
@settings(deadline=None, max_examples=60)
def test_all_that_may_go_is_sent_in_the_end(
    library: list[Summary], policy: Policy, window: int, when_thin: WhenThin
) -> None:
    """Each is out in the end, once, with caps and texts alike; of equal texts just one is."""
    policy = replace(policy, when_thin=when_thin, repeat_window=window, max_age=None)
    by_id = {one.id: one for one in library}

    found = plan(_enough(library, policy), library, themes=THEMES, history=(), policy=policy)

    made = [published(issue, by_id) for issue in _issues(found)]
    sent = {item.id for past in made for item in past.items}
    texts = {sketch(by_id[name]) for name in sent} if policy.similarity else set()
    assert clashes((), made, by_id, policy) == []
    assert all(one.id in sent or sketch(one) in texts for one in library)
    assert found[-1].issue is None


_tight = st.builds(
    Policy,
    mode=st.sampled_from(["theme", "theme", "mixed"]),
    min_items=st.integers(2, 3),
    max_items=st.integers(3, 5),
    repeat_window=st.sampled_from([0, 1, 3]),
    when_thin=st.just("skip"),
    max_per_source=st.sampled_from([None, 1, 2]),
    max_per_author=st.sampled_from([None, 1]),
    similarity=st.sampled_from([0.0, 0.7]),
    max_wait=st.sampled_from([4, 26]),
)


@given(library=_finite(), policy=_tight)
@settings(deadline=None, max_examples=60)
def test_no_week_is_skipped_while_a_theme_could_fill_an_issue(
    library: list[Summary], policy: Policy
) -> None:
    """Where thin issues are skipped, no theme's own choice has `min_items` in a skipped week.

    Of a newsletter of mixed issues that is the choice from all themes. In the end only too little
    is left.
    """
    # One that goes out short, without guests, shows what a theme's own choice holds.
    alone = replace(policy, when_thin="short", max_wait=10_000)
    by_id = {one.id: one for one in library}
    weeks = _enough(library, policy)

    found = plan(weeks, library, themes=THEMES, history=(), policy=policy)

    history: History = ()
    themes = (
        [""] if policy.mode == "mixed" else sorted({name for one in library for name in one.themes})
    )
    for slot, selection in zip(weeks, found, strict=True):
        if selection.issue is not None:
            history = (*history, published(selection.issue, by_id))
            assert len(selection.issue.items) >= policy.min_items
            continue
        for theme in themes:
            wish = Wish(theme=ThemeId(theme))
            own = pick(slot, library, themes=THEMES, history=history, policy=alone, wish=wish)
            assert own.issue is None or len(own.issue.items) < policy.min_items
        if selection.skipped.startswith("nothing to send"):
            break
    # A guest may make a thin issue whole at any time; else nothing comes after the last one.
    if policy.similarity or policy.max_per_source or policy.max_per_author or found[-1].issue:
        return
    sent = {item.id for past in history for item in past.items}
    left = Counter(
        "all" if policy.mode == "mixed" else one.themes[0] for one in library if one.id not in sent
    )
    assert all(count < policy.min_items for count in left.values())


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
