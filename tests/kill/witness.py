"""A relay in a process of its own, which outlives the sender and keeps a book of what it took.

Run as a program: `witness.py BOOK`. Each mail is a line of JSON in BOOK, on the disk before its 250
goes out. It prints `ready PORT`, and takes orders on its standard input: after `hold EVENT N` it
stops at the N-th such event, prints `held EVENT`, and goes on at `go`. Where the sender is gone by
then it reads on, as a relay does, and takes what came whole. `cut N` makes it hang up in the middle
of the content that it was held at.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from queue import Queue
from threading import Lock, Thread
from typing import Final

__all__ = ["EVENTS"]

# CONTENT comes after a part of the content was read, END after its dot, when the mail is kept.
EVENTS: Final = ("CONNECT", "EHLO", "MAIL", "RCPT", "DATA", "CONTENT", "END")

_OFFERS: Final = b"250-witness.example\r\n250-8BITMIME\r\n250-PIPELINING\r\n250 SIZE 10485760\r\n"
_MESSAGE_ID: Final = re.compile(rb"^Message-ID:\s*(<[^>]+>)", re.IGNORECASE | re.MULTILINE)


class _OverError(Exception):
    """The other side is gone."""


class Orders:
    """Where to stop, and when to go on."""

    def __init__(self) -> None:
        self._event, self._left, self._cut = "", 0, False
        self._go: Queue[None] = Queue()
        self._lock = Lock()

    def read(self) -> None:
        """Take orders until there are none any more; then nobody needs the witness."""
        for line in sys.stdin:
            word, *rest = line.split()
            if word == "go":
                self._go.put(None)
            elif word == "hold":
                with self._lock:
                    self._event, self._left, self._cut = rest[0], int(rest[1]), rest[2:] == ["cut"]
                _tell("armed")
        os._exit(0)

    def met(self, event: str) -> bool:
        """Wait here where that was asked for; tell whether to hang up."""
        with self._lock:
            self._left -= event == self._event
            if event != self._event or self._left != 0:
                return False
            self._event, cut = "", self._cut
        _tell(f"held {event}")
        self._go.get()
        return cut


class Book:
    """The mails that were taken, on disk."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._lock = Lock()

    def keep(self, recipient: str, data: bytes, *, session: int) -> None:
        """Write a mail down; it is on the disk when this returns."""
        found = _MESSAGE_ID.search(data.partition(b"\r\n\r\n")[0])
        line = {
            "to": recipient,
            "id": found[1].decode() if found else "",
            "sha256": sha256(data).hexdigest(),
            "size": len(data),
            "session": session,
        }
        with self._lock:
            os.write(self._file, json.dumps(line).encode() + b"\n")
            os.fdatasync(self._file)


class Session:
    """One connection."""

    def __init__(self, link: socket.socket, number: int, *, orders: Orders, book: Book) -> None:
        self._link, self._number = link, number
        self._orders, self._book = orders, book
        self._waiting = bytearray()
        self._to = ""

    def run(self) -> None:
        """Speak until the other side is gone."""
        with self._link, suppress(_OverError, OSError):
            self._orders.met("CONNECT")
            self._say(b"220 witness.example ESMTP\r\n")
            while True:
                self._command(self._line())

    def _more(self) -> None:
        octets = self._link.recv(65536)
        if not octets:
            raise _OverError
        self._waiting += octets

    def _line(self) -> bytes:
        while (end := self._waiting.find(b"\r\n")) < 0:
            self._more()
        line = bytes(self._waiting[:end])
        del self._waiting[: end + 2]
        return line

    def _say(self, answer: bytes) -> None:
        # One who is gone hears nothing; what was sent before that still arrives.
        with suppress(OSError):
            self._link.sendall(answer)

    def _command(self, line: bytes) -> None:
        verb = line[:4].upper().decode("ascii", "replace")
        if verb in EVENTS:
            self._orders.met(verb)
        if verb == "EHLO":
            self._say(_OFFERS)
        elif verb == "RCPT":
            self._to = line.partition(b"<")[2].partition(b">")[0].decode()
            self._say(b"250 2.1.5 ok\r\n")
        elif verb == "DATA":
            self._say(b"354 go on\r\n")
            self._take()
        elif verb == "QUIT":
            self._say(b"221 2.0.0 bye\r\n")
            raise _OverError
        else:
            self._say(b"250 2.0.0 ok\r\n")

    def _take(self) -> None:
        while not self._waiting:
            self._more()
        if self._orders.met("CONTENT"):
            raise _OverError
        while (end := self._waiting.find(b"\r\n.\r\n")) < 0:
            self._more()
        data = bytes(self._waiting[: end + 2])
        del self._waiting[: end + 5]
        self._book.keep(self._to, data.replace(b"\r\n..", b"\r\n."), session=self._number)
        self._orders.met("END")
        self._say(b"250 2.0.0 kept\r\n")


def _tell(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - how it speaks to the test


def main() -> None:
    """Serve until the orders end."""
    orders, book = Orders(), Book(Path(sys.argv[1]))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=orders.read, daemon=True).start()
        _tell(f"ready {listener.getsockname()[1]}")
        number = 0
        while True:
            link, _ = listener.accept()
            number += 1
            session = Session(link, number, orders=orders, book=book)
            Thread(target=session.run, daemon=True).start()


if __name__ == "__main__":
    main()
