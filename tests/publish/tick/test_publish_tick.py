"""One step of the schedule: what is due goes out, once; what is doubtful waits for a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cases.forms import tree
from publish.tick.ticking import FRIDAY, ITEMS, MONDAY, NEXT, SETTINGS, Letter, moment

from digest.errors import IssueFileError

Make = Callable[..., Path]


def test_draft_then_send(running: Letter) -> None:
    """Drafted from its draft time on and sent at its slot, each once, to every reader."""
    steps = {
        "2026-11-27T14:59:00+01:00": [],
        FRIDAY: ["2026-w49 drafted"],
        "2026-11-27T15:01:00+01:00": [],
        "2026-11-30T08:59:59+01:00": [],
        MONDAY: ["2026-w49 sent"],
        "2026-11-30T09:00:01+01:00": [],
        "2026-11-30T09:01:00+01:00": [],
    }

    assert {at: running.did(at) for at in steps} == steps
    assert len({message.recipient for message in running.mail.taken}) == 10
    assert len(running.mail.taken) == 10
    assert running.sends()[-1].by == "schedule"


def test_edition_is_built_again_at_the_slot(running: Letter) -> None:
    """What was saved after the draft is in the issue that goes out."""
    running.tick(FRIDAY)
    running.edit("2026-w49", "items:", "subject: Mended words\nitems:")
    running.tick(MONDAY)

    assert b"Subject: Mended words\r\n" in running.mail.taken[0].data


def test_missed_draft_time_is_made_up_at_the_slot(running: Letter) -> None:
    """An issue that nobody drafted is drafted and sent in one step, with no notice."""
    assert running.did(MONDAY) == ["2026-w49 sent"]
    assert running.notices.taken == []


def test_draft_of_a_person_is_kept(running: Letter) -> None:
    """Where an edition is there already, the editors are told of that one."""
    running.build("2026-w49", "2026-11-27T10:00:00+01:00")
    before = tree(running.root / "outbox/2026-w49")

    assert running.did(FRIDAY) == ["2026-w49 drafted"]
    assert tree(running.root / "outbox/2026-w49") == before
    assert len(running.notices.taken) == 1


def test_slots_before_the_first_tick_are_never_due(letter: Letter) -> None:
    """A newsletter that begins on a Thursday owes nothing for the Monday before."""
    assert letter.tick("2026-11-26T12:01:00+01:00").events == ()
    assert letter.notes() == {}


def test_first_tick_counts_from_its_minute(newsletter: Make) -> None:
    """A first tick some seconds after a slot has that slot."""
    late = Letter(root=newsletter(ITEMS, settings=SETTINGS))

    assert late.did("2026-11-30T09:00:59+01:00") == ["2026-w49 published"]


def test_never_a_reader_publishes_and_mails_nothing(letter: Letter) -> None:
    """Without readers the issue is put on the site at its time, once."""
    assert letter.did(MONDAY) == ["2026-w49 published"]
    assert letter.did("2026-11-30T09:01:00+01:00") == []
    assert (letter.root / "outbox/site/2026-w49.html").is_file()
    assert letter.mail.opened == 0


def test_readers_who_come_after_publishing_get_no_late_mail(letter: Letter) -> None:
    """An issue that went out on the site alone is not mailed to who joins an hour later."""
    letter.tick(FRIDAY)
    letter.tick(MONDAY)
    letter.add_readers(3)

    assert letter.did("2026-11-30T10:00:00+01:00") == []
    assert letter.mail.taken == []


def test_first_send_is_held_for_a_person(letter: Letter) -> None:
    """Where no issue was ever sent by hand the first one is held, and says so in its file."""
    letter.add_readers(2)
    ticked = letter.tick(MONDAY)

    assert [event.what for event in ticked.events] == ["held"]
    assert ticked.code == 4
    assert "hold: no issue was sent by hand yet" in letter.words("2026-w49")
    assert letter.did("2026-11-30T09:01:00+01:00") == []
    assert letter.mail.taken == []


@pytest.mark.parametrize(("more", "held"), [(2, False), (3, True), (-2, False), (-3, True)])
def test_changed_audience_is_held(running: Letter, more: int, *, held: bool) -> None:
    """More than a fifth more or fewer readers than the last time hold the issue."""
    if more > 0:
        running.add_readers(more, first=10)
    with running.store() as store:
        for number in range(-more):
            store.readers.change(
                f"r{number}@example.org", state="left", reason="asked to", at=moment(FRIDAY)
            )
    expected = "2026-w49 held" if held else "2026-w49 sent"

    assert running.did(MONDAY) == [expected]
    assert len(running.mail.taken) == (0 if held else 10 + more)


def test_nobody_active_is_held(running: Letter) -> None:
    """Where all readers have left, the issue waits for a person."""
    with running.store() as store:
        for reader in store.readers.all():
            store.readers.change(reader.address, state="left", reason="", at=moment(FRIDAY))
    ticked = running.tick(MONDAY)

    assert [(event.what, event.told) for event in ticked.events] == [
        ("held", "there is no active reader, so nobody would get it")
    ]


def test_check_with_an_error_is_held(running: Letter) -> None:
    """An error that a check finds holds the issue, and the reason names it."""
    running.tick(FRIDAY)
    running.write("2026-w49", "---\nitems:\n  - n07\n---\n")
    (running.root / "content/n07.md").write_text(
        "---\ntitle: Draft\ndraft: true\n---\n\nWords.\n", "utf-8"
    )
    ticked = running.tick(MONDAY)

    assert [event.what for event in ticked.events] == ["held"]
    assert ticked.events[0].told.startswith("D121: ")
    assert "hold:" in running.words("2026-w49")
    assert running.mail.opened == 1  # the send by hand


def test_hold_of_a_person_is_kept(running: Letter) -> None:
    """A line `hold` stops the issue at its slot for good; released later it is a person's."""
    running.tick(FRIDAY)
    running.edit("2026-w49", "items:", "hold: waiting for a word\nitems:")
    ticked = running.tick(MONDAY)

    assert [(event.what, event.told) for event in ticked.events] == [("held", "waiting for a word")]
    running.edit("2026-w49", "hold: waiting for a word\n", "")
    assert running.did("2026-11-30T09:05:00+01:00") == []
    assert running.mail.taken == []


def test_file_that_cannot_say_hold_is_held_all_the_same(letter: Letter) -> None:
    """Where the line does not fit into the issue file, that is told, and nothing goes out."""
    letter.add_readers(2)
    letter.tick(FRIDAY)
    letter.write("2026-w49", "---\n{items: [n07]}\n---\n")
    ticked = letter.tick(MONDAY)

    assert [event.what for event in ticked.events] == ["held"]
    assert ticked.failure is not None
    assert "hold" in str(ticked.failure)
    assert letter.did("2026-11-30T09:01:00+01:00") == []
    assert letter.mail.taken == []


def test_seal_alone_settles_an_issue(letter: Letter) -> None:
    """An issue that its file calls published is settled, though the database does not know."""
    letter.publish_built("2026-w49", "2026-11-26T13:00:00+01:00")
    letter.publish_built("2026-w50", "2026-11-26T14:00:00+01:00")
    (letter.root / "private/digest.db").unlink()
    letter.tick("2026-11-26T15:00:00+01:00")

    assert letter.did(FRIDAY) == []
    assert letter.did(MONDAY) == []
    assert letter.did(NEXT) == []


def test_hold_released_before_the_slot_holds_nothing(running: Letter) -> None:
    """A hold that is gone by the slot leaves no trace."""
    running.tick(FRIDAY)
    running.edit("2026-w49", "items:", "hold: waiting\nitems:")
    assert running.did("2026-11-28T09:00:00+01:00") == []
    running.edit("2026-w49", "hold: waiting\n", "")

    assert running.did(MONDAY) == ["2026-w49 sent"]


def test_issue_published_by_hand_is_mailed_at_its_slot(running: Letter) -> None:
    """To put it on the site before is no word against mailing it; once is enough."""
    running.tick(FRIDAY)
    running.publish("2026-w49", "2026-11-29T10:00:00+01:00")

    assert running.did(MONDAY) == ["2026-w49 sent"]
    assert len(running.mail.taken) == 10
    assert running.did("2026-11-30T09:01:00+01:00") == []


def test_readers_who_come_after_the_publishing_get_the_next_one(letter: Letter) -> None:
    """An issue that went out when there was no reader is not mailed to who signs up that day."""
    assert letter.did(MONDAY) == ["2026-w49 published"]
    letter.add_readers(2)

    assert letter.did("2026-11-30T15:00:00+01:00") == []


def test_issue_sent_by_hand_is_not_sent_again(running: Letter) -> None:
    """What a person sent before its slot or before its draft is settled."""
    running.send_by_hand("2026-w49", "2026-11-27T09:00:00+01:00")
    running.mail.taken.clear()

    assert running.did(FRIDAY) == []
    assert running.did(MONDAY) == []
    assert running.mail.taken == []


def test_nothing_to_send_is_tried_again_at_the_slot(newsletter: Make) -> None:
    """An empty pick in the draft window is no last word; at the slot it is."""
    letter = Letter(root=newsletter({}, settings=SETTINGS))
    letter.tick("2026-11-26T12:00:00+01:00")

    assert letter.did(FRIDAY) == ["2026-w49 nothing"]
    assert letter.did("2026-11-27T15:01:00+01:00") == []
    (letter.root / "content/late.md").write_text("---\ntitle: Late\n---\n\nWords.\n", "utf-8")
    assert letter.did(MONDAY) == ["2026-w49 published"]
    assert letter.did(NEXT) == ["2026-w50 nothing"]
    assert letter.did("2026-12-07T09:01:00+01:00") == []


def test_file_that_cannot_be_read_is_told_and_left_out(running: Letter) -> None:
    """The issue goes out without it, and the step ends with 1."""
    (running.root / "content/bad.md").write_bytes(b"---\ntitle: \xff\n---\n")
    ticked = running.tick(MONDAY)

    assert [event.what for event in ticked.events] == ["sent"]
    assert [problem.where.partition(":")[0] for problem in ticked.problems] == ["content/bad.md"]
    assert ticked.code == 1


def test_broken_issue_file_stops_the_issue_until_it_is_mended(running: Letter) -> None:
    """An issue file that names nobody's summary fails the step, and a mended one goes out."""
    running.tick(FRIDAY)
    good = running.words("2026-w49")
    running.write("2026-w49", "---\nitems:\n  - nobody\n---\n")
    ticked = running.tick(MONDAY)
    running.write("2026-w49", good)

    assert isinstance(ticked.failure, IssueFileError)
    assert ticked.code == 2
    assert running.did("2026-11-30T09:01:00+01:00") == ["2026-w49 sent"]


def test_dry_run_changes_nothing(running: Letter) -> None:
    """A dry step tells what would be done: draft, send, miss; no byte on disk changes."""
    before = tree(running.root)
    told = {
        at: [event.what for event in running.tick(at, dry_run=True).events]
        for at in (FRIDAY, MONDAY, "2026-12-07T09:00:00+01:00", "2026-12-09T09:00:00+01:00")
    }

    assert list(told.values()) == [
        ["drafted"],
        ["sent"],
        ["missed", "sent"],
        ["missed", "missed"],
    ]
    assert tree(running.root) == before
    assert running.mail.taken == []


def test_dry_run_of_a_new_newsletter(newsletter: Make) -> None:
    """Where nothing ever ran, a dry step makes no database."""
    letter = Letter(root=newsletter(ITEMS, settings=SETTINGS))
    before = tree(letter.root)

    assert [event.what for event in letter.tick(MONDAY, dry_run=True).events] == ["published"]
    assert tree(letter.root) == before
