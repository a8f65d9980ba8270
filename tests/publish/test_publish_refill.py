"""Issue files whose items may not go out any more, and how a refill mends them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from publish.disk import kept
from publish.hands import (
    GONE,
    NOW,
    OWN,
    W49,
    build,
    ids,
    issue_of,
    make_letter,
    refill,
    spoil,
    write,
)
from publish.tick.ticking import Letter, moment

from digest.errors import IssueFileError
from digest.publish.release import publish_issue

Make = Callable[..., Path]


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter of five notes on locks, which lead, and four on tides."""
    return make_letter(newsletter)


@pytest.mark.parametrize("how", GONE)
def test_refill_takes_out_what_may_not_go_out_and_fills(letter: Letter, how: str) -> None:
    """The others stay in the order and words of people; the free place is filled by the rules."""
    file = write(letter, OWN)
    spoil(letter, "locks1", how)

    built = refill(letter)

    assert ids(built) == ["locks3", "locks2", "locks4"]
    after = file.read_text("utf-8")
    assert "  - locks3 # the best one\n" in after
    assert "  - locks2\n" in after
    assert "it is short" not in after
    assert after.startswith("---\n# Chosen by hand.\nsubject: Ice\nitems:\n")
    assert after.endswith("---\n\nHello.\n")
    [gone] = built.taken_out
    assert gone.id == "locks1"
    assert gone.reason.startswith("taken out: ")
    assert gone in issue_of(letter).left_out
    assert built.changed[0] == "content/issues/2026-w49.md"


def test_refill_again_changes_nothing(letter: Letter) -> None:
    """What it gave holds, and can be published."""
    write(letter, OWN)
    spoil(letter, "locks1", "draft")
    refill(letter)
    before = kept(letter.root)

    refill(letter)
    build(letter)

    assert kept(letter.root) == before
    assert publish_issue(letter.project, W49, now=moment(NOW)).state == "published"


def test_refill_of_a_full_issue_can_be_published(letter: Letter) -> None:
    """Also where it changes no item: the file says what the edition was built from."""
    write(letter, OWN)

    assert ids(refill(letter)) == ["locks3", "locks1", "locks2"]
    assert publish_issue(letter.project, W49, now=moment(NOW)).state == "published"


def test_refill_in_a_dry_run_tells_what_would_be(letter: Letter) -> None:
    """The same items and files, and nothing written."""
    write(letter, OWN)
    spoil(letter, "locks1", "gone")
    before = kept(letter.root)
    dry = refill(letter, dry_run=True)

    assert kept(letter.root) == before
    built = refill(letter)
    assert (ids(dry), dry.changed) == (ids(built), built.changed)


def test_refill_fills_what_people_left_free(letter: Letter) -> None:
    """An issue of one item gets the others by rule, after it."""
    write(letter, "---\ntheme: tides\nitems:\n  - locks5\n---\n")

    assert ids(refill(letter)) == ["locks5", "tides1", "tides2"]


def test_refill_without_a_theme_takes_from_all(letter: Letter) -> None:
    """A file that names no theme is a mixed issue, as without it."""
    write(letter, "---\nitems:\n  - tides4\n---\n")
    built = refill(letter)

    assert ids(built)[0] == "tides4"
    assert len(ids(built)) == 3
    assert issue_of(letter).theme == ""


def test_refill_of_no_file_is_a_build(letter: Letter) -> None:
    """Where nobody has picked yet there is nothing to keep."""
    assert ids(refill(letter)) == ["locks1", "locks2", "locks3"]


def test_refill_leaves_what_is_published(letter: Letter) -> None:
    """An edition never changes once it is out, nor does its file."""
    letter.publish_built(W49, NOW)
    spoil(letter, "locks1", "gone")
    before = kept(letter.root)

    assert (refill(letter).state, kept(letter.root)) == ("published", before)


def test_refill_with_nothing_left_is_no_issue(letter: Letter) -> None:
    """Where all are gone and nothing is there to fill, that is said and nothing written."""
    write(letter, "---\ntheme: tides\nitems: [tides1]\n---\n")
    for number in range(1, 5):
        spoil(letter, f"tides{number}", "draft")
    before = kept(letter.root)
    built = refill(letter)

    assert built.state == "skipped"
    assert built.skipped.startswith("nothing to send: ")
    assert kept(letter.root) == before


def test_summary_that_is_gone_stops_a_plain_build(letter: Letter) -> None:
    """All such are named at once, with what to do; nothing is written."""
    write(letter, OWN)
    for name in ("locks1", "locks2"):
        spoil(letter, name, "gone")
    before = kept(letter.root)

    with pytest.raises(IssueFileError) as caught:
        build(letter)

    assert [problem.what for problem in caught.value.problems] == [
        "no summary has the id 'locks1'",
        "no summary has the id 'locks2'",
    ]
    assert "`digest build 2026-w49 --refill`" in caught.value.problems[0].fix
    assert kept(letter.root) == before
    assert ids(refill(letter)) == ["locks3", "locks4", "locks5"]
