"""What differs between two ways of picking the same issues, and how even each of them is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from digest.model import Issue, IssueKey, Pick, ThemeId
from digest.picking.claims import weeks_apart

__all__ = ["Balance", "Change", "Told", "balance", "compare"]

# An issue as far as balance asks: its key, its theme (empty where mixed), the ids of its items.
Told = tuple[IssueKey, ThemeId, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How one issue differs before and after.

    A theme is empty where the issue is mixed or there is none. `came` and `went` stand in the
    order of their issue. `moved` tells that the same items stand in another order. Where there is
    no issue, before or after, it counts as skipped.
    """

    key: IssueKey
    theme_before: ThemeId
    theme_after: ThemeId
    came: tuple[Pick, ...]
    went: tuple[Pick, ...]
    moved: bool
    skipped_before: bool
    skipped_after: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """How evenly issues went to themes, and how far apart their repeats are.

    `led` counts the issues of each theme, `longest_wait` gives the most weeks between two of them
    in a row; both most first, then by id, without the themes that have no such number. `repeats`
    counts the items that an issue before had already; `nearest_repeat` is the fewest weeks
    between two such issues, None without a repeat.
    """

    issues: int
    led: tuple[tuple[ThemeId, int], ...]
    longest_wait: tuple[tuple[ThemeId, int], ...]
    repeats: int
    nearest_repeat: int | None


def compare(
    before: Mapping[IssueKey, Issue | None], after: Mapping[IssueKey, Issue | None]
) -> tuple[Change, ...]:
    """Give what changed in each issue that differs, by key; reasons do not count.

    None, a missing key and an issue with a reason to `skip` it all mean that there is no issue.
    """
    keys = sorted(before.keys() | after.keys())
    pairs = ((key, _held(before.get(key)), _held(after.get(key))) for key in keys)
    changes = (_change(key, was, now) for key, was, now in pairs)
    return tuple(change for change in changes if change is not None)


def _held(issue: Issue | None) -> Issue | None:
    return None if issue is None or issue.skip else issue


def _change(key: IssueKey, was: Issue | None, now: Issue | None) -> Change | None:
    old, new = was.items if was else (), now.items if now else ()
    old_ids, new_ids = [pick.id for pick in old], [pick.id for pick in new]
    change = Change(
        key=key,
        theme_before=was.theme if was else ThemeId(""),
        theme_after=now.theme if now else ThemeId(""),
        came=tuple(pick for pick in new if pick.id not in old_ids),
        went=tuple(pick for pick in old if pick.id not in new_ids),
        moved=old_ids != new_ids and set(old_ids) == set(new_ids),
        skipped_before=was is None,
        skipped_after=now is None,
    )
    same = (
        change.theme_before == change.theme_after
        and change.skipped_before == change.skipped_after
        and old_ids == new_ids
    )
    return None if same else change


def balance(issues: Sequence[Told], *, earlier: Sequence[Told] = ()) -> Balance:
    """Count how issues, in the order in which they went out, use themes and repeat items.

    `earlier` issues went out before: a wait or a repeat may begin in them, and nothing else of
    them counts. Weeks are those of the calendar.
    """
    led: Counter[ThemeId] = Counter()
    waits: dict[ThemeId, int] = {}
    distances: list[int] = []
    last_lead: dict[ThemeId, IssueKey] = {}
    last_issue: dict[str, IssueKey] = {}
    for place, (key, theme, ids) in enumerate((*earlier, *issues)):
        counts = place >= len(earlier)
        if counts and theme:
            led[theme] += 1
            if theme in last_lead:
                waits[theme] = max(weeks_apart(last_lead[theme], key), waits.get(theme, 0))
        if counts:
            distances += [weeks_apart(last_issue[name], key) for name in ids if name in last_issue]
        last_lead[theme] = key
        last_issue.update((name, key) for name in ids)
    return Balance(
        issues=len(issues),
        led=_most_first(led),
        longest_wait=_most_first(waits),
        repeats=len(distances),
        nearest_repeat=min(distances, default=None),
    )


def _most_first(numbers: Mapping[ThemeId, int]) -> tuple[tuple[ThemeId, int], ...]:
    return tuple(sorted(numbers.items(), key=lambda found: (-found[1], found[0])))
