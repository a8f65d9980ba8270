"""Connections that are opened in threads, since opening takes a password, TLS and several turns."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread

from digest.errors import TransportBusyError
from digest.transport.link import Link

__all__ = ["Openings"]


class Openings:
    """What is being opened; `bell` becomes readable when something is done."""

    def __init__(self, make: Callable[[], Link]) -> None:
        self.pending = 0
        self.bell, self._rope = socket.socketpair()
        self.bell.settimeout(0.0)
        self._make = make
        self._lock = Lock()
        self._done: list[Link | BaseException] = []
        self._is_abandoned = False

    def begin(self) -> None:
        """Begin to open one more connection."""
        self.pending += 1
        thread = Thread(target=self._open, name="opening", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # the system gives no more of them
            self._tell(_no_thread(error))

    def done(self) -> list[Link | BaseException]:
        """Give the connections that were opened since, and the errors of those that were not."""
        with suppress(BlockingIOError):
            self.bell.recv(64)
        with self._lock:
            done, self._done = self._done, []
        self.pending -= len(done)
        return done

    def abandon(self) -> list[Link]:
        """Want no more; give what is open and was not taken. Others close by themselves."""
        with self._lock:
            self._is_abandoned = True
            links = [each for each in self._done if isinstance(each, Link)]
        self.bell.close()
        self._rope.close()
        return links

    def _open(self) -> None:
        made: Link | BaseException
        try:
            made = self._make()
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is looked at
            made = error
        self._tell(made)

    def _tell(self, made: Link | BaseException) -> None:
        with self._lock:
            if not self._is_abandoned:
                self._done.append(made)
                self._rope.send(b"!")
                return
        if isinstance(made, Link):
            made.part()


def _no_thread(error: RuntimeError) -> TransportBusyError:
    return TransportBusyError(
        f"no further connection can be opened: {error}",
        fix="let this user have more processes and threads, or lower transport.smtp.connections",
    )
