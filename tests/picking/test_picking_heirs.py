"""Which summaries take the place of others, and when they do not."""

from __future__ import annotations

import pytest
from picking.libraries import THEMES, past, text
from picking.scenes import SLOT, ago, ids, select, tagged

from digest.model import Summary
from digest.picking import Policy, already_out

_ONE = Policy(min_items=1, when_thin="short")
_PAGE = "https://river.example/gate"


def _picked(*library: Summary, **given: object) -> set[str]:
    found = select(*library, **{"policy": _ONE} | given)  # type: ignore[arg-type] # as named
    return set(ids(found)) if found.issue else set()


@pytest.mark.parametrize(
    "fields",
    [
        {"body": "  \n"},
        {"not_after": ago(1)},
        {"draft": True},
        {"withdrawn": True},
        {"not_before": ago(-1)},
        {"date": ago(-1)},
    ],
)
def test_an_heir_that_can_not_go_takes_no_place(fields: dict[str, object]) -> None:
    """Else both would be lost: the old one to it, and it to what stands against it."""
    old, heir = tagged("old", "locks"), tagged("heir", "locks", supersedes=("old",), **fields)

    assert _picked(old, heir) == {"old"}


def test_an_heir_too_old_takes_no_place_unless_it_was_out() -> None:
    """Once it was in an issue the old one stays behind."""
    old = tagged("old", "locks")
    heir = tagged("heir", "locks", supersedes=("old",), date=ago(30))
    policy = Policy(min_items=1, max_age=20)

    assert _picked(old, heir, policy=policy) == {"old"}
    assert _picked(old, heir, policy=policy, history=(past("2026-w40", "", heir),)) == set()


@pytest.mark.parametrize("count", [2, 3])
def test_those_that_supersede_each_other_excuse_nothing(count: int) -> None:
    """They keep their own places, and one text and address of theirs goes out once all the same."""
    ring = tuple(
        tagged(str(n), "locks", url=_PAGE, body=text(1), supersedes=(str((n + 1) % count),))
        for n in range(count)
    )

    first = _picked(*ring)
    by_id = {one.id: one for one in ring}

    assert len(first) == 1
    assert _picked(*ring, history=(past("2026-w53", "", by_id[first.pop()]),)) == set()


def test_the_heir_of_a_renamed_summary_may_go() -> None:
    """History knows the old one by the name it had; by its address that is what it replaces."""
    sent = tagged("a", "locks", url=_PAGE)
    renamed, heir = (
        tagged("b", "locks", url=_PAGE),
        tagged("new", "locks", url=_PAGE, supersedes=("b",)),
    )

    assert _picked(renamed, heir, history=(past("2026-w40", "", sent),)) == {"new"}


def test_another_file_of_the_page_is_not_what_was_renamed() -> None:
    """What has a file of its own is known by that: an heir of a third repeats it no more."""
    sent = tagged("a", "locks", url=_PAGE)
    old = tagged("b", "locks", url=_PAGE, withdrawn=True)
    heir = tagged("new", "locks", url=_PAGE, supersedes=("b",))

    assert _picked(sent, old, heir, history=(past("2026-w40", "", sent),)) == set()


def test_what_is_out_already_is_told_as_the_rules_see_it() -> None:
    """By id, address and text; not what may come again, what it replaces, or is the slot's own."""
    sent = tagged("sent", "locks", url=_PAGE, title="T", body=text(1))
    library = (
        sent,
        tagged("page", "locks", url=f"{_PAGE}#top"),
        tagged("same", "locks", title="T", body=text(1)),
        tagged("again", "locks", cooldown=4),
        tagged("heir", "locks", url=_PAGE, supersedes=("sent",)),
        tagged("own", "locks"),
        tagged("listed", "locks"),
    )
    by_id = {one.id: one for one in library}
    history = (
        past("2026-w40", "", sent, by_id["again"]),
        past(SLOT.issue, "", by_id["own"]),
        past("2027-w03", "", by_id["listed"], published=False),
    )
    given = {"slot": SLOT, "themes": THEMES, "history": history, "policy": _ONE}

    found = already_out(library, **given)  # type: ignore[arg-type] # as named

    assert found == {
        "sent": "was in 2026-w40, 14 weeks ago; a summary goes out once",
        "page": "its address, as sent, was in 2026-w40, 14 weeks ago; a summary goes out once",
        "same": "its text, as sent, was in 2026-w40, 14 weeks ago; a summary goes out once",
    }
    more = already_out(library, reserved=True, **given)  # type: ignore[arg-type] # as named
    assert dict(more) == {**found, "listed": "is reserved by the issue file of 2027-w03"}
