"""The relay: a mail server that takes messages by SMTP and delivers them for us."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from digest.errors import TransportBusyError, TransportError
from digest.model import Message, Outcome
from digest.transport.account import SmtpAccount
from digest.transport.reply import LostError
from digest.transport.transaction import AGAIN, transact, without_a_word

if TYPE_CHECKING:
    from digest.transport.link import Link

__all__ = ["Smtp"]

_PATIENCE: Final = 600.0  # RFC 5321 §4.5.3.2.6


class Smtp:
    """Hands messages to a relay over one connection, each in a transaction with one recipient.

    `patience` is how many seconds to wait for the answer to a final dot. A relay that was reached
    once and is not reached again gives TransportBusyError.
    """

    def __init__(self, account: SmtpAccount, *, patience: float = _PATIENCE) -> None:
        self.name = account.name
        self._account = account
        self._patience = patience
        self._known = False
        self._link: Link | None = None

    def open(self) -> None:
        """Connect, encrypt and log in; nothing happens where that is done.

        One try: login is never repeated on a connection. Raise TransportError (nothing to be
        gained by another try) or TransportBusyError.
        """
        if self._link is None:
            from digest.transport.opening import open_link  # noqa: PLC0415 - smtplib, 40 ms

            self._link = open_link(self._account, known=self._known)
            self._known = True

    def hand_over(self, message: Message) -> Outcome:
        """Hand one message over and say what became of it.

        Raise TransportBusyError where the connection is gone or the relay is done with us for now,
        TransportError where it refuses our sender; then the connection is closed and nothing of
        the message was taken.
        """
        # Put back only once both sides agree again on where they are.
        link, self._link = self._link, None
        if link is None:
            raise TransportBusyError("the connection is not open", where=self.name, fix=AGAIN)
        if outcome := without_a_word(link, message):
            self._link = link
            return outcome
        try:
            outcome, goes_on = transact(link, message, where=self.name, patience=self._patience)
        except LostError as error:
            link.close()
            raise TransportBusyError(str(error), where=self.name, fix=AGAIN) from None
        except TransportError:
            link.part()
            raise
        except BaseException:
            link.close()
            raise
        if goes_on:
            self._link = link
        else:
            link.close()
        return outcome

    def close(self) -> None:
        """Say QUIT and close; do nothing where it is not open."""
        link, self._link = self._link, None
        if link is not None:
            link.part()
