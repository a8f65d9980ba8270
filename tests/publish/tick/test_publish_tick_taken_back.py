"""The schedule and what people take back: a week that is skipped, an issue that is withdrawn."""

from __future__ import annotations

import pytest
from publish.tick.ticking import FRIDAY, MONDAY, NEXT, Letter, moment

from digest.errors import GuardError
from digest.model import IssueKey, Outcome
from digest.publish.release import withdraw_issue
from digest.publish.skip import skip_issue

_W49 = IssueKey("2026-w49")
_MORNING = "2026-11-27T10:00:00+01:00"
_SATURDAY = "2026-11-28T10:00:00+01:00"
_LATER = ("2026-11-30T09:01:00+01:00", "2026-11-30T18:00:00+01:00", "2026-12-03T09:00:00+01:00")


def _skip(letter: Letter, *, release: bool = False) -> None:
    reason = "" if release else "a feast"
    assert skip_issue(letter.project, _W49, reason=reason, release=release)[0]


def _withdraw(letter: Letter, at: str) -> None:
    assert withdraw_issue(letter.project, _W49, now=moment(at))[0]


def _told(letter: Letter, at: str) -> list[tuple[str, str]]:
    return [(event.what, event.told) for event in letter.tick(at).events]


_NOTHING = ("nothing", "skipped by hand: a feast")


@pytest.mark.parametrize("readers", [0, 2])
def test_skipped_week_is_noted_as_nothing(letter: Letter, readers: int) -> None:
    """At the draft time, at the slot, and never again; no mail, no edition, no failure."""
    letter.add_readers(readers)
    _skip(letter)

    assert _told(letter, FRIDAY) == [_NOTHING]
    assert _told(letter, _SATURDAY) == []
    assert _told(letter, MONDAY) == [_NOTHING]
    for at in _LATER:
        ticked = letter.tick(at)
        assert (ticked.events, ticked.code) == ((), 0)
    assert not (letter.root / "outbox/2026-w49").exists()
    assert letter.mail.taken == []
    assert letter.notes()[_W49].state == "nothing"


def test_skipped_after_the_draft_nothing_goes_out(running: Letter) -> None:
    """What was drafted on Friday and skipped on Saturday is nothing on Monday."""
    assert running.did(FRIDAY) == ["2026-w49 drafted"]
    _skip(running)

    assert _told(running, MONDAY) == [_NOTHING]
    assert running.did(_LATER[0]) == []
    assert running.mail.taken == []


def test_skipped_draft_of_a_person_is_no_draft(running: Letter) -> None:
    """An edition that lies in the outbox is not announced once its week is skipped."""
    running.build(_W49, _MORNING)
    _skip(running)

    assert _told(running, FRIDAY) == [_NOTHING]


def test_dry_run_tells_the_same_of_a_skipped_week(letter: Letter) -> None:
    """It notes nothing."""
    _skip(letter)

    ticked = letter.tick(MONDAY, dry_run=True)
    assert [(event.what, event.told) for event in ticked.events] == [_NOTHING]
    assert letter.notes() == {}


def test_released_before_its_slot_it_goes_out(running: Letter) -> None:
    """A note of Friday does not keep back what was let on Saturday."""
    _skip(running)
    running.tick(FRIDAY)
    _skip(running, release=True)

    assert running.did(MONDAY) == ["2026-w49 sent"]
    assert len(running.mail.taken) == 10


def test_skipped_week_moves_its_item_to_the_next(running: Letter) -> None:
    """The next slot sends what this one would have, under the number that came next."""
    planned = running.tick(FRIDAY, dry_run=True)
    assert [event.what for event in planned.events] == ["drafted"]
    _skip(running)
    running.tick(MONDAY)

    assert running.did(NEXT) == ["2026-w50 sent"]
    assert [past.number for past in running.project.stored()] == [1, 2]


def test_file_without_items_is_drafted_and_sent(running: Letter) -> None:
    """What people only began is picked for at its time."""
    running.write(_W49, "---\nsubject: Ice\n---\n\nHello from the lock.\n")

    assert running.did(FRIDAY) == ["2026-w49 drafted"]
    assert "items:" in running.words(_W49)
    assert running.did(MONDAY) == ["2026-w49 sent"]
    assert b"Subject: Ice\r\n" in running.mail.taken[0].data


@pytest.mark.parametrize("readers", [0, 2])
def test_withdrawn_before_its_slot_it_is_never_sent(letter: Letter, readers: int) -> None:
    """What was published by hand and taken back is neither drafted, nor sent, nor missed."""
    letter.publish_built(_W49, _MORNING)
    letter.add_readers(readers)
    _withdraw(letter, "2026-11-27T11:00:00+01:00")

    for at in (FRIDAY, _SATURDAY, MONDAY, *_LATER):
        ticked = letter.tick(at)
        assert (ticked.events, ticked.code) == ((), 0)
    assert letter.mail.opened == 0


def test_withdrawn_with_its_database_lost_it_is_never_sent(letter: Letter) -> None:
    """The seal keeps it back where the database forgot it."""
    letter.publish_built(_W49, _MORNING)
    _withdraw(letter, "2026-11-27T11:00:00+01:00")
    (letter.root / "private/digest.db").unlink()
    letter.tick("2026-11-27T12:00:00+01:00")
    letter.add_readers(2)

    assert letter.did(MONDAY) == []
    assert letter.mail.opened == 0


def test_withdrawn_after_it_was_sent_it_stays_so(running: Letter) -> None:
    """The next slot goes on as ever, with other items."""
    running.tick(MONDAY)
    sent = running.mail.taken[0].data
    running.mail.taken.clear()
    _withdraw(running, "2026-12-01T10:00:00+01:00")

    assert running.did(NEXT) == ["2026-w50 sent"]
    assert b"Note 1" in sent
    assert b"Note 2" in running.mail.taken[0].data


def test_refused_while_the_schedule_sends_it(running: Letter) -> None:
    """What waits for a second try is still going out."""
    running.mail.answer = lambda _: Outcome(state="pending", code=451)
    running.tick(MONDAY)

    with pytest.raises(GuardError, match="its mails are going out"):
        _withdraw(running, _LATER[0])


@pytest.mark.parametrize("database", ["as it is", "an old copy"])
@pytest.mark.parametrize("unheld", [False, True])
def test_withdrawn_half_way_it_is_not_gone_on_with(
    letter: Letter, database: str, *, unheld: bool
) -> None:
    """Also where its hold is taken out by hand, or the database knows neither that nor the end.

    Each step passes it over, and the next issue goes out.
    """
    letter.add_readers(2)
    letter.mail.answer = lambda _: Outcome(state="pending", code=451)
    letter.send_by_hand(_W49, _MORNING)
    letter.mail.answer = lambda _: Outcome(state="accepted", code=250)
    file = letter.root / "private/digest.db"
    copy = file.read_bytes()
    letter.hold(_W49, "a wrong figure")
    _withdraw(letter, "2026-11-27T11:00:00+01:00")
    if unheld:
        letter.edit(_W49, "hold: a wrong figure\n", "")
    if database == "an old copy":
        file.write_bytes(copy)

    for at in (FRIDAY, MONDAY, *_LATER):
        ticked = letter.tick(at)
        assert (ticked.events, ticked.failure) == ((), None)
    assert letter.mail.taken == []
    assert letter.did(NEXT) == ["2026-w50 sent"]
