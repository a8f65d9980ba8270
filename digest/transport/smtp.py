"""The relay: a mail server that takes messages by SMTP and delivers them for us."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from digest.errors import TransportBusyError, TransportError
from digest.model import Message, Outcome
from digest.transport.account import SmtpAccount
from digest.transport.dialogue import AGAIN
from digest.transport.events import Answered, Ready
from digest.transport.pool import PATIENCE, Pool

__all__ = ["Smtp"]

_ONE: Final = 1  # the position of the only message
_LONG: Final = 3600.0  # seconds; each wait has its own end before


class Smtp:
    """Hands messages to a relay over one connection, each in a transaction with one recipient.

    `patience` is how many seconds to wait for the answer to a final dot. A relay that was reached
    once and is not reached again gives TransportBusyError.
    """

    def __init__(self, account: SmtpAccount, *, patience: float = PATIENCE) -> None:
        self.name = account.name
        self._account, self._patience = account, patience
        one = replace(account, connections=1, per_connection=0)
        self._pool = Pool(one, patience=patience)

    def pool(self) -> Pool:
        """Give a carrier of all the connections that the relay may have, not yet open."""
        return Pool(self._account, patience=self._patience)

    def open(self) -> None:
        """Connect, encrypt and log in; nothing happens where that is done.

        One try: login is never repeated on a connection. Raise TransportError (nothing to be
        gained by another try) or TransportBusyError.
        """
        self._pool.open()

    def hand_over(self, message: Message) -> Outcome:
        """Hand one message over and say what became of it.

        Raise TransportBusyError where the connection is gone or the relay is done with us for now,
        TransportError where it refuses our sender; then the connection is closed and nothing of
        the message was taken.
        """
        if not self._pool.is_open:
            raise TransportBusyError("the connection is not open", where=self.name, fix=AGAIN)
        try:
            self._pool.offer(_ONE, message)
            outcome = self._outcome()
            while self._pool.is_open and not self._pool.free():
                self._pool.wait(_LONG)  # what is still to be said of this message
        except BaseException:
            # Nobody knows where both sides are.
            self._pool.close()
            raise
        return outcome

    def close(self) -> None:
        """Say QUIT and close; do nothing where it is not open."""
        self._pool.close()

    def _outcome(self) -> Outcome:
        error: TransportError | None = None
        while error is None:
            for event in self._pool.wait(_LONG):
                if isinstance(event, Answered):
                    return event.outcome
                if isinstance(event, Ready):
                    self._pool.pour(event.position)
                else:
                    error = event.error
        raise error
