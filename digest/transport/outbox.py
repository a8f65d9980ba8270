"""The outbox: a folder of message files in place of a relay."""

from __future__ import annotations

from collections.abc import Callable

from digest.errors import FilesError, TransportError
from digest.model import Message, Outcome, safe_name

__all__ = ["Outbox"]


class Outbox:
    """Writes each message whole to a file of its own: `<left part of the Message-ID>.eml`.

    `write` gets the file's name and its bytes, and must make the file appear whole or not at all.
    The bytes are the message's own: CRLF line ends, single dots. A message handed over again
    overwrites itself.
    """

    def __init__(self, write: Callable[[str, bytes], object], *, name: str = "outbox") -> None:
        self.name = name
        self._write = write

    def open(self) -> None:
        """Do nothing: the folder is made by the first file."""

    def hand_over(self, message: Message) -> Outcome:
        """Write one message.

        Raise TransportError where the file cannot be written, and ValueError for a Message-ID
        that no file may be named after.
        """
        name = message.id.strip("<>").rpartition("@")[0] + ".eml"
        if not safe_name(name):
            raise ValueError(f"{message.id!r} names no file")
        try:
            self._write(name, message.data)
        except FilesError as error:
            raise TransportError.of(error.problems) from error
        return Outcome(state="accepted", text=name)

    def close(self) -> None:
        """Do nothing: every file is closed."""
