"""One slot, small libraries by theme, and what was picked of them, for the tests of picking."""

from __future__ import annotations

from datetime import datetime, timedelta

from picking.libraries import FIRST, THEMES, slots, summary

from digest.model import History, Issue, Pick, Slot, Summary, Theme, ThemeId
from digest.picking import Explanation, Policy, Selection, Wish, explain, pick

__all__ = [
    "SLOT",
    "ago",
    "ids",
    "issue_of",
    "keep",
    "left_out",
    "select",
    "several",
    "tagged",
    "told",
]

SLOT = slots(1)[0]  # 2027-w01; the week before is 2026-w53
_POLICY = Policy()


def ago(weeks: int) -> datetime:
    """Give the moment some weeks before the slot."""
    return FIRST - timedelta(weeks=weeks)


def tagged(name: str, theme: str, **fields: object) -> Summary:
    """Make a summary that a rule puts under its theme, by its tag; no tag for an empty theme."""
    tags = (theme,) if theme else ()
    return summary(name, **{"tags": tags} | fields)  # type: ignore[arg-type] # a test names what it sets


def several(theme: str, count: int, **fields: object) -> tuple[Summary, ...]:
    """Make summaries of one theme, `locks-1` and so on."""
    return tuple(tagged(f"{theme}-{number}", theme, **fields) for number in range(1, count + 1))


def keep(*names: str, theme: str = "locks") -> tuple[Pick, ...]:
    """Give items as an issue file has them."""
    return tuple(Pick(id=name, theme=ThemeId(theme), reason="by hand") for name in names)


def select(
    *library: Summary,
    slot: Slot = SLOT,
    themes: tuple[Theme, ...] = THEMES,
    history: History = (),
    policy: Policy = _POLICY,
    theme: str | None = None,
    wish: Wish | None = None,
) -> Selection:
    """Pick the issue of the slot, with a wish or only with a theme that is asked for."""
    asked = wish or Wish(theme=None if theme is None else ThemeId(theme))
    return pick(slot, library, themes=themes, history=history, policy=policy, wish=asked)


def told(
    name: str,
    *library: Summary,
    themes: tuple[Theme, ...] = THEMES,
    history: History = (),
    policy: Policy = _POLICY,
    wish: Wish | None = None,
) -> Explanation:
    """Explain a summary at the slot."""
    return explain(
        name,
        SLOT,
        library,
        themes=themes,
        history=history,
        policy=policy,
        wish=wish or Wish(),
    )


def issue_of(selection: Selection) -> Issue:
    """Give the issue, which must be there."""
    assert selection.issue is not None
    assert selection.skipped == ""
    return selection.issue


def ids(selection: Selection) -> list[str]:
    """Give the ids of the items in the order shown."""
    return [item.id for item in issue_of(selection).items]


def left_out(selection: Selection) -> dict[str, str]:
    """Give the reasons of those that were left out, by id."""
    return {left.id: left.reason for left in issue_of(selection).left_out}
