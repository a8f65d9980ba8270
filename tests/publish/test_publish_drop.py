"""Items that people take out of an issue: their place is filled, and they stay out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from publish.disk import kept
from publish.hands import (
    LATER,
    NOW,
    OWN,
    W49,
    W50,
    build,
    ids,
    issue_of,
    make_letter,
    refill,
    spoil,
    write,
)
from publish.tick.ticking import Letter, moment

from digest.errors import GuardError, UsageError
from digest.model import LeftOut, ThemeId
from digest.publish.build import Built, build_issue, drop_item
from digest.publish.release import publish_issue

Make = Callable[..., Path]


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter of five notes on locks, which lead, and four on tides."""
    return make_letter(newsletter)


def _drop(letter: Letter, name: str, reason: str = "", *, dry_run: bool = False) -> Built:
    return drop_item(
        letter.project,
        W49,
        LeftOut(id=name, reason=reason),
        now=moment(NOW),
        dry_run=dry_run,
    )


def test_place_of_what_is_dropped_is_filled(letter: Letter) -> None:
    """The next by rule comes to the end; the reason stands in the file."""
    build(letter)
    built = _drop(letter, "locks1", "it is wrong")

    assert ids(built) == ["locks2", "locks3", "locks4"]
    issue = issue_of(letter)
    assert issue.dropped == (LeftOut(id="locks1", reason="it is wrong"),)
    assert "locks1" not in {one.id for one in issue.left_out}
    assert publish_issue(letter.project, W49, now=moment(NOW)).state == "published"


def test_dropped_one_is_never_put_back_by_rule(letter: Letter) -> None:
    """Neither by a refill, nor by a pick anew; it is free for another issue."""
    build(letter)
    _drop(letter, "locks1")
    assert ids(_drop(letter, "locks2", "too long")) == ["locks3", "locks4", "locks5"]
    assert ids(_drop(letter, "locks3")) == ["locks4", "locks5"]

    assert ids(refill(letter)) == ["locks4", "locks5"]
    assert [one.id for one in issue_of(letter).dropped] == ["locks1", "locks2", "locks3"]
    later = build_issue(letter.project, W50, now=moment(LATER), theme=ThemeId("locks"))
    assert ids(later) == ["locks1", "locks2", "locks3"]


def test_people_may_put_a_dropped_one_back(letter: Letter) -> None:
    """What stands in `items` goes before what stands in `dropped`."""
    build(letter)
    _drop(letter, "locks1", "it is wrong")
    text = (letter.root / "content/issues/2026-w49.md").read_text("utf-8")
    write(letter, text.replace("items:\n", "items:\n  - locks1\n"))

    assert ids(build(letter)) == ["locks1", "locks2", "locks3", "locks4"]
    assert ids(refill(letter)) == ["locks1", "locks2", "locks3", "locks4"]
    assert issue_of(letter).dropped == ()


def test_drop_in_a_dry_run_tells_what_would_be(letter: Letter) -> None:
    """The same items and files, and nothing written."""
    build(letter)
    before = kept(letter.root)
    dry = _drop(letter, "locks1", dry_run=True)

    assert kept(letter.root) == before
    built = _drop(letter, "locks1")
    assert (ids(dry), dry.changed) == (ids(built), built.changed)


def test_drop_leaves_the_words_of_people(letter: Letter) -> None:
    """Comments, order and introduction stay."""
    file = write(letter, OWN)
    assert _drop(letter, "locks1").taken_out == ()
    after = file.read_text("utf-8")

    assert [pick.id for pick in issue_of(letter).items] == ["locks3", "locks2", "locks4"]
    assert "  - locks3 # the best one\n" in after
    assert after.startswith("---\n# Chosen by hand.\nsubject: Ice\n")
    assert after.endswith("---\n\nHello.\n")


def test_only_item_cannot_be_dropped(letter: Letter) -> None:
    """Where nothing would be left, that is refused and nothing changes."""
    write(letter, "---\ntheme: tides\nitems: [tides1]\n---\n")
    for number in range(2, 5):
        spoil(letter, f"tides{number}", "draft")
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
        write(letter, text)
    before = kept(letter.root)

    with pytest.raises((UsageError, GuardError), match=what) as caught:
        _drop(letter, "locks2")

    assert caught.value.exit_code == code
    assert caught.value.problems[0].fix
    assert kept(letter.root) == before


def test_published_issue_keeps_its_items(letter: Letter) -> None:
    """What is out never changes."""
    letter.publish_built(W49, NOW)
    before = kept(letter.root)

    with pytest.raises(GuardError, match="is published"):
        _drop(letter, "locks1")
    assert kept(letter.root) == before


def test_summary_without_a_file_can_be_dropped(letter: Letter) -> None:
    """What is gone is taken out by its id."""
    write(letter, OWN)
    spoil(letter, "locks1", "gone")

    assert ids(_drop(letter, "locks1", "its file is gone")) == ["locks3", "locks2", "locks4"]
    assert issue_of(letter).dropped == (LeftOut(id="locks1", reason="its file is gone"),)
