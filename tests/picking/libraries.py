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
from digest.picking import Policy

__all__ = [
    "FIRST",
    "NAMES",
    "THEMES",
    "ZONE",
    "apart",
    "clashes",
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

    What a summary supersedes does not count against it, and once its cooldown is over neither does
    it itself.
    """
    places = [(past.key, item) for past in before if not past.freed for item in past.items]
    found = []
    for issue in made:
        for new in issue.items:
            for key, old in places:
                weeks, near = apart(key, issue.key), likeness(old.sketch, new.sketch)
                same = old.id == new.id or bool(old.url and old.url == new.url)
                alike = 0 < policy.similarity <= near and weeks < policy.repeat_window
                rest = by_id[new.id].cooldown
                rested = same and rest is not None and key != issue.key and weeks >= rest
                replaced = old.id in _superseded(by_id[new.id], by_id)
                if (same or alike) and not rested and not replaced:
                    found.append(f"{old.id} in {key}, {new.id} in {issue.key}, alike {near:.2f}")
            places.append((issue.key, new))
    return found


def _superseded(new: Summary, by_id: Mapping[str, Summary]) -> set[str]:
    """Give the ids of all that a summary takes the place of, directly or by others."""
    found: set[str] = set()
    open_ids = list(new.supersedes)
    while open_ids:
        name = open_ids.pop()
        if name not in found:
            found.add(name)
            open_ids += by_id[name].supersedes if name in by_id else ()
    return found - {new.id}


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
    """Draw issues before the first slot and long after it, published, reserved or taken back."""
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
        found.append(past(key, theme, *items, published=out, withdrawn=taken_back, freed=freed))
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
