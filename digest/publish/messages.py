"""The messages of a send, made from the frozen edition: the same bytes each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from digest.mime import cut_stencil, message_id
from digest.model import Delivery, Mailbox, Message, Send
from digest.publish.editions import Kept, material_from

if TYPE_CHECKING:
    from digest.mime import Signer

__all__ = ["message_maker"]


def message_maker(
    kept: Kept, send: Send, secret: bytes, *, signer: Signer | None
) -> Callable[[Delivery], Message]:
    """Give what makes one reader's message; all that readers share is encoded once, here."""
    newsletter = material_from(kept).newsletter
    domain = newsletter.sender.domain
    stencil = cut_stencil(kept.edition, newsletter=newsletter, date=send.began, signer=signer)

    def make(row: Delivery) -> Message:
        return stencil.message(
            to=Mailbox(address=row.address, name=row.name),
            message_id=message_id(secret, issue=send.issue, address=row.address, domain=domain),
        )

    return make
