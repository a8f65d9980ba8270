"""Several connections to one relay, in one loop."""

from __future__ import annotations

import math
import selectors
import time
from typing import TYPE_CHECKING, Final

from digest.errors import DigestError, TransportBusyError, TransportError
from digest.model import Message
from digest.transport.account import FAREWELL, SmtpAccount
from digest.transport.envelope import Letter, without_a_word
from digest.transport.events import Answered, Event, Failed, Returned

if TYPE_CHECKING:
    from digest.transport.connection import Connection
    from digest.transport.link import Link
    from digest.transport.openings import Openings

__all__ = ["PATIENCE", "Pool"]

PATIENCE: Final = 600.0  # RFC 5321 §4.5.3.2.6
_AT_ONCE: Final = 4  # connections that are being opened
_LONGEST: Final = 60.0  # seconds between two tries to open another connection


class Pool:
    """A carrier over up to `account.connections` connections.

    `patience` is how many seconds to wait for the answer to a final dot. A relay that was reached
    once and is not reached again gives TransportBusyError.
    """

    def __init__(self, account: SmtpAccount, *, patience: float = PATIENCE) -> None:
        self.name = account.name
        self._account = account
        self._patience = patience
        self._known = False
        self._selector = selectors.DefaultSelector()
        self._openings: Openings | None = None
        self._connections: list[Connection] = []
        self._free: dict[Connection, None] = {}  # in the order in which they became so
        self._dirty: dict[Connection, None] = {}  # those that have something to send
        self._holder: dict[int, Connection] = {}  # of each message in hand
        self._told: list[Event] = []
        self._has_grown = False  # that more may be offered than before
        self._alarm = math.inf  # no deadline is earlier
        self._pause = 0.0  # seconds to wait after the next refusal are twice as many
        self._not_before = 0.0

    @property
    def is_open(self) -> bool:
        """Tell whether some connection is open."""
        return any(not each.dialogue.is_leaving for each in self._connections)

    def open(self) -> None:
        """Connect, encrypt and log in; nothing happens where one connection is open.

        One try: login is never repeated on a connection. Raise TransportError (nothing to be
        gained by another try) or TransportBusyError.
        """
        if not self.is_open:
            self._join(self._opened())
            self._known = True

    def widen(self) -> None:
        """Begin to open connections that are missing, unless it is too soon after a refusal."""
        wanted = self._account.connections - len(self._connections)
        if wanted <= 0:
            return
        pending = self._openings.pending if self._openings else 0
        begun = min(wanted, _AT_ONCE) - pending
        if begun <= 0 or time.monotonic() < self._not_before:
            return
        if self._openings is None:
            from digest.transport.openings import Openings  # noqa: PLC0415 - smtplib, 40 ms

            self._openings = Openings(self._opened)
            self._selector.register(self._openings.bell, selectors.EVENT_READ)
        for _ in range(begun):
            self._openings.begin()

    def free(self) -> int:
        """Tell how many more messages may be offered now."""
        return len(self._free)

    def offer(self, position: int, message: Message) -> None:
        """Give a message to a connection, one with nothing in hand if there is any."""
        letter = Letter.of(position, message)
        if not self._free:
            raise ValueError("no more may be offered now")
        idle = (each for each in self._free if each.dialogue.is_idle)
        connection = next(idle, None) or next(iter(self._free))
        if outcome := without_a_word(connection.dialogue.offers, message, is_wide=letter.is_wide):
            self._told.append(Answered(position=position, outcome=outcome))
            return
        self._holder[position] = connection
        connection.offered += 1
        connection.dialogue.offer(letter)
        self._look_at(connection)

    def pour(self, position: int) -> None:
        """Let the content go of a message that is ready; raise ValueError for any other."""
        connection = self._holder.get(position)
        if connection is None:
            raise ValueError(f"message {position} is not in hand")
        connection.dialogue.pour(position)
        self._look_at(connection)

    def drop(self, position: int) -> None:
        """Let no content of a message go; its connection may be lost by it."""
        connection = self._holder.get(position)
        if connection is not None and connection.dialogue.drop(position):
            del self._holder[position]
            self._look_at(connection)

    def wait(self, seconds: float) -> list[Event]:
        """Send, and wait so long for something to come; give it in order."""
        now = time.monotonic()
        end = now + seconds
        self._has_grown = False
        self._flush(now)
        while not (self._told or self._has_grown):
            for key, mask in self._selector.select(max(0.0, min(end, self._alarm) - now)):
                self._serve(key.data, mask)
            now = time.monotonic()
            self._check_time(now)
            self._flush(now)
            if now >= end:
                break
        told, self._told = self._told, []
        return told

    def close(self) -> None:
        """Say QUIT where no message is in hand, wait a moment for the answers, and close."""
        self._abandon_openings()
        for connection in list(self._connections):
            if not connection.dialogue.is_idle:
                self._part_with(connection)
            elif not connection.dialogue.is_leaving:
                self._leave(connection)
        now = time.monotonic()
        end = now + FAREWELL
        self._flush(now)
        while self._connections and now < end:
            for key, mask in self._selector.select(end - now):
                self._serve(key.data, mask)
            now = time.monotonic()
        for connection in list(self._connections):
            self._part_with(connection)
        self._holder.clear()
        self._told.clear()

    def _opened(self) -> Link:
        from digest.transport.opening import open_link  # noqa: PLC0415 - smtplib, 40 ms

        return open_link(self._account, known=self._known)

    def _join(self, link: Link) -> None:
        """Take a new connection."""
        from digest.transport.connection import Connection  # noqa: PLC0415 - smtplib, 40 ms

        connection = Connection(link, self._account, patience=self._patience)
        self._connections.append(connection)
        self._selector.register(connection.sock, selectors.EVENT_READ, connection)
        self._look_at(connection)

    def _take_openings(self) -> None:
        """Take the connections that were opened meanwhile."""
        for made in self._openings.done() if self._openings else ():
            if not isinstance(made, BaseException):
                self._join(made)
                if len(self._connections) > self._account.connections:  # `open` was quicker
                    self._leave(self._connections[-1])
                continue
            self._slow_down()
            if not isinstance(made, DigestError):
                raise made
            if not isinstance(made, TransportBusyError):
                # A login refused again and again locks the account; those there are will do.
                self._not_before = math.inf
            if not (self.is_open or isinstance(made, TransportBusyError)):
                self._told.append(Failed(error=_as_ours(made)))

    def _abandon_openings(self) -> None:
        if self._openings is not None:
            self._selector.unregister(self._openings.bell)
            for link in self._openings.abandon():
                self._join(link)
            self._openings = None

    def _slow_down(self) -> None:
        """Wait longer before the next try to open another connection."""
        self._pause = min(_LONGEST, self._pause * 2 or 1.0)
        self._not_before = time.monotonic() + self._pause

    def _flush(self, now: float) -> None:
        """Send what is to be sent."""
        while self._dirty:
            connection, _ = self._dirty.popitem()
            connection.flush(now)
            self._look_at(connection)

    def _serve(self, connection: Connection | None, mask: int) -> None:
        """Send, hear, and say what is to be said next."""
        if connection is None:
            self._take_openings()
            return
        now = time.monotonic()
        if mask & selectors.EVENT_WRITE:
            connection.flush(now)
        events = connection.read(now) if mask & selectors.EVENT_READ else []
        if connection.dialogue.outgoing and not connection.is_stalled:
            connection.flush(now)
        self._note(connection, events)

    def _check_time(self, now: float) -> None:
        """End what took too long."""
        if now < self._alarm:
            return
        for connection in list(self._connections):
            if connection.dialogue.deadline <= now:
                self._note(connection, connection.dialogue.expire())
        deadlines = [each.dialogue.deadline for each in self._connections]
        self._alarm = min(deadlines, default=math.inf)

    def _note(self, connection: Connection, events: list[Event]) -> None:
        """Keep what is to be told, and what it means for the pool."""
        for event in events:
            if isinstance(event, Answered):
                del self._holder[event.position]
                if event.outcome.state == "accepted" and not connection.is_proven:
                    connection.is_proven = True
                    self._pause = 0.0
            elif isinstance(event, Returned):
                del self._holder[event.position]
        self._told += events
        self._look_at(connection)

    def _look_at(self, connection: Connection) -> None:
        """Note what a connection can do now, and part with it where it can do no more."""
        dialogue = connection.dialogue
        if events := dialogue.tell():
            self._note(connection, events)
            return
        if dialogue.is_over:
            if not connection.is_proven:
                self._slow_down()
            self._part_with(connection)
            return
        is_used_up = 0 < self._account.per_connection <= connection.offered
        if is_used_up and dialogue.is_idle and not dialogue.is_leaving:
            self._leave(connection)
            return
        if dialogue.outgoing and not connection.is_stalled:
            self._dirty[connection] = None
        if dialogue.is_free and not is_used_up:
            self._has_grown = self._has_grown or connection not in self._free
            self._free[connection] = None
        else:
            self._free.pop(connection, None)
        if connection.is_stalled != connection.is_watched:
            connection.is_watched = connection.is_stalled
            mask = selectors.EVENT_READ | (selectors.EVENT_WRITE if connection.is_stalled else 0)
            self._selector.modify(connection.sock, mask, connection)
        self._alarm = min(self._alarm, dialogue.deadline)

    def _leave(self, connection: Connection) -> None:
        """Say QUIT; it is closed when that is answered."""
        connection.dialogue.quit(time.monotonic())
        self._look_at(connection)

    def _part_with(self, connection: Connection) -> None:
        self._connections.remove(connection)
        self._free.pop(connection, None)
        self._dirty.pop(connection, None)
        self._selector.unregister(connection.sock)
        connection.close()


def _as_ours(error: DigestError) -> TransportError:
    """Give an error of opening, which may be one of the settings, as one of the transport."""
    if isinstance(error, TransportError):
        return error
    ours = TransportError()
    ours.problems = error.problems
    return ours
