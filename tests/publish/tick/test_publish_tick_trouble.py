"""What keeps the schedule from its work is told to the editors, and mended by itself or by them."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from publish.tick.ticking import FRIDAY, ITEMS, MONDAY, NEXT, SETTINGS, Letter

from digest.errors import (
    FilesError,
    GuardError,
    IssueFileError,
    TemplateError,
    TransportBusyError,
)
from digest.model import Message, Outcome

Make = Callable[..., Path]

_BROKEN = "---\nissue: [\n---\n"


def _subject(message: Message) -> str:
    return str(message_from_bytes(message.data, policy=policy.SMTP)["Subject"])


def _text(message: Message) -> str:
    parsed = message_from_bytes(message.data, policy=policy.SMTP)
    part = parsed.get_body(("plain",))  # type: ignore[attr-defined]
    return " ".join(part.get_content().split())


@pytest.mark.parametrize("key", ["2026-w49", "2026-w48", "2026-w52"])
def test_broken_issue_file_is_told_once_and_mended(running: Letter, key: str) -> None:
    """Editors hear at once which file it is; once it is mended the issue goes out by itself."""
    file = running.root / f"content/issues/{key}.md"
    before = file.read_text("utf-8") if file.exists() else None
    file.write_text(_BROKEN, "utf-8")
    for minute in range(3):
        ticked = running.tick(f"2026-11-30T09:0{minute}:00+01:00")
        assert isinstance(ticked.failure, IssueFileError)
    [notice] = running.notices.taken

    assert _subject(notice) == "[stuck] Harbour Notes: 2026-w49"
    assert f"content/issues/{key}.md:" in _text(notice)
    file.write_text(before, "utf-8") if before else file.unlink()
    assert running.did("2026-11-30T09:03:00+01:00") == ["2026-w49 sent"]
    assert len(running.notices.taken) == 1


def test_template_that_fails_is_told_at_the_draft(running: Letter) -> None:
    """Three days before it is due the editors know; the mended draft has its own notice."""
    own = running.root / "templates/entry.html.j2"
    own.parent.mkdir()
    own.write_text("{{ nothing }}", "utf-8")
    assert isinstance(running.tick(FRIDAY).failure, TemplateError)
    own.unlink()

    assert running.did("2026-11-27T15:01:00+01:00") == ["2026-w49 drafted"]
    assert [_subject(notice).partition("]")[0] for notice in running.notices.taken] == [
        "[stuck",
        "[draft",
    ]


def test_another_reason_is_told_anew(running: Letter) -> None:
    """Who has mended one file hears of the next."""
    file = running.root / "content/issues/2026-w48.md"
    file.write_text(_BROKEN, "utf-8")
    running.tick(MONDAY)
    file.write_text("---\nitems: 3\nsubjekt: x\n---\n", "utf-8")
    running.tick("2026-11-30T09:01:00+01:00")

    assert len({notice.id for notice in running.notices.taken}) == 2


def test_issue_that_stays_stuck_is_missed_with_its_reason(running: Letter) -> None:
    """The last word says why it did not go out."""
    file = running.root / "content/issues/2026-w48.md"
    file.write_text(_BROKEN, "utf-8")
    running.tick(MONDAY)
    running.tick("2026-12-01T09:01:00+01:00")

    last = running.notices.taken[-1]
    assert _subject(last) == "[missed] Harbour Notes: 2026-w49"
    assert "content/issues/2026-w48.md:" in _text(last)


def test_empty_content_folder_is_no_thin_week(running: Letter) -> None:
    """A folder that is not mounted yet is waited for; with it the issue goes out."""
    aside = running.root / "aside"
    (running.root / "content").rename(aside)
    (running.root / "content/issues").mkdir(parents=True)
    assert isinstance(running.tick(MONDAY).failure, FilesError)
    assert _subject(running.notices.taken[-1]).startswith("[stuck]")
    (running.root / "content/issues").rmdir()
    (running.root / "content").rmdir()
    aside.rename(running.root / "content")

    assert running.did("2026-11-30T09:05:00+01:00") == ["2026-w49 sent"]


def test_nothing_to_send_is_told(newsletter: Make) -> None:
    """Editors hear on Friday that there is nothing yet, and on Monday that there is no issue."""
    draft = {"content/a.md": "---\ntitle: Later\ndraft: true\n---\n\nWords.\n"}
    letter = Letter(root=newsletter(draft, settings=SETTINGS))
    letter.tick("2026-11-26T12:00:00+01:00")
    for at in (FRIDAY, MONDAY, "2026-11-30T09:01:00+01:00"):
        letter.tick(at)

    first, last = letter.notices.taken
    assert _subject(first) == "[nothing] Harbour Notes: 2026-w49"
    assert "It is looked at again then." in _text(first)
    assert "No number is used." in _text(last)


def test_clock_that_was_ahead_spoils_nothing(running: Letter) -> None:
    """What a wrong clock called missed is drafted and sent all the same once it is right."""
    running.tick("2027-03-04T10:00:00+01:00")

    assert running.did(FRIDAY) == ["2026-w49 drafted"]
    assert running.did(MONDAY) == ["2026-w49 sent"]
    assert running.did(NEXT) == ["2026-w50 sent"]


def test_first_tick_of_a_clock_that_was_ahead_gives_way(newsletter: Make) -> None:
    """A newsletter whose very first step had a wrong clock does not sleep until then."""
    letter = Letter(root=newsletter(ITEMS, settings=SETTINGS))
    letter.tick("2028-01-01T10:00:00+01:00")
    letter.tick("2026-11-26T12:00:00+01:00")

    assert letter.did(MONDAY) == ["2026-w49 published"]


def test_lost_database_mails_and_publishes_nothing(running: Letter) -> None:
    """Seals that tell of sends nobody knows of stop the step; restored, it goes on."""
    database = running.root / "private/digest.db"
    database.rename(database.with_name("aside"))
    running.tick("2026-11-28T12:00:00+01:00")
    ticked = running.tick(MONDAY)
    assert isinstance(ticked.failure, GuardError)
    assert "2026-w48" in str(ticked.failure)
    assert ticked.code == 4
    assert not (running.root / "outbox/site/2026-w49.html").exists()
    assert _subject(running.notices.taken[-1]).startswith("[stuck]")
    database.unlink()
    database.with_name("aside").rename(database)

    assert running.did("2026-11-30T09:05:00+01:00") == ["2026-w49 sent"]


@pytest.mark.parametrize("line", ["hold:", 'hold: ""', "hold: true", "hold: ~"])
def test_hold_without_a_reason_holds(running: Letter, line: str) -> None:
    """Who wrote the word meant it."""
    running.tick(FRIDAY)
    running.edit("2026-w49", "items:", f"{line}\nitems:")

    assert running.did(MONDAY) == ["2026-w49 held"]
    assert running.mail.taken == []


def test_send_that_cannot_go_on_keeps_no_other(running: Letter) -> None:
    """A send whose edition was damaged fails the step; the next issue is drafted all the same."""
    running.stopped = lambda: len(running.mail.taken) >= 4
    running.tick(MONDAY)
    running.stopped = lambda: False
    (running.root / "outbox/2026-w49/page.html").write_text("x", "utf-8")
    ticked = running.tick("2026-12-01T09:00:00+01:00")
    assert isinstance(ticked.failure, FilesError)

    assert running.did("2026-12-04T15:00:00+01:00") == [
        "2026-w49 held",
        "2026-w50 drafted",
        "2026-w49 warned",  # its notice would show the edition
    ]


def test_trouble_of_a_clock_that_was_ahead_is_forgotten(running: Letter) -> None:
    """A relay that was away next year is asked again today."""
    running.mail.down = "nobody answers"
    running.tick("2027-11-29T09:00:00+01:00")
    running.mail.down = ""
    running.tick(FRIDAY)

    assert running.did(MONDAY) == ["2026-w49 sent"]


def test_editor_at_whom_the_relay_hangs_up_keeps_no_reader_waiting(newsletter: Make) -> None:
    """One editor's trouble is neither the other one's nor the readers'."""
    editors = SETTINGS.replace('"Ed <ed@example.org>"', '"ed@example.org", "flo@example.org"')
    letter = Letter(root=newsletter(ITEMS, settings=editors))
    letter.tick("2026-11-26T12:00:00+01:00")
    letter.add_readers(2)
    letter.send_by_hand("2026-w48", "2026-11-26T12:01:00+01:00")

    def hang_up(message: Message) -> Outcome:
        if message.recipient.startswith("ed@"):
            raise TransportBusyError("the connection was lost")
        return Outcome(state="accepted", code=250)

    letter.notices.answer = hang_up
    letter.tick(FRIDAY)
    assert [message.recipient for message in letter.notices.taken] == ["flo@example.org"]
    assert letter.did(MONDAY) == ["2026-w49 sent"]


def test_readers_who_come_after_issues_published_by_hand_get_the_next_one(
    newsletter: Make,
) -> None:
    """What was out before there was a reader is neither missed nor owed to them."""
    letter = Letter(root=newsletter(ITEMS, settings=SETTINGS))
    letter.tick("2026-11-20T12:00:00+01:00")
    for key, at in (
        ("2026-w48", "2026-11-23T08:00:00+01:00"),
        ("2026-w49", "2026-11-30T08:00:00+01:00"),
    ):
        letter.publish_built(key, at)
        letter.tick(at.replace("T08:00", "T09:00"))
    letter.add_readers(1)

    assert letter.did("2026-11-30T15:01:00+01:00") == []
    assert [
        _subject(notice) for notice in letter.notices.taken if "missed" in _subject(notice)
    ] == []


def test_issue_published_before_its_slot_can_be_held(running: Letter) -> None:
    """It is on the site, and its mail waits all the same."""
    running.tick(FRIDAY)
    running.publish("2026-w49", "2026-11-29T10:00:00+01:00")
    running.hold("2026-w49", "a typo")

    assert running.did(MONDAY) == ["2026-w49 held"]
    assert running.mail.taken == []
