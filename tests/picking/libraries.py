"""Libraries, slots and issues gone by for the tests of picking; what no two issues may share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from digest.model import (
    Issue,
    IssueKey,
    PastIssue,
    PastItem,
    Slot,
    Summary,
    Theme,
    ThemeId,
    WeeklyTime,
    canonical_url,
    issue_key,
    likeness,
    sketch,
    week_days,
)
from digest.picking import Explanation, Policy
from digest.picking.claims import Claims
from digest.picking.decide import decide, stock_up
from digest.picking.explain import Account

__all__ = [
    "FIRST",
    "NAMES",
    "THEMES",
    "ZONE",
    "apart",
    "clashes",
    "explain_each",
    "gone",
    "libraries",
    "past",
    "pasts",
    "policies",
    "published",
    "slots",
    "summary",
    "text",
]

ZONE = ZoneInfo("UTC")
FIRST = datetime(2027, 1, 4, 9, tzinfo=UTC)  # the slot of 2027-w01
NAMES = ("locks", "tides", "mills", "weirs", "wells")
THEMES = tuple(Theme(id=ThemeId(name), label=name, match=(f"tag:{name}",)) for name in NAMES[:4])
_TIME = WeeklyTime(weekday=0, hour=9, minute=0)
_VOCABULARY = [
    f"{start}{end}"
    for start in ("ka", "lo", "mi", "nu", "pe", "ru", "so", "ta")
    for end in ("rad", "sil", "tob", "vun", "wex", "yal", "zim", "dor", "fen", "gup", "hab", "jod")
]


def slots(count: int, *, first: datetime = FIRST) -> tuple[Slot, ...]:
    """Give the slots of weeks in a row."""
    weeks = (first + timedelta(weeks=week) for week in range(count))
    return tuple(_TIME.slot(issue_key(moment, ZONE), ZONE) for moment in weeks)


def text(seed: int, *, changed: int = 0, length: int = 60) -> str:
    """Make a text of invented words; `changed` of them are other ones than without."""
    words = Random(seed).choices(_VOCABULARY, k=length)  # noqa: S311 - words, always the same
    for place in range(changed):
        words[3 + place * length // (changed + 1)] = f"other{place}"
    return " ".join(words)


def summary(name: str, theme: str = "", **fields: object) -> Summary:
    """Make a summary whose file names its theme; its text is its own unless one is given."""
    given: dict[str, object] = {
        "id": name,
        "path": f"{name}.md",
        "title": f"Title of {name}",
        "body": f"Words of {name}.",
        "fingerprint": name,
        "themes": (theme,) if theme else (),
    }
    return Summary(**given | fields)  # type: ignore[arg-type] # a test names what it sets


def gone(found: Summary) -> PastItem:
    """Give what is remembered of a summary once it was in an issue."""
    url = canonical_url(found.url) if found.url else ""
    return PastItem(id=found.id, url=url, title=found.title, sketch=sketch(found))


def past(key: str, theme: str, *items: Summary, **fields: object) -> PastIssue:
    """Make an issue gone by, published unless another thing is said."""
    given: dict[str, object] = {
        "key": IssueKey(key),
        "at": _TIME.slot(IssueKey(key), ZONE).at,
        "theme": ThemeId(theme),
        "items": tuple(gone(item) for item in items),
        "published": True,
    }
    return PastIssue(**given | fields)  # type: ignore[arg-type] # a test names what it sets


def published(issue: Issue, by_id: Mapping[str, Summary]) -> PastIssue:
    """Give an issue as one that was published at its slot."""
    return past(issue.key, issue.theme, *(by_id[pick.id] for pick in issue.items))


def apart(one: IssueKey, other: IssueKey) -> int:
    """Count the weeks between two issues."""
    return abs((week_days(one)[0] - week_days(other)[0]).days) // 7


def clashes(
    before: Iterable[PastIssue],
    made: Iterable[PastIssue],
    by_id: Mapping[str, Summary],
    policy: Policy,
) -> list[str]:
    """Tell which items of the issues that were made are in an issue before, or in one twice.

    A summary is known for ever by its id, its address and its very text. A text like its own counts
    within the repeat window, and within one issue at any time. With `similarity` 0 no text counts.
    Once a summary has rested for its weeks, it may come again. What it supersedes does not count
    against it.
    """
    places = [(past.key, item) for past in before if not past.freed for item in past.items]
    found = []
    for issue in made:
        for new in issue.items:
            for key, old in places:
                weeks, near = apart(key, issue.key), likeness(old.sketch, new.sketch)
                same = _same(old, new, texts=policy.similarity > 0)
                close = key == issue.key or weeks < policy.repeat_window
                alike = close and 0 < policy.similarity <= near
                rest = _rest(by_id[new.id], policy)
                rested = same and key != issue.key and rest is not None and weeks >= rest
                if (same or alike) and not rested and not _replaced(old, new.id, by_id):
                    found.append(f"{old.id} in {key}, {new.id} in {issue.key}, alike {near:.2f}")
            places.append((issue.key, new))
    return found


def _same(old: PastItem, new: PastItem, *, texts: bool) -> bool:
    """Tell whether two items are one summary, whatever its file is called by now."""
    pages = bool(old.url) and old.url == new.url
    return old.id == new.id or pages or (texts and bool(old.sketch) and old.sketch == new.sketch)


def _rest(new: Summary, policy: Policy) -> int | None:
    """Give the weeks after which a summary may come again; None where it never may."""
    if new.cooldown is not None:
        return new.cooldown
    return policy.repeat_window if policy.repeats == "fill" else None


def _replaced(old: PastItem, new: str, by_id: Mapping[str, Summary]) -> bool:
    """Tell whether a summary takes the place of what was out: by its id, or by the address.

    Under the address of what it supersedes anything may have been out whose file has another name
    by now; what has a file of its own stands for itself.
    """
    superseded = {name for name in _named_by(new, by_id) if new not in _named_by(name, by_id)}
    pages = {
        canonical_url(by_id[name].url) for name in superseded if name in by_id and by_id[name].url
    }
    return old.id in superseded or (old.id not in by_id and old.url in pages)


def _named_by(name: str, by_id: Mapping[str, Summary]) -> set[str]:
    """Give the ids that a summary says it supersedes, directly or by others."""
    found: set[str] = set()
    open_ids = [name]
    while open_ids:
        one = by_id.get(open_ids.pop())
        new = set(one.supersedes) - found if one else set()
        found |= new
        open_ids += sorted(new)
    return found


_DAYS = st.integers(-300, 30).map(lambda days: FIRST + timedelta(days=days))
_URLS = st.sampled_from(
    ["", "", "", "https://a.example/1", "http://www.a.example/1/", "https://a.example/2"]
)
# Texts that are alike by 1, by about 0.9 and by about 0.6, and texts of their own.
_TEXTS = st.sampled_from(
    ["", "", "", "", text(1), text(1, changed=2), text(1, changed=11), text(2)]
)
_IDS = [f"n{number}" for number in range(12)]


@st.composite
def libraries(draw: st.DrawFn) -> list[Summary]:
    """Draw summaries of any life: dated, held back, drafts, withdrawn, alike, superseded."""
    library = []
    for name in _IDS[: draw(st.integers(0, len(_IDS)))]:
        title = draw(st.sampled_from([f"Title of {name}", "Twins"]))
        body = draw(_TEXTS)
        found = summary(
            name,
            draw(st.sampled_from([*NAMES, ""])),
            title=title if body else f"Title of {name}",
            body=body or f"Words of {name}.",
            date=draw(st.one_of(st.none(), _DAYS)),
            not_before=draw(st.one_of(st.none(), st.none(), _DAYS)),
            not_after=draw(st.one_of(st.none(), st.none(), st.none(), _DAYS)),
            url=draw(_URLS),
            weight=draw(st.sampled_from([0.0, 0.0, 1.0, -1.0, 50.0])),
            pin=draw(st.integers(0, 7)) == 0,
            draft=draw(st.integers(0, 9)) == 0,
            withdrawn=draw(st.integers(0, 9)) == 0,
            cooldown=draw(st.sampled_from([None, None, None, 0, 3])),
            supersedes=draw(st.sampled_from([(), (), (), ("n0",), ("n1", "n2")])),
            source=draw(st.sampled_from(["", "Board", "Club"])),
            authors=draw(st.sampled_from([(), ("Ada",), ("Ada", "Bo")])),
            tags=draw(st.sampled_from([(), ("locks",), ("stone", "water")])),
        )
        library.append(found if name not in found.supersedes else replace(found, supersedes=()))
    return library


@st.composite
def pasts(draw: st.DrawFn, library: list[Summary]) -> tuple[PastIssue, ...]:
    """Draw issues before the first slot and long after it, published, reserved or taken back.

    Of some summaries they know an earlier name, which no file has now.
    """
    keys = draw(
        st.lists(
            st.sampled_from(["2025-w20", "2026-w49", "2026-w52", "2026-w53", "2027-w30"]),
            unique=True,
            max_size=3,
        )
    )
    found = []
    for key in keys:
        items = (
            draw(st.lists(st.sampled_from(library), max_size=2, unique_by=id)) if library else []
        )
        out = draw(st.booleans())
        at = _TIME.slot(IssueKey(key), ZONE).at
        freed = out and draw(st.integers(0, 4)) == 0
        theme = draw(st.sampled_from(["", *NAMES[:2]]))
        taken_back = at + timedelta(days=1) if freed else None
        names = [one.id if draw(st.integers(0, 2)) else f"was-{one.id}" for one in items]
        known = [replace(one, id=name) for one, name in zip(items, names, strict=True)]
        found.append(past(key, theme, *known, published=out, withdrawn=taken_back, freed=freed))
    return tuple(found)


policies = st.builds(
    Policy,
    mode=st.sampled_from(["theme", "theme", "mixed"]),
    min_items=st.integers(1, 3),
    max_items=st.integers(3, 5),
    repeat_window=st.sampled_from([0, 2, 52]),
    when_thin=st.sampled_from(["borrow", "short", "skip"]),
    max_per_source=st.sampled_from([None, None, 1, 2]),
    max_per_author=st.sampled_from([None, None, 1]),
    similarity=st.sampled_from([0.0, 0.7, 0.7]),
    max_age=st.sampled_from([None, None, 20]),
    max_wait=st.sampled_from([4, 26]),
)


def explain_each(
    slot: Slot,
    library: Iterable[Summary],
    *,
    themes: tuple[Theme, ...],
    held: Claims,
    policy: Policy,
) -> tuple[Explanation, ...]:
    """Explain every summary at a slot, as `explain` does, in the order of the shelf.

    `held` is the history, which a play of many weeks need not gather anew in each.
    """
    stock = stock_up(library, themes, policy)
    account = Account(decide(stock, slot, held))
    return tuple(account.explain(candidate) for candidate in stock.shelf)
