"""CA-01: week 53 and the turn of the year: one key a week, never two weeks with one key."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from email import message_from_bytes
from pathlib import Path

import pytest
from cases.inputs import both

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

# A build day and the ISO week it belongs to, after the calendar.
_OURS = {
    "days.txt": "# build day | week\n"
    "2020-12-27 | 2020-W52\n2020-12-28 | 2020-W53\n2020-12-31 | 2020-W53\n"
    "2021-01-01 | 2020-W53\n2021-01-03 | 2020-W53\n2021-01-04 | 2021-W01\n"
    "2024-02-29 | 2024-W09\n2024-12-29 | 2024-W52\n2024-12-30 | 2025-W01\n"
    "2025-01-01 | 2025-W01\n2026-01-01 | 2026-W01\n2026-12-31 | 2026-W53\n"
    "2027-01-01 | 2026-W53\n2032-01-01 | 2032-W01\n2033-01-01 | 2032-W53\n"
}
_NAMES = ("lamp", "buoy", "beacon", "horn", "bell", "flag", "log", "lead", "sail", "oar", "keel")


def _days(files: dict[str, bytes]) -> list[tuple[date, str]]:
    [data] = files.values()
    rows = [
        line.partition("|") for line in data.decode().splitlines() if line and line[0].isdigit()
    ]
    return [(date.fromisoformat(day.strip()), key.strip()) for day, _, key in rows]


def _letter(make: Make) -> Path:
    """Make a newsletter with an item for each issue; the items have no date of their own."""
    items = {
        f"content/{name}.md": f"---\ntitle: The {name}\ntheme: gear\n---\n\nWords on a {name}.\n"
        for name in _NAMES
    }
    return make(items, settings="[selection]\nmin_items = 1\nmax_items = 1\n")


def _now(day: date, time: str = "12:00:00") -> tuple[str, str]:
    return "--now", f"{day}T{time}+01:00"


@both("CA-01", _OURS, "*.txt")
def test_ca_01_key_is_the_iso_week(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """From the first second of a day to its last the key is the ISO week of the table."""
    root = _letter(newsletter)
    for day, expected in _days(files):
        for time in ("00:00:00", "23:59:59"):
            code, out, _ = digest("-C", root, "plan", "--weeks", "1", "--json", *_now(day, time))
            assert code == 0
            assert [issue["issue"].upper() for issue in json.loads(out)["issues"]] == [expected]


@both("CA-01", _OURS, "*.txt")
def test_ca_01_weeks_share_nothing(
    digest: Digest, newsletter: Make, files: dict[str, bytes]
) -> None:
    """Days of one week give one issue; other weeks have another folder, Message-ID and guid."""
    root = _letter(newsletter)
    issues: dict[str, tuple[str, ...]] = {}
    for day, week in _days(files):
        code, out, err = digest("-C", root, "build", "--json", *_now(day))
        assert code == 0, err
        built = json.loads(out)
        assert built["state"] == ("published" if week in issues else "built")
        assert digest("-C", root, "publish", *_now(day))[0] == 0
        message = message_from_bytes((root / built["folder"] / "issue.eml").read_bytes())
        seen = (built["issue"], built["folder"], str(message["Message-ID"]), built["edition"])
        assert issues.setdefault(week, seen) == seen
    entries = json.loads((root / "outbox/site/feed.json").read_bytes())["items"]
    weeks = {week for _, week in _days(files)}

    assert issues.keys() == weeks
    for field in zip(*issues.values(), strict=True):
        assert len(set(field)) == len(weeks)
    assert len({entry["id"] for entry in entries}) == len(entries) == len(weeks)
    assert len({entry["url"] for entry in entries}) == len(weeks)


@pytest.mark.parametrize("sunday", [date(2027, 1, 3), date(2021, 1, 3), date(2033, 1, 2)])
def test_ca_01_sunday_of_week_53_does_not_stop_the_monday(
    digest: Digest, newsletter: Make, sunday: date
) -> None:
    """An issue sent in the last minute of week 53 leaves the next minute's issue free."""
    root = _letter(newsletter)
    monday = date.fromordinal(sunday.toordinal() + 1)
    told = []
    for day, time in ((sunday, "23:59:30"), (monday, "00:00:30")):
        assert digest("-C", root, "build", *_now(day, time))[0] == 0
        code, out, _ = digest("-C", root, "publish", "--json", *_now(day, time))
        assert code == 0
        told.append(json.loads(out))

    assert [issue["state"] for issue in told] == ["published", "published"]
    assert [issue["number"] for issue in told] == [1, 2]
    assert told[0]["issue"] == f"{sunday.year - 1}-w53"
    assert told[1]["issue"] == f"{monday.year}-w01"


def test_ca_01_week_that_does_not_exist_is_refused(digest: Digest, newsletter: Make) -> None:
    """Only a year with a week 53 has an issue of that name."""
    root = _letter(newsletter)

    assert digest("-C", root, "build", "2026-W53", *_now(date(2026, 12, 29)))[0] == 0
    for name in ("2027-W53", "2026-W54", "2026-W00"):
        code, _, err = digest("-C", root, "build", name, *_now(date(2026, 12, 29)))
        assert code == 2
        assert "2026-w53" in err
