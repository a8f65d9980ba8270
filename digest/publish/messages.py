"""The messages of a send, made from the frozen edition: the same bytes each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from digest.mime import cut_stencil, message_ids
from digest.model import Delivery, Mailbox, Message, Send
from digest.publish.editions import Kept, material_from

if TYPE_CHECKING:
    from digest.mime import Draft, Signer, Stencil

__all__ = ["MessageMaker", "message_maker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageMaker:
    """Makes the messages of one send; all that readers share is encoded once."""

    stencil: Stencil
    name: Callable[[str], str]

    def message(self, row: Delivery) -> Message:
        """Make a reader's message."""
        return self.stencil.message(
            to=Mailbox(address=row.address, name=row.name), message_id=self.name(row.address)
        )

    def draft(self, row: Delivery) -> Draft:
        """Make a reader's message but for its signature."""
        return self.stencil.draft(
            to=Mailbox(address=row.address, name=row.name), message_id=self.name(row.address)
        )


def message_maker(kept: Kept, send: Send, secret: bytes, *, signer: Signer | None) -> MessageMaker:
    """Give what makes the messages of a send."""
    newsletter = material_from(kept).newsletter
    return MessageMaker(
        stencil=cut_stencil(kept.edition, newsletter=newsletter, date=send.began, signer=signer),
        name=message_ids(secret, issue=send.issue, domain=newsletter.sender.domain),
    )
