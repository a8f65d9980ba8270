"""Notices: the issue with a strip on top, to every editor, until one of them has got it."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from publish.tick.ticking import FRIDAY, ITEMS, MONDAY, SETTINGS, Letter

from digest.mime import wire_faults
from digest.mime.dkim_key import dns_record
from digest.model import IssueKey, Message, Outcome

Make = Callable[..., Path]

_KEY = IssueKey("2026-w49")
_TWO = SETTINGS.replace('"Ed <ed@example.org>"', '"Ed <ed@example.org>", "bo@example.net"')


def _read(message: Message) -> EmailMessage:
    parsed = message_from_bytes(message.data, policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    assert [part.defects for part in parsed.walk()] == [[], [], []]
    assert wire_faults(message.data) == ()
    return parsed


def _part(message: Message, kind: str) -> str:
    part = _read(message).get_body((kind,))
    assert part is not None
    text = part.get_content()
    assert isinstance(text, str)
    return text.replace("\r\n", "\n")


def _line(text: str) -> str:
    return " ".join(text.split())


def test_draft_is_the_issue_with_a_strip(running: Letter) -> None:
    """The notice holds the edition itself; above it: when, to how many, how to look and stop."""
    running.tick(FRIDAY)
    [message] = running.notices.taken
    issue = (running.root / "outbox/2026-w49/issue.txt").read_text("utf-8")
    text, html = _part(message, "plain"), _part(message, "html")
    said = (
        "Mon 30 Nov 2026 09:00 Europe/Berlin (UTC+01:00), to 10 active readers",
        "digest hold 2026-w49",
        "digest preview 2026-w49",
        "content/issues/2026-w49.md",
    )

    assert message.recipient == "ed@example.org"
    assert _read(message)["To"] == "Ed <ed@example.org>"
    assert _read(message)["Subject"].startswith("[draft] Note ")
    assert text.rstrip().endswith(issue.rstrip())
    assert all(words in _line(text) for words in said)
    assert all(words in _line(html) for words in said)
    assert html.index("<body") < html.index("Draft: nobody has this issue yet") < html.index("<h1")


def test_draft_tells_findings_and_files_left_out(running: Letter) -> None:
    """What a check finds and what cannot be read stands in the strip."""
    (running.root / "content/bad.md").write_bytes(b"---\ntitle: \xff\n---\n")
    ticked = running.tick(FRIDAY)
    text = _line(_part(running.notices.taken[0], "plain"))

    assert "- left out, it cannot be read: content/bad.md" in text
    assert "- warning D104: " in text
    assert ticked.code == 1


def test_long_list_of_findings_is_cut(running: Letter) -> None:
    """Of thirty files that cannot be read twenty lines are shown, and how many there are more."""
    for number in range(30):
        (running.root / f"content/bad{number:02d}.md").write_bytes(b"---\ntitle: \xff\n---\n")
    running.tick(FRIDAY)
    text = _part(running.notices.taken[0], "plain")

    assert text.count("- left out") == 20
    assert "more: digest check shows them all" in _line(text)


def test_draft_of_a_held_issue_says_so(running: Letter) -> None:
    """Where a person holds the issue already, the notice does not promise that it goes out."""
    running.build("2026-w49", "2026-11-27T10:00:00+01:00")
    running.edit("2026-w49", "items:", "hold: waiting for <a word>\nitems:")
    running.tick(FRIDAY)
    [message] = running.notices.taken

    assert "It is held and does not go out on Mon 30 Nov 2026" in _line(_part(message, "plain"))
    assert "waiting for &lt;a word&gt;" in _line(_part(message, "html"))
    assert "<a word>" not in _part(message, "html")


def test_draft_without_readers_promises_no_mail(letter: Letter) -> None:
    """Before there is a reader the notice says that the issue goes on the site alone."""
    letter.tick(FRIDAY)

    assert "on the site alone: no readers yet" in _line(_part(letter.notices.taken[0], "plain"))


def test_held_says_why_and_how_to_go_on(letter: Letter) -> None:
    """The notice of a held issue gives the reason and the commands that send it."""
    letter.add_readers(2)
    letter.tick(MONDAY)
    [message] = letter.notices.taken
    text = _line(_part(message, "plain"))

    assert _read(message)["Subject"].startswith("[held] Note ")
    assert "no issue was sent by hand yet" in text
    assert "digest hold 2026-w49 --release" in text
    assert "digest send 2026-w49" in text


def test_missed_slots_are_told_once_and_together(running: Letter) -> None:
    """Three slots that nobody served make one notice; it names the next one."""
    running.tick("2026-12-16T12:00:00+01:00")
    running.tick("2026-12-16T12:01:00+01:00")
    [message] = running.notices.taken
    text = _line(_part(message, "plain"))

    assert _read(message)["Subject"] == "[missed] Harbour Notes: 2026-w49, 2026-w50, 2026-w51"
    assert "Missed: 3 issues did not go out" in text
    assert "The next one is 2026-w52, on Mon 21 Dec 2026 09:00 Europe/Berlin" in text
    assert "Missed: 3 issues did not go out" in _line(_part(message, "html"))


def test_every_editor_gets_a_copy(newsletter: Make) -> None:
    """Each editor is written to by address and name, with a Message-ID of their own."""
    letter = Letter(root=newsletter(ITEMS, settings=_TWO))
    letter.tick(FRIDAY)

    assert [message.recipient for message in letter.notices.taken] == [
        "ed@example.org",
        "bo@example.net",
    ]
    ids = {message.id for message in letter.notices.taken}
    assert len(ids) == 2
    assert all(one.startswith("<2026-w49.draft.") for one in ids)


def test_nobody_to_tell_is_no_trouble(newsletter: Make) -> None:
    """Without editors no transport is opened, then or later."""
    settings = SETTINGS.replace('"Ed <ed@example.org>"', "")
    letter = Letter(root=newsletter(ITEMS, settings=settings))

    assert letter.did(FRIDAY) == ["2026-w49 drafted"]
    assert letter.notes()[_KEY].told
    assert letter.notices.opened == 0


def test_notice_that_fails_is_tried_again(running: Letter) -> None:
    """A relay that is down warns and keeps the note; after five minutes it is tried again."""
    running.notices.down = "nobody answers"
    first = running.tick(FRIDAY)
    running.notices.down = ""

    assert [event.what for event in first.events] == ["drafted", "warned"]
    assert "nobody answers" in first.events[1].told
    assert first.code == 0
    assert not running.notes()[_KEY].told
    early = running.tick("2026-11-27T15:04:00+01:00")
    assert (early.events, early.code, running.notices.taken) == ((), 0, [])
    assert running.did("2026-11-27T15:05:00+01:00") == []
    assert len(running.notices.taken) == 1
    assert running.did("2026-11-27T15:06:00+01:00") == []
    assert len(running.notices.taken) == 1


def test_notice_is_not_repeated_to_who_has_it(newsletter: Make) -> None:
    """Where one editor's copy was taken, the other one's refusal is told once."""
    letter = Letter(root=newsletter(ITEMS, settings=_TWO))
    later, taken = Outcome(state="pending", code=450), Outcome(state="accepted", code=250)
    letter.notices.answer = lambda message: taken if message.recipient[0] == "e" else later

    assert letter.did(FRIDAY) == ["2026-w49 drafted", "2026-w49 warned"]
    assert letter.did("2026-11-27T15:01:00+01:00") == []
    assert len(letter.notices.taken) == 1


@pytest.mark.parametrize("state", ["refused", "unknown"])
def test_notice_that_may_not_go_again(running: Letter, state: str) -> None:
    """A copy that was refused for good, or may have arrived, is not sent every minute."""
    running.notices.answer = lambda _: Outcome(state=state)  # type: ignore[arg-type] # both are states
    assert running.did(FRIDAY) == ["2026-w49 drafted", "2026-w49 warned"]
    assert running.did("2026-11-27T15:01:00+01:00") == []


def test_notice_put_off_goes_again(running: Letter) -> None:
    """A server that says 4xx to the only copy is asked again."""
    running.notices.answer = lambda _: Outcome(state="pending", code=450)
    running.tick(FRIDAY)

    assert running.did("2026-11-27T15:01:00+01:00") == ["2026-w49 warned"]


def test_draft_that_nobody_heard_of_is_over_at_the_slot(running: Letter) -> None:
    """A notice that did not get through in time is dropped once the issue is out."""
    running.notices.down = "nobody answers"
    running.tick(FRIDAY)
    assert running.did(MONDAY) == ["2026-w49 sent"]
    running.notices.down = ""

    assert running.did("2026-11-30T09:01:00+01:00") == []
    assert running.notices.taken == []


def test_held_issue_that_a_person_sent_needs_no_notice(letter: Letter) -> None:
    """Who has sent the issue by hand meanwhile need not be told that it was held."""
    letter.add_readers(2)
    letter.notices.down = "nobody answers"
    letter.tick(MONDAY)
    letter.edit("2026-w49", "hold: no issue was sent by hand yet", "title: Now\n#")
    letter.send_by_hand("2026-w49", "2026-11-30T10:00:00+01:00")
    letter.notices.down = ""

    assert letter.did("2026-11-30T10:01:00+01:00") == []
    assert letter.notices.taken == []
    assert letter.notes()[_KEY].told


def test_strip_of_its_own_is_used_and_a_broken_one_told(running: Letter) -> None:
    """A newsletter's own strip takes the place of ours; one that fails stops no issue."""
    own = running.root / "templates"
    own.mkdir()
    (own / "strip.txt.j2").write_text("{{ strip.nothing }}", "utf-8")
    first = running.tick(FRIDAY)
    (own / "strip.txt.j2").write_text("OWN {{ strip.title }}", "utf-8")
    running.tick("2026-11-27T15:01:00+01:00")

    assert [event.what for event in first.events] == ["drafted", "warned"]
    assert "templates/strip.txt.j2:1" in first.events[1].told
    assert _part(running.notices.taken[0], "plain").startswith("OWN Draft: nobody")


def test_damaged_edition_is_told_and_stops_no_notice_of_others(running: Letter) -> None:
    """An edition that cannot be read warns; what was missed is told all the same."""
    running.tick("2026-12-02T09:00:00+01:00")
    running.notices.taken.clear()
    running.build("2026-w50", "2026-12-04T10:00:00+01:00")
    (running.root / "outbox/2026-w50/issue.txt").write_text("other", "utf-8")

    assert running.did("2026-12-04T15:00:00+01:00") == ["2026-w50 drafted", "2026-w50 warned"]
    assert running.notices.taken == []


def test_draft_that_will_be_held_says_so(letter: Letter) -> None:
    """Before the first send by hand no notice promises that the issue goes out by itself."""
    letter.add_readers(3)
    letter.tick(FRIDAY)
    [notice] = letter.notices.taken

    told = " ".join(_part(notice, "plain").split())
    assert (
        "It is due on Mon 30 Nov 2026 09:00 Europe/Berlin (UTC+01:00), to 3 active readers" in told
    )
    assert "and is held then: no issue was sent by hand yet" in told


def test_notice_is_signed_as_an_issue_is(newsletter: Make) -> None:
    """A key that cannot be used keeps the editors from being told, and that is said."""
    pem = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    signing = '\n[dkim]\nselector = "s1"\nkey_file = "private/dkim.pem"\n'
    letter = Letter(root=newsletter({**ITEMS, "private/dkim.pem": pem}, settings=_TWO + signing))
    key = letter.root / "private/dkim.pem"
    key.chmod(0o644)
    [warning] = [event for event in letter.tick(FRIDAY).events if event.what == "warned"]
    assert "the editors could not be told" in warning.told
    assert letter.notices.taken == []

    key.chmod(0o600)
    letter.tick(FRIDAY)
    record = dns_record(pem).encode()
    assert len(letter.notices.taken) == 2
    for message in letter.notices.taken:
        assert dkim.verify(message.data, dnsfunc=lambda *_, **__: record)
