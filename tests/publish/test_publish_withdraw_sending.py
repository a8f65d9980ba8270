"""An issue that is taken back and a send of it exclude each other, whichever comes first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from publish.disk import kept
from publish.tick.ticking import ITEMS, SETTINGS, Letter, moment

from digest.delivery import Watch
from digest.errors import GuardError, LockError
from digest.model import IssueKey, Message, Outcome
from digest.publish import send
from digest.publish.release import publish_issue, withdraw_issue
from digest.publish.secret import read_key
from digest.publish.send import Sent, rehearse_send, send_issue

Make = Callable[..., Path]

_W49 = IssueKey("2026-w49")
_FIRST = "2026-12-01T10:00:00+01:00"
_TAKEN = "2026-12-02T11:30:00+01:00"
_SEAL = "  withdrawn: 2026-12-02T11:30:00+01:00\n"


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter that has published an issue, and has three readers who wait for it."""
    made = Letter(root=newsletter(ITEMS, settings=SETTINGS))
    made.publish_built(_W49, _FIRST)
    made.add_readers(3)
    return made


def _send(letter: Letter) -> Sent:
    return send_issue(
        letter.project,
        _W49,
        transport=letter.mail,
        via="outbox",
        by="hand",
        watch=Watch(clock=lambda: moment(_TAKEN), pause=lambda _: None, stopped=lambda: False),
    )


def _withdraw(letter: Letter, *, dry_run: bool = False) -> bool:
    return withdraw_issue(letter.project, _W49, now=moment(_TAKEN), dry_run=dry_run)[0]


def _seal_withdrawn(letter: Letter) -> None:
    """Write into the issue file what a withdrawal writes, as a pull from another place does."""
    file = letter.root / "content/issues/2026-w49.md"
    text = file.read_text("utf-8")
    assert "published:\n" in text
    file.write_text(text.replace("published:\n", f"published:\n{_SEAL}", 1), "utf-8")


def test_another_process_that_sends_is_waited_for(letter: Letter) -> None:
    """Whatever it sends, nothing changes, and what to do is told; a dry run may look."""
    letter.send_by_hand(_W49, _FIRST)
    before = kept(letter.root)

    with FileLock(letter.root / "private/sending"):
        with pytest.raises(LockError, match="is sending this newsletter") as caught:
            _withdraw(letter)
        assert _withdraw(letter, dry_run=True)

    [problem] = caught.value.problems
    assert (problem.where, "`digest hold 2026-w49`" in problem.fix) == ("private/sending", True)
    assert kept(letter.root) == before
    assert _withdraw(letter)


def test_send_holds_its_lock_before_it_enrolls(
    letter: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks for a send while one is about to begin does not get past it."""
    tried: list[type[Exception]] = []

    def publish(*given: object, **named: object) -> object:
        try:
            with FileLock(letter.root / "private/sending", timeout=0):
                pass
        except TimeoutError as error:
            tried.append(type(error))
        return publish_issue(*given, **named)  # type: ignore[arg-type] # what it was called with

    monkeypatch.setattr(send, "publish_issue", publish)
    assert _send(letter).state == "sent"

    assert len(tried) == 1


def test_nobody_is_enrolled_once_the_database_says_so(
    letter: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The enrolment itself asks, though nothing before it saw a withdrawal."""

    def read(*given: object, **named: object) -> object:
        with letter.store() as store:
            assert store.withdraw(_W49, at=moment(_TAKEN), freed=True)
        return read_key(*given, **named)  # type: ignore[arg-type] # what it was called with

    monkeypatch.setattr(send, "read_key", read)
    monkeypatch.setattr(send, "published", publish_issue)

    with pytest.raises(GuardError, match="was withdrawn"):
        _send(letter)
    assert letter.mail.taken == []
    assert letter.sends() == ()


def test_seal_that_comes_meanwhile_stops_a_send(letter: Letter) -> None:
    """It is read between two messages; who has it has it, nobody else gets it."""

    def answer(_: Message) -> Outcome:
        _seal_withdrawn(letter)
        return Outcome(state="accepted", code=250)

    letter.mail.answer = answer
    sent = _send(letter)

    assert len(letter.mail.taken) == 1
    assert (sent.state, sent.halted and sent.halted.reason) == ("sending", "withdrawn")
    letter.mail.answer = lambda _: Outcome(state="accepted", code=250)
    for at in ("2026-12-02T12:00:00+01:00", "2026-12-03T12:00:00+01:00"):
        ticked = letter.tick(at)
        assert (ticked.events, ticked.failure) == ((), None)
    assert len(letter.mail.taken) == 1


def test_rehearsal_says_what_the_send_says(letter: Letter) -> None:
    """Also where a crash left the seal unwritten; it changes nothing."""
    file = letter.root / "content/issues/2026-w49.md"
    text = file.read_bytes()
    _withdraw(letter)
    file.write_bytes(text)
    before = kept(letter.root)

    with pytest.raises(GuardError, match="was withdrawn") as rehearsed:
        rehearse_send(letter.project, _W49, via="outbox", now=moment(_TAKEN))
    assert kept(letter.root) == before
    with pytest.raises(GuardError, match="was withdrawn") as sent:
        _send(letter)

    assert str(rehearsed.value) == str(sent.value)


@pytest.mark.parametrize("known_by", ["both", "seal", "database"])
@pytest.mark.parametrize("release", [False, True])
def test_nothing_is_held_or_let_go_any_more(
    letter: Letter, known_by: str, *, release: bool
) -> None:
    """Whoever knows that it was taken back; nothing changes."""
    file = letter.root / "content/issues/2026-w49.md"
    letter.hold(_W49, "a wrong figure")
    text = file.read_bytes()
    if known_by == "seal":
        _seal_withdrawn(letter)
    else:
        _withdraw(letter)
    if known_by == "database":
        file.write_bytes(text)
    before = kept(letter.root)

    with pytest.raises(GuardError, match="was withdrawn"):
        letter.release(_W49) if release else letter.hold(_W49, "another reason")
    assert kept(letter.root) == before
