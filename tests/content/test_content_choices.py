"""What is picked for an issue goes into its file, and changes nothing that it need not."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from digest.content import items_text, parse_issue
from digest.errors import ContentError
from digest.model import Issue, IssueKey, LeftOut, Pick, ThemeId, WeeklyTime, clean_line

KEY = IssueKey("2026-w49")
BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = WeeklyTime(weekday=0, hour=9, minute=0)
BIRDS = ThemeId("birds")
ISSUE = Issue(
    slot=MONDAY.slot(KEY, BERLIN),
    theme=BIRDS,
    items=(Pick(id="owls", theme=BIRDS, reason=""), Pick(id="mice", theme=BIRDS, reason="")),
)


def parse(text: str) -> Issue:
    """Read an issue of a Monday at nine in Berlin."""
    return parse_issue(
        text.encode(), where="content/issues/a.md", key=KEY, send=MONDAY, zone=BERLIN
    )


def chosen(issue: Issue) -> tuple[object, ...]:
    """Give what is written of an issue."""
    names = ("theme", "theme_reason", "picked", "items", "left_out", "dropped")
    return tuple(getattr(issue, name) for name in names)


def test_issue_that_was_not_picked_gets_its_items_at_the_end() -> None:
    """Words, comments, order and the introduction stay as people wrote them."""
    before = "---\n# mine\nsubject: Owls: part #2\n\ntheme: Birds # of prey\n---\n\nHello.\n"
    issue = replace(
        ISSUE,
        theme_reason="named: by the file",
        items=(replace(ISSUE.items[0], reason="waits\nlongest"),),
        left_out=(LeftOut(id="cats", reason="no place"),),
        dropped=(LeftOut(id="rats", reason=""),),
    )
    after = items_text(before, issue)
    assert after == before.replace(
        "---\n\nHello.",
        'theme_reason: "named: by the file"\n'
        "items:\n  - id: owls\n    theme: birds\n    reason: waits longest\n"
        "left_out:\n  - id: cats\n    reason: no place\ndropped:\n  - id: rats\n---\n\nHello.",
    )
    assert items_text(after, issue) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # What says the same stays, in whatever form.
        ("items: [owls, mice]\n", "items: [owls, mice]\n"),
        ("items:\n- owls # o\n\n- {id: mice}\n", "items:\n- owls # o\n\n- {id: mice}\n"),
        # Elements that stay keep their lines, and the comment above them.
        ("items:\n  - owls # o\n", "items:\n  - owls # o\n@mice"),
        (
            "items: # i\n  # top\n  - cats\n# of m\n  - mice # m\n\n  - owls\n  # end\nhold: x\n",
            "items: # i\n  # top\n\n  - owls\n# of m\n  - mice # m\n  # end\nhold: x\n",
        ),
        (
            "items:\n- mice\n- {id: cats}\nhold: x\n",
            "items:\n- id: owls\n  theme: birds\n- mice\n#",
        ),
        (
            "items:\n   -\n      id: mice\n   - id: rats\n     reason: |\n       - a\n       # b\n",
            "items:\n   - id: owls\n     theme: birds\n   -\n      id: mice\n",
        ),
        # Lists of another shape are written anew; what follows stays.
        ("items: [\n  rats,\n]\n# c\nhold: x\n", "items:\n@owls@mice# c\n#"),
        ("items: [cats,\n  mice] # two\nhold: x\n", "items:\n@owls@mice#"),
        ("items: cats\nhold: x\n", "items:\n@owls@mice#"),
        ("items: {id: cats}\n", "items:\n@owls@mice"),
        ("items: ~\nhold: x\n", "items:\n@owls@mice#"),
        ("items: []\n\n\nhold: x\n", "items:\n@owls@mice\n\n#"),
        ("items:\n  - owls\n  - owls\nhold: x\n", "items:\n@owls@mice#"),
        ("items: !!seq\n  - owls\nhold: x\n", "items:\n@owls@mice#"),
        # An empty key is one to be filled.
        ("items:  # to come\n  # soon\nhold: x\n", "items:  # to come\n  # soon\n@owls@mice#"),
        ('"items":\nhold: x\n', '"items":\n@owls@mice#'),
    ],
)
def test_list_changes_as_little_as_it_can(before: str, after: str) -> None:
    """Elements that stay keep their words, in the order of the issue; others are written anew."""
    for name in ("owls", "mice"):
        after = after.replace(f"@{name}", f"  - id: {name}\n    theme: birds\n")
    if after.endswith("#"):
        after = f"{after[:-1]}hold: x\n"
    found = items_text(f"---\ntheme: birds\n{before}---\n", ISSUE)
    assert found == f"---\ntheme: birds\n{after}---\n"
    assert chosen(parse(found)) == chosen(ISSUE)
    assert items_text(found, ISSUE) == found


def test_item_that_had_the_theme_of_the_issue_is_under_the_new_one() -> None:
    """An item without a theme of its own follows the issue only as far as it is meant to."""
    text = "---\ntheme: fish\nitems:\n  - owls\n  - mice # m\n---\n"
    fish = replace(ISSUE.items[0], theme=ThemeId("fish"))
    issue = replace(ISSUE, items=(fish, ISSUE.items[1]))
    assert items_text(text, issue) == (
        "---\ntheme: birds\nitems:\n  - id: owls\n    theme: fish\n  - mice # m\n---\n"
    )


def test_item_that_was_out_before_says_where() -> None:
    """The issue comes into its lines, goes out of them, and stays as people wrote it."""
    again = replace(ISSUE, items=(replace(ISSUE.items[0], repeat="2026-w01"), ISSUE.items[1]))
    plain = "---\ntheme: birds\nitems:\n  - owls\n  - mice # m\n---\n"
    marked = plain.replace("- owls", '- id: owls\n    theme: birds\n    repeat: "2026-w01"')
    typed = plain.replace("- owls", "- {id: owls, repeat: 2026-w01} # o")
    assert items_text(plain, again) == marked
    assert items_text(marked, again) == marked
    assert items_text(typed, again) == typed
    assert items_text(marked, ISSUE) == plain.replace("- owls", "- id: owls\n    theme: birds")


def test_key_without_a_value_is_taken_out() -> None:
    """Where nothing is left of a list or theme, its lines go; an empty pick stays a pick."""
    text = (
        "---\ntheme: birds\ntheme_reason: x\nitems: [owls] # o\nleft_out: []\n"
        "dropped:\n  - rats\n# c\nhold: x\n---\n"
    )
    empty = replace(ISSUE, theme=ThemeId(""), items=())
    assert items_text(text, empty) == "---\nitems: []\n# c\nhold: x\n---\n"
    unpicked = replace(empty, picked=False)
    assert items_text(text, unpicked) == "---\n# c\nhold: x\n---\n"
    assert items_text("---\nitems:\n---\n", empty) == "---\nitems: []\n---\n"


def test_last_key_above_a_comment_stays_empty() -> None:
    """Between two lines `---` a comment alone would be no header, but text of the introduction."""
    unpicked = replace(ISSUE, theme=ThemeId(""), items=(), picked=False)
    for end in ("\n", "\r\n"):
        text = "---\nitems: [owls]\n# c\n---\n".replace("\n", end)
        after = items_text(text, unpicked)
        assert after == "---\nitems:\n# c\n---\n".replace("\n", end)
        assert not parse(after).picked
        assert items_text(after, unpicked) == after


def test_an_id_is_written_into_one_list() -> None:
    """Items go before dropped, and dropped before left out, as they do when read."""
    issue = replace(
        ISSUE,
        left_out=tuple(LeftOut(id=one, reason="x") for one in ("owls", "rats", "cats")),
        dropped=tuple(LeftOut(id=one, reason="by Bo") for one in ("mice", "rats")),
    )
    text = items_text("---\n---\n", issue)
    assert text.endswith(
        "left_out:\n  - id: cats\n    reason: x\ndropped:\n  - id: rats\n    reason: by Bo\n---\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Hello.\n",
        "---\n{theme: fish, hold: x}\n---\n",
        "---\n  theme: fish\n---\n",
        "---\nitems: [cats\n---\n",
        "---\nitems: &i [cats]\nextra: *i\n---\n",
        "---\nhold: [a]\nhold: b\n---\n",
    ],
)
def test_header_that_takes_no_items_is_refused(text: str) -> None:
    """Nothing is written that could not be read back."""
    with pytest.raises(ContentError):
        items_text(text, ISSUE)


LINES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["no", "~", "a: b #c", "# x", "- x", "---", "'", '"', "[", "a\nb"]),
)
IDS = st.sampled_from(["owls", "mice", "cats", "a: b", "#1", "no", "- x", "é"])
THEMES = st.sampled_from(["", "birds", "no"]).map(ThemeId)
REPEATS = st.sampled_from(["", "2026-w01"])
LEFT_OUT = st.lists(
    st.builds(LeftOut, id=IDS, reason=LINES), max_size=4, unique_by=lambda one: one.id
).map(tuple)
ISSUES = st.builds(
    Issue,
    slot=st.just(ISSUE.slot),
    theme=THEMES,
    theme_reason=LINES,
    picked=st.booleans(),
    items=st.lists(
        st.builds(Pick, id=IDS, theme=THEMES, reason=LINES, repeat=REPEATS),
        max_size=4,
        unique_by=lambda one: one.id,
    ).map(tuple),
    left_out=LEFT_OUT,
    dropped=LEFT_OUT,
)
# Lists as people type them; the ids of one header are never the same in two of its lists.
LISTS = (
    "{}:",
    "{}: # to come",
    "{}: []",
    "{}: [owls, 'a: b']",
    "{}:\n- owls\n\n- mice # m\n# c",
    "{}:\n  # top\n  - id: cats\n    reason: >-\n      - a\n      # b\n  # m\n  - mice\n  # end",
    "{}:\n  - {{id: owls, reason: x}}\n  -\n    id: 'no'\n    reason: 'x'",
)
OTHERS = ("hold: x", "# theme: c", "subject: '#'", "title: |\n  a\n\n  # b", "", "skip:")


@st.composite
def files(draw: st.DrawFn) -> tuple[str, tuple[str, ...]]:
    """Make an issue file, and its lines that are none of those to be written."""
    kept = draw(st.lists(st.sampled_from(OTHERS), unique=True))
    keys = draw(st.lists(st.sampled_from(["items", "left_out", "dropped"]), unique=True))
    lists = [draw(st.sampled_from(LISTS)).format(key) for key in keys]
    words = draw(st.lists(st.sampled_from(["theme: Birds", "theme_reason: a b"]), unique=True))
    header = draw(st.permutations([*kept, *lists, *words]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = "\n".join(["---", *header, "---", "", "items:", "  - none", "Hello."])
    return text.replace("\n", end), tuple(f"{one}\n".replace("\n", end) for one in kept)


@given(files(), ISSUES)
@settings(deadline=None, max_examples=100)
def test_any_issue_goes_into_any_file(file: tuple[str, tuple[str, ...]], issue: Issue) -> None:
    """It is read back as it was picked, once more changes nothing, all else is as it was."""
    before, kept = file
    after = items_text(before, issue)
    assert items_text(after, issue) == after
    assert all(line in after for line in kept)
    end = "\r\n" if "\r\n" in before else "\n"
    assert after.count("\n") == after.count(end)
    old, new = parse(before), parse(after)
    assert (new.theme, new.theme_reason) == (issue.theme, clean_line(issue.theme_reason))
    assert new.picked == (issue.picked or bool(issue.items))
    lines = tuple(replace(one, reason=clean_line(one.reason)) for one in issue.items)
    assert new.items == lines
    shown = {one.id for one in issue.items}
    dropped = tuple(one.id for one in issue.dropped if one.id not in shown)
    assert tuple(one.id for one in new.dropped) == dropped
    assert [one.id for one in new.left_out] == [
        one.id for one in issue.left_out if one.id not in {*shown, *dropped}
    ]
    words = {"subject": old.subject, "title": old.title, "hold": old.hold, "skip": old.skip}
    assert {name: getattr(new, name) for name in words} == words
    assert new.introduction == old.introduction
