"""The manifest of an outbox: whole after each run, also after one that was cut off."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from publish.tick.ticking import Letter, moment

from digest.delivery import Watch
from digest.errors import FilesError, GuardError
from digest.model import Delivery, IssueKey
from digest.publish.carriers import messages_folder, transport_for
from digest.publish.manifest import opened_manifest
from digest.publish.outbox import write_manifest
from digest.publish.release import publish_issue
from digest.publish.replay import rehearse_replay
from digest.publish.secret import read_key
from digest.publish.send import Sent, send_issue
from digest.store.deliveries import Deliveries

Make = Callable[..., Path]

_KEY = IssueKey("2026-w49")
_AT = moment("2026-12-01T10:00:00+01:00")
_READERS = 7


@pytest.fixture
def letter(newsletter: Make) -> Letter:
    """Give a newsletter with seven readers and this week's draft."""
    made = Letter(root=newsletter({"content/tides.md": "---\ntitle: Tides\n---\n\nHigh.\n"}))
    made.add_readers(_READERS)
    made.build(_KEY, "2026-12-01T10:00:00+01:00")
    return made


def _send(letter: Letter, *, most: int = _READERS) -> Sent:
    """Send into the outbox, and stop after so many messages."""
    project = letter.project
    folder = messages_folder(project, _KEY)

    def stopped() -> bool:
        return len(list(folder.glob("*.eml"))) >= most

    return send_issue(
        project,
        _KEY,
        transport=transport_for(project, folder=folder, environ={}),
        via="outbox",
        by="hand",
        watch=Watch(clock=lambda: _AT, pause=lambda _: None, stopped=stopped),
    )


def _told(letter: Letter) -> dict[str, Any]:
    file = messages_folder(letter.project, _KEY) / "manifest.json"
    told: dict[str, Any] = json.loads(file.read_bytes())
    return told


def _assert_whole(letter: Letter, count: int) -> None:
    """Each file stands in it once, with the hash of what it holds, and no other."""
    folder = messages_folder(letter.project, _KEY)
    files = {path.name: path.read_bytes() for path in folder.glob("*.eml")}
    told = {one["file"]: (one["sha256"], one["size"]) for one in _told(letter)["messages"]}
    assert len(files) == count
    assert told == {name: (sha256(data).hexdigest(), len(data)) for name, data in files.items()}


def test_run_that_was_stopped_leaves_a_manifest_of_what_is_there(letter: Letter) -> None:
    """The next one goes on and makes it whole; what a kill left half written is swept out."""
    sent = _send(letter, most=3)
    assert sent.state == "sending"
    _assert_whole(letter, sent.tally.accepted)

    litter = messages_folder(letter.project, _KEY) / ".2026-w49.abc.eml.4711.tmp"
    litter.write_bytes(b"half a")
    assert _send(letter).state == "sent"
    _assert_whole(letter, _READERS)
    assert not litter.exists()
    assert [one["position"] for one in _told(letter)["messages"]] == list(range(1, _READERS + 1))


def test_run_that_died_before_its_manifest_has_it_written_by_the_next(
    letter: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A send is finished only after the manifest is there, so none is ever without."""
    finish = Deliveries.finish
    asked: list[bool] = []

    def look(self: Deliveries, *arguments: Any, **more: Any) -> bool:  # noqa: ANN401 - as they come
        asked.append((messages_folder(letter.project, _KEY) / "manifest.json").is_file())
        return finish(self, *arguments, **more)

    monkeypatch.setattr(Deliveries, "finish", look)
    with monkeypatch.context() as broken:
        broken.setattr("digest.publish.send.write_manifest", _dies)
        with pytest.raises(FilesError):
            _send(letter)
    assert asked == []
    assert _send(letter).state == "sent"
    assert asked == [True]
    _assert_whole(letter, _READERS)


def _dies(*_: object, **__: object) -> None:
    raise FilesError("cannot be written: no space")


def test_files_of_before_are_told_by_what_they_hold(
    letter: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the ledger has no hash the file is read; one that is gone is left out."""
    monkeypatch.setattr("digest.publish.send.Hashed", lambda outbox: outbox)
    assert _send(letter).state == "sent"
    _assert_whole(letter, _READERS)

    first = _told(letter)["messages"][0]["file"]
    (messages_folder(letter.project, _KEY) / first).unlink()
    _write_again(letter)
    _assert_whole(letter, _READERS - 1)


def _write_again(letter: Letter) -> None:
    project = letter.project
    kept = publish_issue(project, _KEY, now=_AT).kept
    with letter.store() as store:
        send = store.deliveries.send(_KEY)
        assert send is not None
        write_manifest(project, store, send, kept=kept, secret=read_key(project))


def test_manifest_is_written_whole_or_not_at_all(
    letter: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes wrong on the way leaves the former one, and no litter."""
    assert _send(letter).state == "sent"
    before = _told(letter)
    monkeypatch.setattr(Deliveries, "each", lambda *_, **__: _fails())
    with pytest.raises(RuntimeError):
        _write_again(letter)
    assert _told(letter) == before
    assert not list(messages_folder(letter.project, _KEY).glob(".*"))


def _fails() -> Any:  # noqa: ANN401 - it gives nothing
    raise RuntimeError
    yield


def test_names_beyond_ascii_come_back(letter: Letter) -> None:
    """Name and address are read as they were written."""
    with letter.store() as store:
        [reader, *_] = store.readers.all()
        store.readers.change(
            reader.address, state="active", reason="", at=_AT, name='Zoë "Z"\u2028'
        )
    assert _send(letter).state == "sent"
    with opened_manifest(letter.project, _KEY) as manifest:
        names = [entry.name for entry in manifest.entries()]
    assert names[0].startswith('Zoë "Z"')


def test_message_is_found_by_position_and_address_alone(letter: Letter) -> None:
    """One of another reader, and one that is not there, is refused."""
    assert _send(letter).state == "sent"
    with opened_manifest(letter.project, _KEY) as manifest:
        assert len(manifest) == _READERS
        entry = list(manifest.entries())[4]
        row = Delivery(issue=_KEY, position=5, address=entry.recipient)
        message = manifest.message(row)
        assert (message.id, message.recipient) == (entry.message_id, entry.recipient)
        assert sha256(message.data).hexdigest() == entry.sha256
        for wrong in (replace(row, address="r0@example.org"), replace(row, position=99)):
            with pytest.raises(GuardError, match="no message for this reader"):
                manifest.message(wrong)


def test_octets_that_would_not_arrive_as_they_are_do_not_leave(letter: Letter) -> None:
    """A line feed alone is refused, though file and manifest agree on it."""
    assert _send(letter).state == "sent"
    with opened_manifest(letter.project, _KEY) as manifest:
        entry = next(manifest.entries())
        file = manifest.folder / entry.file
        data = file.read_bytes().replace(b"\r\n", b"\n")
        file.write_bytes(data)
        named = replace(entry, sha256=sha256(data).hexdigest(), size=len(data))
        problem = manifest.problem(named)
        assert problem is not None
        assert problem.what == "has a CR or LF that stands alone"
        assert problem.where == f"outbox/{_KEY}/messages/{entry.file}"


def test_manifest_that_cannot_be_read_is_told(letter: Letter) -> None:
    """What is a folder is no file."""
    (messages_folder(letter.project, _KEY) / "manifest.json").mkdir(parents=True)
    with pytest.raises(FilesError, match="cannot be read"), opened_manifest(letter.project, _KEY):
        raise AssertionError


def test_little_is_held_of_a_long_list(letter: Letter) -> None:
    """Of each message its place is, and nothing else: a few octets however long its line."""
    assert _send(letter).state == "sent"
    file = messages_folder(letter.project, _KEY) / "manifest.json"
    head, line = file.read_bytes().splitlines(keepends=True)[:8], _told(letter)["messages"][0]
    with file.open("wb") as stream:
        stream.writelines(head)
        for position in range(1, 10_001):
            stream.write(json.dumps({**line, "position": position}).encode() + b",\n")
        stream.write(b"]\n}\n")
    tracemalloc.start()
    try:
        with opened_manifest(letter.project, _KEY) as manifest:
            last = max(entry.position for entry in manifest.entries())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (len(manifest), last) == (10_000, 10_000)
    assert peak < 600_000


def test_outbox_that_is_not_full_is_not_handed_on(letter: Letter) -> None:
    """Who is written into it later would never be handed on."""
    _send(letter, most=3)
    with pytest.raises(GuardError, match="is not all in the outbox yet"):
        rehearse_replay(letter.project, _KEY, now=_AT)
    _send(letter)
    assert rehearse_replay(letter.project, _KEY, now=_AT).audience == _READERS


def test_long_list_of_faults_is_cut(letter: Letter) -> None:
    """Twenty files are named."""
    letter.add_readers(20, first=_READERS)
    assert _send(letter, most=99).state == "sent"
    for file in messages_folder(letter.project, _KEY).glob("*.eml"):
        file.unlink()
    with pytest.raises(GuardError) as caught:
        rehearse_replay(letter.project, _KEY, now=_AT)
    told = [problem.what for problem in caught.value.problems]
    assert told == ["is not there"] * 20 + ["and there are more"]
