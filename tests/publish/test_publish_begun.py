"""Issue files that people begin: the rules pick for them, and every word stays."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from publish.disk import kept
from publish.hands import LATER, NOW, W49, W50, build, ids, issue_of, make_letter, refill, write
from publish.tick.ticking import Letter, moment

from digest.errors import GuardError, IssueFileError, UsageError
from digest.model import ThemeId
from digest.publish.build import build_issue
from digest.publish.plan import plan_issues, why
from digest.publish.release import publish_issue

Make = Callable[..., Path]
_BEGUN = [
    ("---\ntheme: tides\n---\n", "tides", ["tides1", "tides2", "tides3"]),
    ("---\r\ntheme: Tides # at last\r\n---\r\n", "tides", ["tides1", "tides2", "tides3"]),
    (
        "---\n# Mine.\nsubject: Ice: part 2\n\npreheader:   'so'\n---\n\n## Hello\n\n{{ x }}  \n",
        "locks",
        ["locks1", "locks2", "locks3"],
    ),
    (
        "---\nissue: 2026-w49\ndropped: # not these\n  - locks2 # dull\n  - {id: locks3}\n---\n",
        "locks",
        ["locks1", "locks4", "locks5"],
    ),
    (
        "---\ntitle: Water\nitems:  # to come\nhold: wait\n---\n",
        "locks",
        ["locks1", "locks2", "locks3"],
    ),
    ("\ufeff---\nitems:\n---\nHello.", "locks", ["locks1", "locks2", "locks3"]),
]


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter of five notes on locks, which lead, and four on tides."""
    return make_letter(newsletter)


def _lines_added(before: str, after: str) -> str:
    """Give the lines that were added; fail where one went or changed."""
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    assert {step[0] for step in steps} <= {"equal", "insert"}
    return "".join("".join(new[step[3] : step[4]]) for step in steps if step[0] == "insert")


@pytest.mark.parametrize(("text", "theme", "items"), _BEGUN)
def test_file_without_items_is_picked_for(
    letter: Letter, text: str, theme: str, items: list[str]
) -> None:
    """What people wrote stays, byte for byte; the pick, as planned, comes into the header."""
    file = write(letter, text)
    before = kept(letter.root)
    planned = plan_issues(letter.project, now=moment(NOW), weeks=1)[0][0]
    dry = build(letter, dry_run=True)
    assert kept(letter.root) == before

    built = build(letter)

    assert (planned.state, planned.selection is not None) == ("planned", True)
    assert planned.issue is not None
    assert built.issue is not None
    assert (planned.issue.theme, [pick.id for pick in planned.issue.items]) == (theme, items)
    assert (built.issue.theme, ids(built)) == (theme, items)
    assert built.issue.items == planned.issue.items
    assert built.changed == dry.changed
    added = _lines_added(text, file.read_bytes().decode())
    assert all(f"- id: {item}" in added for item in items)
    assert ("\r" in added) is ("\r" in text)
    assert added.isascii()


@pytest.mark.parametrize(("text", "theme", "items"), _BEGUN)
def test_picked_file_is_used_as_it_stands_from_then_on(
    letter: Letter, text: str, theme: str, items: list[str]
) -> None:
    """A second build changes nothing, nor one with the rules asked again; the plan says picked."""
    write(letter, text)
    build(letter)
    before = kept(letter.root)

    assert ids(build(letter, at=LATER)) == items
    assert ids(refill(letter)) == items
    assert kept(letter.root) == before
    planned = plan_issues(letter.project, now=moment(NOW), weeks=1)[0][0]
    assert (planned.state, planned.issue) == ("picked", issue_of(letter))
    assert issue_of(letter).theme == theme


def test_words_of_people_are_in_the_edition(letter: Letter) -> None:
    """Subject and introduction of a file without items are those of the issue that goes out."""
    write(letter, "---\nsubject: Ice\n---\n\nHello from the lock.\n")
    built = build(letter)
    publish_issue(letter.project, W49, now=moment(NOW))

    assert built.edition is not None
    assert built.edition.subject == "Ice"
    assert b"Hello from the lock." in built.edition.files["page.html"]


def test_file_without_items_reserves_nothing(letter: Letter) -> None:
    """Until it is built its theme is only a wish; what is built first takes what it may."""
    write(letter, "---\ntheme: locks\n---\n", W50)

    assert ids(build(letter)) == ["locks1", "locks2", "locks3"]
    assert ids(build(letter, W50, LATER)) == ["locks4", "locks5"]


def test_file_without_items_cannot_be_published(letter: Letter) -> None:
    """Also where an edition of before lies in the outbox: it must be picked again."""
    build(letter)
    write(letter, "---\nsubject: Ice\n---\n")

    with pytest.raises(UsageError, match="2026-w49 has no items yet") as caught:
        publish_issue(letter.project, W49, now=moment(NOW))
    assert caught.value.problems[0].fix == "run `digest build 2026-w49` first"


def test_empty_list_is_a_choice(letter: Letter) -> None:
    """`items: []` is an issue of nothing, which nobody picks for."""
    file = write(letter, "---\nitems: []\n---\n")
    before = file.read_bytes()
    planned = plan_issues(letter.project, now=moment(NOW), weeks=1)[0][0]

    assert planned.state == "picked"
    assert ids(build(letter)) == []
    assert file.read_bytes() == before
    with pytest.raises(GuardError, match="has no items"):
        publish_issue(letter.project, W49, now=moment(NOW))


def test_theme_may_be_asked_for_by_either_way(letter: Letter) -> None:
    """The command names it where the file does not; where both do, they must agree."""
    write(letter, "---\nsubject: Ice\n---\n")
    tides = ThemeId("tides")
    built = build_issue(letter.project, W49, now=moment(NOW), theme=tides, dry_run=True)
    assert ids(built) == ["tides1", "tides2", "tides3"]

    write(letter, "---\ntheme: tides\n---\n")
    same = build_issue(letter.project, W49, now=moment(NOW), theme=tides, dry_run=True)
    assert ids(same) == ["tides1", "tides2", "tides3"]
    with pytest.raises(GuardError, match="asks for the theme tides"):
        build_issue(letter.project, W49, now=moment(NOW), theme=ThemeId("locks"))
    build(letter)
    with pytest.raises(GuardError, match="is already picked, with the theme tides"):
        build_issue(letter.project, W49, now=moment(NOW), theme=ThemeId("locks"))


@pytest.mark.parametrize(
    ("items", "ask"),
    [
        ("", build),
        ("items: [locks1]\n", refill),
        ("", lambda letter: plan_issues(letter.project, now=moment(NOW), weeks=2)),
        ("", lambda letter: why(letter.project, "locks1", key=W49, now=moment(NOW))),
        ("", lambda letter: why(letter.project, "locks", key=W49, now=moment(NOW))),
    ],
)
def test_theme_that_nobody_has_is_told_with_its_file(
    letter: Letter, items: str, ask: Callable[[Letter], object]
) -> None:
    """A slip of the pen in one file is named with that file."""
    write(letter, f"---\ntheme: tide\n{items}---\n")

    with pytest.raises(IssueFileError, match="there is no theme 'tide'") as caught:
        ask(letter)

    assert caught.value.problems[0].where == "content/issues/2026-w49.md"
    assert "tides" in caught.value.problems[0].fix
