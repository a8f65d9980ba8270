"""Folders that cannot be written to, and private files that are not private."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from relay.server import free_port

from digest.config import load_settings
from digest.model import Consent, IssueKey, Limits, Outcome, Reader, Send, Settled
from digest.publish.checkup import Check
from digest.publish.project import Project
from digest.publish.secret import key_id, read_key
from digest.store import open_store
from digest.store.leases import Holder

Look = Callable[..., dict[str, Check]]

_NOW = datetime(2027, 3, 24, 12, 0, tzinfo=UTC)
_CONSENT = Consent(source="asked", at=_NOW)


def _project(root: Path) -> Project:
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


def _store(root: Path) -> Any:  # noqa: ANN401 - the store's class would bring SQLAlchemy
    (root / "private").mkdir(mode=0o700, exist_ok=True)
    return open_store(_project(root).settings.store_url, create=True)


def test_a_missing_content_folder_is_an_error(look: Look, root: Path) -> None:
    """Without the folder of the summaries there is nothing to make an issue of."""
    (root / "content").rename(root / "texts")
    assert look()["folders"] == Check(
        name="folders",
        state="error",
        told="there is no folder content",
        fix="make it and put summaries there, or set content.folder",
    )


def test_folders_that_cannot_be_written_are_an_error(
    look: Look, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each folder that is shut is named; of one that is missing, the folder round it."""
    (root / "outbox").mkdir()
    shut = {root, root / "outbox"}
    # The tests may run as a user to whom no folder is shut.
    monkeypatch.setattr(os, "access", lambda path, _: path not in shut)
    folders = look()["folders"]
    assert folders.state == "error"
    assert folders.told == "cannot be written to: the newsletter's own, outbox"


def test_what_others_can_read_is_an_error(look: Look, root: Path) -> None:
    """Rights of group and others on the private folder and the key are told with the cure."""
    (root / "private").mkdir(mode=0o755)
    (root / "private").chmod(0o755)
    key = root / "private" / "key"
    key.write_bytes(b"ab" * 32)
    key.chmod(0o640)
    private = look()["private"]
    assert private.state == "error"
    assert private.told == (
        "private is open to others (mode 755); private/key is open to others (mode 640)"
    )
    assert private.fix == "`chmod 700 private`; `chmod 600 private/key`"
    (root / "private").chmod(0o700)
    key.chmod(0o600)
    assert look()["private"].state == "ok"


def _begin(root: Path, *, finish: bool = False) -> None:
    (root / "private").mkdir(mode=0o700)
    send = Send(
        issue=IssueKey("2027-w12"),
        edition="0" * 64,
        began=_NOW,
        via="outbox",
        by="hand",
        key_id=key_id(read_key(_project(root))),
    )
    with _store(root) as store:
        store.readers.add([Reader(address="ann@mail.org", since=_NOW)], consent=_CONSENT)
        store.deliveries.enroll(send)
        if finish:
            holder = Holder(host="here", boot="1", pid=1, started="1")
            fence = store.leases.acquire(holder, now=_NOW, seconds=60, alive=lambda _: None)
            (row,) = store.deliveries.claim(
                send.issue, limit=2, limits=Limits(), fence=fence, now=_NOW
            ).rows
            taken = Settled(position=row.position, outcome=Outcome(state="accepted"), at=_NOW)
            store.deliveries.step(send.issue, done=[taken], mark=[], ask=[], fence=fence, now=_NOW)
            assert store.deliveries.finish(send.issue, retry_unknown=True, now=_NOW)


def test_a_key_other_than_that_of_an_open_send_is_an_error(look: Look, root: Path) -> None:
    """A send that began goes on with its own key alone; a lost or another one is told."""
    _begin(root)
    assert look()["private"].state == "ok"
    assert look()["database"].told == "private/digest.db opens: 0 published issues, 1 send"
    key = root / "private" / "key"
    key.write_bytes(b"cd" * 32)
    assert look()["private"].told == "private/key is not the one that 2027-w12 began with"
    key.unlink()
    private = look()["private"]
    assert private.told == "private/key is gone, the one that 2027-w12 began with"
    assert private.fix == "put it back from a backup"
    assert not key.exists()


def test_a_finished_send_needs_its_key_no_more(look: Look, root: Path) -> None:
    """A key that was lost after the last message went out keeps nothing from going on."""
    _begin(root, finish=True)
    (root / "private" / "key").unlink()
    assert look()["private"].state == "ok"


def test_a_key_that_is_none_is_an_error(look: Look, root: Path) -> None:
    """What holds no key is told as the command that needs it would."""
    _begin(root)
    (root / "private" / "key").write_bytes(b"hello")
    private = look()["private"]
    assert private.state == "error"
    assert private.told == "private/key: holds no key of 256 bits in hexadecimal"


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)  # noqa: S603, S607 - the git of whoever runs the tests


def test_private_files_that_git_would_take_are_an_error(look: Look, root: Path) -> None:
    """Each line that .gitignore lacks is given, places of the settings' own among them."""
    _git(root, "init", "-q")
    own = ("store.url=sqlite:///data/tide.db", "transport.smtp.host=a.org")
    login = ("transport.smtp.username=a", "transport.smtp.password_file=private/relay")
    git = look(*own, *login)["git"]
    assert git.state == "error"
    assert git.fix == (
        "add to .gitignore: /private/ /outbox/*/messages/ /outbox/notices/ /data/tide.db"
    )
    lines = "/private/\n/outbox/*/messages/\n/outbox/notices/\n/data/\n"
    (root / ".gitignore").write_text(lines, "utf-8")
    assert look(*own, *login)["git"].told == "git leaves private files out"
    git = look("transport.smtp.host=a.org", *login[:1], "transport.smtp.password_file=relay")["git"]
    assert git.fix == "add to .gitignore: /relay"


def test_keys_and_passwords_of_all_kinds_stay_out_of_git(look: Look, root: Path) -> None:
    """Keys that sign and the password of a database are private, and a server has no file."""
    _git(root, "init", "-q")
    port = free_port()
    git = look(
        f"store.url=postgresql://127.0.0.1:{port}/letters",
        "store.password_file=keys/db",
        "dkim.selector=s2",
        "dkim.key_file=keys/s2.pem",
        "dkim.previous_selector=s1",
        "dkim.previous_key_file=/nowhere/s1.pem",
    )["git"]
    assert git.fix == (
        "add to .gitignore: /private/ /outbox/*/messages/ /outbox/notices/ /keys/db /keys/s2.pem"
    )


@pytest.mark.parametrize("path", ["private/digest.db", "outbox/2027-w12/messages/a.eml"])
def test_private_files_that_git_has_are_an_error(look: Look, root: Path, path: str) -> None:
    """A file that was added before it was ignored is told: git goes on with it."""
    _git(root, "init", "-q")
    (root / path).parent.mkdir(parents=True, mode=0o700)
    (root / path).write_bytes(b"")
    _git(root, "add", path)
    (root / ".gitignore").write_text("/private/\n/outbox/\n", "utf-8")
    git = look()["git"]
    assert (git.state, git.told) == ("error", f"private files are in the repository: {path}")


def test_a_git_that_does_not_answer_is_a_warning(look: Look, root: Path) -> None:
    """Without the program, or in a repository it cannot read, nothing is claimed."""
    (root / ".git").write_text("gitdir: nowhere\n", "utf-8")
    assert look()["git"].state == "warning"
    assert look(PATH="")["git"].told.startswith("git cannot be asked")
