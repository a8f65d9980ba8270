"""A week without an issue: nothing is made, no number is used, all is free, until it is let."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cases.forms import tree
from publish.disk import kept
from publish.tick.ticking import ITEMS, SETTINGS, Letter, moment

from digest.delivery import Watch
from digest.errors import GuardError
from digest.model import Issue, IssueKey, LeftOut
from digest.publish.build import Built, build_issue
from digest.publish.plan import plan_issues
from digest.publish.release import publish_issue, withdraw_issue
from digest.publish.send import rehearse_send, send_issue
from digest.publish.skip import skip_issue
from digest.publish.state import status

Make = Callable[..., Path]

_W49, _W50 = IssueKey("2026-w49"), IssueKey("2026-w50")
_NOW = "2026-12-01T10:00:00+01:00"
_LATER = "2026-12-08T10:00:00+01:00"
_FILE = "content/issues/2026-w49.md"
_OWN = "---\r\n# Nobody is in.\r\nitems: # the best\r\n  - n03 # again\r\n---\r\n\r\nHello.\r\n"


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter of thirty notes that has no issue yet."""
    return Letter(root=newsletter(ITEMS, settings=SETTINGS))


def _skipped(
    letter: Letter, reason: str = "", *, release: bool = False, dry_run: bool = False
) -> tuple[bool, tuple[LeftOut, ...]]:
    return skip_issue(letter.project, _W49, reason=reason, release=release, dry_run=dry_run)


def _skip(
    letter: Letter, reason: str = "", *, release: bool = False, dry_run: bool = False
) -> bool:
    return _skipped(letter, reason, release=release, dry_run=dry_run)[0]


def _build(letter: Letter, key: IssueKey = _W49, at: str = _NOW) -> Built:
    return build_issue(letter.project, key, now=moment(at))


def _ids(built: Built) -> list[str]:
    return [item.id for item in built.issue.items] if built.issue else []


def _file(letter: Letter, data: bytes) -> Path:
    file = letter.root / _FILE
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(data)
    return file


def test_nothing_is_built(letter: Letter) -> None:
    """Nothing is picked, and nothing is written but the file that says so."""
    assert _skip(letter, "a feast")
    before = tree(letter.root / "content")

    built = _build(letter)

    assert (built.state, built.issue, built.kept) == ("skipped", None, None)
    assert built.skipped == "skipped by hand: a feast"
    assert not (letter.root / "outbox/2026-w49").exists()
    assert tree(letter.root / "content") == before
    refilled = build_issue(letter.project, _W49, now=moment(_NOW), refill=True)
    assert refilled.state == "skipped"


def test_draft_that_was_built_goes_nowhere(letter: Letter) -> None:
    """An edition in the outbox is neither published nor sent; nothing changes."""
    letter.add_readers(2)
    _build(letter)
    _skip(letter, "a feast")
    before = kept(letter.root)

    with pytest.raises(GuardError, match="is skipped: a feast") as caught:
        publish_issue(letter.project, _W49, now=moment(_NOW))
    with pytest.raises(GuardError, match="is skipped: a feast"):
        send_issue(
            letter.project,
            _W49,
            transport=letter.mail,
            via="outbox",
            by="hand",
            watch=Watch(clock=lambda: moment(_NOW), pause=lambda _: None, stopped=lambda: False),
        )
    with pytest.raises(GuardError, match="is skipped: a feast"):
        rehearse_send(letter.project, _W49, via="outbox", now=moment(_NOW))

    assert caught.value.problems[0].where == _FILE
    assert "digest skip 2026-w49 --release" in caught.value.problems[0].fix
    assert letter.mail.opened == 0
    assert kept(letter.root) == before


def test_week_that_nobody_picked_for_is_not_published(letter: Letter) -> None:
    """The reason to leave it out is what is told, not that it holds nothing."""
    _skip(letter, "a feast")

    with pytest.raises(GuardError, match="is skipped: a feast"):
        publish_issue(letter.project, _W49, now=moment(_NOW))


def test_no_number_is_used_and_items_are_free(letter: Letter) -> None:
    """What the draft held leads the next issue, which gets the number."""
    assert _ids(_build(letter)) == ["n00"]
    assert _ids(_build(letter, _W50, _LATER)) == ["n01"]
    (letter.root / "content/issues/2026-w50.md").unlink()
    _skip(letter)
    later = _build(letter, _W50, _LATER)

    assert _ids(later) == ["n00"]
    assert later.edition is not None
    assert later.edition.number == 1


def test_plan_passes_it_over(letter: Letter) -> None:
    """The week stands there with its reason, and the next one takes what it would have had."""
    _build(letter)
    _skip(letter, "a feast")
    planned, _ = plan_issues(letter.project, now=moment(_NOW), weeks=2)

    assert [(week.slot.issue, week.state, week.skipped) for week in planned] == [
        (_W49, "skipped", "skipped by hand: a feast"),
        (_W50, "planned", ""),
    ]
    assert planned[0].issue is None
    assert planned[1].issue is not None
    assert [pick.id for pick in planned[1].issue.items] == ["n00"]


def test_status_lists_it(letter: Letter) -> None:
    """Nothing is to be done, and nothing is reserved."""
    _build(letter)
    _skip(letter, "a feast")
    state = status(letter.project, now=moment(_NOW))

    [standing] = state.issues
    assert (standing.key, standing.state, standing.number, standing.next) == (
        _W49,
        "skipped",
        None,
        "",
    )
    assert (state.queue["waiting"], state.queue["reserved"]) == (30, 0)


@pytest.mark.parametrize("drafted", [False, True])
def test_release_brings_it_back(letter: Letter, *, drafted: bool) -> None:
    """After it the week is as if nothing had been."""
    if drafted:
        _build(letter)
    _skip(letter, "a feast")
    assert _skip(letter, release=True)

    assert _ids(_build(letter)) == ["n00"]
    released = publish_issue(letter.project, _W49, now=moment(_NOW))
    assert (released.state, released.kept.edition.number) == ("published", 1)


def _moved(letter: Letter) -> None:
    """Skip the week and let the next issue, by hand, hold n03 and n05."""
    _skip(letter, "a feast")
    letter.write(_W50, "---\nitems: [n05, n03]\n---\n")


def _issue(letter: Letter) -> Issue:
    issue = letter.project.issue(_W49)
    assert issue is not None
    return issue


@pytest.mark.parametrize("published", [False, True])
def test_release_takes_out_what_another_issue_holds(letter: Letter, *, published: bool) -> None:
    """Nothing is sent twice because a week was skipped; the words of people stay."""
    file = _file(
        letter,
        b"---\ntheme_reason: mine\nitems:\n  - n03\n  - n04 # the best\n"
        b"left_out:\n  - n06\n---\n\nHello.\n",
    )
    _moved(letter)
    if published:
        letter.publish_built(_W50, _LATER)
    before = kept(letter.root)
    why = "was in 2026-w50, 1 week ahead; a summary goes out once"
    why = why if published else "is reserved by the issue file of 2026-w50"
    gone = (LeftOut(id="n03", reason=f"taken out: {why}"),)
    assert _skipped(letter, release=True, dry_run=True) == (True, gone)
    assert kept(letter.root) == before

    assert _skipped(letter, release=True) == (True, gone)

    issue = _issue(letter)
    assert [pick.id for pick in issue.items] == ["n04"]
    assert issue.left_out == (*gone, LeftOut(id="n06", reason=""))
    assert "  - n04 # the best\n" in file.read_text("utf-8")
    assert issue.theme_reason == "mine"
    assert _ids(_build(letter)) == ["n04"]


@pytest.mark.parametrize(
    ("head", "theme"),
    [("theme: other\ntheme_reason: its turn\n", ""), ("theme: other\n", "other")],
)
def test_released_week_without_any_item_is_picked_anew(
    letter: Letter, head: str, theme: str
) -> None:
    """A theme that the rules gave goes with the items; one of people stays."""
    _file(letter, f"---\nsubject: Ice\n{head}items: [n03, n05]\n---\n".encode())
    _moved(letter)
    assert len(_skipped(letter, release=True)[1]) == 2
    issue = _issue(letter)

    assert (issue.picked, issue.items, issue.subject) == (False, (), "Ice")
    assert (issue.theme, issue.theme_reason) == (theme, "")
    assert _ids(_build(letter)) == ["n00"]


def test_release_knows_an_item_by_its_address(letter: Letter) -> None:
    """Under another name it is the same."""
    for name in ("n03", "n05"):
        text = f"---\ntitle: {name}\nurl: https://a.example/\n---\n\nWords of {name}.\n"
        (letter.root / f"content/{name}.md").write_text(text, "utf-8")
    _file(letter, b"---\nitems: [n03, n04]\n---\n")
    _skip(letter)
    letter.write(_W50, "---\nitems: [n05]\n---\n")

    assert [one.id for one in _skipped(letter, release=True)[1]] == ["n03"]


def test_release_leaves_what_may_come_again(letter: Letter) -> None:
    """By its cooldown it may be in both issues."""
    text = "---\ntitle: n03\ncooldown: 1\n---\n\nWords of n03.\n"
    (letter.root / "content/n03.md").write_text(text, "utf-8")
    _file(letter, b"---\nitems: [n03]\n---\n")
    _moved(letter)
    letter.publish_built(_W50, _LATER)

    assert _skipped(letter, release=True) == (True, ())


def test_release_leaves_what_a_withdrawn_issue_freed(letter: Letter) -> None:
    """What was taken back before any mail is held by nobody."""
    _file(letter, b"---\nitems: [n03]\n---\n")
    _moved(letter)
    letter.publish_built(_W50, _LATER)
    withdraw_issue(letter.project, _W50, now=moment(_LATER))

    assert _skipped(letter, release=True) == (True, ())
    assert _ids(_build(letter)) == ["n03"]


def test_file_of_people_keeps_its_words(letter: Letter) -> None:
    """One line comes and goes again; line ends and comments stay."""
    file = _file(letter, _OWN.encode())
    _skip(letter, "a feast")

    assert file.read_bytes().decode() == _OWN.replace(
        "# again\r\n---", "# again\r\nskip: a feast\r\n---"
    )
    _skip(letter, release=True)
    assert file.read_bytes().decode() == _OWN


def test_new_file_names_no_items(letter: Letter) -> None:
    """A week that nobody touched gets a file of its own, which picks nothing."""
    _skip(letter, "  a\n feast ")

    issue = letter.project.issue(_W49)
    assert issue is not None
    assert (issue.skip, issue.picked, issue.theme, issue.items) == ("a feast", False, "", ())


@pytest.mark.parametrize(
    ("there", "asked", "reason", "changed"),
    [
        ("", "", "skipped", True),
        ("", "a feast", "a feast", True),
        ("a feast", "a feast", "a feast", False),
        ("a feast", "", "a feast", False),
        ("a feast", "no hands", "no hands", True),
        ("", "no", "no", True),
        ("", "true: #1", "true: #1", True),
    ],
)
def test_reason_that_stands_there_is_better_than_none(
    letter: Letter, there: str, asked: str, reason: str, *, changed: bool
) -> None:
    """A new reason takes its place; the same one, or none, changes nothing."""
    if there:
        _skip(letter, there)
    before = kept(letter.root)

    assert _skip(letter, asked) is changed

    issue = letter.project.issue(_W49)
    assert issue is not None
    assert issue.skip == reason
    assert (kept(letter.root) != before) is changed


@pytest.mark.parametrize("own", [b"", b"---\nitems: [n03]\n---\n"])
def test_release_of_what_is_not_skipped_changes_nothing(letter: Letter, own: bytes) -> None:
    """Neither where there is no file, nor where it says nothing of it."""
    if own:
        _file(letter, own)
    before = kept(letter.root)

    assert not _skip(letter, release=True)
    assert kept(letter.root) == before


def test_dry_run_changes_nothing(letter: Letter) -> None:
    """It tells whether something would change."""
    _build(letter)
    before = kept(letter.root)

    assert _skip(letter, "a feast", dry_run=True)
    assert kept(letter.root) == before


@pytest.mark.parametrize("release", [False, True])
@pytest.mark.parametrize("known_by", ["both", "seal", "database"])
def test_refused_once_published(letter: Letter, known_by: str, *, release: bool) -> None:
    """Whoever knows that it is out, seal or database; nothing changes."""
    letter.publish_built(_W49, _NOW)
    if known_by == "seal":
        (letter.root / "private/digest.db").unlink()
    elif known_by == "database":
        (letter.root / _FILE).unlink()
    before = kept(letter.root)

    with pytest.raises(GuardError, match="is published") as caught:
        _skip(letter, release=release)

    assert "digest withdraw 2026-w49" in caught.value.problems[0].fix
    assert kept(letter.root) == before


def test_line_written_after_publishing_takes_nothing_back(letter: Letter) -> None:
    """What is out stays out and keeps its items, whatever its file says later."""
    letter.publish_built(_W49, _NOW)
    letter.edit(_W49, "items:", "skip: too late\nitems:")

    released = publish_issue(letter.project, _W49, now=moment(_LATER))

    assert (released.state, released.changed) == ("unchanged", ())
    assert [one.state for one in status(letter.project, now=moment(_LATER)).issues] == ["published"]
    assert _ids(_build(letter, _W50, _LATER)) == ["n01"]
