"""TZ-01: the hour that comes twice: one issue on the autumn night, whoever is started again."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cases.clock import Clock
from cases.inputs import both
from publish.tick.ticking import ITEMS, SETTINGS, Letter

from digest.errors import DigestError
from digest.schedule import run_every_minute

Make = Callable[..., Path]

_OURS = """\
zone Europe/Lisbon
weekly Sunday 01:40
subscribers 4
2027-10-31T01:20:00+01:00 start daemon
2027-10-31T01:41:00+01:00 expect sent 4
2027-10-31T01:05:00+00:00 kill daemon, start daemon
2027-10-31T01:39:00+00:00 kill daemon, start daemon
2027-10-31T03:00:00+00:00 expect sent 4 in total
2027-11-07T01:41:00+00:00 expect sent 8 in total
"""
timeline = both("TZ-01", {"timeline.txt": _OURS}, "timeline.txt")


@pytest.fixture(autouse=True)
def own_zone() -> Iterator[None]:
    """Put the zone of the process back, which the loop changes."""
    before = os.environ.get("TZ")
    yield
    os.environ.pop("TZ", None)
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


def _said(text: str, pattern: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    assert found is not None
    return " ".join(found.groups())


def _events(text: str) -> list[tuple[datetime, str]]:
    lines = (line.split(" ", 1) for line in text.splitlines() if line[:1].isdigit())
    return [(datetime.fromisoformat(at).astimezone(UTC), what) for at, what in lines]


def _letter(make: Make, text: str) -> Letter:
    """Make the newsletter of a timeline; its first issue was sent by hand."""
    letter = Letter(root=make(ITEMS, settings=SETTINGS.replace("mon 09:00", _weekly(text).lower())))
    file = letter.root / "digest.toml"
    zone = _said(text, r"^zone (\S+)")
    file.write_text(file.read_text("utf-8").replace("Europe/Berlin", zone), "utf-8")
    letter.add_readers(int(_said(text, r"^subscribers (\d+)")))
    letter.send_by_hand("2027-w35", _events(text)[0][0].isoformat())
    letter.mail.taken.clear()
    return letter


@timeline
def test_tz_01_one_issue_in_the_first_pass(
    newsletter: Make, monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]
) -> None:
    """Each count of the timeline holds; both issues left at their time, in its first coming."""
    text = files["timeline.txt"].decode()
    letter, events = _letter(newsletter, text), _events(text)
    clock = Clock(monkeypatch, events[0][0].isoformat())
    sent: list[datetime] = []

    def step() -> None:
        now = clock.now
        sent.extend(now for event in letter.tick(now).events if event.what == "sent")

    for (at, what), (until, _) in zip(events, [*events[1:], events[-1]], strict=True):
        if what.startswith("expect"):
            assert len(letter.mail.taken) == int(_said(what, r"(\d+)")), at
        _run(clock, step, until)

    zone = letter.project.settings.newsletter.zone
    local = [at.astimezone(zone) for at in sent]
    assert [f"{at:%a %H:%M}" for at in local] == [_weekly(text)] * 2
    assert [at.fold for at in local] == [0, 0]


def _weekly(text: str) -> str:
    return _said(text, r"^weekly (\w{3})\w* (\d\d:\d\d)")


def _run(clock: Clock, step: Callable[[], None], until: datetime) -> None:
    """Run a new loop until a moment; days without a slot are slept through, hour by hour."""

    def pause(seconds: float) -> None:
        clock.pause(seconds)
        if until - clock.now > timedelta(hours=2):
            clock.now += timedelta(hours=1)

    if clock.now < until:
        run_every_minute(step, tell=_fail, pause=pause, stopped=lambda: clock.now >= until)


def _fail(error: DigestError) -> None:
    raise error
