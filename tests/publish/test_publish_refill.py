"""Issue files that people begin, change and thin out: what the rules put into them, and keep."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from publish.disk import kept
from publish.tick.ticking import Letter, moment

from digest.errors import GuardError, IssueFileError, UsageError
from digest.model import Issue, IssueKey, LeftOut, ThemeId
from digest.publish.build import Built, build_issue, drop_item
from digest.publish.plan import plan_issues, why
from digest.publish.release import publish_issue

Make = Callable[..., Path]

_W49, _W50 = IssueKey("2026-w49"), IssueKey("2026-w50")
_NOW = "2026-12-01T10:00:00+01:00"
_LATER = "2026-12-08T10:00:00+01:00"
_SETTINGS = """
[selection]
min_items = 2
max_items = 3

[[theme]]
id = "locks"

[[theme]]
id = "tides"
"""


def _note(theme: str, number: int, more: str = "") -> str:
    return (
        f"---\ntitle: {theme} {number}\ntheme: {theme}\n{more}---\n\nWords of {theme} {number}.\n"
    )


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter of five notes on locks, which lead, and four on tides."""
    notes = {
        f"content/{theme}{number}.md": _note(theme, number)
        for theme, count in (("locks", 5), ("tides", 4))
        for number in range(1, count + 1)
    }
    return Letter(root=newsletter(notes, settings=_SETTINGS))


def _path(letter: Letter, key: IssueKey = _W49) -> Path:
    return letter.root / f"content/issues/{key}.md"


def _write(letter: Letter, text: str, key: IssueKey = _W49) -> Path:
    file = _path(letter, key)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode())
    return file


def _build(letter: Letter, key: IssueKey = _W49, at: str = _NOW, *, dry_run: bool = False) -> Built:
    return build_issue(letter.project, key, now=moment(at), dry_run=dry_run)


def _refill(letter: Letter, *, dry_run: bool = False) -> Built:
    return build_issue(letter.project, _W49, now=moment(_NOW), refill=True, dry_run=dry_run)


def _drop(letter: Letter, name: str, reason: str = "", *, dry_run: bool = False) -> Built:
    return drop_item(
        letter.project,
        _W49,
        LeftOut(id=name, reason=reason),
        now=moment(_NOW),
        dry_run=dry_run,
    )


def _ids(built: Built) -> list[str]:
    return [item.id for item in built.issue.items] if built.issue else []


def _issue(letter: Letter) -> Issue:
    issue = letter.project.issue(_W49)
    assert issue is not None
    return issue


def _lines_added(before: str, after: str) -> str:
    """Give the lines that were added; fail where one went or changed."""
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    assert {step[0] for step in steps} <= {"equal", "insert"}
    return "".join("".join(new[step[3] : step[4]]) for step in steps if step[0] == "insert")


# Issue files that name no items.

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


@pytest.mark.parametrize(("text", "theme", "items"), _BEGUN)
def test_file_without_items_is_picked_for(
    letter: Letter, text: str, theme: str, items: list[str]
) -> None:
    """What people wrote stays, byte for byte; the pick, as planned, comes into the header."""
    file = _write(letter, text)
    before = kept(letter.root)
    planned = plan_issues(letter.project, now=moment(_NOW), weeks=1)[0][0]
    dry = _build(letter, dry_run=True)
    assert kept(letter.root) == before

    built = _build(letter)

    assert (planned.state, planned.selection is not None) == ("planned", True)
    assert planned.issue is not None
    assert built.issue is not None
    assert (planned.issue.theme, [pick.id for pick in planned.issue.items]) == (theme, items)
    assert (built.issue.theme, _ids(built)) == (theme, items)
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
    _write(letter, text)
    _build(letter)
    before = kept(letter.root)

    assert _ids(_build(letter, at=_LATER)) == items
    assert _ids(_refill(letter)) == items
    assert kept(letter.root) == before
    planned = plan_issues(letter.project, now=moment(_NOW), weeks=1)[0][0]
    assert (planned.state, planned.issue) == ("picked", _issue(letter))
    assert _issue(letter).theme == theme


def test_words_of_people_are_in_the_edition(letter: Letter) -> None:
    """Subject and introduction of a file without items are those of the issue that goes out."""
    _write(letter, "---\nsubject: Ice\n---\n\nHello from the lock.\n")
    built = _build(letter)
    publish_issue(letter.project, _W49, now=moment(_NOW))

    assert built.edition is not None
    assert built.edition.subject == "Ice"
    assert b"Hello from the lock." in built.edition.files["page.html"]


def test_file_without_items_reserves_nothing(letter: Letter) -> None:
    """Until it is built its theme is only a wish; what is built first takes what it may."""
    _write(letter, "---\ntheme: locks\n---\n", _W50)

    assert _ids(_build(letter)) == ["locks1", "locks2", "locks3"]
    assert _ids(_build(letter, _W50, _LATER)) == ["locks4", "locks5"]


def test_file_without_items_cannot_be_published(letter: Letter) -> None:
    """Also where an edition of before lies in the outbox: it must be picked again."""
    _build(letter)
    _write(letter, "---\nsubject: Ice\n---\n")

    with pytest.raises(UsageError, match="2026-w49 has no items yet") as caught:
        publish_issue(letter.project, _W49, now=moment(_NOW))
    assert caught.value.problems[0].fix == "run `digest build 2026-w49` first"


def test_empty_list_is_a_choice(letter: Letter) -> None:
    """`items: []` is an issue of nothing, which nobody picks for."""
    file = _write(letter, "---\nitems: []\n---\n")
    before = file.read_bytes()
    planned = plan_issues(letter.project, now=moment(_NOW), weeks=1)[0][0]

    assert planned.state == "picked"
    assert _ids(_build(letter)) == []
    assert file.read_bytes() == before
    with pytest.raises(GuardError, match="has no items"):
        publish_issue(letter.project, _W49, now=moment(_NOW))


def test_theme_may_be_asked_for_by_either_way(letter: Letter) -> None:
    """The command names it where the file does not; where both do, they must agree."""
    _write(letter, "---\nsubject: Ice\n---\n")
    tides = ThemeId("tides")
    built = build_issue(letter.project, _W49, now=moment(_NOW), theme=tides, dry_run=True)
    assert _ids(built) == ["tides1", "tides2", "tides3"]

    _write(letter, "---\ntheme: tides\n---\n")
    same = build_issue(letter.project, _W49, now=moment(_NOW), theme=tides, dry_run=True)
    assert _ids(same) == ["tides1", "tides2", "tides3"]
    with pytest.raises(GuardError, match="asks for the theme tides"):
        build_issue(letter.project, _W49, now=moment(_NOW), theme=ThemeId("locks"))
    _build(letter)
    with pytest.raises(GuardError, match="is already picked, with the theme tides"):
        build_issue(letter.project, _W49, now=moment(_NOW), theme=ThemeId("locks"))


@pytest.mark.parametrize(
    ("items", "ask"),
    [
        ("", _build),
        ("items: [locks1]\n", _refill),
        ("", lambda letter: plan_issues(letter.project, now=moment(_NOW), weeks=2)),
        ("", lambda letter: why(letter.project, "locks1", key=_W49, now=moment(_NOW))),
        ("", lambda letter: why(letter.project, "locks", key=_W49, now=moment(_NOW))),
    ],
)
def test_theme_that_nobody_has_is_told_with_its_file(
    letter: Letter, items: str, ask: Callable[[Letter], object]
) -> None:
    """A slip of the pen in one file is named with that file."""
    _write(letter, f"---\ntheme: tide\n{items}---\n")

    with pytest.raises(IssueFileError, match="there is no theme 'tide'") as caught:
        ask(letter)

    assert caught.value.problems[0].where == "content/issues/2026-w49.md"
    assert "tides" in caught.value.problems[0].fix


# Files whose items may not go out any more.

_GONE = {
    "gone": None,
    "draft": "draft: yes\n",
    "withdrawn": "withdrawn: yes\n",
    "expired": "not_after: 2026-11-20\n",
    "embargoed": "not_before: 2027-01-01\n",
}
_OWN = """\
---
# Chosen by hand.
subject: Ice
items:
  - locks3 # the best one
  # then
  - id: locks1
    reason: "it is short"
  - locks2
theme: locks
---

Hello.
"""


def _spoil(letter: Letter, name: str, how: str) -> None:
    file, more = letter.root / f"content/{name}.md", _GONE[how]
    if more is None:
        file.unlink()
    else:
        file.write_text(_note(name[:-1], int(name[-1]), more), "utf-8")


@pytest.mark.parametrize("how", _GONE)
def test_refill_takes_out_what_may_not_go_out_and_fills(letter: Letter, how: str) -> None:
    """The others stay in the order and words of people; the free place is filled by the rules."""
    file = _write(letter, _OWN)
    _spoil(letter, "locks1", how)

    built = _refill(letter)

    assert _ids(built) == ["locks3", "locks2", "locks4"]
    after = file.read_text("utf-8")
    assert "  - locks3 # the best one\n" in after
    assert "  - locks2\n" in after
    assert "it is short" not in after
    assert after.startswith("---\n# Chosen by hand.\nsubject: Ice\nitems:\n")
    assert after.endswith("---\n\nHello.\n")
    [gone] = built.taken_out
    assert gone.id == "locks1"
    assert gone.reason.startswith("taken out: ")
    assert gone in _issue(letter).left_out
    assert built.changed[0] == "content/issues/2026-w49.md"


def test_refill_again_changes_nothing(letter: Letter) -> None:
    """What it gave holds, and can be published."""
    _write(letter, _OWN)
    _spoil(letter, "locks1", "draft")
    _refill(letter)
    before = kept(letter.root)

    _refill(letter)
    _build(letter)

    assert kept(letter.root) == before
    assert publish_issue(letter.project, _W49, now=moment(_NOW)).state == "published"


def test_refill_of_a_full_issue_can_be_published(letter: Letter) -> None:
    """Also where it changes no item: the file says what the edition was built from."""
    _write(letter, _OWN)

    assert _ids(_refill(letter)) == ["locks3", "locks1", "locks2"]
    assert publish_issue(letter.project, _W49, now=moment(_NOW)).state == "published"


def test_refill_in_a_dry_run_tells_what_would_be(letter: Letter) -> None:
    """The same items and files, and nothing written."""
    _write(letter, _OWN)
    _spoil(letter, "locks1", "gone")
    before = kept(letter.root)
    dry = _refill(letter, dry_run=True)

    assert kept(letter.root) == before
    built = _refill(letter)
    assert (_ids(dry), dry.changed) == (_ids(built), built.changed)


def test_refill_fills_what_people_left_free(letter: Letter) -> None:
    """An issue of one item gets the others by rule, after it."""
    _write(letter, "---\ntheme: tides\nitems:\n  - locks5\n---\n")

    assert _ids(_refill(letter)) == ["locks5", "tides1", "tides2"]


def test_refill_without_a_theme_takes_from_all(letter: Letter) -> None:
    """A file that names no theme is a mixed issue, as without it."""
    _write(letter, "---\nitems:\n  - tides4\n---\n")
    built = _refill(letter)

    assert _ids(built)[0] == "tides4"
    assert len(_ids(built)) == 3
    assert _issue(letter).theme == ""


def test_refill_of_no_file_is_a_build(letter: Letter) -> None:
    """Where nobody has picked yet there is nothing to keep."""
    assert _ids(_refill(letter)) == ["locks1", "locks2", "locks3"]


def test_refill_leaves_what_is_published(letter: Letter) -> None:
    """An edition never changes once it is out, nor does its file."""
    letter.publish_built(_W49, _NOW)
    _spoil(letter, "locks1", "gone")
    before = kept(letter.root)

    assert (_refill(letter).state, kept(letter.root)) == ("published", before)


def test_refill_with_nothing_left_is_no_issue(letter: Letter) -> None:
    """Where all are gone and nothing is there to fill, that is said and nothing written."""
    _write(letter, "---\ntheme: tides\nitems: [tides1]\n---\n")
    for number in range(1, 5):
        _spoil(letter, f"tides{number}", "draft")
    before = kept(letter.root)
    built = _refill(letter)

    assert built.state == "skipped"
    assert built.skipped.startswith("nothing to send: ")
    assert kept(letter.root) == before


def test_summary_that_is_gone_stops_a_plain_build(letter: Letter) -> None:
    """All such are named at once, with what to do; nothing is written."""
    _write(letter, _OWN)
    for name in ("locks1", "locks2"):
        _spoil(letter, name, "gone")
    before = kept(letter.root)

    with pytest.raises(IssueFileError) as caught:
        _build(letter)

    assert [problem.what for problem in caught.value.problems] == [
        "no summary has the id 'locks1'",
        "no summary has the id 'locks2'",
    ]
    assert "`digest build 2026-w49 --refill`" in caught.value.problems[0].fix
    assert kept(letter.root) == before
    assert _ids(_refill(letter)) == ["locks3", "locks4", "locks5"]


# Items that people take out.


def test_place_of_what_is_dropped_is_filled(letter: Letter) -> None:
    """The next by rule comes to the end; the reason stands in the file."""
    _build(letter)
    built = _drop(letter, "locks1", "it is wrong")

    assert _ids(built) == ["locks2", "locks3", "locks4"]
    issue = _issue(letter)
    assert issue.dropped == (LeftOut(id="locks1", reason="it is wrong"),)
    assert "locks1" not in {one.id for one in issue.left_out}
    assert publish_issue(letter.project, _W49, now=moment(_NOW)).state == "published"


def test_dropped_one_is_never_put_back_by_rule(letter: Letter) -> None:
    """Neither by a refill, nor by a pick anew; it is free for another issue."""
    _build(letter)
    _drop(letter, "locks1")
    assert _ids(_drop(letter, "locks2", "too long")) == ["locks3", "locks4", "locks5"]
    assert _ids(_drop(letter, "locks3")) == ["locks4", "locks5"]

    assert _ids(_refill(letter)) == ["locks4", "locks5"]
    assert [one.id for one in _issue(letter).dropped] == ["locks1", "locks2", "locks3"]
    later = build_issue(letter.project, _W50, now=moment(_LATER), theme=ThemeId("locks"))
    assert _ids(later) == ["locks1", "locks2", "locks3"]


def test_people_may_put_a_dropped_one_back(letter: Letter) -> None:
    """What stands in `items` goes before what stands in `dropped`."""
    _build(letter)
    _drop(letter, "locks1", "it is wrong")
    text = _path(letter).read_text("utf-8")
    _write(letter, text.replace("items:\n", "items:\n  - locks1\n"))

    assert _ids(_build(letter)) == ["locks1", "locks2", "locks3", "locks4"]
    assert _ids(_refill(letter)) == ["locks1", "locks2", "locks3", "locks4"]
    assert _issue(letter).dropped == ()


def test_drop_in_a_dry_run_tells_what_would_be(letter: Letter) -> None:
    """The same items and files, and nothing written."""
    _build(letter)
    before = kept(letter.root)
    dry = _drop(letter, "locks1", dry_run=True)

    assert kept(letter.root) == before
    built = _drop(letter, "locks1")
    assert (_ids(dry), dry.changed) == (_ids(built), built.changed)


def test_drop_leaves_the_words_of_people(letter: Letter) -> None:
    """Comments, order and introduction stay."""
    file = _write(letter, _OWN)
    assert _drop(letter, "locks1").taken_out == ()
    after = file.read_text("utf-8")

    assert [pick.id for pick in _issue(letter).items] == ["locks3", "locks2", "locks4"]
    assert "  - locks3 # the best one\n" in after
    assert after.startswith("---\n# Chosen by hand.\nsubject: Ice\n")
    assert after.endswith("---\n\nHello.\n")


def test_only_item_cannot_be_dropped(letter: Letter) -> None:
    """Where nothing would be left, that is refused and nothing changes."""
    _write(letter, "---\ntheme: tides\nitems: [tides1]\n---\n")
    for number in range(2, 5):
        _spoil(letter, f"tides{number}", "draft")
    before = kept(letter.root)

    with pytest.raises(GuardError, match="would hold nothing else") as caught:
        _drop(letter, "tides1")

    assert "digest skip 2026-w49" in caught.value.problems[0].fix
    assert kept(letter.root) == before


@pytest.mark.parametrize(
    ("text", "what", "code"),
    [
        ("---\nitems: [locks1]\n---\n", "does not hold 'locks2'", 2),
        ("---\ntheme: locks\n---\n", "has no items yet", 2),
        ("", "has no items yet", 2),
        ("---\nitems: [locks2]\nskip: a feast\n---\n", "is skipped: a feast", 4),
    ],
)
def test_what_cannot_be_dropped(letter: Letter, text: str, what: str, code: int) -> None:
    """An item that is not in it, and an issue without items, are wrong; a skipped one is left."""
    if text:
        _write(letter, text)
    before = kept(letter.root)

    with pytest.raises((UsageError, GuardError), match=what) as caught:
        _drop(letter, "locks2")

    assert caught.value.exit_code == code
    assert caught.value.problems[0].fix
    assert kept(letter.root) == before


def test_published_issue_keeps_its_items(letter: Letter) -> None:
    """What is out never changes."""
    letter.publish_built(_W49, _NOW)
    before = kept(letter.root)

    with pytest.raises(GuardError, match="is published"):
        _drop(letter, "locks1")
    assert kept(letter.root) == before


def test_summary_without_a_file_can_be_dropped(letter: Letter) -> None:
    """What is gone is taken out by its id."""
    _write(letter, _OWN)
    _spoil(letter, "locks1", "gone")

    assert _ids(_drop(letter, "locks1", "its file is gone")) == ["locks3", "locks2", "locks4"]
    assert _issue(letter).dropped == (LeftOut(id="locks1", reason="its file is gone"),)
