"""Where a summary stands in its life."""

from __future__ import annotations

from datetime import timedelta

import pytest
from picking.libraries import FIRST, THEMES, past, summary, text
from picking.scenes import ago, several, tagged

from digest.model import History, Summary
from digest.picking import LIVES, Life, Policy, life

_PAGE = "https://river.example/1"


def _life(
    one: Summary, *others: Summary, history: History = (), policy: Policy | None = None
) -> Life:
    found = life(
        (*others, one), at=FIRST, themes=THEMES, history=history, policy=policy or Policy()
    )
    return next(state for summary, state in found if summary is one)


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "waiting"),
        ({"date": ago(500)}, "waiting"),
        ({"draft": True}, "draft"),
        ({"body": " "}, "draft"),
        ({"withdrawn": True}, "withdrawn"),
        ({"withdrawn": True, "draft": True}, "withdrawn"),
        ({"not_before": ago(-1)}, "embargoed"),
        ({"date": ago(-1)}, "embargoed"),
        ({"not_after": ago(1)}, "expired"),
        ({"not_before": FIRST, "not_after": ago(-1)}, "waiting"),
    ],
)
def test_what_its_file_says(fields: dict[str, object], state: Life) -> None:
    """Its own file decides as long as it has been nowhere."""
    assert _life(tagged("a", "locks", **fields)) == state
    assert state in LIVES


def test_one_that_is_too_old_has_expired() -> None:
    """By the age that the settings give, if any."""
    old = summary("a", date=ago(9))

    assert _life(old, policy=Policy(max_age=8)) == "expired"
    assert _life(old, policy=Policy(max_age=9)) == "waiting"


def test_one_that_is_superseded_is_withdrawn() -> None:
    """Once the one that takes its place may go."""
    heir = summary("new", supersedes=("old",))

    assert _life(summary("old"), heir) == "withdrawn"
    assert _life(heir, summary("old")) == "waiting"


@pytest.mark.parametrize("fields", [{}, {"draft": True}, {"withdrawn": True}, {"body": ""}])
def test_what_an_issue_holds_is_sent_or_reserved(fields: dict[str, object]) -> None:
    """Whatever its file says by now: readers have it, or an issue file lists it."""
    one = tagged("a", "locks", **fields)

    assert _life(one, history=(past("2026-w20", "", one),)) == "sent"
    assert _life(one, history=(past("2027-w20", "", one, published=False),)) == "reserved"
    both = (past("2026-w20", "", one), past("2027-w20", "", one, published=False))
    assert _life(one, history=both) == "reserved"


def test_the_issue_of_the_week_counts_too() -> None:
    """What this week's issue holds is reserved or sent, not free for it."""
    one = summary("a")

    assert _life(one, history=(past("2027-w01", "", one),)) == "sent"
    assert _life(one, history=(past("2027-w01", "", one, published=False),)) == "reserved"


def test_one_of_an_issue_taken_back_before_its_mails_waits() -> None:
    """It counts as never sent."""
    one = summary("a")
    back = past("2026-w53", "", one, withdrawn=FIRST - timedelta(days=1), freed=True)

    assert _life(one, history=(back,)) == "waiting"


def test_one_that_may_come_again_waits_after_its_cooldown() -> None:
    """Until then it is sent."""
    one = summary("a", cooldown=4)

    assert _life(one, history=(past("2026-w51", "", one),)) == "sent"
    assert _life(one, history=(past("2026-w50", "", one),)) == "waiting"


def test_one_that_may_only_fill_a_thin_issue_is_sent() -> None:
    """A repeat is nothing that waits."""
    one = summary("a")
    fill = Policy(repeats="fill", repeat_window=4)

    assert _life(one, history=(past("2026-w20", "", one),), policy=fill) == "sent"


def test_another_with_the_page_or_the_text_of_one_is_a_duplicate() -> None:
    """A text like one that was sent or is listed; and the page of one that goes before."""
    page, other = summary("one", url=_PAGE), summary("two", url=f"{_PAGE}/#top")
    told = summary("three", title="T", body=text(1))
    again = summary("four", title="T", body=text(1, changed=1))

    assert _life(other, history=(past("2027-w20", "", page, published=False),)) == "reserved"
    assert _life(again, history=(past("2026-w20", "", told),)) == "duplicate"
    assert _life(again, history=(past("2027-w20", "", told, published=False),)) == "duplicate"
    assert _life(other, page) == "duplicate"
    assert _life(page, other) == "waiting"


def test_a_renamed_file_is_what_it_was() -> None:
    """The file that was sent is gone; what has its page now is that summary under a new name."""
    old, new = summary("old", url=_PAGE), summary("new", url=_PAGE)

    assert _life(new, history=(past("2026-w20", "", old),)) == "sent"


def test_all_are_told_in_the_order_of_the_shelf() -> None:
    """Each file once, also two with one id."""
    library = (*several("locks", 3), summary("locks-1", path="copy.md"))

    found = life(library, at=FIRST, themes=THEMES, history=(), policy=Policy())

    assert [(one.path, state) for one, state in found] == [
        ("copy.md", "waiting"),
        ("locks-1.md", "duplicate"),
        ("locks-2.md", "waiting"),
        ("locks-3.md", "waiting"),
    ]
