"""The outbox as a target: one file a reader, and at the end of a run a manifest of them all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from digest.errors import FilesError
from digest.files import read_bytes, sweep, write_pieces
from digest.mime import message_ids
from digest.model import Delivery, Message, Outcome, Send, safe_name
from digest.publish.carriers import messages_folder
from digest.publish.editions import Kept, material_from
from digest.publish.manifest import MANIFEST, SCHEMA, Entry, entry_line
from digest.publish.project import Project
from digest.transport import Transport

if TYPE_CHECKING:
    from digest.store.ledger import Store

__all__ = ["Hashed", "clear_litter", "write_manifest"]

# What the ledger keeps of a file that was written: its hash needs no second look at it.
_WRITTEN: Final = re.compile(r"(\S+\.eml) sha256:([0-9a-f]{64}) (\d+)")


class Hashed:
    """An outbox whose outcomes tell, besides the name of the file, its hash and its size.

    They stand in the ledger from the commit on that says that the file is written.
    """

    def __init__(self, outbox: Transport) -> None:
        self.name = outbox.name
        self._outbox = outbox

    def open(self) -> None:
        """Open the outbox. Raise TransportError."""
        self._outbox.open()

    def hand_over(self, message: Message) -> Outcome:
        """Write one message. Raise as the outbox does."""
        outcome = self._outbox.hand_over(message)
        if outcome.state != "accepted":
            return outcome
        told = f"{outcome.text} sha256:{sha256(message.data).hexdigest()} {len(message.data)}"
        return replace(outcome, text=told)

    def close(self) -> None:
        """Close the outbox."""
        self._outbox.close()


def clear_litter(project: Project, key: str) -> None:
    """Remove what a process that was killed left of a file; only for who holds the sending lock."""
    sweep(messages_folder(project, key))


def write_manifest(
    project: Project, store: Store, send: Send, *, kept: Kept, secret: bytes
) -> None:
    """Write which messages of a send lie in the outbox, whole or not at all. Raise FilesError.

    However many there are, they are not held at once. Only who runs this machine may read it.
    """
    head = {
        "schema": SCHEMA,
        "issue": send.issue,
        "edition": send.edition,
        "imprint": kept.edition.imprint,
        "began": send.began.astimezone(project.settings.newsletter.zone).isoformat(),
        "dkim": send.dkim,
    }
    entries = _entries(project, store, send, kept=kept, secret=secret)
    file = messages_folder(project, send.issue) / MANIFEST
    write_pieces(file, _pieces(head, entries), root=project.root, mode=0o600)


def _pieces(head: dict[str, object], entries: Iterator[Entry]) -> Iterator[bytes]:
    """Write JSON with each message on a line of its own, by which it can be found later."""
    fields = "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in head.items())
    yield f'{{\n{fields}"messages": ['.encode()
    separator = b"\n"
    for entry in entries:
        yield separator + entry_line(entry)
        separator = b",\n"
    yield b"\n]\n}\n"


def _entries(
    project: Project, store: Store, send: Send, *, kept: Kept, secret: bytes
) -> Iterator[Entry]:
    sender = material_from(kept).newsletter.sender
    name = message_ids(secret, issue=send.issue, domain=sender.domain)
    for row in store.deliveries.each(send.issue, states=("accepted",)):
        named = name(row.address)
        file, hashed, size = _written(project, send, row, named=named)
        if file:
            yield Entry(
                position=row.position,
                file=file,
                sender=sender.address,
                recipient=row.address,
                name=row.name,
                message_id=named,
                sha256=hashed,
                size=size,
            )


def _written(project: Project, send: Send, row: Delivery, *, named: str) -> tuple[str, str, int]:
    """Give the file of a row, its hash and size; no name where there is no such file."""
    told = _WRITTEN.fullmatch(row.outcome.text if row.outcome else "")
    if told is not None:
        return told[1], told[2], int(told[3])
    # Written before hashes were kept.
    name = named.strip("<>").rpartition("@")[0] + ".eml"
    file = messages_folder(project, send.issue) / name
    if not safe_name(name) or not file.is_file():
        return "", "", 0
    try:
        data = read_bytes(file, root=project.root)
    except FilesError:
        return "", "", 0
    return name, sha256(data).hexdigest(), len(data)
