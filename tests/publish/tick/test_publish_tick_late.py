"""Steps that come late, fail, or are cut off: nobody is lost, nobody gets an issue twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from publish.tick.ticking import FRIDAY, ITEMS, MONDAY, NEXT, SETTINGS, Letter, moment

from digest.errors import GuardError, TransportError
from digest.model import Message, Outcome, Slot, slots_between

Make = Callable[..., Path]

BERLIN = ZoneInfo("Europe/Berlin")


def test_late_slot_is_served_within_catch_up(running: Letter) -> None:
    """A machine that was off at nine sends at noon, and the older slots are missed."""
    told = running.did("2026-12-14T12:00:00+01:00")

    assert told == ["2026-w49 missed", "2026-w50 missed", "2026-w51 sent"]
    assert len(running.mail.taken) == 10


def test_slot_older_than_catch_up_is_missed(running: Letter) -> None:
    """After a day the issue is not sent by itself any more; that is told once."""
    assert running.did("2026-12-01T09:00:01+01:00") == ["2026-w49 missed"]
    assert running.did("2026-12-01T09:01:00+01:00") == []
    assert running.notes()["2026-w49"].told


def test_catch_up_ends_on_its_second(running: Letter) -> None:
    """Exactly a day late is still served."""
    assert running.did("2026-12-01T09:00:00+01:00") == ["2026-w49 sent"]


@pytest.mark.parametrize(("minute", "what"), [(15, "sent"), (16, "missed")])
def test_skip_leaves_a_quarter_of_an_hour(newsletter: Make, minute: int, what: str) -> None:
    """With `missed = "skip"` a slot is served up to 15 minutes late."""
    settings = SETTINGS.replace("[selection]", 'missed = "skip"\n\n[selection]')
    letter = Letter(root=newsletter(ITEMS, settings=settings))
    letter.tick("2026-11-26T12:00:00+01:00")
    letter.add_readers(2)
    letter.send_by_hand("2026-w48", "2026-11-26T13:00:00+01:00")

    assert letter.did(f"2026-11-30T09:{minute}:00+01:00") == [f"2026-w49 {what}"]


def test_relay_that_is_down_is_asked_again(running: Letter) -> None:
    """An unreachable relay fails the step with exit 6, and is left alone ever longer."""
    running.mail.down = "nobody answers"
    tried = []
    for minute in range(200):
        ticked = running.tick(f"2026-11-30T{9 + minute // 60:02}:{minute % 60:02}:00+01:00")
        assert isinstance(ticked.failure, TransportError)
        assert (ticked.code, ticked.events) == (6, ())
        if ticked.failure.problems[0].what == "nobody answers":
            tried.append(minute)
    assert tried == [0, 5, 10, 20, 40, 80, 140]
    assert not (running.root / "outbox/site/2026-w49.html").exists()
    running.mail.down = ""

    assert running.did("2026-11-30T12:20:00+01:00") == ["2026-w49 sent"]
    assert len(running.mail.taken) == 10


def test_relay_that_comes_back_is_trusted_again(running: Letter) -> None:
    """The next trouble begins anew with five minutes."""
    running.mail.down = "nobody answers"
    running.tick(MONDAY)
    running.mail.down = ""
    assert running.did("2026-11-30T09:05:00+01:00") == ["2026-w49 sent"]
    running.mail.down = "nobody answers"
    running.tick(NEXT)
    running.mail.down = ""

    assert running.did("2026-12-07T09:04:00+01:00") == []
    assert running.did("2026-12-07T09:05:00+01:00") == ["2026-w50 sent"]


def test_relay_that_refuses_the_sender_is_left_alone(running: Letter) -> None:
    """A refusal that meets every message touches no reader, and is not tried every minute."""

    def refuse(_: Message) -> Outcome:
        raise TransportError("MAIL refused")

    running.mail.answer = refuse
    first = running.tick(MONDAY)
    assert (first.code, [event.what for event in first.events]) == (6, ["waiting"])
    opened = running.mail.opened
    assert running.tick("2026-11-30T09:04:00+01:00").code == 6
    assert running.mail.opened == opened
    running.mail.answer = lambda _: Outcome(state="accepted", code=250)

    assert running.did("2026-11-30T09:05:00+01:00") == ["2026-w49 resumed", "2026-w49 sent"]
    assert len(running.mail.taken) == 10


def test_first_issue_sent_by_hand_is_gone_on_with(letter: Letter) -> None:
    """Who was put off in the issue that a person sent after a hold is tried again by itself."""
    letter.add_readers(3)
    assert letter.did(MONDAY) == ["2026-w49 held"]
    letter.release("2026-w49")
    wait = Outcome(state="pending", code=450, enhanced="4.2.0", text="later")
    letter.mail.answer = lambda message: (
        wait if message.recipient.startswith("r1@") else Outcome(state="accepted", code=250)
    )
    letter.send_by_hand("2026-w49", "2026-11-30T10:00:00+01:00")
    letter.mail.answer = lambda _: Outcome(state="accepted", code=250)

    assert letter.did("2026-11-30T10:05:00+01:00") == ["2026-w49 resumed", "2026-w49 sent"]
    assert len(letter.mail.taken) == 3


def test_send_of_long_ago_is_for_a_person(running: Letter) -> None:
    """What an old copy of the database calls open is not mailed again by itself."""
    running.stopped = lambda: len(running.mail.taken) >= 4
    running.tick(MONDAY)
    running.stopped = lambda: False

    assert running.did("2027-03-30T09:00:00+02:00")[0] == "2026-w49 held"
    assert sum("2026-w49" in message.id for message in running.mail.taken) == 4
    assert "2026-w49 resumed" not in running.did("2027-03-30T09:01:00+02:00")


def test_send_that_a_person_stopped_waits_for_them(running: Letter) -> None:
    """Ctrl-C at `digest send` is not undone by the schedule; the same command goes on."""
    running.stopped = lambda: len(running.mail.taken) >= 4
    running.send_by_hand("2026-w49", "2026-11-29T10:00:00+01:00")
    running.stopped = lambda: False

    assert running.did("2026-11-29T10:01:00+01:00") == []
    assert running.did(MONDAY) == []
    running.send_by_hand("2026-w49", "2026-11-30T10:00:00+01:00")
    assert len(running.mail.taken) == 10


def test_send_that_the_relay_stopped_goes_on_once_released(running: Letter) -> None:
    """Who has mended what the relay refused lets the schedule go on."""
    refused = Outcome(state="refused", code=554, enhanced="5.7.1", text="not wanted")
    running.mail.answer = lambda _: refused
    assert running.did(MONDAY) == ["2026-w49 held"]
    running.mail.answer = lambda _: Outcome(state="accepted", code=250)
    assert running.did("2026-11-30T09:01:00+01:00") == []
    running.release("2026-w49")

    assert running.did("2026-11-30T09:02:00+01:00") == ["2026-w49 resumed", "2026-w49 sent"]
    assert len(running.mail.taken) == 10


def test_send_that_is_held_meanwhile_goes_on_once_released(running: Letter) -> None:
    """`digest hold` stops an issue that is going out; released, the schedule goes on."""
    running.stopped = lambda: len(running.mail.taken) >= 4
    running.tick(MONDAY)
    running.stopped = lambda: False
    running.hold("2026-w49", "a dead link")
    assert running.did("2026-11-30T09:01:00+01:00") == []
    with pytest.raises(GuardError, match="a dead link"):
        running.send_by_hand("2026-w49", "2026-11-30T09:02:00+01:00")
    running.release("2026-w49")

    assert running.did("2026-11-30T09:03:00+01:00") == ["2026-w49 resumed", "2026-w49 sent"]
    assert len(running.mail.taken) == 10


def test_relay_that_stays_down_ends_with_a_miss(running: Letter) -> None:
    """Once `catch_up` is over the issue is missed."""
    running.mail.down = "nobody answers"
    running.tick(MONDAY)

    assert running.did("2026-12-01T09:01:00+01:00") == ["2026-w49 missed"]


def test_messages_put_off_are_tried_again_when_due(running: Letter) -> None:
    """A reader whose server says 4xx is tried again by a later step; exit 5 until then."""
    later: set[str] = {"r3@example.org"}

    def answer(message: Message) -> Outcome:
        pending = message.recipient in later
        return Outcome(state="pending" if pending else "accepted", code=450 if pending else 250)

    running.mail.answer = answer
    first = running.tick(MONDAY)
    early = running.tick("2026-11-30T09:01:00+01:00")
    later.clear()
    due = running.tick("2026-11-30T09:06:00+01:00")

    assert [[event.what for event in ticked.events] for ticked in (first, early, due)] == [
        ["waiting"],
        ["waiting"],
        ["resumed", "sent"],
    ]
    assert [ticked.code for ticked in (first, early, due)] == [5, 5, 0]
    assert sorted(message.recipient for message in running.mail.taken) == sorted(
        f"r{number}@example.org" for number in range(10)
    )


def test_relay_that_refuses_all_stops_the_schedule(running: Letter) -> None:
    """Where a run was ended because of its answers, no later step repeats it."""
    running.add_readers(90, first=10)
    running.send_by_hand("2026-w49", "2026-11-27T09:00:00+01:00")
    refused = Outcome(state="refused", code=554, enhanced="5.7.1", text="not wanted")
    running.mail.answer = lambda _: refused
    first = running.tick(NEXT)
    asked = running.mail.opened

    assert [event.what for event in first.events] == ["held"]
    assert "the relay refused" in first.events[0].told
    assert running.did("2026-12-07T09:01:00+01:00") == []
    assert running.mail.opened == asked


def test_stopped_between_two_messages(running: Letter) -> None:
    """Who asks to stop leaves a send that the next step ends, nobody lost or doubled."""
    running.stopped = lambda: len(running.mail.taken) >= 4
    first = running.tick(MONDAY)
    running.stopped = lambda: False

    assert [event.what for event in first.events] == ["waiting"]
    assert len(running.mail.taken) == 4
    assert running.did("2026-11-30T09:01:00+01:00") == ["2026-w49 resumed", "2026-w49 sent"]
    assert len({message.recipient for message in running.mail.taken}) == 10
    assert len(running.mail.taken) == 10


def test_send_that_must_not_go_on_is_told_and_mended(running: Letter) -> None:
    """A send whose key is another one now fails each step, is told once, and goes on with it."""
    key = running.root / "private/key"
    running.stopped = lambda: len(running.mail.taken) >= 4
    running.tick(MONDAY)
    running.stopped = lambda: False
    aside = key.read_text("ascii")
    key.write_text("5" * 64 + "\n", "ascii")
    told = len(running.notices.taken)
    for minute in (1, 2):
        ticked = running.tick(f"2026-11-30T09:0{minute}:00+01:00")
        assert isinstance(ticked.failure, GuardError)
        assert str(ticked.failure).startswith("private/key: is not the key this send began with")
    assert len(running.notices.taken) == told + 1
    assert len(running.mail.taken) == 4
    key.write_text(aside, "ascii")

    assert running.did("2026-11-30T09:03:00+01:00") == ["2026-w49 resumed", "2026-w49 sent"]
    assert len(running.mail.taken) == 10


def test_issue_that_cannot_be_mailed_is_held(running: Letter) -> None:
    """What a guard refuses is held for a person, and not put on the site."""
    running.tick(FRIDAY)
    (running.root / "private/key").write_text("no key", "ascii")
    ticked = running.tick(MONDAY)

    assert [event.what for event in ticked.events] == ["held"]
    assert ticked.events[0].told.startswith("private/key: ")
    assert len(running.notices.taken) == 2
    assert not (running.root / "outbox/site/2026-w49.html").exists()
    assert running.mail.taken == []


def test_dry_run_of_a_send_that_is_open(running: Letter) -> None:
    """A dry step says that the send would go on, and hands nothing over."""
    running.stopped = lambda: len(running.mail.taken) >= 4
    running.tick(MONDAY)
    running.stopped = lambda: False
    ticked = running.tick("2026-11-30T09:01:00+01:00", dry_run=True)

    assert [event.what for event in ticked.events] == ["resumed"]
    assert len(running.mail.taken) == 4


def test_stopped_before_it_began(running: Letter) -> None:
    """A step that is asked to stop at once does nothing."""
    running.stopped = lambda: True

    assert running.tick(MONDAY).events == ()
    assert running.mail.taken == []


def test_publishing_cut_off_after_its_commit_is_seen_to_its_end(letter: Letter) -> None:
    """A page that a killed process did not get to write is there after the next step."""
    letter.tick(MONDAY)
    page = letter.root / "outbox/site/2026-w49.html"
    before = page.read_bytes()
    page.unlink()

    assert letter.did("2026-11-30T09:01:00+01:00") == ["2026-w49 published"]
    assert page.read_bytes() == before
    assert letter.did("2026-11-30T09:02:00+01:00") == []


def test_send_cut_off_after_publishing_goes_on(
    running: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies between publishing and enrolling leaves nobody without mail."""

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("digest.publish.send.key_id", die)
        with pytest.raises(KeyboardInterrupt):
            running.tick(MONDAY)
    assert (running.root / "outbox/site/2026-w49.html").is_file()
    assert running.sends()[-1].issue == "2026-w48"

    assert running.did("2026-11-30T09:01:00+01:00") == ["2026-w49 sent"]
    assert len(running.mail.taken) == 10


@pytest.mark.parametrize(
    ("start", "send"),
    [
        ("2027-03-08T12:00:00+01:00", "sun 02:30"),
        ("2026-12-14T12:00:00+01:00", "mon 00:00"),
        ("2027-10-11T12:00:00+02:00", "sun 02:30"),
    ],
    ids=["spring", "new year", "autumn"],
)
def test_month_of_ticks(newsletter: Make, start: str, send: str) -> None:
    """Over clock changes and the year's end each week's issue goes out once, at its time."""
    letter = Letter(root=newsletter(ITEMS, settings=SETTINGS.replace("mon 09:00", send)))
    begun = moment(start)
    letter.tick(begun)
    letter.add_readers(1)
    letter.send_by_hand(letter.project.key(None, now=begun - timedelta(days=7)), start)
    times = letter.project.settings.schedule.send
    due = slots_between(times, BERLIN, after=begun, until=begun + timedelta(days=28))
    sent = [
        (event.key, now)
        for now in _moments(begun, due)
        for event in letter.tick(now).events
        if event.what == "sent"
    ]

    assert len(due) == 4
    assert sent == [(slot.issue, slot.at.astimezone(UTC)) for slot in due]
    assert len(letter.mail.taken) == 1 + 4


def _moments(begun: datetime, due: tuple[Slot, ...]) -> list[datetime]:
    """Give every twelfth hour of four weeks, and round each slot each minute and each quarter.

    `make torture` asks for every minute of them.
    """
    if os.environ.get("DIGEST_EVERY_MINUTE"):
        return [begun.astimezone(UTC) + timedelta(minutes=n) for n in range(28 * 24 * 60)]
    slots = [slot.at.astimezone(UTC) for slot in due]
    hours = {begun.astimezone(UTC) + timedelta(hours=12 * step) for step in range(28 * 2)}
    quarters = {at + timedelta(minutes=15 * step) for at in slots for step in range(-5, 6)}
    minutes = {at + timedelta(minutes=step) for at in slots for step in range(-2, 3)}
    return sorted(hours | quarters | minutes)
