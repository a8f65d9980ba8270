"""TZ-02: a host in another zone than the letter: the next slot is the letter's own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from cases.inputs import both

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]

_OURS = """\
# host zone | host clock | rule | next run in UTC
Asia/Tokyo | 2027-03-14 15:30 | weekly Sunday 02:30 America/New_York | 2027-03-14T07:30:00Z
America/Los_Angeles | 2026-12-31 14:00 | weekly Friday 06:15 Asia/Kathmandu | 2027-01-01T00:30:00Z
Pacific/Kiritimati | 2027-05-03 01:00 | weekly Sunday 23:59 Pacific/Pago_Pago | 2027-05-03T10:59:00Z
UTC | 2027-04-03 14:10 | weekly Sunday 01:45 Australia/Lord_Howe | 2027-04-03T14:45:00Z
"""
table = both("TZ-02", {"table.txt": _OURS}, "table.txt")
_ITEM = {"content/mill.md": "---\ntitle: Tide mills\n---\n\nThey ground corn.\n"}


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Give a function that puts the process into a zone."""

    def move(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


def _rows(files: dict[str, bytes]) -> list[tuple[str, datetime, str, str, datetime]]:
    """Read the table: host zone, moment, weekly time, zone of the letter, next run."""
    rows = []
    for line in files["table.txt"].decode().splitlines():
        if line.startswith("#") or "|" not in line:
            continue
        zone, clock, rule, then = (cell.strip() for cell in line.split("|"))
        _, day, at, own = rule.split()
        moment = datetime.fromisoformat(clock).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
        rows.append((zone, moment, f"{day[:3].lower()} {at}", own, datetime.fromisoformat(then)))
    return rows


@table
def test_tz_02_next_slot_is_the_letters(
    digest: Digest, newsletter: Make, host: Callable[[str], None], files: dict[str, bytes]
) -> None:
    """What is shown as next is the moment of the table, with the zone; then the issue goes out."""
    for place, (zone, now, weekly, own, expected) in enumerate(_rows(files)):
        host(zone)
        settings = f'[schedule]\nsend = "{weekly}"\n[selection]\nmin_items = 1\n'
        root = newsletter(_ITEM, settings=settings, name=f"letter{place}")
        there = ("-C", root, f"--set=newsletter.timezone={own}")
        _, told, _ = digest(*there, "tick", "--now", now.isoformat())
        shown = json.loads(digest(*there, "tick", "--json", "--now", now.isoformat())[1])
        at = datetime.fromisoformat(shown["next"]["slot"])

        assert abs(at - expected) <= timedelta(minutes=1)
        assert own in told
        assert _did(digest, there, expected - timedelta(minutes=1)) in ([], ["drafted"])
        assert _did(digest, there, expected) == ["published"]


def _did(digest: Digest, there: tuple[str | Path, ...], at: datetime) -> list[str]:
    code, out, err = digest(*there, "tick", "--json", "--now", at.isoformat())
    assert code == 0, err
    return [event["what"] for event in json.loads(out)["events"]]


@pytest.mark.parametrize("command", ["run", "tick", "config"])
def test_tz_02_unknown_zone_stops_the_start(digest: Digest, newsletter: Make, command: str) -> None:
    """A zone that is in no list is named, with the file; nothing is started."""
    root = newsletter(_ITEM)
    code, _, err = digest("-C", root, "--set=newsletter.timezone=Europe/Atlantis", command)

    assert code == 2
    assert "Europe/Atlantis" in err
    assert not (root / "private").exists()
