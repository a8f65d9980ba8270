"""DM-02: started on the send minute, or after it: late is late, and twice is never."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cases.inputs import both
from publish.tick.ticking import ITEMS, SETTINGS, Letter

Make = Callable[..., Path]

_OURS = """\
zone Europe/Berlin
weekly Sunday 09:00, grace: as the manual says
a  2027-01-17T09:00:40 start daemon for the first time this week
b  2027-01-17T08:30:00 stop daemon ; 2027-01-17T19:30:00 start daemon
c  2027-01-17T09:00:02 issue sent ; restart at 09:00:10 and again at 09:30:00
d  stopped 2027-01-16 ; started 2027-02-15T08:00:00 (four Sundays missed)
"""
timeline = both("DM-02", {"timeline.txt": _OURS}, "timeline.txt")


def _case(files: dict[str, bytes], name: str) -> list[str]:
    """Give the moments of one case, aware, in their order."""
    [line] = [
        line for line in files["timeline.txt"].decode().splitlines() if line.startswith(name + " ")
    ]
    days = re.findall(r"\d{4}-\d\d-\d\d", line)
    found, day = [], days[0]
    for moment in re.findall(r"(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d", line):
        date, _, time = moment.rpartition("T")
        day = date or day
        found.append(f"{day}T{time}+01:00")
    return found


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter of three readers, sent by hand before, that no daemon has run for."""
    letter = Letter(root=newsletter(ITEMS, settings=SETTINGS.replace("mon 09:00", "sun 09:00")))
    letter.add_readers(3)
    letter.send_by_hand("2027-w01", "2027-01-10T12:00:00+01:00")
    letter.mail.taken.clear()
    return letter


def _mails(letter: Letter) -> list[str]:
    return sorted(message.recipient for message in letter.mail.taken)


_ALL = ["r0@example.org", "r1@example.org", "r2@example.org"]


@timeline
@pytest.mark.parametrize("before", ["", "2027-01-11T12:00:00+01:00"])
def test_dm_02_a_first_start_within_the_minute(
    letter: Letter, files: dict[str, bytes], before: str
) -> None:
    """Started some seconds after the slot, for the first time ever or this week: it is sent."""
    if before:
        letter.tick(before)
    [start] = _case(files, "a")

    assert letter.did(start) == ["2027-w02 sent"]
    assert _mails(letter) == _ALL


@timeline
@pytest.mark.parametrize(("missed", "what"), [("late", "sent"), ("skip", "missed")])
def test_dm_02_b_stopped_over_the_slot(
    letter: Letter, files: dict[str, bytes], missed: str, what: str
) -> None:
    """Some hours late it is sent, or entered as missed, as the settings say; either way once."""
    file = letter.root / "digest.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("[schedule]", f'[schedule]\nmissed = "{missed}"'), "utf-8")
    stop, start = _case(files, "b")
    letter.tick("2027-01-11T12:00:00+01:00")
    letter.tick(stop)

    assert letter.did(start) == [f"2027-w02 {what}"]
    assert letter.did(start) == []
    assert _mails(letter) == (_ALL if what == "sent" else [])


@timeline
def test_dm_02_c_started_again_after_the_send(letter: Letter, files: dict[str, bytes]) -> None:
    """Nobody gets a second mail, however soon it is started again."""
    letter.tick("2027-01-11T12:00:00+01:00")
    sent, *again = _case(files, "c")

    assert letter.did(sent) == ["2027-w02 sent"]
    assert [letter.did(moment) for moment in again] == [[], []]
    assert _mails(letter) == _ALL


@timeline
def test_dm_02_d_weeks_without_a_daemon(letter: Letter, files: dict[str, bytes]) -> None:
    """After weeks at most one issue goes out, the newest, if it is not older than a day."""
    letter.tick("2027-01-16T12:00:00+01:00")
    [start] = _case(files, "d")
    did = letter.did(start)
    sent = [event for event in did if event.endswith("sent")]

    assert len(did) >= 4
    assert sent in ([], [did[-1]])
    assert len(letter.mail.taken) == 3 * len(sent)
    assert letter.did(start) == []
