"""What `digest send` refuses: nobody is mailed who should not be, and nothing changes."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.mailing import ITEM, KEY, NOW, PEOPLE, messages, relay_settings, tree
from relay.server import Relay

from digest.cli.stop import Stop

Digest = Callable[..., tuple[int, str, str]]
Make = Callable[..., Path]
Send = Callable[..., tuple[int, dict[str, Any], str]]


def test_nobody_to_mail_is_exit_4(newsletter: Make, digest: Digest) -> None:
    """An issue for nobody is not published by the way, either."""
    root = newsletter({"content/a.md": ITEM.format(1)})
    assert digest("-C", root, "build", *NOW)[0] == 0
    before = tree(root)
    code, _, err = digest("-C", root, "send", *NOW)

    assert code == 4
    assert "D119" in err
    assert tree(root).keys() - before.keys() <= {"private/sending"}
    assert not (root / "outbox/site").exists()


def test_held_issue_stays(letter: Path, send: Send, digest: Digest) -> None:
    """Nothing goes out while the issue file says to wait; released, it goes."""
    assert digest("-C", letter, "hold", "--reason", "the mill is closed", *NOW)[0] == 0
    code, _, err = send()
    assert code == 4
    assert "the mill is closed" in err
    assert not (letter / f"outbox/{KEY}/messages").exists()

    assert digest("-C", letter, "hold", "--release", *NOW)[0] == 0
    assert digest("-C", letter, "hold", "--release", *NOW)[1].endswith("it was before\n")
    assert send()[0] == 0
    assert digest("-C", letter, "hold", *NOW)[0] == 4


def test_hold_of_nothing_is_exit_2(newsletter: Make, digest: Digest) -> None:
    """Only an issue that was picked can be held."""
    root = newsletter({"content/a.md": ITEM.format(1)})
    assert digest("-C", root, "hold", *NOW)[0] == 2
    assert digest("-C", root, "hold", "--release", "--reason", "x", *NOW)[0] == 2


def test_mail_by_smtp_needs_a_yes(send: Send) -> None:
    """Where no person can be asked, and nobody said --yes, nothing happens."""
    with Relay() as relay:
        code, _, err = send(*relay_settings(relay))
        assert code == 4
        assert "--yes" in err
        assert relay.sessions == 0


def test_lost_database_is_not_taken_for_a_new_one(letter: Path, send: Send, digest: Digest) -> None:
    """The seal says that it was sent, and a database that does not know stops the send."""
    assert send()[0] == 0
    (letter / "private/digest.db").unlink()
    for address in PEOPLE:
        digest("-C", letter, "readers", "add", address, "--consent", "asked", *NOW)
    code, _, err = send()

    assert code == 4
    assert "restore private/digest.db" in err
    assert len(messages(letter)) == 3


def test_copy_of_the_database_from_the_middle_is_not_believed(
    letter: Path, send: Send, digest: Digest
) -> None:
    """The seal tells that the send has ended, so nobody is mailed again, by hand or by itself."""
    database = letter / "private/digest.db"
    copy = database.with_name("copy")
    with Relay() as relay:
        options = (*relay_settings(relay), "--yes")
        relay.on("END", before=lambda: shutil.copy(database, copy), skip=1, times=1)
        assert send(*options)[0] == 0
        copy.replace(database)
        code, _, err = send(*options)
        assert code == 4
        assert "it is an old copy" in err
        # Later than the send, whatever that took: what it was about to do is due again.
        later = ("--now", "2026-12-01T10:30:00+01:00")
        held = digest("-C", letter, "tick", *relay_settings(relay), *later)
        assert held[0] == 4
        assert "old copy" in held[2]
        assert len(relay.kept) == 3


def test_seal_of_another_edition_stops_a_send(letter: Path, send: Send) -> None:
    """A seal that somebody changed while the issue was going out is told, not written over."""
    with Relay() as relay:
        relay.on("RCPT", "450 4.2.0 come back", to="bo@reader.example")
        assert send(*relay_settings(relay), "--yes")[0] == 5
        file = letter / f"content/issues/{KEY}.md"
        text = file.read_text("utf-8")
        changed = re.sub("edition: .*", f'edition: "{"0" * 64}"', text, count=1)
        assert changed != text
        file.write_text(changed, "utf-8")
        code, _, err = send(*relay_settings(relay), "--yes")

    assert code == 4
    assert "another edition" in err
    assert file.read_text("utf-8") == changed


def test_other_key_or_way_does_not_go_on(letter: Path, send: Send) -> None:
    """A send goes on with the key and by the way it began with, else a repeat could double."""
    with Relay() as relay:
        relay.on("RCPT", "450 4.2.0 come back", to="bo@reader.example")
        options = (*relay_settings(relay), "--yes")
        assert send(*options)[0] == 5
        assert "--via smtp" in send("--via", "outbox")[2]
        (letter / "private/key").write_text("ab" * 32)
        code, _, err = send(*options)

    assert code == 4
    assert "another Message-ID" in err


def test_key_that_is_none_is_refused(letter: Path, send: Send) -> None:
    """A key file of noise makes no message."""
    (letter / "private").mkdir(exist_ok=True)
    (letter / "private/key").write_text("not hex")
    assert send()[0] == 4


def test_hold_written_into_the_file_stops_a_send(letter: Path, send: Send, digest: Digest) -> None:
    """It is read between two messages; once it is taken out again the send goes on."""
    file = letter / f"content/issues/{KEY}.md"

    def write(old: str, new: str) -> None:
        file.write_text(file.read_text("utf-8").replace(old, new, 1), "utf-8")

    with Relay() as relay:
        options = (*relay_settings(relay), "--yes")
        relay.on("END", before=lambda: write("items:", "hold: a dead link\nitems:"), times=1)
        code, told, _ = send(*options)
        assert (code, told["accepted"], told["halted"]) == (5, 1, "held: a dead link")
        assert send(*options)[0] == 4
        assert "paused" in digest("-C", letter, "status", *NOW)[1]
        assert digest("-C", letter, "tick", *relay_settings(relay), *NOW)[0] == 0
        assert len(relay.kept) == 1
        write("hold: a dead link\n", "")
        assert send(*options)[0] == 0
        assert len(relay.kept) == 3


def test_hold_that_comes_while_the_relay_is_busy_counts(
    letter: Path, send: Send, digest: Digest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said while a send waits for its connection is not lost."""
    monkeypatch.setattr(
        Stop, "pause", lambda *_: digest("-C", letter, "hold", "--reason", "stop it", *NOW)
    )
    with Relay() as relay:
        relay.on("CONNECT", "421 4.3.2 later", close=True, times=1)
        code, _, err = send(*relay_settings(relay), "--yes")
        assert code == 4
        assert "stop it" in err
        assert relay.kept == []


def test_list_that_changed_is_looked_at_by_a_person(
    letter: Path, digest: Digest, send: Send
) -> None:
    """More readers than the settings let pass: `--yes` is not enough, a number has to be named."""
    week = ("--now", "2026-12-08T10:00:00+01:00")
    with Relay() as relay:
        assert send(*relay_settings(relay), "--yes")[0] == 0
        for number in range(3):
            address = f"new{number}@reader.example"
            assert (
                digest("-C", letter, "readers", "add", address, "--consent", "asked", *week)[0] == 0
            )
        (letter / "content/new.md").write_text(ITEM.format("new"))
        assert digest("-C", letter, "build", "2026-w50", *week)[0] == 0
        words = ("-C", letter, "send", "2026-w50", *relay_settings(relay), *week)

        dry = digest(*words, "--dry-run")
        assert dry[0] == 0
        assert "6 readers would get it, and 3 got the last one: more than" in dry[1]
        code, _, err = digest(*words, "--yes")
        assert code == 4
        assert "schedule.max_change" in err
        assert "--audience 6" in err
        assert digest(*words, "--audience", "5", "--yes")[0] == 4
        assert digest(*words, "--audience", "5", "--dry-run")[0] == 4
        assert len(relay.kept) == 3
        assert digest(*words, "--audience", "6", "--yes")[0] == 0
        assert len(relay.kept) == 9


def test_list_that_changed_is_no_matter_for_the_outbox(
    letter: Path, digest: Digest, send: Send
) -> None:
    """Nothing leaves by it; who hands it on is asked."""
    week = ("--now", "2026-12-08T10:00:00+01:00")
    assert send()[0] == 0
    assert digest("-C", letter, "readers", "remove", *PEOPLE[1:], *week)[0] == 0
    (letter / "content/new.md").write_text(ITEM.format("new"))
    assert digest("-C", letter, "build", "2026-w50", *week)[0] == 0
    assert digest("-C", letter, "send", "2026-w50", *week)[0] == 0
    with Relay() as relay:
        words = ("send", "2026-w50", "--from-outbox", *relay_settings(relay), *week)
        code, _, err = digest("-C", letter, *words, "--yes")
        assert (code, relay.sessions) == (4, 0)
        assert "1 reader would get it, and 3 got the last one" in err
        assert digest("-C", letter, *words, "--audience", "1")[0] == 0
        assert len(relay.kept) == 1


class _Typed(io.StringIO):
    """A terminal at which something was typed."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


@pytest.mark.parametrize(("typed", "code"), [("3\n", 0), ("2\n", 4), ("\n", 4), ("3 readers\n", 4)])
def test_person_types_the_number(
    letter: Path, digest: Digest, monkeypatch: pytest.MonkeyPatch, typed: str, code: int
) -> None:
    """The subject is shown, and only the right number lets mail go."""
    monkeypatch.setattr("sys.stdin", _Typed(typed))
    with Relay() as relay:
        found, _, err = digest("-C", letter, "send", *relay_settings(relay), *NOW)
        assert (found, len(relay.kept)) == (code, 0 if code else 3)
    assert f"{KEY}: Tide mills" in err
    assert "Type the number of readers to send it to" in err
    if code:
        assert f"{typed.strip() or 'nothing'} was typed, and there are 3" in err


def test_an_old_database_mails_nobody(letter: Path, send: Send, digest: Digest) -> None:
    """Who left since it was copied would get mail: no later issue goes out by it."""
    database = letter / "private/digest.db"
    old = database.read_bytes()
    assert send()[0] == 0
    later = ("--now", "2026-12-08T10:00:00+01:00")
    (letter / "content/more.md").write_text(ITEM.format("more"), "utf-8")
    assert digest("-C", letter, "build", "--set=selection.min_items=1", *later)[0] == 0
    database.write_bytes(old)
    before = tree(letter)
    for words in (("--dry-run",), ()):
        code, _, err = digest("-C", letter, "send", "2026-w50", *words, *later)
        assert code == 4
        assert "does not know that 2026-w49 went out by mail" in err
    assert tree(letter) == before


@pytest.mark.parametrize("begun", [False, True])
def test_a_key_that_cannot_sign_is_told_before_anything_happens(
    letter: Path,
    digest: Digest,
    begun: bool,  # noqa: FBT001 - a parameter
) -> None:
    """An issue that could not be mailed is not on the site; a trial run tells it, too."""
    (letter / "private/dkim.pem").write_bytes(b"no key")
    (letter / "private/dkim.pem").chmod(0o600)
    if begun:
        assert digest("-C", letter, "publish", KEY, *NOW)[0] == 0
    before = tree(letter)
    signing = ("--set=dkim.selector=s1", "--set=dkim.key_file=private/dkim.pem")
    for words in (("--dry-run",), ()):
        code, _, err = digest("-C", letter, "send", *words, *signing, *NOW)
        assert code == 2
        assert "private/dkim.pem" in err
    assert {name: data for name, data in tree(letter).items() if name in before} == before
    assert (letter / "outbox/site").exists() is begun
