"""An edition as mail, encoded once: for each reader only their own fields and values are made."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from digest.errors import DigestError
from digest.mime.body import Body, Slot, Text, enclosed_in, message_body
from digest.mime.dkim import Blank, Seal, Signer, make_seal
from digest.mime.fields import id_line, mailbox_text
from digest.mime.heading import common_fields, leave_lines
from digest.mime.quoted import quoted
from digest.mime.wire import surely_sound, wire_faults
from digest.model import Edition, Mailbox, Message, Newsletter
from digest.model.summary import refuse_naive
from digest.render.addresses import leave_url
from digest.render.fields import refill

if TYPE_CHECKING:
    from hashlib import _Hash

__all__ = ["Draft", "Stencil", "Strip", "cut_stencil"]

_HTML: Final = "issue.html"
_TEXT: Final = "issue.txt"
# What may say `<body` and is no element is taken whole, to be passed over.
_BODY: Final = re.compile(
    rb"<!--.*?-->|<(style|script|title)\b.*?</\1\s*>"
    rb"|(?P<body><body\b(?:[^\"'<>]|\"[^\"]*\"|'[^']*')*>)",
    re.DOTALL | re.IGNORECASE,
)
# A reader by whom the parts that all share are looked at.
_ANYBODY: Final = Mailbox(address="reader@example.invalid")
_ANY_ID: Final = "<reader@example.invalid>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """What stands above an issue in a test, or in a notice to editors: as HTML and as text."""

    html: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A message that lacks its signature alone: that of `digest`."""

    id: str
    sender: str
    recipient: str
    pieces: tuple[bytes, ...]
    blank: Blank

    @property
    def digest(self) -> bytes:
        """Give what is to be signed: 32 octets."""
        return self.blank.digest

    def signed(self, signature: bytes) -> Message:
        """Make the message."""
        return Message(
            id=self.id,
            sender=self.sender,
            recipient=self.recipient,
            data=b"".join((self.blank.field(signature), *self.pieces)),
            is_plain=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stencil:
    """An edition as mail with holes: see `message`.

    `fields` are the header's four pieces, between them those of a reader. In `body` each empty
    piece that `holes` names gets the value of one of `slots`. What is the same for all who leave
    in the common way, `leave`, is made: their own fields, and the values of those slots that
    `known` has. `begun` has hashed the piece before the first hole.
    """

    name: str
    sender: str
    leave: tuple[str, ...]
    leave_fields: tuple[bytes, ...]
    fields: tuple[bytes, bytes, bytes, bytes]
    body: tuple[bytes, ...]
    holes: tuple[tuple[int, int], ...]
    slots: tuple[Slot, ...]
    known: Mapping[int, bytes]
    seal: Seal | None
    begun: _Hash

    def message(
        self, *, to: Mailbox, message_id: str, unsubscribe: tuple[str, ...] = ()
    ) -> Message:
        """Make one reader's message, signed where the stencil has a signer.

        `unsubscribe` are the addresses at which this reader leaves, the best first (default: by
        mail); one click (RFC 8058) is offered where that is https. Equal arguments give equal
        bytes. Raise ValueError for an address or a Message-ID that cannot stand in a header field;
        raise DigestError if the bytes break a rule of the wire.
        """
        if self.seal is not None:
            draft = self.draft(to=to, message_id=message_id, unsubscribe=unsubscribe)
            return draft.signed(self.seal.signer.sign(draft.digest))
        own, body = self._own(to, message_id, unsubscribe)
        return Message(
            id=message_id,
            sender=self.sender,
            recipient=to.address,
            data=b"".join(self._pieces(own, body)),
            is_plain=True,
        )

    def draft(self, *, to: Mailbox, message_id: str, unsubscribe: tuple[str, ...] = ()) -> Draft:
        """Make one reader's message but for its signature, as `message` does.

        Raise ValueError, too, where the stencil has no signer.
        """
        if self.seal is None:
            raise ValueError("a stencil without a signer makes whole messages")
        own, body = self._own(to, message_id, unsubscribe)
        return Draft(
            id=message_id,
            sender=self.sender,
            recipient=to.address,
            pieces=self._pieces(own, body),
            blank=self.seal.blank(own, body=self._digest(body)),
        )

    def _own(
        self, to: Mailbox, message_id: str, unsubscribe: tuple[str, ...]
    ) -> tuple[tuple[bytes, ...], list[bytes]]:
        """Make a reader's own fields, and the body's pieces with their values."""
        is_common = unsubscribe in {(), self.leave}
        leave = self.leave if is_common else unsubscribe
        own = (
            f"To: {mailbox_text(to)}\r\n".encode(),
            id_line(message_id),
            *(self.leave_fields if is_common else leave_lines(leave)),
        )
        known = self.known if is_common else {}
        values = {"leave_url": leave[0], "name": to.name, "address": to.address}
        shown = [
            known[at] if at in known else _value(slot, values) for at, slot in enumerate(self.slots)
        ]
        body = list(self.body)
        for at, slot in self.holes:
            body[at] = shown[slot]
        if not surely_sound(b"".join(own), shown) and (
            faults := wire_faults(b"".join(self._pieces(own, body)))
        ):
            raise DigestError("; ".join(faults), where=f"{self.name} for {to.address}")
        return own, body

    def _pieces(self, own: tuple[bytes, ...], body: list[bytes]) -> tuple[bytes, ...]:
        first, second, third, last = self.fields
        return (first, own[0], second, own[1], third, *own[2:], last, *body)

    def _digest(self, body: Sequence[bytes]) -> bytes:
        # The body ends with the boundary's line, so it is hashed as it is sent (RFC 6376 §3.4.4).
        hashed = self.begun.copy()
        for piece in body[1:]:
            hashed.update(piece)
        return hashed.digest()


def _value(slot: Slot, values: Mapping[str, str]) -> bytes:
    return quoted(refill(b"", (slot.place,), values, as_html=slot.as_html))


def cut_stencil(
    edition: Edition,
    *,
    newsletter: Newsletter,
    date: datetime,
    strip: Strip | None = None,
    test: bool = False,
    signer: Signer | None = None,
) -> Stencil:
    """Encode an edition once, its merge fields left open for `Stencil.message`.

    `date` is shown in the newsletter's zone; signatures say it too. The boundary is that of the
    general copy. Raise ValueError for a `date` without a zone; raise DigestError if the bytes that
    all messages share break a rule of the wire.
    """
    refuse_naive(date)
    moment = date.astimezone(newsletter.zone)
    *fields, last = common_fields(edition, newsletter=newsletter, moment=moment, test=test)
    body = _body(edition, strip)
    first, second, third = fields
    slots = tuple(dict.fromkeys(body.slots))
    leave = leave_url(newsletter)
    stencil = Stencil(
        name=edition.key,
        sender=newsletter.sender.address,
        leave=(leave,),
        leave_fields=leave_lines((leave,)),
        fields=(first, second, third, last + body.fields),
        body=_opened(body.pieces),
        holes=tuple((2 * at + 1, slots.index(slot)) for at, slot in enumerate(body.slots)),
        slots=slots,
        known=_known(slots, leave),
        seal=None,
        begun=sha256(body.pieces[0]),
    )
    sample = stencil.message(to=_ANYBODY, message_id=_ANY_ID)
    if faults := wire_faults(sample.data):
        raise DigestError("; ".join(faults), where=edition.key)
    return stencil if signer is None else _sealed(stencil, signer, date)


def _known(slots: Sequence[Slot], leave: str) -> dict[int, bytes]:
    values = {"leave_url": leave}
    return {at: _value(slot, values) for at, slot in enumerate(slots) if slot.place.name in values}


def _sealed(stencil: Stencil, signer: Signer, date: datetime) -> Stencil:
    common = b"".join(stencil.fields)
    by_mail = (b"to", b"message-id", b"list-unsubscribe")
    own = (by_mail, (*by_mail, b"list-unsubscribe-post"))
    return replace(stencil, seal=make_seal(signer, common=common, own=own, date=date))


def _opened(pieces: tuple[bytes, ...]) -> tuple[bytes, ...]:
    """Put an empty piece between each two."""
    opened = [b""] * (2 * len(pieces) - 1)
    opened[::2] = pieces
    return tuple(opened)


def _body(edition: Edition, strip: Strip | None) -> Body:
    data = edition.files[_HTML], edition.files[_TEXT]
    html, text = (
        Text(data=part, places=edition.fields.get(name, ()))
        for name, part in zip((_HTML, _TEXT), data, strict=True)
    )
    if strip is not None:
        start = next((found.end() for found in _BODY.finditer(data[0]) if found["body"]), 0)
        html = _with(html, strip.html.encode(), at=start)
        text = _with(text, strip.text.strip("\n").encode() + b"\n\n", at=0)
    return message_body(html, text, pictures=enclosed_in(data[0], edition.files), of=data)


def _with(text: Text, more: bytes, *, at: int) -> Text:
    """Put more into a text, which moves the places behind."""
    moved = tuple(
        replace(place, start=place.start + len(more), end=place.end + len(more))
        if place.start >= at
        else place
        for place in text.places
    )
    return Text(data=text.data[:at] + more + text.data[at:], places=moved)
