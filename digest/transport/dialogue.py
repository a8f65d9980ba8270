"""What is said on one connection once it is open, without the connection: octets in, octets out.

With PIPELINING (RFC 2920) the envelope of the next message follows the content of the present one;
its own content waits until both were answered. Time is told by the caller, in seconds.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Final, Literal

from digest.errors import TransportBusyError, TransportError
from digest.model import Outcome, OutcomeState
from digest.transport.account import FAREWELL
from digest.transport.envelope import Letter, Offers
from digest.transport.events import Answered, Event, Failed, Ready, Returned
from digest.transport.outgoing import Outgoing
from digest.transport.reply import GO_ON, NEVER, NOT_NOW, SERVICE_ENDS, TAKEN, Replies, Reply

__all__ = ["AGAIN", "Dialogue"]

AGAIN: Final = "nothing of this message was taken; try again in a while"
_LAST_WORDS: Final = 1.0  # seconds for the reason of a relay that takes nothing more
_BLOCK: Final = 65_536  # octets; each block may take the whole time limit (RFC 5321 §4.5.3.2.5)
_UNASKED: Final = "answered what was not yet asked"

_Asked = Literal["RSET", "MAIL", "RCPT", "DATA", "the final dot", "a dot for nobody"]


class Dialogue:
    """Two messages at most: one whose content is on its way, and the envelope of the next.

    `outgoing` is what the caller has to send, `deadline` when `expire` has to be called. Once
    `is_over` the connection is to be closed; while `is_leaving` nothing more may be offered.
    """

    def __init__(
        self,
        *,
        where: str,
        offers: Offers,
        timeout: float,
        patience: float,
        secrets: tuple[str, ...] = (),
    ) -> None:
        self.offers = offers
        self.outgoing = Outgoing()
        self.deadline = math.inf
        self.is_over = False
        self.is_leaving = False
        self._where, self._timeout, self._patience = where, timeout, patience
        self._replies = Replies(secrets=secrets)
        self._events: list[Event] = []
        self._to_say: deque[tuple[_Asked, bytes]] = deque()
        # What a reply is awaited to, with the count of octets at its end, and for which message.
        self._asked: deque[tuple[_Asked, int, Letter]] = deque()
        self._unheard = 0  # replies until the farewell, once we are leaving
        self._wire: Letter | None = None
        self._next: Letter | None = None
        self._needs_reset = False
        self._is_broken = False
        self._block = 0
        self._heard: dict[_Asked, Callable[[Reply, Letter], None]] = {
            "RSET": self._hear_reset,
            "MAIL": self._hear_mail,
            "RCPT": self._hear_rcpt,
            "DATA": self._hear_data,
            "the final dot": self._hear_dot,
            "a dot for nobody": lambda _reply, _letter: None,
        }

    @property
    def is_idle(self) -> bool:
        """Tell whether no message is in hand and no reply is awaited."""
        return self._wire is None and self._next is None and not self._asked

    @property
    def is_free(self) -> bool:
        """Tell whether a message may be offered."""
        if self._next is not None or self.is_leaving or self.is_over or self._is_broken:
            return False
        return self.offers.pipelining or not self._asked

    def offer(self, letter: Letter) -> None:
        """Say the envelope of a message, as far as the relay lets us."""
        self._next = letter
        if self._needs_reset:
            self._needs_reset = False
            self._to_say.append(("RSET", b"RSET\r\n"))
        self._to_say.extend(zip(("MAIL", "RCPT", "DATA"), letter.commands, strict=True))
        self._say(letter)

    def pour(self, position: int) -> None:
        """Say the content of a message that is ready; raise ValueError for any other."""
        letter = self._next
        if letter is None or letter.position != position or not letter.is_ready:
            raise ValueError(f"message {position} is not ready")
        if self._is_broken:
            return
        if self._replies:
            self._lose(_UNASKED)
            return
        self._next, self._wire = None, letter
        self.outgoing.add(letter.content)
        letter.end = self.outgoing.add(letter.last)
        self._asked.append(("the final dot", letter.end, letter))

    def drop(self, position: int) -> bool:
        """Let no content of a message go; tell whether it was not yet poured.

        The connection ends without content where the relay waits for it: a dot alone, after a
        recipient that was accepted, would deliver an empty mail.
        """
        if self._next is None or self._next.position != position:
            return False
        self._next.is_dropped = True
        self.is_over = self.is_over or self._next.is_ready
        return True

    def sent(self, count: int, now: float) -> None:
        """Note that so many octets left; none means that there was no room."""
        before = self.outgoing.sent
        self.outgoing.advance(count)
        if not self._asked:
            return
        asked, end, _ = self._asked[0]
        if before >= end:
            return
        self._block += count
        if self.outgoing.sent >= end:
            self.deadline = now + self._limit(asked)
        elif self._block >= _BLOCK or self.deadline == math.inf:
            self._block = 0
            self.deadline = now + self._timeout

    def take(self, octets: bytes, now: float) -> list[Event]:
        """Hear what came, and tell what it means."""
        replies = self._replies.take(octets)
        for reply in replies:
            if not self.is_over:
                self._hear(reply)
        if self._replies.is_endless and not self.is_over:
            self._lose("gave a reply without an end")
        if replies:
            self._set_deadline(now)
        return self.tell()

    def tell(self) -> list[Event]:
        """Give what is to be told and was not."""
        events, self._events = self._events, []
        return events

    def broken(self, now: float) -> None:
        """Note that nothing more can be sent; what the relay said before may still be heard."""
        if not self._is_broken:
            self._is_broken = True
            self.outgoing.clear()
            self.deadline = now + _LAST_WORDS

    def lost(self, words: str) -> list[Event]:
        """End: the connection is gone."""
        if not self.is_over:
            self._lose("broke the connection" if self._is_broken else words)
        return self.tell()

    def expire(self) -> list[Event]:
        """End: the deadline has passed."""
        if not self._asked:
            return self.lost("did not answer QUIT")
        asked, end, _ = self._asked[0]
        if self.outgoing.sent < end:
            return self.lost(f"took nothing more for {self._timeout:g} seconds")
        return self.lost(f"gave no whole reply within {self._limit(asked):g} seconds")

    def quit(self, now: float) -> None:
        """Say QUIT, where no message is in hand."""
        self._leave()
        self._set_deadline(now)

    def _limit(self, asked: _Asked) -> float:
        return self._patience if asked == "the final dot" else self._timeout

    def _set_deadline(self, now: float) -> None:
        """Begin to wait for the next reply, or to send what comes before it."""
        self._block = 0
        if self.is_leaving:
            self.deadline = min(self.deadline, now + FAREWELL)
        elif self._is_broken:
            pass
        elif self._asked:
            asked, end, _ = self._asked[0]
            limit = self._limit(asked) if self.outgoing.sent >= end else self._timeout
            self.deadline = now + limit
        else:
            self.deadline = math.inf

    def _say(self, letter: Letter) -> None:
        """Say all that is planned; without PIPELINING one command, and the next when answered."""
        while self._to_say and (self.offers.pipelining or not self._asked):
            asked, octets = self._to_say.popleft()
            self._asked.append((asked, self.outgoing.add(octets), letter))

    def _hear(self, reply: Reply) -> None:
        if self.is_leaving:
            self._unheard -= 1
            self.is_over = self._unheard <= 0
        elif not self._asked or self.outgoing.sent < self._asked[0][1]:
            self._hear_unasked(reply)
        else:
            asked, _, letter = self._asked.popleft()
            if reply.code == SERVICE_ENDS and asked != "the final dot":
                self._lose(f"ended the session: {reply}")
            else:
                self._heard[asked](reply, letter)
                self._say(letter)

    def _hear_unasked(self, reply: Reply) -> None:
        """Before its last octet is sent a message can be refused, and cannot be taken."""
        if reply.kind in {NOT_NOW, NEVER}:
            words = "ended the session" if self._wire is None else "did not hear the message out"
            if reply.kind == NEVER and self._wire is not None:
                self._answer(self._wire, reply.outcome("refused"))
                self._wire = None
            self._lose(f"{words}: {reply}")
        else:
            self._lose(_UNASKED)

    def _hear_reset(self, reply: Reply, _letter: Letter) -> None:
        if reply.kind != TAKEN:
            self._lose_at("RSET", reply)

    def _hear_mail(self, reply: Reply, letter: Letter) -> None:
        if reply.kind == NEVER and letter.is_wide:
            # It may mean the addresses alone (RFC 6531 §3.5): no reason to stop for all others.
            self._settle(letter, reply.outcome("unsupported"))
        elif reply.kind in {NOT_NOW, NEVER}:
            self._refuse_sender(letter, reply)
        elif reply.kind != TAKEN:
            self._lose_at("MAIL", reply)

    def _refuse_sender(self, letter: Letter, reply: Reply) -> None:
        """Give up on all that this sender has, and leave."""
        what = f"did not accept the sender <{letter.sender}>: {reply}"
        self._return(letter, TransportBusyError(what, where=self._where, fix=AGAIN), of_sender=True)
        self._next = None
        self._to_say.clear()
        if reply.kind == NEVER:
            error = TransportError(what, where=self._where, fix="check [mail] from")
            self._events.append(Failed(error=error))
        self._leave()

    def _hear_rcpt(self, reply: Reply, letter: Letter) -> None:
        if reply.kind == TAKEN:
            letter.is_addressed = True
        if letter.is_settled or reply.kind == TAKEN:
            return
        if reply.kind in {NOT_NOW, NEVER}:
            self._settle(letter, reply.outcome(_state(reply)))
        else:
            self._lose_at("RCPT", reply)

    def _hear_data(self, reply: Reply, letter: Letter) -> None:
        if letter.is_settled:
            self._next = None
            if reply.kind == GO_ON and letter.is_addressed:
                self._lose_at("DATA", reply)  # a dot would deliver an empty mail
            elif reply.kind == GO_ON:
                # Nobody is to get it (RFC 2920 §3.1), and so an empty mail is the way out.
                self._asked.append(("a dot for nobody", self.outgoing.add(b".\r\n"), letter))
        elif reply.kind == GO_ON:
            letter.is_ready = True
            if letter.is_dropped:
                self.is_over = True
            else:
                self._events.append(Ready(position=letter.position))
        elif reply.kind in {NOT_NOW, NEVER}:
            self._settle(letter, reply.outcome(_state(reply)))
            self._next = None
        else:
            self._lose_at("DATA", reply)

    def _hear_dot(self, reply: Reply, letter: Letter) -> None:
        self._wire = None
        self._answer(letter, reply.outcome(_state(reply)))
        if reply.code == SERVICE_ENDS:
            self._lose(f"ended the session: {reply}")
        elif reply.kind not in {TAKEN, NOT_NOW, NEVER}:
            self._lose_at("the final dot", reply)

    def _settle(self, letter: Letter, outcome: Outcome) -> None:
        """Tell what became of a message at its envelope."""
        self._answer(letter, outcome)
        letter.is_settled = self._needs_reset = True
        if self._to_say:
            self._to_say.clear()
            self._next = None

    def _answer(self, letter: Letter, outcome: Outcome) -> None:
        if not letter.is_dropped:
            self._events.append(Answered(position=letter.position, outcome=outcome))

    def _return(
        self, letter: Letter, error: TransportBusyError, *, of_sender: bool = False
    ) -> None:
        if not (letter.is_dropped or letter.is_settled):
            self._events.append(
                Returned(position=letter.position, error=error, of_sender=of_sender)
            )

    def _leave(self) -> None:
        self.is_leaving = True
        self._unheard = len(self._asked) + 1
        self._asked.clear()
        self.outgoing.add(b"QUIT\r\n")

    def _lose_at(self, asked: _Asked, reply: Reply) -> None:
        self._lose(f"answered {str(reply)[:60]!r} to {asked}")

    def _lose(self, words: str) -> None:
        """End, and say of each message in hand whether it may have been taken."""
        error = TransportBusyError(words, where=self._where, fix=AGAIN)
        # A message that is ready no more than lost need not be marked as on its way.
        self._events = [event for event in self._events if not isinstance(event, Ready)]
        if self._wire is not None:
            if self.outgoing.sent >= self._wire.end:
                text = f"after the final dot the relay {words}"
                self._answer(self._wire, Outcome(state="unknown", text=text))
            else:
                self._return(self._wire, error)
        if self._next is not None:
            self._return(self._next, error)
        self._wire = self._next = None
        self.is_over = True


def _state(reply: Reply) -> OutcomeState:
    states: dict[int, OutcomeState] = {TAKEN: "accepted", NOT_NOW: "pending", NEVER: "refused"}
    return states.get(reply.kind, "unknown")
