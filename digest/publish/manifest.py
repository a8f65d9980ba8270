"""The manifest of an outbox: which messages lie there, each with its hash; read entry by entry."""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

from digest.errors import DigestError, FilesError, GuardError, Problem
from digest.files import read_bytes
from digest.model import Delivery, IssueKey, Message, safe_name
from digest.publish.carriers import messages_folder
from digest.publish.project import Project

__all__ = ["MANIFEST", "SCHEMA", "Entry", "Manifest", "entry_line", "opened_manifest"]

MANIFEST: Final = "manifest.json"
SCHEMA: Final = 1
_BEGIN: Final = b'"messages": [\n'
_END: Final = b"]\n"
_HASH: Final = re.compile(r"[0-9a-f]{64}")
# No more than what cannot break out of a command; that it is a reader's the ledger tells.
_ADDRESS: Final = re.compile(r"[^\x00-\x20<>\x7f]+@[A-Za-z0-9.-]+")
_ID: Final = re.compile(r"<[!-;=?-~]+@[!-;=?-~]+>")
_RESTORE: Final = "put it back from a backup: without it nobody knows which files are whole"
_HEAD_LINES: Final = 20  # of the lines above the messages; there are seven


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One message in the outbox: its file, its envelope, and what the file holds.

    `position` and `name` are those of the ledger's row; `sha256` is in hexadecimal, `size` in
    octets.
    """

    position: int
    file: str
    sender: str
    recipient: str
    name: str
    message_id: str
    sha256: str
    size: int


_KINDS: Final = {one.name: int if one.type == "int" else str for one in fields(Entry)}


def entry_line(entry: Entry) -> bytes:
    """Write an entry as JSON on one line, without an end."""
    return json.dumps(asdict(entry), ensure_ascii=False).encode()


@dataclass(slots=True, kw_only=True)
class Manifest:
    """A manifest that is open: what it says of the send, and where each entry stands in its file.

    Sixteen octets an entry are held, and nothing else of it.
    """

    where: str
    edition: str
    dkim: str
    folder: Path
    root: Path
    file: BinaryIO
    _positions: array[int] = field(default_factory=lambda: array("Q"))
    _places: array[int] = field(default_factory=lambda: array("Q"))

    def __len__(self) -> int:
        """Count the messages."""
        return len(self._positions)

    def index(self) -> None:
        """Look each entry over once. Raise GuardError for what is no manifest."""
        place = self.file.tell()
        last, ended = 0, False
        for line in iter(self.file.readline, b""):
            if line == _END:
                ended = True
                break
            entry = self._read(line)
            if entry.position <= last:
                raise self._damaged(f"message {entry.position} stands behind message {last}")
            last = entry.position
            self._positions.append(last)
            self._places.append(place)
            place += len(line)
        if not ended:
            raise self._damaged("it has no end")

    def entries(self) -> Iterator[Entry]:
        """Give the entries in their order."""
        for place in self._places:
            yield self._at(place)

    def message(self, row: Delivery) -> Message:
        """Read the message of a row, octet for octet.

        Raise GuardError where the manifest has none of this position and address, or the file is
        not as it was written; raise FilesError where it cannot be read.
        """
        at = bisect_left(self._positions, row.position)
        known = at < len(self) and self._positions[at] == row.position
        entry = self._at(self._places[at]) if known else None
        if entry is None or entry.recipient != row.address:
            raise GuardError("has no message for this reader", where=self.where)
        return Message(
            id=entry.message_id,
            sender=entry.sender,
            recipient=entry.recipient,
            data=self.data(entry),
        )

    def data(self, entry: Entry) -> bytes:
        """Read the file of an entry. Raise as `message` does."""
        file = self.folder / entry.file
        where = f"{self._shown}/{entry.file}"
        # Of another size it need not be read, however large it is.
        if not file.is_file() or file.stat().st_size != entry.size:
            raise GuardError("is not there" if not file.exists() else _CHANGED, where=where)
        data = read_bytes(file, root=self.root)
        if sha256(data).hexdigest() != entry.sha256:
            raise GuardError(_CHANGED, where=where)
        return data

    def problem(self, entry: Entry) -> Problem | None:
        """Say what is wrong with the file of an entry; None where it is as it was written."""
        try:
            data = self.data(entry)
        except (GuardError, FilesError) as error:
            return error.problems[0]
        if data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r"):
            return None
        return Problem(what="has a CR or LF that stands alone", where=f"{self._shown}/{entry.file}")

    @property
    def _shown(self) -> str:
        return self.where.rpartition("/")[0]

    def _at(self, place: int) -> Entry:
        self.file.seek(place)
        return self._read(self.file.readline())

    def _read(self, line: bytes) -> Entry:
        """Read the line that the file was just read up to."""
        try:
            told = json.loads(line.removesuffix(b"\n").removesuffix(b","))
            entry = Entry(**told)
            typed = all(type(told[name]) is kind for name, kind in _KINDS.items())
        except (ValueError, TypeError, RecursionError):
            typed = False
        if not typed or not _sound(entry):
            place = self.file.tell() - len(line)
            raise self._damaged(f"what stands at octet {place} is no message")
        return entry

    def _damaged(self, what: str) -> DigestError:
        return GuardError(f"is damaged: {what}", where=self.where, fix=_RESTORE)


_CHANGED: Final = "is not as it was written"


def _sound(entry: Entry) -> bool:
    """Tell whether an entry can be sent."""
    return (
        entry.position > 0
        and entry.size >= 0
        and safe_name(entry.file)
        and _ADDRESS.fullmatch(entry.sender) is not None
        and _ADDRESS.fullmatch(entry.recipient) is not None
        and _ID.fullmatch(entry.message_id) is not None
        and _HASH.fullmatch(entry.sha256) is not None
    )


@contextmanager
def opened_manifest(project: Project, key: IssueKey) -> Iterator[Manifest]:
    """Open the manifest of an issue's outbox. Raise GuardError without a whole one of this issue.

    What it says of the files is not looked at yet.
    """
    folder = messages_folder(project, key)
    where = project.shown(folder / MANIFEST)
    try:
        file = (folder / MANIFEST).open("rb")
    except FileNotFoundError:
        raise GuardError("is not there", where=where, fix=_RESTORE) from None
    except OSError as error:
        raise FilesError(
            f"cannot be read: {error.strerror}", where=where, fix="mend the rights of the file"
        ) from error
    with file:
        head = _head(file)
        if head.get("schema") != SCHEMA or head.get("issue") != key:
            what = f"is no manifest of {key} that this version of digest can read"
            raise GuardError(what, where=where, fix=_RESTORE)
        manifest = Manifest(
            where=where,
            edition=str(head.get("edition", "")),
            dkim=str(head.get("dkim", "")),
            folder=folder,
            root=project.root,
            file=file,
        )
        manifest.index()
        yield manifest


def _head(file: BinaryIO) -> dict[str, Any]:
    """Read the lines above the messages; nothing where they are none of a manifest."""
    text = b""
    for _ in range(_HEAD_LINES):
        line = file.readline(_LONGEST)
        text += line
        if line == _BEGIN:
            break
    try:
        head = json.loads(text + b"]}")
    except (ValueError, RecursionError):
        return {}
    return head if isinstance(head, dict) else {}


_LONGEST: Final = 4096  # octets of a line above the messages
