"""Newsletters to send: a real issue, built and published, whose mail has a given size.

They are made once, and each measurement sends a copy: a send is written into issue and ledger.
"""

from __future__ import annotations

import random
import shutil
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from measuring import ROOT, measured

from digest.config import load_settings
from digest.mime import cut_stencil
from digest.model import Consent, Edition, IssueKey, Mailbox, Reader
from digest.publish.editions import material_from, read_kept
from digest.publish.project import Project

__all__ = ["ISSUE", "NOW", "SENDER", "Letters", "load_project"]

NOW: Final = datetime.fromisoformat("2026-11-30T10:00:00+01:00")
ISSUE: Final = IssueKey("2026-w49")
SENDER: Final = "letter@survey.example"
_KEY_FILE: Final = "dkim.pem"
_SETTINGS: Final = f"""\
[newsletter]
name = "Survey"
slug = "survey"
timezone = "Europe/Berlin"
tag = "survey.example,2010-01-01"
postal_address = false

[site]
url = "https://survey.example/"

[mail]
from = "Survey <{SENDER}>"
"""
_WAY: Final = """
[transport]
kind = "smtp"

[transport.smtp]
host = "127.0.0.1"
port = {port}
security = "none"
connections = {connections}
"""
_DKIM: Final = f'\n[dkim]\nselector = "bench"\nkey_file = "{_KEY_FILE}"\n'
_WORDS: Final = ("tide", "mill", "lock", "weir", "quay", "pier", "stone", "water", "gate", "wheel")
_ITEMS: Final = 6
# Both parts name the reader; where that is in the shipped look, and what is put there.
_FOOT: Final = '<p class="foot">'
_LEAVE: Final = "{{ words.leave }}:\n"
_ANYBODY: Final = Mailbox(address="reader.000001@reader.example", name="Reader 000001")
_ANY_ID: Final = f"<{ISSUE}.aaaaaaaaaaaaaaaaaa@survey.example>"


class Letters:
    """Newsletters by size and audience, below a folder; each is made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[str, Path] = {}
        folder.mkdir()

    def copy(self, *, size: int, readers: int, port: int, connections: int, signed: bool) -> Path:
        """Give a copy that sends messages of about so many octets to so many readers."""
        fresh = self._folder / "sent"
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(self._with_readers(size, readers), fresh)
        way = _WAY.format(port=port, connections=connections)
        settings = _SETTINGS + way + (_DKIM if signed else "")
        (fresh / "digest.toml").write_text(settings, "utf-8")
        return fresh

    def edition(self, size: int) -> Edition:
        """Give the edition of a newsletter, as it was frozen."""
        return _edition(self._published(size))

    def octets(self, size: int) -> int:
        """Give how large a message of that newsletter is."""
        return _octets(self._published(size))

    def key(self) -> str:
        """Give the secret key that signs, in PEM."""
        (root, *_) = self._made.values()
        return (root / _KEY_FILE).read_text("ascii")

    def _with_readers(self, size: int, readers: int) -> Path:
        name = f"{size}-{readers}"
        if name not in self._made:
            root = self._folder / name
            shutil.copytree(self._published(size), root)
            _add_readers(root, readers)
            self._made[name] = root
        return self._made[name]

    def _published(self, size: int) -> Path:
        """Publish with as much more text as an issue without any lacks in size."""
        name = f"{size}"
        if name not in self._made:
            root, bare = self._folder / name, self._folder / "bare"
            if not bare.exists():
                _publish(bare, filling=0)
            lacking = size - _octets(bare)
            if lacking < 0:
                sys.exit(f"the issue of the bench has {-lacking} octets more than {size}")
            _publish(root, filling=lacking)
            self._made[name] = root
        return self._made[name]


def load_project(root: Path) -> Project:
    """Open a newsletter, whatever the environment says."""
    return Project(settings=load_settings(root, file=None, environ={}, overrides=()))


def _publish(root: Path, *, filling: int) -> None:
    """Write a newsletter of six summaries and publish this week's issue of it."""
    dice = random.Random(_ITEMS)  # noqa: S311 - sample text, always the same
    (root / "content").mkdir(parents=True)
    (root / "templates").mkdir()
    (root / "digest.toml").write_text(_SETTINGS, "utf-8")
    key = generate_private_key(65_537, 2048)
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (root / _KEY_FILE).touch(mode=0o600)
    (root / _KEY_FILE).write_bytes(secret)
    for number in range(_ITEMS):
        text = " ".join(dice.choices(_WORDS, k=80)).capitalize()
        day = NOW - timedelta(days=1 + number)
        (root / f"content/item-{number}.md").write_text(
            f"---\ntitle: {' '.join(dice.choices(_WORDS, k=6)).capitalize()}\n"
            f"date: {day:%Y-%m-%d}\nurl: https://a.example/{number}\n---\n\n{text}.\n",
            "utf-8",
        )
    _write_templates(root / "templates", filling=filling, dice=dice)
    digest = [sys.executable, "-m", "digest", "-C", str(root)]
    for command in ("build", "publish"):
        measured([*digest, command, ISSUE, "--now", NOW.isoformat()])


def _write_templates(folder: Path, *, filling: int, dice: random.Random) -> None:
    """Write the shipped look with the reader's name in it, and with so many octets of words."""
    # A soft line break of quoted-printable takes three octets of 76.
    words = " ".join(dice.choices(_WORDS, k=filling))[: filling * 73 // 76]
    html, text = words[: len(words) * 2 // 3], words[len(words) * 2 // 3 :]
    for name, place, more in (
        ("letter.mjml.j2", _FOOT, f"<p>For [[name|you]].</p>\n<p>{html}</p>\n{_FOOT}"),
        ("letter.txt.j2", _LEAVE, f"For [[name|you]].\n\n{{{{ '{text}' | wrap }}}}\n\n{_LEAVE}"),
    ):
        shipped = (ROOT / "templates" / name).read_text("utf-8")
        if place not in shipped:
            sys.exit(f"templates/{name} has changed: the bench puts the reader's name into it")
        (folder / name).write_text(shipped.replace(place, more, 1), "utf-8")


def _add_readers(root: Path, count: int) -> None:
    """Put readers on the list, of ten domains."""
    readers = [
        Reader(
            address=f"reader.{number:06}@{_WORDS[number % len(_WORDS)]}.example",
            name=f"Reader {number:06}",
            since=NOW,
        )
        for number in range(1, count + 1)
    ]
    with load_project(root).opened() as store:
        store.readers.add(readers, consent=Consent(source="bench", at=NOW))


def _edition(root: Path) -> Edition:
    return read_kept(root / "outbox" / ISSUE, root=root).edition


def _octets(root: Path) -> int:
    kept = read_kept(root / "outbox" / ISSUE, root=root)
    newsletter = material_from(kept).newsletter
    stencil = cut_stencil(kept.edition, newsletter=newsletter, date=NOW)
    return len(stencil.message(to=_ANYBODY, message_id=_ANY_ID).data)
